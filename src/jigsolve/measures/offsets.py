"""Where in a grid of blocks pieces begin, found from the pieces themselves.

How the borders of blocks look is not known beforehand. It is found by expectation maximization:
each piece has one of sixteen offsets, and shows the same profile, turned round by so many pixels.

Reference: Dempster, Laird and Rubin, J. Royal Statistical Society B 39, 1977.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from jigsolve.execution.crew import spans

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

PROFILES_AT_ONCE = 32


def likely_offsets(
    pieces: Sequence[np.ndarray],
    order: np.ndarray,
    tell: Callable[[int], None],
    *,
    either_way: bool = False,
) -> np.ndarray:
    """Return how likely each offset is from left to right, (n, PERIOD).

    Parameters
    ----------
    pieces
        Arrays of the same shape, (n, height, width, 3), the rows of which are taken together; what
        is found comes one after the other.
    order
        The pieces in the order wanted.
    tell
        Told how many rounds are done.
    either_way
        Whether pieces may lie either way round: then the profile must be the same from both ends.
    """
    width = pieces[0].shape[2]
    unknown = np.full((len(pieces) * len(order), PERIOD), 1 / PERIOD, np.float32)
    if width < SMALLEST or width % PERIOD == 0:
        tell(ROUNDS)
        return unknown
    profiles = np.concatenate([_profiles(some, order) for some in pieces])
    profiles -= profiles.mean(axis=2, keepdims=True)
    count, channels, length = profiles.shape
    mirror = _Mirror(channels, length) if either_way else None
    values = profiles.reshape(count, -1)
    plain = ~values.any(axis=1)  # of one colour: they show nothing
    if plain.all():
        tell(ROUNDS)
        return unknown
    usual = values[~plain].mean(axis=0)
    values -= mirror.shown_alike(usual) if mirror else usual
    values[plain] = 0.0
    blocks = _Blocks((np.arange(length) + np.arange(PERIOD)[:, None]) % PERIOD)
    # As JPEG often has it: blocks of light half as large as those of colour.
    jump = np.zeros(PERIOD)
    jump[[-1, 0, 1]] = JUMP
    profile = np.stack([jump + np.roll(jump, PERIOD // 2), *[jump] * (channels - 1)])
    squares = values.T @ values / count
    if mirror:
        squares = mirror.squares(squares)
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
        if mirror:
            shares, means = mirror.offsets(shares), mirror.means(means)
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
