"""Completing an arrangement: what is there stays, empty cells are filled."""

from __future__ import annotations

import numpy as np

from jigsolve._kernels import filling as kernels
from jigsolve._kernels.filling import RIM
from jigsolve._kernels.geometry import SIDES, posed_piece
from jigsolve.seams.table import SeamTable


def completed(table: SeamTable, arrangement: np.ndarray, holes: int = 0) -> np.ndarray:
    """Return an arrangement of poses, -1 for empty cells, with all but so many cells filled."""
    grid = with_rim(arrangement)
    placed = np.zeros(table.pieces, np.bool_)
    placed[posed_piece(arrangement[arrangement >= 0])] = True
    count = int(np.count_nonzero(arrangement < 0)) - holes
    waiting = np.empty((SIDES + 1, grid.size), np.int32)
    waits = np.empty(SIDES + 1, np.int64)
    kernels.fill_cells(table.arrays, grid.shape[1], grid.ravel(), placed, count, waiting, waits)
    return grid[1:-1, 1:-1].copy()


def with_rim(arrangement: np.ndarray) -> np.ndarray:
    """Return an arrangement of poses with a rim around it, as kernels walk it."""
    return np.pad(arrangement.astype(np.int32), 1, constant_values=RIM)
