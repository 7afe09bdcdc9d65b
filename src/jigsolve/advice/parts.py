"""Parts of an arrangement that sure seams hold together."""

from __future__ import annotations

import numpy as np

from jigsolve.advice.doubt import certainty_of
from jigsolve.errors import InputError
from jigsolve.solvers.solution import Solution


def held_together(solution: Solution, row: int, column: int, least: float = 0.9) -> np.ndarray:
    """Return which cells hold together with one, a mask of shape (rows, columns).

    Two cells do if a chain of seams leads from one to the other each of which is right with this
    probability at least, or is known to hold. With measures that know no probability, if both
    sides of each seam cost least with each other.
    """
    rows, columns = solution.arrangement.shape
    if not (0 <= row < rows and 0 <= column < columns):
        raise InputError(
            f"row, column: expected a cell of {rows} rows and {columns} columns, found {row}, "
            f"{column}"
        )
    sure = certainty_of(solution).sure(least)
    part = parts_of(*sure)
    found = part == part[row, column]
    return np.asarray(found & (solution.arrangement[row, column] >= 0))


def parts_of(right: np.ndarray, below: np.ndarray) -> np.ndarray:
    """Return the number of each cell's part, (rows, columns): the first cell that it is joined to.

    The masks say which seams join: to the right, (rows, columns - 1), and below.
    """
    rows, columns = right.shape[0], below.shape[1]
    cells = np.arange(rows * columns).reshape(rows, columns)
    one = np.concatenate([cells[:, :-1][right], cells[:-1][below]])
    other = np.concatenate([cells[:, 1:][right], cells[1:][below]])
    return joined_cells(one, other, cells.size).reshape(rows, columns)


def joined_cells(one: np.ndarray, other: np.ndarray, cells: int) -> np.ndarray:
    """Return the part of each of so many cells, given pairs that are joined, (cells,)."""
    part = np.arange(cells)
    while True:
        lower = np.minimum(part[one], part[other])
        upper = np.maximum(part[one], part[other])
        if np.array_equal(lower, upper):
            return part
        np.minimum.at(part, upper, lower)
        while not np.array_equal(part, part[part]):
            part = part[part]
