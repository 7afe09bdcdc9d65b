"""Where in a grid of blocks pieces begin, found from the pieces themselves.

How the borders of blocks look is not known beforehand. It is found by expectation maximization:
each piece has one of sixteen offsets, and shows the same profile, turned round by so many pixels.

Reference: Dempster, Laird and Rubin, J. Royal Statistical Society B 39, 1977.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from jigsolve.execution.crew import Executor, Progress, one_thread_per_product, spans
from jigsolve.gpu import Device, Gpu

PERIOD = 16
"""Pixels after which the grid of blocks repeats."""

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

BESIDE = 3
"""A third difference takes four columns: so many places fewer than these there are."""

JUMP = (0.3, 0.6, 0.3)
"""The profile to be expected of a step: third differences before it, over it and after it."""

PIECES_AT_ONCE = 1024
PROFILES_AT_ONCE = 128


def all_likely_offsets(
    groups: Sequence[Sequence[np.ndarray]],
    order: np.ndarray,
    crew: Executor,
    progress: Progress | None,
    gpu: Gpu | None = None,
    *,
    either_way: bool = False,
) -> list[np.ndarray]:
    """Return how likely each offset is from left to right, for each group of pieces, (n, PERIOD).

    Parameters
    ----------
    groups
        Arrays of the same shape, (n, height, width, 3), the rows of which are taken together; what
        is found comes one after the other.
    order
        The pieces in the order wanted.
    crew
        Who does the work.
    progress
        Told parts done and in all.
    gpu
        Helps, if there is one.
    either_way
        Whether pieces may lie either way round: then the profile must be the same from both ends.
    """
    shown = [[_no_profiles(pieces, len(order)) for pieces in group] for group in groups]
    jobs = [
        (pieces, found, span)
        for group, of_group in zip(groups, shown, strict=True)
        for pieces, found in zip(group, of_group, strict=True)
        for span in spans(len(order), PIECES_AT_ONCE)
        if found.size
    ]
    parts = len(jobs) + len(groups)
    tell = progress or (lambda done, total: None)

    def look(job: tuple[np.ndarray, np.ndarray, tuple[int, int]]) -> None:
        pieces, found, (first, last) = job
        for some in spans(last - first, PROFILES_AT_ONCE):
            few = slice(first + some[0], first + some[1])
            found[few] = _profiles(pieces, order[few])

    def find(profiles: list[np.ndarray]) -> np.ndarray:
        return _likely_offsets(np.concatenate(profiles), crew, gpu, either_way)

    with one_thread_per_product():  # or results would depend on their number
        crew.map(look, jobs, lambda done, _: tell(done, parts))
        return crew.map(find, shown, lambda done, _: tell(len(jobs) + done, parts))


def _likely_offsets(
    profiles: np.ndarray, crew: Executor, gpu: Gpu | None, either_way: bool
) -> np.ndarray:
    """Return how likely each offset is, by what pieces show, (n, 3, places)."""
    unknown = np.full((len(profiles), PERIOD), 1 / PERIOD, np.float32)
    if not profiles.size:
        return unknown
    profiles -= profiles.mean(axis=2, keepdims=True)
    count, channels, length = profiles.shape
    mirror = _Mirror(channels, length) if either_way else None
    values = profiles.reshape(count, -1)
    plain: np.ndarray = np.logical_not(values.any(axis=1))  # of one colour: they show nothing
    if plain.all():
        return unknown
    usual = values[~plain].mean(axis=0)
    values -= mirror.shown_alike(usual) if mirror else usual
    values[plain] = 0.0
    shown = values, plain, length, mirror, crew
    found = gpu.attempt(lambda device: _expectation(*shown, device)) if gpu else None
    return _expectation(*shown) if found is None else found


def _expectation(
    values: np.ndarray,
    plain: np.ndarray,
    length: int,
    mirror: _Mirror | None,
    crew: Executor,
    device: Device | None = None,
) -> np.ndarray:
    """Return how likely each offset is for what pieces show, (n, channels length), in rounds.

    What there is for every piece lies on a device, if one is given.
    """
    there, back = (device.xp.asarray, device.xp.asnumpy) if device else (np.asarray, np.asarray)
    count, channels = len(values), values.shape[1] // length
    blocks = _Blocks((np.arange(length) + np.arange(PERIOD)[:, None]) % PERIOD)
    # As JPEG often has it: blocks of light half as large as those of colour.
    jump = np.zeros(PERIOD)
    jump[[-1, 0, 1]] = JUMP
    profile = np.stack([jump + np.roll(jump, PERIOD // 2), *[jump] * (channels - 1)])
    shown_by, says_nothing = there(values), there(plain)
    squares = back(shown_by.T @ shown_by) / count
    if mirror:
        squares = mirror.squares(squares)
    shrinkage = len(squares) / (len(squares) + count)
    covariance = np.diag(np.diag(squares) + LEAST_VARIANCE)
    shares = np.full(PERIOD, 1 / PERIOD)
    for done in range(1, ROUNDS + 1):
        shown = blocks.shown(profile)
        weights = np.linalg.solve(covariance, shown.T)
        says = shown_by @ there(weights) - there(0.5 * (shown.T * weights).sum(axis=0))
        says[says_nothing] = 0.0
        says += there(np.log(np.maximum(shares, 1e-12)))
        likely = np.exp(says - says.max(axis=1, keepdims=True))
        likely /= likely.sum(axis=1, keepdims=True)
        shares = back(likely.mean(axis=0))
        means = back(likely.T @ shown_by) / count
        if mirror:
            shares, means = mirror.offsets(shares), mirror.means(means)
        if done > ROUNDS_AS_EXPECTED:
            profile = blocks.profile(means.reshape(PERIOD, channels, length), shares)
            shown = blocks.shown(profile)
        crossed = means.T @ shown
        rest = squares - crossed - crossed.T + (shown.T * shares) @ shown
        covariance = (1 - shrinkage) * rest
        covariance[np.diag_indices(len(rest))] = np.diag(rest) + LEAST_VARIANCE
        crew.check()
    return np.asarray(back(likely), np.float32)


@dataclass(frozen=True)
class _Mirror:
    """Lets sums over pieces be sums over the same pieces read from both ends.

    A piece read from its other end shows the same profile, which is symmetric then, at the
    mirrored offset.
    """

    channels: int
    length: int

    def _reversed(self, shown: np.ndarray) -> np.ndarray:
        """Return what is shown, flat along the last axis, read from the other end."""
        by_channel = shown.reshape(*shown.shape[:-1], self.channels, self.length)
        return by_channel[..., ::-1].reshape(shown.shape)

    def shown_alike(self, shown: np.ndarray) -> np.ndarray:
        """Return the mean of what is shown from both ends."""
        return np.asarray(0.5 * (shown + self._reversed(shown)))

    def squares(self, squares: np.ndarray) -> np.ndarray:
        """Return products of what is shown at two places."""
        return np.asarray(0.5 * (squares + self._reversed(self._reversed(squares).T).T))

    def offsets(self, shares: np.ndarray) -> np.ndarray:
        """Return what belongs to offsets, along the first axis."""
        mirrored = (1 - self.length - np.arange(PERIOD)) % PERIOD
        return np.asarray(0.5 * (shares + shares[mirrored]))

    def means(self, means: np.ndarray) -> np.ndarray:
        """Return what is shown at offsets, (PERIOD, ...)."""
        mirrored = (1 - self.length - np.arange(PERIOD)) % PERIOD
        return np.asarray(0.5 * (means + self._reversed(means[mirrored])))


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


def _no_profiles(pieces: np.ndarray, count: int) -> np.ndarray:
    """Return room for what so many pieces show; none where they cannot show a grid."""
    width = pieces.shape[2]
    shows_nothing = width < SMALLEST or width % PERIOD == 0
    return np.empty((count, 3, 0 if shows_nothing else min(width, LARGEST) - BESIDE))


def _profiles(pieces: np.ndarray, some: np.ndarray) -> np.ndarray:
    """Return how abruptly pixels change between neighbouring columns, (n, 3, places).

    Third differences, which are nothing where colours change evenly.
    """
    shown = min(pieces.shape[2], LARGEST)
    first = (pieces.shape[2] - shown) // 2
    few = pieces[some, :, first : first + shown]
    # One product, not one for each line of pixels: BLAS lets one thread in at a time.
    stored = (few.reshape(-1, 3).astype(np.float32) @ STORED.T).reshape(few.shape)
    abrupt = np.abs(np.diff(stored, BESIDE, axis=2)).mean(axis=1)
    return np.asarray(np.log(abrupt + FAINTEST).transpose(0, 2, 1))


def first_line(size: int) -> int:
    """Return where a line of the grid lies at offset 0, in pixels from the first one of a piece.

    At offset 1 it is one pixel less.
    """
    return (size - min(size, LARGEST)) // 2 + (BESIDE + 1) // 2


def traces_bytes(pieces: int, longest_side: int) -> int:
    """Return about how much memory it takes to find offsets."""
    values = 3 * min(longest_side, LARGEST)
    profiles = 3 * pieces * values * 8  # as they are, those not plain, and on the way there
    some = 4 * PROFILES_AT_ONCE * longest_side * values * 4
    return profiles + some + 8 * values**2 * 8 + 8 * pieces * PERIOD * 8
