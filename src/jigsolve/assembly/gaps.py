"""From part of an arrangement to all of it: gaps are filled, and what is known is kept."""

from __future__ import annotations

import numpy as np

from jigsolve._kernels import gaps as kernels
from jigsolve._kernels.gaps import RIM
from jigsolve._kernels.geometry import SIDES, pose_of, posed_piece
from jigsolve._kernels.keeping import keep_all
from jigsolve._kernels.randomness import seed_stream
from jigsolve.assembly.keeping import kept_by
from jigsolve.core import Board
from jigsolve.core.layout import Layout
from jigsolve.core.poses import pieces_of
from jigsolve.execution.crew import Progress
from jigsolve.seams.table import SeamTable

GAPS_AT_ONCE = 512
"""So many are filled between two looks whether to stop."""

IN_A_HURRY = 8
"""So many free pieces are compared where no candidate is left and the run has been stopped."""


def filled(
    table: SeamTable,
    arrangement: np.ndarray,
    holes: int = 0,
    layout: Layout | None = None,
    *,
    seed: int = 0,
    hurried: bool = False,
    progress: Progress | None = None,
) -> np.ndarray:
    """Return an arrangement of poses whose gaps, -1, are filled but for so many.

    Gaps with the most neighbours come first, each gets the free piece, turned as it fits, whose
    seams cost least together. Under constraints pieces are then exchanged until all are kept.

    Reference: Gallagher, "Jigsaw puzzles with pieces of unknown orientation", CVPR 2012.

    Parameters
    ----------
    table
        The seams of all pieces.
    arrangement
        Poses, (rows, columns), -1 for gaps.
    holes
        How many gaps remain; pieces that have no cell then are left over.
    layout
        What constraints say.
    seed
        Of the exchanges.
    hurried
        Whether something has to be found within a second, be it worse.
    progress
        Called with gaps filled and gaps in all.
    """
    grid = with_rim(arrangement)
    free = np.setdiff1d(np.arange(table.pieces), pieces_of(arrangement)).astype(np.int32)
    slot = np.full(table.pieces, -1, np.int32)
    slot[free] = np.arange(len(free))
    waiting = np.empty((SIDES + 1, grid.size), np.int32)
    waits = np.empty(SIDES + 1, np.int64)
    total = min(int(np.count_nonzero(arrangement < 0)) - holes, len(free))
    at_once = total if hurried else GAPS_AT_ONCE
    for first in range(0, total, max(at_once, 1)):
        many = min(at_once, total - first)
        kernels.fill_gaps(
            table.arrays,
            grid.ravel(),
            grid.shape[1],
            free,
            slot,
            len(free) - first,
            many,
            holes > 0,
            IN_A_HURRY if hurried else table.pieces,
            waiting,
            waits,
        )
        if progress:
            progress(first + many, total)
    found = grid[1:-1, 1:-1].copy()
    return found if layout is None else keeping_known(table, found, layout, seed=seed)


def with_rim(arrangement: np.ndarray) -> np.ndarray:
    """Return an arrangement of poses with a rim around it, as kernels walk it."""
    return np.pad(np.asarray(arrangement, np.int32), 1, constant_values=RIM)


def keeping_known(
    table: SeamTable, arrangement: np.ndarray, layout: Layout, *, seed: int = 0
) -> np.ndarray:
    """Return an arrangement of poses in which pieces have changed places until all is kept."""
    rows, columns = arrangement.shape
    grid = arrangement.astype(np.int32).ravel()
    empty = np.flatnonzero(grid < 0)
    grid[empty] = pose_of(np.arange(table.pieces, table.pieces + len(empty)), 0)
    places = np.empty(table.pieces + len(empty), np.int32)
    stream = np.empty(1, np.uint64)
    seed_stream(stream, seed, 0, 0)
    kept = kept_by(layout, Board(rows, columns))
    settled = np.empty(grid.size, np.int64)
    keep_all(table.arrays, kept, rows, columns, grid, places, settled, stream)
    grid[posed_piece(grid) >= table.pieces] = -1
    return grid.reshape(rows, columns)


def gaps_bytes(pieces: int, cells: int) -> int:
    """Return about how much memory filling takes."""
    return pieces * 12 + cells * (SIDES + 3) * 4
