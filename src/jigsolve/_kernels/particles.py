"""All pairs of pieces, and particles: arrangements that grow side by side, by chance.

For small puzzles only: what two pieces make of each other is kept for all pairs.
"""

import math

import numpy as np

from jigsolve._kernels.costs import seam_cost
from jigsolve._kernels.geometry import opposite, side_of
from jigsolve._kernels.jit import kernel
from jigsolve._kernels.randomness import unit

NO_PIECE = -1
HOPELESS = -30.0
"""Logarithms below this are those of nothing."""


@kernel
def pair_costs(seams, toward, first, last, costs):
    """Fill in what seams cost with each piece on one side of the pieces `first`..`last`-1."""
    for piece in range(first, last):
        for other in range(costs.shape[1]):
            if piece == other:
                costs[piece, other] = np.inf
            else:
                costs[piece, other] = seam_cost(
                    seams, side_of(piece, toward), side_of(other, opposite(toward))
                )


@kernel
def piece_at(grid, rows, columns, wraps, row, column):
    """Return the piece in a cell; none beyond the board, unless that has no ends."""
    if wraps:
        row = (row + rows) % rows
        column = (column + columns) % columns
    elif row < 0 or row >= rows or column < 0 or column >= columns:
        return np.int64(NO_PIECE)
    return np.int64(grid[row * columns + column])


@kernel
def fit_of(right, below, left_one, right_one, top_one, bottom_one, piece):
    """Return the logarithm of how well a piece fits what lies around a cell."""
    total = 0.0
    if left_one != NO_PIECE:
        total += right[left_one, piece]
    if right_one != NO_PIECE:
        total += right[piece, right_one]
    if top_one != NO_PIECE:
        total += below[top_one, piece]
    if bottom_one != NO_PIECE:
        total += below[piece, bottom_one]
    return total


@kernel
def place_one(right, below, rows, columns, wraps, grid, is_used, drawn):
    """Put a piece beside those of an arrangement, by chance; return the logarithm of its weight.

    All free cells beside some piece, and all free pieces, are drawn from by how well they fit. The
    sum of that for a cell, on average, is the weight: what is drawn from well is believed more.
    """
    total = 0.0
    cells = 0
    chosen_cell, chosen_piece = np.int64(-1), np.int64(-1)
    for sweep in range(2):
        wanted = drawn * total
        weight = math.log(total / cells) if total > 0.0 else HOPELESS
        for cell in range(rows * columns):
            if grid[cell] != NO_PIECE:
                continue
            row, column = cell // columns, cell % columns
            one = piece_at(grid, rows, columns, wraps, row, column - 1)
            two = piece_at(grid, rows, columns, wraps, row, column + 1)
            three = piece_at(grid, rows, columns, wraps, row - 1, column)
            four = piece_at(grid, rows, columns, wraps, row + 1, column)
            if one == two == three == four == NO_PIECE:
                continue
            cells += 1
            for piece in range(right.shape[0]):
                if is_used[piece]:
                    continue
                fit = fit_of(right, below, one, two, three, four, piece)
                if chosen_cell < 0:
                    chosen_cell, chosen_piece = np.int64(cell), np.int64(piece)
                if fit < HOPELESS:
                    continue
                chance = math.exp(fit)
                if sweep == 0:
                    total += chance
                else:
                    chosen_cell, chosen_piece = np.int64(cell), np.int64(piece)
                    wanted -= chance
                    if wanted < 0.0:
                        grid[cell] = piece
                        is_used[piece] = True
                        return weight
        if total == 0.0:
            break
    grid[chosen_cell] = chosen_piece
    is_used[chosen_piece] = True
    return weight


@kernel
def place_each(right, below, rows, columns, wraps, grids, is_used, weights, streams):
    """Put a piece into every particle; add the logarithms of their weights."""
    for particle in range(grids.shape[0]):
        drawn = unit(streams[particle])
        weights[particle] += place_one(
            right, below, rows, columns, wraps, grids[particle], is_used[particle], drawn
        )
