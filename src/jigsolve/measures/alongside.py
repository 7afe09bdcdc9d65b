"""Seams that would be made together.

Where two parts of a picture may belong together, they touch along several seams. If one of these is
a candidate, the others are looked at, too: alone they may be too faint to be found among thousands.
"""

from __future__ import annotations

import numpy as np

from jigsolve._kernels.costs import SeamArrays
from jigsolve._kernels.facing import Facing
from jigsolve._kernels.geometry import (
    SIDES,
    TURNS,
    piece_of,
    side_of,
    toward_of,
    toward_when_turned,
)
from jigsolve.measures.proposals import distinct

FARTHEST = 3
"""How many pieces along the border a seam speaks for."""


def seams_alongside(
    seams: SeamArrays, neighbours: np.ndarray, facing: Facing
) -> tuple[np.ndarray, np.ndarray]:
    """Return the seams that scored candidates of open sides would bring with them.

    Parameters
    ----------
    seams
        A table whose candidates are scored.
    neighbours
        The parts, as a table of the sides that sides touch, (n, 4); negative where one is open.
    facing
        Between which sides seams are.

    Returns
    -------
    The near and the far side of each seam, by their numbers.
    """
    touched = neighbours.ravel()
    ones, others = _candidates(seams, touched, facing)
    clockwise, back = (_next(touched, turn) for turn in (1, TURNS - 1))
    found = []
    # Where one border goes on clockwise the other does so counterclockwise.
    for next_one, next_other in ((clockwise, back), (back, clockwise)):
        one, other = ones, others
        for _ in range(FARTHEST):
            one, other = next_one[one], next_other[other]
            both = (one >= 0) & (other >= 0)
            one, other = one[both], other[both]
            found.append((one * len(touched) + other)[piece_of(one) != piece_of(other)])
    keys = distinct(np.concatenate(found))
    return keys // len(touched), keys % len(touched)


def _candidates(
    seams: SeamArrays, touched: np.ndarray, facing: Facing
) -> tuple[np.ndarray, np.ndarray]:
    """Return the scored seams between open sides."""
    keys = []
    for reading in facing[:1] if facing.is_turned else facing:
        mine = reading.sides(len(touched) // SIDES)
        mine = mine[touched[mine] < 0]
        scored = np.arange(seams.partners.shape[1]) < seams.scored[mine][:, None]
        theirs = seams.partners[mine][scored].astype(np.int64)
        mine = np.repeat(mine, scored.sum(axis=1))
        if facing.is_turned:
            one, other = np.minimum(mine, theirs), np.maximum(mine, theirs)
        else:
            one, other = (mine, theirs) if reading is facing.near else (theirs, mine)
        keys.append((one * len(touched) + other)[touched[theirs] < 0])
    both = distinct(np.concatenate(keys))
    return both // len(touched), both % len(touched)


def _next(touched: np.ndarray, turn: int) -> np.ndarray:
    """Return the side with which the border of a part goes on, for each side; -1 if it does not.

    It goes on clockwise or counterclockwise, as such a turn moves a side to the next one. That side
    touches one of the next piece, and the border goes on with the one that follows there.
    """
    side = np.arange(len(touched))
    beside = touched[_turned(side, turn)].astype(np.int64)
    onward = _turned(beside, turn)
    goes_on = (touched < 0) & (beside >= 0) & (touched[onward] < 0)
    return np.where(goes_on, onward, -1)


def _turned(side: np.ndarray, turn: int) -> np.ndarray:
    """Return the side of the same piece that a turn would move a side to."""
    return np.asarray(side_of(piece_of(side), toward_when_turned(toward_of(side), turn)))
