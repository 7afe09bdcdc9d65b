"""Traces of compression: where in the grid of blocks a piece was cut.

JPEG stores blocks of 8 by 8 pixels, colours often of 16 by 16, and over the borders of blocks
pixels differ a little more than elsewhere. Where pieces are no whole number of blocks wide, these
borders lie elsewhere in each piece, and tell where it was cut: its phase. Neighbours' phases differ
by a piece's width, those of other pieces at random. In a plain sky that says more than the seam.

How the borders look is not known beforehand. It is found from the pieces themselves, by
expectation maximization: each piece has one of sixteen phases, and shows the same profile, turned
round by so many pixels. Without such traces the profile comes out flat, and nothing is said.

Related: Fan and de Queiroz, IEEE Trans. Image Processing 12, 2003 (the grid of blocks, found from
differences of pixels); Dempster, Laird and Rubin, J. Royal Statistical Society B 39, 1977.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from jigsolve._kernels.traces import add_log_ratios
from jigsolve.parallel import Progress, one_thread_per_product, spans

PERIOD = 16
"""Pixels after which the grid of blocks repeats."""
PERIODS = (1, 8, 16)
"""Those that are tried; 1 is for no traces at all."""

STORED = np.array(
    [[0.299, 0.587, 0.114], [-0.168736, -0.331264, 0.5], [0.5, -0.418688, -0.081312]], np.float32
)
"""Lightness and two colour differences, as JPEG stores them (ITU-T T.871)."""

FAINTEST = 0.1
"""Added to differences before their logarithm is taken: below it is rounding."""

SMALLEST = 12
"""Pieces with fewer pixels show too little of the grid."""

ROUNDS = 40
FIRST_ROUNDS = 8
"""Rounds of expectation maximization, and how many of them take pixels to be independent."""

LEAST_VARIANCE = 1e-3

DOUBT = 0.06
"""How likely neighbours' phases are taken to be as different as those of any two pieces."""

RARE = 1e-4
"""Phases with a smaller share are left out: they do not occur."""

BESIDE = 3
"""A third difference takes four columns: so many places fewer than these there are."""

BEGINNING = 0.5
PIECES_AT_ONCE = 256


Pairs = tuple[np.ndarray, np.ndarray]
"""Pieces, and others to the right of them or below."""


@dataclass(frozen=True)
class Phases:
    """How likely each phase is, for every piece, in two directions."""

    across: np.ndarray
    """From left to right, (n, period)."""
    down: np.ndarray
    """From top to bottom, (n, period)."""
    height: int
    width: int
    """Of a piece, in pixels."""

    @classmethod
    def of(cls, pieces: np.ndarray, progress: Progress | None = None) -> Phases:
        """Find the phases of pieces, (n, height, width, 3) uint8.

        `progress` is told rounds done and in all.
        """

        def tell(before: int, done: int) -> None:
            if progress:
                progress(before + done, 2 * ROUNDS)

        with one_thread_per_product():  # or results would depend on their number
            across = _phases(pieces, lambda done: tell(0, done))
            down = _phases(pieces.transpose(0, 2, 1, 3), lambda done: tell(ROUNDS, done))
        return cls(across, down, *pieces.shape[1:3])

    def taken(self, order: np.ndarray) -> Phases:
        """Return the phases of the pieces in another order."""
        return replace(self, across=self.across[order], down=self.down[order])

    def vouched_for(self, rightward: Pairs, downward: Pairs) -> Phases:
        """Return the phases with periods that suit pairs which are known to be neighbours.

        Blocks of 8 pixels, or of 16, or none at all: what says most for the known pairs. Phases
        that make too much of a difference may tell smooth pieces from others, not places.
        """

        def best(phases: np.ndarray, shifts: tuple[int, int]) -> np.ndarray:
            def said(folded: np.ndarray) -> float:
                total = 0.0
                for pairs, shift in zip((rightward, downward), shifts, strict=True):
                    found = np.zeros(len(pairs[0]), np.float32)
                    _add_log_ratios(folded, shift, pairs, found)
                    total += float(found.sum(dtype=np.float64))
                return total

            return max((_folded(phases, period) for period in PERIODS), key=said)

        return replace(
            self,
            across=best(self.across, (self.width, 0)),
            down=best(self.down, (0, self.height)),
        )

    def log_ratios(self, pairs: Pairs, *, rightward: bool) -> np.ndarray:
        """Return how much likelier the phases of pairs are for neighbours than by chance.

        As logarithms, (m,) float32; the others lie to the right, or else below.
        """
        found = np.zeros(len(pairs[0]), np.float32)
        _add_log_ratios(self.across, self.width if rightward else 0, pairs, found)
        _add_log_ratios(self.down, 0 if rightward else self.height, pairs, found)
        return found


def _folded(phases: np.ndarray, period: int) -> np.ndarray:
    """Return phases of a shorter period."""
    return np.asarray(phases.reshape(len(phases), -1, period).sum(axis=1))


def _add_log_ratios(phases: np.ndarray, shift: int, pairs: Pairs, found: np.ndarray) -> None:
    """Add what phases say for others to lie so many pixels away."""
    expected = np.roll(phases, shift, axis=1)
    usual, usually_expected = (p.mean(axis=0, dtype=np.float64) for p in (phases, expected))
    occur = np.minimum(usual, usually_expected) > RARE
    by_chance = float(usual[occur] @ usually_expected[occur])
    if by_chance > 0:
        relative = expected[:, occur] * np.float32((1 - DOUBT) / by_chance)
        add_log_ratios(relative, phases[:, occur].copy(), DOUBT, *pairs, found)


def _phases(pieces: np.ndarray, tell: Callable[[int], None]) -> np.ndarray:
    """Return how likely each phase is from left to right, (n, PERIOD)."""
    unknown = np.full((len(pieces), PERIOD), 1 / PERIOD, np.float32)
    if pieces.shape[2] < SMALLEST:
        return unknown
    profiles = _profiles(pieces)
    count, channels, length = profiles.shape
    values = (profiles - profiles.mean(axis=2, keepdims=True)).reshape(count, -1)
    plain = ~values.any(axis=1)  # of one colour: they show nothing
    if plain.all():
        return unknown
    values -= values[~plain].mean(axis=0)
    values[plain] = 0.0
    grid = Grid((np.arange(length) + np.arange(PERIOD)[:, None]) % PERIOD)
    # As JPEG often has it: blocks of light half as large as those of colour.
    profile = np.zeros((channels, PERIOD))
    profile[:, 0] = profile[0, PERIOD // 2] = BEGINNING
    squares = values.T @ values / count
    shrinkage = len(squares) / (len(squares) + count)
    covariance = np.diag(np.diag(squares) + LEAST_VARIANCE)
    shares = np.full(PERIOD, 1 / PERIOD)
    for done in range(1, ROUNDS + 1):
        shown = grid.shown(profile)
        weights = np.linalg.solve(covariance, shown.T)
        says = values @ weights - 0.5 * (shown.T * weights).sum(axis=0)
        says[plain] = 0.0
        says += np.log(np.maximum(shares, 1e-12))
        likely = np.exp(says - says.max(axis=1, keepdims=True))
        likely /= likely.sum(axis=1, keepdims=True)
        shares = likely.mean(axis=0)
        means = likely.T @ values / count
        profile = grid.profile(means.reshape(PERIOD, channels, length), shares)
        if done > FIRST_ROUNDS:
            shown = grid.shown(profile)
            crossed = means.T @ shown
            rest = squares - crossed - crossed.T + (shown.T * shares) @ shown
            covariance = (1 - shrinkage) * rest
            covariance[np.diag_indices(len(rest))] = np.diag(rest) + LEAST_VARIANCE
        tell(done)
    return np.asarray(likely, np.float32)


@dataclass(frozen=True)
class Grid:
    """Where in the grid of blocks each place of a piece lies, for each phase."""

    places: np.ndarray  # (PERIOD, length)

    def shown(self, profile: np.ndarray) -> np.ndarray:
        """Return what a piece shows of a profile, (channels, PERIOD), for each phase, flat."""
        shown = profile[:, self.places].transpose(1, 0, 2)
        shown = shown - shown.mean(axis=2, keepdims=True)
        return np.asarray(shown.reshape(PERIOD, -1))

    def profile(self, means: np.ndarray, shares: np.ndarray) -> np.ndarray:
        """Return the profile of what phases show on average, (PERIOD, channels, length)."""
        channels = means.shape[1]
        sums, weights = np.zeros((channels, PERIOD)), np.zeros(PERIOD)
        for channel in range(channels):
            np.add.at(sums[channel], self.places, means[:, channel])
        np.add.at(weights, self.places, np.repeat(shares[:, None], self.places.shape[1], axis=1))
        profile = sums / np.maximum(weights, 1e-9)
        return np.asarray(profile - profile.mean(axis=1, keepdims=True))


def _profiles(pieces: np.ndarray) -> np.ndarray:
    """Return how abruptly pixels change between neighbouring columns, (n, 3, width - BESIDE).

    Third differences, which are nothing where colours change evenly.
    """
    count, _, width, _ = pieces.shape
    found = np.empty((count, 3, width - BESIDE))
    for span in spans(count, PIECES_AT_ONCE):
        stored = pieces[slice(*span)].astype(np.float32) @ STORED.T
        abrupt = np.abs(np.diff(stored, BESIDE, axis=2)).mean(axis=1)
        found[slice(*span)] = np.log(abrupt + FAINTEST).transpose(0, 2, 1)
    return found


def traces_bytes(pieces: int, longest_side: int) -> int:
    """Return about how much memory it takes to find phases."""
    profiles = 3 * pieces * 3 * longest_side * 8  # as they are, centred, and on the way there
    return profiles + 6 * pieces * PERIOD * 8
