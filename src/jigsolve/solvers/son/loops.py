"""Loops of all orders, from pairs of sides that fit to the largest squares that agree."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from jigsolve._kernels import loops as kernels
from jigsolve._kernels.geometry import (
    BOTTOM,
    LEFT,
    RIGHT,
    SIDES,
    TOP,
    TURNS,
    pose_beside,
    posed_piece,
    side_at,
)
from jigsolve._kernels.known import BARRED
from jigsolve._kernels.trees import TINY
from jigsolve.execution.crew import Progress
from jigsolve.seams.table import SeamTable

MOST_PARTNERS = 10
TIE, MOST_TIED = 1.0001, 7
"""Of partners that cost the same as the cheapest, or nearly, so many are looked at."""
MOST_LOOPS = 8
"""Loops of an order for each posed piece; where there are more, all is alike and none is made of
them."""
STARTS_AT_ONCE = 4096


@dataclass(frozen=True, eq=False)
class Loops:
    """All loops, one order after another; see `_kernels.loops`."""

    poses: np.ndarray
    """The posed pieces that are loops of order 1."""
    loops: np.ndarray
    """The four loops that each consists of, those of order 2 first."""
    costs: np.ndarray
    """What the seams of each cost, on average over its parts."""
    starts: np.ndarray
    """Where those of an order begin, and after the last order the number of all."""

    @property
    def highest(self) -> int:
        """The highest order there is, 1 if none."""
        return len(self.starts) - 2

    def numbers(self, order: int) -> np.ndarray:
        """Return the loops of an order, the cheapest first, by their numbers within it."""
        some = self.costs[self.starts[order] : self.starts[order + 1]]
        return np.argsort(some, kind="stable")


def fitting(table: SeamTable, ratio: float) -> np.ndarray:
    """Return which of the first candidates of each side fit, (4n, m): each also fits the other.

    A partner fits that costs at most so many times what the cheapest does.
    """
    most = min(MOST_PARTNERS, table.arrays.partners.shape[1])
    partners, costs = table.arrays.partners[:, :most], table.arrays.costs[:, :most]
    own = np.arange(len(partners), dtype=np.int64)[:, None]
    dearer = (costs.astype(np.float64) + TINY) / (costs[:, :1] + TINY)
    fits = (dearer <= ratio) & (costs < BARRED) & (partners != own)
    fits[:, MOST_TIED:] &= dearer[:, MOST_TIED:] > TIE
    there, back = own * len(partners) + partners, partners.astype(np.int64) * len(partners) + own
    return np.asarray(fits & np.isin(back, there[fits]))


def all_loops(table: SeamTable, ratio: float, progress: Progress | None = None) -> Loops:
    """Find the loops of all orders."""
    quarters = TURNS // table.arrays.poses
    poses = np.arange(0, TURNS * table.pieces, quarters)
    fits = fitting(table, ratio)
    right, below = (_beside(table, fits, poses, toward, quarters) for toward in (RIGHT, BOTTOM))
    rims = np.repeat(posed_piece(poses).astype(np.int32)[:, None], SIDES, axis=1)[:, :, None]
    found: list[np.ndarray] = []
    costs: list[np.ndarray] = []
    while True:
        loops = _formed(right, below, rims, MOST_LOOPS * len(poses), progress)
        if not len(loops):
            break
        if found:
            costs.append(costs[-1][loops].mean(axis=1))
        else:
            costs.append(np.empty(len(loops)))
            kernels.loop_costs(table.arrays, poses, loops, costs[0])
        found.append(loops)
        rims = _rims(rims, loops)
        right, below = _overlapping(loops, (1, 3), (0, 2)), _overlapping(loops, (2, 3), (0, 1))
    starts = np.cumsum([0, 0, 0, *map(len, found)])
    nothing = np.empty((0, 4), np.int32)
    return Loops(poses, np.concatenate([nothing, *found]), np.concatenate([[], *costs]), starts)


def _beside(
    table: SeamTable, fits: np.ndarray, poses: np.ndarray, toward: int, quarters: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return where the posed pieces are listed that fit beside each, and that list."""
    sides = side_at(poses, toward)
    partners = table.arrays.partners[sides, : fits.shape[1]].astype(np.int64)
    items = pose_beside(partners, toward)[fits[sides]] // quarters
    ends = np.cumsum(fits[sides].sum(axis=1))
    starts = np.concatenate([[0], ends[:-1]])
    return np.stack([starts, ends], axis=1), items.astype(np.int32)


def _overlapping(
    loops: np.ndarray, theirs: tuple[int, int], own: tuple[int, int]
) -> tuple[np.ndarray, np.ndarray]:
    """Return where the loops are listed whose two parts `own` are the parts `theirs` of each."""
    most = int(loops.max()) + 1
    keys = loops[:, own[0]].astype(np.int64) * most + loops[:, own[1]]
    wanted = loops[:, theirs[0]].astype(np.int64) * most + loops[:, theirs[1]]
    order = np.argsort(keys, kind="stable")
    between = [np.searchsorted(keys[order], wanted, side) for side in ("left", "right")]  # type: ignore[call-overload]
    return np.stack(between, axis=1), order.astype(np.int32)


def _formed(
    right: tuple[np.ndarray, np.ndarray],
    below: tuple[np.ndarray, np.ndarray],
    rims: np.ndarray,
    most: int,
    progress: Progress | None,
) -> np.ndarray:
    """Return the loops of the next order; none where there are too many."""
    room = np.empty((most, 4), np.int32)
    count = 0
    for begin in range(0, len(rims), STARTS_AT_ONCE):
        end = min(begin + STARTS_AT_ONCE, len(rims))
        count += kernels.form_loops(*right, *below, rims, begin, end, room[count:])
        if progress:
            progress(end, len(rims))
        if count >= most:
            return room[:0]
    return room[:count].copy()


def _rims(rims: np.ndarray, loops: np.ndarray) -> np.ndarray:
    """Return the pieces at the four sides of loops, from those of the loops they consist of."""
    longer = np.empty((len(loops), SIDES, rims.shape[2] + 1), np.int32)
    for side, first, last in ((LEFT, 0, 2), (RIGHT, 1, 3), (TOP, 0, 1), (BOTTOM, 2, 3)):
        longer[:, side, :-1] = rims[loops[:, first], side]
        longer[:, side, -1] = rims[loops[:, last], side, -1]
    return longer
