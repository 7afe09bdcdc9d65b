"""How well all pairs of pieces fit, for solvers of small puzzles that look at all of them.

Reference: Cho, Avidan and Freeman, "A probabilistic image jigsaw puzzle solver", CVPR 2010.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jigsolve._kernels.geometry import BOTTOM, RIGHT
from jigsolve._kernels.particles import HOPELESS, pair_costs
from jigsolve.core import Puzzle
from jigsolve.core.layout import Layout
from jigsolve.core.poses import poses_of
from jigsolve.errors import InputError
from jigsolve.execution.crew import Progress, spans
from jigsolve.seams.table import SeamTable

ROWS_AT_ONCE = 256
SHARPNESS = 5.0
"""How many times less likely, as a power of e, the next best fits than the best."""
LEAST_GAP = 1e-3
"""In terms of the usual gap between the best and the next: where there is none, all fit alike."""


class Affinities(NamedTuple):
    """Logarithms of how well each piece, in columns, fits beside each, in rows."""

    right: np.ndarray
    below: np.ndarray

    @property
    def surest(self) -> int:
        """The piece that has the clearest favourites on all sides."""
        lead = np.zeros(len(self.right))
        for each in (self.right, self.right.T, self.below, self.below.T):
            two = -np.partition(-each, 1, axis=1)[:, :2]
            lead += two[:, 0] - two[:, 1]
        return int(lead.argmax())


def affinities_of(table: SeamTable, progress: Progress) -> Affinities:
    """Work out how well all pairs fit.

    The logarithm is -5 (D - D1) / (D2 - D1), where D is the square of a cost and D1 and D2 are the
    least of a side, averaged over the two sides; of costs that are logarithms, it is the cost.
    """
    found = []
    for index, toward in enumerate((RIGHT, BOTTOM)):
        costs = np.empty((table.pieces, table.pieces), np.float64)
        for first, last in spans(table.pieces, ROWS_AT_ONCE):
            pair_costs(table.arrays, toward, first, last, costs)
            progress(index * table.pieces + last, 2 * table.pieces)
        if table.costs_are_logarithms:
            fits = -costs
        else:
            squares = costs**2
            fits = -(_above_best(squares) + _above_best(squares.T).T) / 2
        found.append(np.maximum(fits, 2 * HOPELESS))
    return Affinities(*found)


def _above_best(squares: np.ndarray) -> np.ndarray:
    """Return how far above the best of their rows numbers are, in terms of the gap after it."""
    if squares.shape[1] < 3:
        return np.where(np.isfinite(squares), 0.0, np.inf)
    two = np.partition(squares, 1, axis=1)[:, :2]
    gaps = two[:, 1] - two[:, 0]
    gaps = np.maximum(gaps, LEAST_GAP * np.median(gaps) + 1e-9)
    return np.asarray(SHARPNESS * (squares - two[:, :1]) / gaps[:, None])


def check_small(solver: str, puzzle: Puzzle, most: int) -> None:
    """Raise unless a puzzle is small enough for all pairs."""
    if len(puzzle) > most:
        raise InputError(
            f"solver {solver}: expected at most {most:,} pieces, whose pairs it looks at one by "
            f"one, found {len(puzzle):,}"
        )


def anchored(pieces: int, board: tuple[int, int], layout: Layout | None) -> np.ndarray | None:
    """Return the pieces in fixed cells as an arrangement, -1 elsewhere; None if there are none."""
    if layout is None or not (layout.cells >= 0).any():
        return None
    grid = np.full(board, -1, np.int32)
    fixed = np.flatnonzero(layout.cells >= 0)
    grid.ravel()[layout.cells[fixed]] = fixed
    return grid


def cut_open(table: SeamTable, grid: np.ndarray) -> np.ndarray:
    """Return an arrangement of pieces on a board without ends, cut where its seams cost most."""
    around = poses_of(np.pad(grid, ((1, 0), (1, 0)), mode="wrap"))
    across, down = table.board_costs(around)
    column = int(across[1:].sum(axis=0).argmax())
    row = int(down[:, 1:].sum(axis=1).argmax())
    return np.roll(grid, (-row, -column), axis=(0, 1))
