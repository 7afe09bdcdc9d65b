"""Arrangements: what one costs, as a grid of poses and as a neighbour table.

A neighbour table has, for every side of every piece, the side that it touches. It does not say
which way up the whole is.
"""

import numpy as np

from jigsolve._kernels.costs import seam_cost
from jigsolve._kernels.geometry import (
    BOTTOM,
    LEFT,
    RIGHT,
    SIDES,
    TOP,
    TURNS,
    is_onward,
    opposite,
    piece_of,
    pose_beside,
    pose_of,
    side_at,
    side_of,
    toward_of,
)
from jigsolve._kernels.jit import apart, kernel

BEYOND, NOWHERE = -1, -2
"""In a neighbour table: the neighbour is beyond the board; the piece itself is not on it."""

ONCE = (RIGHT, BOTTOM, LEFT, TOP)
"""Where pieces are not turned, the first two sides of all pieces have every seam once."""


@kernel
def is_counted_here(side, partner):
    """Whether a seam counts as that of this side: every seam does so at one of its two."""
    if is_onward(side) != is_onward(partner):
        return is_onward(side)
    return side < partner


@kernel
def arrangement_cost(seams, neighbours):
    """Return the cost of an arrangement, given as a neighbour table: equation 2."""
    if seams.touching.shape[0] > 0:
        return ruled_arrangement_cost(seams, neighbours)
    nearest = seams.nearest
    nearest_cost = seams.nearest_cost
    twins = seams.twins
    sides = seams.partners.shape[0]
    total = 0.0
    for piece in range(neighbours.shape[0]):
        for index in range(sides_once(seams)):
            own = side_of(piece, ONCE[index])
            partner = np.int64(neighbours[piece, ONCE[index]])
            if partner < 0 or (seams.poses > 1 and not is_counted_here(own, partner)):
                continue
            if max(own, partner) >= sides:
                total += seams.hole
            elif nearest[own] == partner or twins[nearest[own]] == twins[partner]:
                total += nearest_cost[own]
            else:
                total += seam_cost(seams, own, partner)
    return total


@kernel
def sides_once(seams):
    """Return how many of ONCE have every seam."""
    return SIDES if seams.poses > 1 else SIDES // 2


@apart
def ruled_arrangement_cost(seams, neighbours):
    """Return the cost of an arrangement where even the nearest partner may be barred."""
    total = 0.0
    for piece in range(neighbours.shape[0]):
        for index in range(sides_once(seams)):
            own = side_of(piece, ONCE[index])
            partner = np.int64(neighbours[piece, ONCE[index]])
            if partner >= 0 and is_counted_here(own, partner):
                total += seam_cost(seams, own, partner)
    return total


@kernel
def board_costs(seams, grid, across, down):
    """Fill in the cost of every seam of a (rows, columns) grid of poses."""
    rows, columns = grid.shape
    for row in range(rows):
        for column in range(columns):
            pose = np.int64(grid[row, column])
            if column < columns - 1:
                partner = side_at(np.int64(grid[row, column + 1]), LEFT)
                across[row, column] = seam_cost(seams, side_at(pose, RIGHT), partner)
            if row < rows - 1:
                partner = side_at(np.int64(grid[row + 1, column]), TOP)
                down[row, column] = seam_cost(seams, side_at(pose, BOTTOM), partner)


@kernel
def enter_seam(neighbours, pose, toward, other):
    """Note that two poses touch, the other one on one side of the first."""
    side = side_at(pose, toward)
    partner = side_at(other, opposite(toward))
    neighbours[piece_of(side), toward_of(side)] = partner
    neighbours[piece_of(partner), toward_of(partner)] = side


@kernel
def enter_rim(neighbours, pose, toward):
    """Note that the board ends on one side of a pose."""
    side = side_at(pose, toward)
    neighbours[piece_of(side), toward_of(side)] = BEYOND


@kernel
def neighbours_from_grid(grid, rows, columns, first_row, first_column, neighbours):
    """Fill a neighbour table from a toroidal grid of poses whose top left cell is given."""
    if neighbours.shape[0] > rows * columns:
        neighbours[:] = NOWHERE
    first_column %= columns
    torus_row = first_row % rows
    for row in range(rows):
        here = torus_row * columns
        torus_row = torus_row + 1 if torus_row + 1 < rows else 0
        below = torus_row * columns
        torus_column = first_column
        pose = np.int64(grid[here + torus_column])
        enter_rim(neighbours, pose, LEFT)
        for column in range(columns):
            if row == 0:
                enter_rim(neighbours, pose, TOP)
            if row < rows - 1:
                enter_seam(neighbours, pose, BOTTOM, np.int64(grid[below + torus_column]))
            else:
                enter_rim(neighbours, pose, BOTTOM)
            if column < columns - 1:
                torus_column = torus_column + 1 if torus_column + 1 < columns else 0
                following = np.int64(grid[here + torus_column])
                enter_seam(neighbours, pose, RIGHT, following)
                pose = following
        enter_rim(neighbours, pose, RIGHT)


@kernel
def grid_from_neighbours(neighbours, rows, columns, poses, real, grid):
    """Fill a row-major grid of poses from a neighbour table of so many real pieces.

    The table does not say which way up the whole is. A corner piece that need not be turned, or is
    turned least, decides; boards that are not square lie as their rows and columns say.
    """
    row_start = corner_pose(neighbours, columns, poses, real)
    for row in range(rows):
        pose = row_start
        for column in range(columns):
            grid[row * columns + column] = pose
            if column < columns - 1:
                pose = pose_toward(neighbours, pose, RIGHT)
        if row < rows - 1:
            row_start = pose_toward(neighbours, row_start, BOTTOM)


@kernel
def neighbour_toward(neighbours, pose, toward):
    """Return the side that a pose meets on one side, or that the board ends there."""
    own = side_at(pose, toward)
    return np.int64(neighbours[piece_of(own), toward_of(own)])


@kernel
def pose_toward(neighbours, pose, toward):
    """Return the pose beside a pose."""
    return pose_beside(neighbour_toward(neighbours, pose, toward), toward)


@kernel
def corner_pose(neighbours, columns, poses, real):
    """Return the pose in the top left corner of a board with so many columns.

    An empty cell decides only where no piece does: its turn is that of the table it was read from,
    and the whole would lie another way up each time it is read.
    """
    for first, last in ((0, real), (real, neighbours.shape[0])):
        for turn in range(0, TURNS, TURNS // poses):
            for piece in range(first, last):
                pose = pose_of(np.int64(piece), turn)
                if (
                    neighbour_toward(neighbours, pose, LEFT) == BEYOND
                    and neighbour_toward(neighbours, pose, TOP) == BEYOND
                    and cells_across(neighbours, pose) == columns
                ):
                    return pose
    return np.int64(0)


@kernel
def cells_across(neighbours, pose):
    """Return how many cells the row of a pose has, counted both ways."""
    count = np.int64(1)
    for toward in (LEFT, RIGHT):
        there = pose
        while neighbour_toward(neighbours, there, toward) >= 0:
            there = pose_toward(neighbours, there, toward)
            count += 1
    return count
