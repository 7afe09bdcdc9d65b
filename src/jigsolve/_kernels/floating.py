"""An arrangement that grows piece by piece, floating: only how far it reaches is limited.

It begins in the middle of a grid that has room for the board in every direction. Cells are numbered
row by row; there is a RIM around them.
"""

from typing import NamedTuple

import numpy as np

from jigsolve._kernels.gaps import GAP
from jigsolve._kernels.geometry import SIDES, beside, posed_piece
from jigsolve._kernels.jit import kernel

TOP_ROW, BOTTOM_ROW, FIRST_COLUMN, LAST_COLUMN, PLACED = range(5)
NOWHERE = -1


class Floating(NamedTuple):
    """A growing arrangement."""

    rows: int  # of the board
    columns: int
    width: int  # cells in a row of the grid
    grid: np.ndarray  # (cells,) int32: poses, GAP or RIM
    place: np.ndarray  # (n,) int32: the cell of each piece, or NOWHERE
    reach: np.ndarray  # (5,) int64: the rows and columns it takes, and how many pieces it has


@kernel
def has_room(floating, cell):
    """Whether a cell lies where the arrangement may reach."""
    row = cell // floating.width
    column = cell % floating.width
    reach = floating.reach
    height = max(reach[BOTTOM_ROW], row) - min(reach[TOP_ROW], row) + 1
    across = max(reach[LAST_COLUMN], column) - min(reach[FIRST_COLUMN], column) + 1
    return height <= floating.rows and across <= floating.columns


@kernel
def put(floating, cell, pose):
    """Put a pose into a cell."""
    row = cell // floating.width
    column = cell % floating.width
    reach = floating.reach
    floating.grid[cell] = pose
    floating.place[posed_piece(pose)] = cell
    reach[TOP_ROW] = min(reach[TOP_ROW], row)
    reach[BOTTOM_ROW] = max(reach[BOTTOM_ROW], row)
    reach[FIRST_COLUMN] = min(reach[FIRST_COLUMN], column)
    reach[LAST_COLUMN] = max(reach[LAST_COLUMN], column)
    reach[PLACED] += 1


@kernel
def is_beside_pieces(floating, cell):
    """Return how many of the cells around a cell have a piece."""
    count = 0
    for toward in range(SIDES):
        count += floating.grid[beside(floating.width, cell, toward)] >= 0
    return count


@kernel
def is_open_cell(floating, cell):
    """Whether a piece could be put into a cell."""
    return floating.grid[cell] == GAP and has_room(floating, cell)


@kernel
def sift_up(keys, values, last):
    """Restore the order of a heap, highest key first, whose last entry is new."""
    index = last
    while index > 0:
        above = (index - 1) >> 1
        if keys[above] >= keys[index]:
            return
        keys[above], keys[index] = keys[index], keys[above]
        values[above], values[index] = values[index], values[above]
        index = above


@kernel
def sift_down(keys, values, count):
    """Restore the order of a heap of so many whose first entry is new."""
    index = 0
    while True:
        below = 2 * index + 1
        if below >= count:
            return
        if below + 1 < count and keys[below + 1] > keys[below]:
            below += 1
        if keys[index] >= keys[below]:
            return
        keys[below], keys[index] = keys[index], keys[below]
        values[below], values[index] = values[index], values[below]
        index = below


@kernel
def push(keys, values, count, key, value):
    """Enter something into a heap of so many; return how many there are."""
    keys[count] = key
    values[count] = value
    sift_up(keys, values, count)
    return count + 1


@kernel
def drop_first(keys, values, count):
    """Take the first entry from a heap of so many; return how many remain."""
    keys[0] = keys[count - 1]
    values[0] = values[count - 1]
    sift_down(keys, values, count - 1)
    return count - 1
