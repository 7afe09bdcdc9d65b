"""Filling the empty cells of an arrangement, those with the most neighbours first."""

import numpy as np

from jigsolve._kernels.costs import pieces_in, seam_cost
from jigsolve._kernels.geometry import (
    SIDES,
    beside,
    opposite,
    pose_of,
    pose_with,
    posed_piece,
    side_at,
)
from jigsolve._kernels.jit import kernel
from jigsolve._kernels.known import BARRED

EMPTY, RIM = -1, -2
"""In a grid of poses: a cell without a piece; a cell beyond the board."""


@kernel
def fill_cells(seams, width, grid, placed, count, waiting, waits):
    """Fill so many empty cells of a grid of poses with a RIM around it.

    Each gets the free piece that costs least there among the candidates of the sides it meets, or
    any where all of them are taken. `placed` says which pieces are on the board. `waiting` has room
    for all cells at each of five numbers of neighbours, `waits` says how many there are.
    """
    for number in range(SIDES + 1):
        waits[number] = 0
    for cell in range(grid.shape[0]):
        if grid[cell] == EMPTY:
            await_turn(width, grid, cell, waiting, waits)
    any_piece = 0
    number = SIDES
    while count > 0 and number >= 0:
        if waits[number] == 0:
            number -= 1
            continue
        waits[number] -= 1
        cell = np.int64(waiting[number, waits[number]])
        if grid[cell] != EMPTY:
            continue
        pose = cheapest_candidate(seams, width, grid, placed, cell)
        if pose == EMPTY:
            while any_piece < pieces_in(seams) and placed[any_piece]:
                any_piece += 1
            if any_piece == pieces_in(seams):
                return
            pose = pose_of(any_piece, 0)
        grid[cell] = pose
        placed[posed_piece(pose)] = True
        count -= 1
        for toward in range(SIDES):
            other = beside(width, cell, toward)
            if grid[other] == EMPTY:
                await_turn(width, grid, other, waiting, waits)
        number = SIDES


@kernel
def await_turn(width, grid, cell, waiting, waits):
    """Note an empty cell among those with as many neighbours."""
    number = 0
    for toward in range(SIDES):
        number += grid[beside(width, cell, toward)] >= 0
    waiting[number, waits[number]] = cell
    waits[number] += 1


@kernel
def cheapest_candidate(seams, width, grid, placed, cell):
    """Return the cheapest pose for a cell among its neighbours' candidates; EMPTY if none is."""
    best = np.int64(EMPTY)
    least = np.float64(BARRED)
    for toward in range(SIDES):
        neighbour = np.int64(grid[beside(width, cell, toward)])
        if neighbour < 0:
            continue
        asking = side_at(neighbour, opposite(toward))
        for rank in range(seams.partners.shape[1]):
            pose = pose_with(np.int64(seams.partners[asking, rank]), toward)
            if placed[posed_piece(pose)]:
                continue
            cost = cost_in_cell(seams, width, grid, cell, pose)
            if cost < least:
                best = pose
                least = cost
    return best


@kernel
def cost_in_cell(seams, width, grid, cell, pose):
    """Return what the seams of a posed piece with the filled cells around it cost."""
    total = 0.0
    for toward in range(SIDES):
        neighbour = np.int64(grid[beside(width, cell, toward)])
        if neighbour >= 0:
            total += seam_cost(seams, side_at(pose, toward), side_at(neighbour, opposite(toward)))
    return total


@kernel
def costs_in_cell(seams, width, grid, cell, poses, costs):
    """Fill in what each of some poses would cost in a cell, seam by seam; NaN where it has none."""
    for index in range(poses.shape[0]):
        enter_costs(seams, width, grid, cell, np.int64(poses[index]), costs[index])


@kernel
def costs_in_cells(seams, width, grid, cells, pose, costs):
    """Fill in what a pose would cost in each of some cells, seam by seam; NaN where it has none."""
    for index in range(cells.shape[0]):
        enter_costs(seams, width, grid, np.int64(cells[index]), np.int64(pose), costs[index])


@kernel
def enter_costs(seams, width, grid, cell, pose, costs):
    for toward in range(SIDES):
        neighbour = np.int64(grid[beside(width, cell, toward)])
        costs[toward] = np.nan
        if neighbour >= 0 and posed_piece(neighbour) != posed_piece(pose):
            costs[toward] = seam_cost(
                seams, side_at(pose, toward), side_at(neighbour, opposite(toward))
            )
