"""Traces of compression: where in the grid of blocks a piece was cut.

JPEG stores blocks of 8 by 8 pixels, colours often of 16 by 16, and over the borders of blocks
pixels differ a little more than elsewhere. Where pieces are no whole number of blocks wide, these
borders lie elsewhere in each piece, and tell where it was cut: its offset. That of the next piece
is larger by a piece's width; those of other pieces are any. In a plain sky this says more than the
seam.

How the borders look is not known beforehand. It is found from the pieces themselves, by
expectation maximization: each piece has one of sixteen offsets, and shows the same profile, turned
round by so many pixels. Whether there are such traces at all is asked of neighbours that are known:
what does not tell them from others is not believed.

Related: Fan and de Queiroz, IEEE Trans. Image Processing 12, 2003 (the grid of blocks, found from
differences of pixels); Dempster, Laird and Rubin, J. Royal Statistical Society B 39, 1977.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from jigsolve._kernels.traces import log_ratios
from jigsolve.execution.crew import Progress, one_thread_per_product, spans

PERIOD = 16
"""Pixels after which the grid of blocks repeats."""
PERIODS = (8, 16)
"""Blocks that are tried, in pixels."""
WEIGHTS = (0.25, 0.5, 0.75)
"""How far they may be believed; not all the way, for the network sees some of them, too."""

LEAST_GAIN = 0.1
"""Known neighbours have to stand out by so much, as a logarithm, from all pieces and from the next
best, or nothing is said."""
CERTAINTY = 3.0
"""With so many standard errors to spare, as if pairs had no pieces in common."""
FEWEST = 30
"""And there have to be so many of them."""

STORED = np.array(
    [[0.299, 0.587, 0.114], [-0.168736, -0.331264, 0.5], [0.5, -0.418688, -0.081312]], np.float32
)
"""Lightness and two colour differences, as JPEG stores them (ITU-T T.871)."""

FAINTEST = 0.1
"""Added to differences before their logarithm is taken: below it is rounding."""

SMALLEST, LARGEST = 12, 64
"""Pieces with fewer pixels show too little of the grid; of larger ones the middle will do."""

ROUNDS = 40
ROUNDS_AS_EXPECTED = 8
"""Rounds of expectation maximization, and how many of them keep to the profile to be expected."""

LEAST_VARIANCE = 1e-3

DOUBT = 0.06
"""How likely neighbours' offsets are taken to be as different as those of any two pieces."""

RARE = 1e-4
"""Offsets with a smaller share are left out: they do not occur."""

BESIDE = 3
"""A third difference takes four columns: so many places fewer than these there are."""

JUMP = (0.3, 0.6, 0.3)
"""The profile to be expected of a step: third differences before it, over it and after it."""

PROFILES_AT_ONCE = 32

Pairs = tuple[np.ndarray, np.ndarray]
"""Pieces, (m,), and others to the right of them or below, (m,)."""

Choices = tuple[np.ndarray, np.ndarray]
"""Pieces, (m,), and others that may lie to the right of them or below, the right one first, (m, k).
"""


@dataclass(frozen=True)
class Offsets:
    """Where pieces were cut in a grid of blocks, in two directions."""

    across: Direction
    down: Direction

    @classmethod
    def of(cls, pieces: np.ndarray, order: np.ndarray, progress: Progress | None = None) -> Offsets:
        """Find the offsets of pieces, (n, height, width, 3) uint8, in the order wanted.

        `progress` is told rounds done and in all.
        """

        def tell(before: int, done: int) -> None:
            if progress:
                progress(before + done, 2 * ROUNDS)

        height, width = pieces.shape[1:3]
        with one_thread_per_product():  # or results would depend on their number
            across = _offsets(pieces, order, lambda done: tell(0, done))
            turned = pieces.transpose(0, 2, 1, 3)
            down = _offsets(turned, order, lambda done: tell(ROUNDS, done))
        return cls(Direction(across, width), Direction(down, height))

    @property
    def say_something(self) -> bool:
        """Whether anything of this is believed."""
        return self.across.weight + self.down.weight > 0

    def likeliest(self) -> list[np.ndarray]:
        """Return the likeliest offset of every piece, (n,), for each direction believed."""
        return [d.likely.argmax(axis=1) for d in (self.across, self.down) if d.weight > 0]

    def vouched_for(self, rightward: Choices, downward: Choices) -> Offsets:
        """Return the offsets with periods and weights that suit pairs known to be neighbours."""
        return Offsets(
            self.across.vouched_for(along=rightward, beside=downward),
            self.down.vouched_for(along=downward, beside=rightward),
        )

    def log_ratios(self, pairs: Pairs, *, rightward: bool) -> np.ndarray:
        """Return how much likelier the offsets of pairs are for neighbours than by chance.

        As logarithms, (m,) float32; the others lie to the right, or else below.
        """
        along, beside = (self.across, self.down) if rightward else (self.down, self.across)
        found = along.log_ratios(pairs, shifted=True)
        found += beside.log_ratios(pairs, shifted=False)
        return found


@dataclass(frozen=True)
class Direction:
    """Offsets in one direction."""

    likely: np.ndarray
    """How likely each is for every piece, (n, period)."""
    size: int
    """Pixels of a piece in this direction."""
    weight: float = 1.0
    """How far what they say is believed."""

    def vouched_for(self, along: Choices, beside: Choices) -> Direction:
        """Return the period and the weight by which known neighbours stand out most.

        Along lie the next pieces in this direction, beside those in the other. If they do not
        stand out, nothing is said: what was found are not places then, but, say, smooth pieces
        and others.
        """
        best, most = replace(self, weight=0.0), LEAST_GAIN
        for period in PERIODS:
            folded = self._folded(period)
            ratios = [
                folded.log_ratios(
                    (np.repeat(ones, others.shape[1]), others.ravel()), shifted=next_
                ).reshape(others.shape)
                for (ones, others), next_ in ((along, True), (beside, False))
            ]
            for weight in WEIGHTS:
                said = [weight * ratio for ratio in ratios]
                right = np.concatenate([each[:, 0] for each in said])
                usual = np.concatenate([np.log(np.exp(each).mean(axis=1)) for each in said])
                gain = min(_at_least(right), _at_least(right - usual))
                if gain > most:
                    best, most = replace(folded, weight=weight), gain
        return best

    def _folded(self, period: int) -> Direction:
        """Return offsets of a shorter period."""
        likely = self.likely.reshape(len(self.likely), -1, period).sum(axis=1)
        return replace(self, likely=likely)

    def log_ratios(self, pairs: Pairs, *, shifted: bool) -> np.ndarray:
        """Return what these offsets say for others to be next to pieces, or beside them, (m,)."""
        found = np.zeros(len(pairs[0]), np.float32)
        expected, likely = self._next if shifted else self._same
        if self.weight > 0 and likely.size:
            log_ratios(expected, likely, DOUBT, *pairs, found)
            found *= np.float32(self.weight)
        return found

    @functools.cached_property
    def _next(self) -> tuple[np.ndarray, np.ndarray]:
        return self._expected(self.size)

    @functools.cached_property
    def _same(self) -> tuple[np.ndarray, np.ndarray]:
        return self._expected(0)

    def _expected(self, shift: int) -> tuple[np.ndarray, np.ndarray]:
        """Return what is expected so many pixels on, as against chance, and what is likely.

        Both are (n, k), for the offsets that occur.
        """
        expected = np.roll(self.likely, shift, axis=1)
        usual, usually_expected = (
            shares.mean(axis=0, dtype=np.float64) for shares in (self.likely, expected)
        )
        occur = np.minimum(usual, usually_expected) > RARE
        by_chance = float(usual[occur] @ usually_expected[occur])
        relative = expected[:, occur] * np.float32((1 - DOUBT) / max(by_chance, RARE**2))
        return np.ascontiguousarray(relative), np.ascontiguousarray(self.likely[:, occur])


def _at_least(values: np.ndarray) -> float:
    """Return what the mean of values is with some certainty not below."""
    if len(values) < FEWEST:
        return -np.inf
    return float(values.mean(dtype=np.float64) - CERTAINTY * values.std() / np.sqrt(len(values)))


def _offsets(pieces: np.ndarray, order: np.ndarray, tell: Callable[[int], None]) -> np.ndarray:
    """Return how likely each offset is from left to right, (n, PERIOD)."""
    unknown = np.full((len(pieces), PERIOD), 1 / PERIOD, np.float32)
    if pieces.shape[2] < SMALLEST or pieces.shape[2] % PERIOD == 0:
        tell(ROUNDS)
        return unknown
    profiles = _profiles(pieces, order)
    profiles -= profiles.mean(axis=2, keepdims=True)
    count, channels, length = profiles.shape
    values = profiles.reshape(count, -1)
    plain = ~values.any(axis=1)  # of one colour: they show nothing
    if plain.all():
        tell(ROUNDS)
        return unknown
    values -= values[~plain].mean(axis=0)
    values[plain] = 0.0
    blocks = _Blocks((np.arange(length) + np.arange(PERIOD)[:, None]) % PERIOD)
    # As JPEG often has it: blocks of light half as large as those of colour.
    jump = np.zeros(PERIOD)
    jump[[-1, 0, 1]] = JUMP
    profile = np.stack([jump + np.roll(jump, PERIOD // 2), *[jump] * (channels - 1)])
    squares = values.T @ values / count
    shrinkage = len(squares) / (len(squares) + count)
    covariance = np.diag(np.diag(squares) + LEAST_VARIANCE)
    shares = np.full(PERIOD, 1 / PERIOD)
    for done in range(1, ROUNDS + 1):
        shown = blocks.shown(profile)
        weights = np.linalg.solve(covariance, shown.T)
        says = values @ weights - 0.5 * (shown.T * weights).sum(axis=0)
        says[plain] = 0.0
        says += np.log(np.maximum(shares, 1e-12))
        likely = np.exp(says - says.max(axis=1, keepdims=True))
        likely /= likely.sum(axis=1, keepdims=True)
        shares = likely.mean(axis=0)
        means = likely.T @ values / count
        if done > ROUNDS_AS_EXPECTED:
            profile = blocks.profile(means.reshape(PERIOD, channels, length), shares)
            shown = blocks.shown(profile)
        crossed = means.T @ shown
        rest = squares - crossed - crossed.T + (shown.T * shares) @ shown
        covariance = (1 - shrinkage) * rest
        covariance[np.diag_indices(len(rest))] = np.diag(rest) + LEAST_VARIANCE
        tell(done)
    return np.asarray(likely, np.float32)


@dataclass(frozen=True)
class _Blocks:
    """Where in the grid of blocks each place of a piece lies, for each offset."""

    places: np.ndarray  # (PERIOD, length)

    def shown(self, profile: np.ndarray) -> np.ndarray:
        """Return what a piece shows of a profile, (channels, PERIOD), for each offset, flat."""
        shown = profile[:, self.places].transpose(1, 0, 2)
        shown = shown - shown.mean(axis=2, keepdims=True)
        return np.asarray(shown.reshape(PERIOD, -1))

    def profile(self, means: np.ndarray, shares: np.ndarray) -> np.ndarray:
        """Return the profile of what offsets show on average, (PERIOD, channels, length)."""
        channels = means.shape[1]
        sums, weights = np.zeros((channels, PERIOD)), np.zeros(PERIOD)
        for channel in range(channels):
            np.add.at(sums[channel], self.places, means[:, channel])
        np.add.at(weights, self.places, np.repeat(shares[:, None], self.places.shape[1], axis=1))
        profile = sums / np.maximum(weights, 1e-9)
        return np.asarray(profile - profile.mean(axis=1, keepdims=True))


def _profiles(pieces: np.ndarray, order: np.ndarray) -> np.ndarray:
    """Return how abruptly pixels change between neighbouring columns, (n, 3, places).

    Third differences, which are nothing where colours change evenly.
    """
    shown = min(pieces.shape[2], LARGEST)
    first = (pieces.shape[2] - shown) // 2
    found = np.empty((len(order), 3, shown - BESIDE))
    for span in spans(len(order), PROFILES_AT_ONCE):
        some = pieces[order[slice(*span)], :, first : first + shown]
        stored = some.astype(np.float32) @ STORED.T
        abrupt = np.abs(np.diff(stored, BESIDE, axis=2)).mean(axis=1)
        found[slice(*span)] = np.log(abrupt + FAINTEST).transpose(0, 2, 1)
    return found


def traces_bytes(pieces: int, longest_side: int) -> int:
    """Return about how much memory it takes to find offsets."""
    values = 3 * min(longest_side, LARGEST)
    profiles = 3 * pieces * values * 8  # as they are, those not plain, and on the way there
    some = 4 * PROFILES_AT_ONCE * longest_side * values * 4
    return profiles + some + 8 * values**2 * 8 + 8 * pieces * PERIOD * 8
