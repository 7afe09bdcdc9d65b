"""What annealing works on: an arrangement with the energies of its seams."""

from __future__ import annotations

import numpy as np

from jigsolve._kernels.annealing import AT_ONCE
from jigsolve._kernels.bodies import LARGEST_ROOM
from jigsolve._kernels.geometry import SIDES, pose_of, posed_piece
from jigsolve._kernels.hints import BYTES, note_candidates, note_one_sided
from jigsolve._kernels.site import OUTSIDE, Site, price
from jigsolve.core.layout import Layout
from jigsolve.measures.calibration import COUNTED
from jigsolve.seams.table import SeamTable

LARGEST_PART = 2000
"""The sure part of a large picture is not moved; all else would have to move instead."""


def site_of(table: SeamTable, arrangement: np.ndarray, layout: Layout | None = None) -> Site:
    """Return an arrangement of poses as it is annealed; -1 is an empty cell."""
    pieces = table.pieces
    sides, candidates = table.arrays.partners.shape
    grid = np.pad(arrangement.astype(np.int32), 1, constant_values=OUTSIDE)
    empty = arrangement < 0
    grid[1:-1, 1:-1][empty] = pose_of(pieces + np.arange(np.count_nonzero(empty)), 0)
    cells = grid.ravel()
    place = np.full(pieces + np.count_nonzero(empty), OUTSIDE, np.int32)
    filled = np.flatnonzero(cells != OUTSIDE)
    place[posed_piece(cells[filled])] = filled
    room = max(LARGEST_ROOM, LARGEST_PART)
    site = Site(
        scale=COUNTED.scale,
        width=grid.shape[1],
        grid=cells,
        place=place,
        across=np.zeros(cells.size, np.float32),
        down=np.zeros(cells.size, np.float32),
        still=_still(cells, pieces, layout),
        tags=np.empty(sides, np.uint16),
        hints=np.empty((sides, 2 * -(-candidates // BYTES)), np.uint64),
        mark=np.zeros(cells.size, np.int32),
        marks=np.zeros(1, np.int32),
        cells=np.empty(2 * room, np.int32),
        aims=np.empty(room, np.int32),
        before=np.empty(2 * room, np.int32),
        after=np.empty((2 * room, SIDES), np.float32),
        stream=np.empty(1, np.uint64),
        drawn=np.empty((AT_ONCE, 5), np.int64),
        bodies=np.empty((AT_ONCE, room), np.int32),
        streams=np.empty(AT_ONCE, np.uint64),
    )
    price(table.arrays, site)
    note_candidates(table.arrays, site)
    note_one_sided(table.arrays, site, np.empty(sides, np.int32))
    return site


def annealing_bytes(pieces: int, cells: int, candidates: int) -> int:
    """Return about how much memory annealing takes, segments aside."""
    hints = pieces * SIDES * (2 + 2 * BYTES * -(-min(candidates, pieces) // BYTES))
    return hints + cells * (5 * 4 + 4 * 8)


def _still(cells: np.ndarray, pieces: int, layout: Layout | None) -> np.ndarray:
    """Return which cells hold a piece that must stay there."""
    still = np.zeros(cells.size, np.bool_)
    if layout:
        held = (cells >= 0) & (posed_piece(cells) < pieces)
        still[held] = layout.cells[posed_piece(cells[held])] >= 0
    return still
