"""Seams that would be made together.

Where two parts of a picture may belong together, they touch along several seams. If one of these is
a candidate, the others are looked at, too: alone they may be too faint to be found among thousands.
"""

from __future__ import annotations

import numpy as np

from jigsolve._kernels.costs import SeamArrays
from jigsolve._kernels.geometry import ACROSS, DOWN, is_across, opposite, piece_of, side_of

FARTHEST = 3
"""How many pieces along the border a seam speaks for."""


def seams_alongside(
    seams: SeamArrays, neighbours: np.ndarray, side: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return the seams that scored candidates of open sides would bring with them.

    Parameters
    ----------
    seams
        A table whose candidates are scored.
    neighbours
        The parts, as a neighbour table, (n, 4); negative where a side is open.
    side
        Right or bottom; seams are between this side of one piece and the facing one of another.

    Returns
    -------
    The two pieces of each seam.
    """
    pieces = len(neighbours)
    ones, others = _candidates(seams, neighbours, side)
    found = []
    for direction in DOWN if is_across(side) else ACROSS:  # where a border goes on
        next_one, next_other = (_next(neighbours, s, direction) for s in (side, opposite(side)))
        one, other = ones, others
        for _ in range(FARTHEST):
            one, other = next_one[one], next_other[other]
            both = (one >= 0) & (other >= 0)
            one, other = one[both], other[both]
            found.append((one * pieces + other)[one != other])
    keys = np.unique(np.concatenate(found))
    return keys // pieces, keys % pieces


def _candidates(
    seams: SeamArrays, neighbours: np.ndarray, side: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return the scored seams between open sides."""
    is_open = neighbours < 0
    keys = []
    for own in (side, opposite(side)):
        mine = np.flatnonzero(is_open[:, own])
        rows = side_of(mine, own)
        scored = np.arange(seams.partners.shape[1]) < seams.scored[rows][:, None]
        theirs = piece_of(seams.partners[rows][scored].astype(np.int64))
        mine = np.repeat(mine, scored.sum(axis=1))
        free = is_open[theirs, opposite(own)]
        one, other = (mine, theirs) if own == side else (theirs, mine)
        keys.append((one * len(neighbours) + other)[free])
    both = np.unique(np.concatenate(keys))
    return both // len(neighbours), both % len(neighbours)


def _next(neighbours: np.ndarray, side: int, direction: int) -> np.ndarray:
    """Return the piece with which a part's border goes on, for each piece; -1 if it does not."""
    is_open = neighbours[:, side] < 0
    beside = neighbours[:, direction].astype(np.int64)
    goes_on = is_open & (beside >= 0) & is_open[beside]
    return np.where(goes_on, beside, -1)
