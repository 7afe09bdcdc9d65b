"""An arrangement that grows piece by piece and finds its place on the board as it grows."""

from __future__ import annotations

import numpy as np

from jigsolve._kernels.floating import (
    BOTTOM_ROW,
    FIRST_COLUMN,
    LAST_COLUMN,
    NOWHERE,
    PLACED,
    TOP_ROW,
    Floating,
)
from jigsolve._kernels.gaps import GAP, RIM
from jigsolve._kernels.geometry import pose_of, posed_piece
from jigsolve.core import Board
from jigsolve.core.layout import Layout


class Growth:
    """A floating arrangement, as kernels grow it.

    Pieces in fixed cells are there from the beginning, and it does not float then.
    """

    def __init__(self, pieces: int, board: Board, layout: Layout | None = None) -> None:
        self._board = board
        self._grid = np.full((2 * board.rows + 1, 2 * board.columns + 1), RIM, np.int32)
        self.state = Floating(
            rows=board.rows,
            columns=board.columns,
            width=self._grid.shape[1],
            grid=self._grid.ravel(),
            place=np.empty(pieces, np.int32),
            reach=np.empty(5, np.int64),
        )
        fixed = np.empty(0, np.int64) if layout is None else np.flatnonzero(layout.cells >= 0)
        self._fixed = pose_of(fixed, 0 if layout is None else layout.turns[fixed])
        cells = fixed if layout is None else layout.cells[fixed]
        self._fixed_places = np.column_stack([cells // board.columns, cells % board.columns])
        self.clear()

    @property
    def is_anchored(self) -> bool:
        """Whether pieces in fixed cells say where on the board it lies."""
        return len(self._fixed) > 0

    @property
    def placed(self) -> int:
        """How many pieces it has."""
        return int(self.state.reach[PLACED])

    def clear(self) -> None:
        """Begin anew with nothing but the pieces in fixed cells."""
        self.begin(np.empty(0, np.int64), np.empty((0, 2), np.int64))

    def begin(self, poses: np.ndarray, places: np.ndarray) -> None:
        """Begin anew with some poses, (k,), at rows and columns, (k, 2).

        Rows and columns are those of the board where it is anchored; else relative to each other.
        """
        rows, columns = self._board
        top, bottom, left, right = rows, rows, columns, columns
        if self.is_anchored:
            others = ~np.isin(posed_piece(poses), posed_piece(self._fixed))
            poses = np.concatenate([self._fixed, poses[others]])
            places = np.concatenate([self._fixed_places, places[others]]) + 1
            top, left = 1, 1
        elif len(poses):
            lowest, highest = places.min(axis=0), places.max(axis=0)
            places = places - highest + self._board
            top, left = self._board - (highest - lowest)
        self._grid[1:-1, 1:-1] = GAP
        self._grid[places[:, 0], places[:, 1]] = poses
        self.state.place[:] = NOWHERE
        self.state.place[posed_piece(poses)] = places[:, 0] * self._grid.shape[1] + places[:, 1]
        self.state.reach[[TOP_ROW, BOTTOM_ROW, FIRST_COLUMN, LAST_COLUMN]] = (
            top,
            bottom,
            left,
            right,
        )
        self.state.reach[PLACED] = len(poses)

    def part(self, cells: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the poses in some cells, and their rows and columns, to begin anew with."""
        width = self._grid.shape[1]
        places = np.column_stack([cells // width, cells % width])
        return self.state.grid[cells], places - 1 if self.is_anchored else places

    def arrangement(self) -> np.ndarray:
        """Return it on the board, -1 where there are gaps, as far up and to the left as it goes."""
        top, left = self.state.reach[TOP_ROW], self.state.reach[FIRST_COLUMN]
        rows, columns = self._board
        window = self._grid[top : top + rows, left : left + columns]
        grid = np.full(self._board, -1, np.int32)
        grid[: window.shape[0], : window.shape[1]] = np.where(window >= 0, window, -1)
        return grid


def growth_bytes(pieces: int, board: Board) -> int:
    """Return about how much memory a floating arrangement takes."""
    return 4 * (2 * board.rows + 1) * (2 * board.columns + 1) + 4 * pieces
