"""Seams of turned pieces: which looks touch, however the two together are turned."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from jigsolve.core.turns import NONE, QUARTER
from jigsolve.scores.looks import Looks


class Touching(NamedTuple):
    """Different seams, and how often each is there."""

    keys: np.ndarray
    counts: np.ndarray

    @property
    def total(self) -> int:
        """How many seams there are."""
        return int(self.counts.sum())


def seam_keys(grid: np.ndarray, looks: Looks, turns: str) -> tuple[np.ndarray, np.ndarray]:
    """Return a number for each seam to the right and below; -1 beside an empty cell.

    Two seams have the same number if the two looks that touch are the same once the pair of them is
    turned as pieces may be. With half turns a seam to the right never becomes one below.
    """
    base = len(looks.after)
    is_turned = turns != NONE
    across = _pair(grid[:, :-1], grid[:, 1:], looks, is_turned=is_turned)
    if turns == QUARTER:  # turned back, so that what is above is at the left
        above, below = looks.after[grid[:-1], 3], looks.after[grid[1:], 3]
        return across, _pair(above, below, looks, is_turned=True)
    down = _pair(grid[:-1], grid[1:], looks, is_turned=is_turned)
    return across, np.where(down >= 0, down + base * base, -1)


def _pair(first: np.ndarray, second: np.ndarray, looks: Looks, *, is_turned: bool) -> np.ndarray:
    """Return a number for looks beside each other; half a turn of the pair leaves it as it is."""
    base = len(looks.after)
    keys = first * base + second
    if is_turned:
        keys = np.minimum(keys, looks.after[second, 2] * base + looks.after[first, 2])
    return np.where((first >= 0) & (second >= 0), keys, -1)


def touching(grids: Iterable[np.ndarray], looks: Looks, turns: str) -> Touching:
    """Return the seams of one or several pictures."""
    parts = [keys.ravel() for grid in grids for keys in seam_keys(grid, looks, turns)]
    keys = np.concatenate(parts) if parts else np.empty(0, int)
    return Touching(*np.unique(keys[keys >= 0], return_counts=True))


def shared(found: Touching, truth: Touching) -> int:
    """Return how many seams are in both."""
    _, here, there = np.intersect1d(found.keys, truth.keys, return_indices=True)
    return int(np.minimum(found.counts[here], truth.counts[there]).sum())


def expected_shared(found: Touching, truth: Touching, looks: Looks, copies: np.ndarray) -> float:
    """Return how many seams are right on average if look-alikes are numbered at random.

    So many (piece, turn) there are of each look. A seam of two of them is one of all pairs with
    these looks, of two pieces; where half a turn exchanges the two looks, of half as many.
    """
    keys, here, there = np.intersect1d(found.keys, truth.keys, return_indices=True)
    base = len(looks.after)
    first, second = np.divmod(keys % (base * base), base)
    same_kind = looks.kinds[first] == looks.kinds[second]
    partners = copies[second] - np.where(same_kind, looks.symmetries[second], 0)
    ways = copies[first] * np.maximum(partners, 1).astype(float)
    ways /= 1 + (looks.after[second, 2] == first)
    return float((found.counts[here] * truth.counts[there] / ways).sum())
