"""Filling the gaps of an arrangement: cells with the most neighbours first, each by what fits best.

Grids hold poses and have one cell more all around: see RIM.
"""

import numpy as np

from jigsolve._kernels.costs import seam_cost
from jigsolve._kernels.geometry import (
    SIDES,
    TURNS,
    beside,
    opposite,
    pose_of,
    pose_with,
    posed_piece,
    side_at,
)
from jigsolve._kernels.jit import kernel

GAP, RIM = -1, -2
"""In a grid of poses: a cell without a piece; a cell beyond the board."""

FEW = 256
"""So many free pieces are all compared; of more, those that the cell's neighbours have as
candidates."""


@kernel
def neighbours_of(grid, width, cell):
    """Return how many of the cells around a cell have a piece."""
    count = 0
    for toward in range(SIDES):
        count += grid[beside(width, cell, toward)] >= 0
    return count


@kernel
def cost_in_cell(seams, grid, width, cell, pose, limit):
    """Return what a pose costs with the pieces around a cell, or the limit if that is less."""
    total = 0.0
    for toward in range(SIDES):
        other = np.int64(grid[beside(width, cell, toward)])
        if other >= 0:
            total += seam_cost(seams, side_at(pose, toward), side_at(other, opposite(toward)))
            if total >= limit:
                return limit
    return total


@kernel
def cheapest_of_all(seams, grid, width, cell, free, many):
    """Return the pose of the first `many` free pieces that costs least in a cell, and that."""
    best = np.int64(GAP)
    least = np.inf
    for index in range(many):
        for turn in range(0, TURNS, TURNS // seams.poses):
            pose = pose_of(np.int64(free[index]), turn)
            cost = cost_in_cell(seams, grid, width, cell, pose, least)
            if cost < least or best == GAP:
                best = pose
                least = cost
    return best, least


@kernel
def cheapest_candidate(seams, grid, width, cell, slot):
    """Return the free pose that costs least in a cell, and that: of its neighbours' candidates."""
    best = np.int64(GAP)
    least = np.inf
    for toward in range(SIDES):
        other = np.int64(grid[beside(width, cell, toward)])
        if other < 0:
            continue
        asking = side_at(other, opposite(toward))
        for rank in range(seams.partners.shape[1]):
            if seams.costs[asking, rank] >= least:
                break
            pose = pose_with(np.int64(seams.partners[asking, rank]), toward)
            if slot[posed_piece(pose)] < 0:
                continue
            cost = cost_in_cell(seams, grid, width, cell, pose, least)
            if cost < least:
                best = pose
                least = cost
    return best, least


@kernel
def take_free(free, slot, left, piece):
    """Take a piece from those that are free, of which there are so many; return how many remain."""
    index = slot[piece]
    last = free[left - 1]
    free[index] = last
    slot[last] = index
    slot[piece] = -1
    return left - 1


@kernel
def await_turn(grid, width, cell, waiting, waits):
    """Note a gap among those that have as many neighbours."""
    number = neighbours_of(grid, width, cell)
    waiting[number, waits[number]] = cell
    waits[number] += 1


@kernel
def fill_gaps(seams, grid, width, free, slot, left, count, may_stay, compared, waiting, waits):
    """Fill so many gaps of a grid; `left` pieces are free, `slot` says where each stands in `free`.

    Where none of its neighbours' candidates is free, a cell gets the cheapest of the first
    `compared` free pieces. `waiting` has room for all cells at each of five numbers of neighbours.
    Where gaps may stay, those that nothing fits better than emptiness wait until no others are
    left.
    """
    dearest = seams.hole if may_stay else np.inf
    while True:
        waits[:] = 0
        for cell in range(grid.shape[0]):
            if grid[cell] == GAP:
                await_turn(grid, width, cell, waiting, waits)
        number = SIDES
        while count > 0 and left > 0 and number >= 0:
            if waits[number] == 0:
                number -= 1
                continue
            waits[number] -= 1
            cell = np.int64(waiting[number, waits[number]])
            if grid[cell] != GAP or neighbours_of(grid, width, cell) > number:
                continue
            pose = np.int64(GAP)
            cost = np.inf
            if left > FEW:
                pose, cost = cheapest_candidate(seams, grid, width, cell, slot)
            if pose == GAP:
                pose, cost = cheapest_of_all(seams, grid, width, cell, free, min(left, compared))
            if cost > dearest * number:
                continue
            grid[cell] = pose
            left = take_free(free, slot, left, posed_piece(pose))
            count -= 1
            for toward in range(SIDES):
                there = beside(width, cell, toward)
                if grid[there] == GAP:
                    await_turn(grid, width, there, waiting, waits)
            number = SIDES
        if count == 0 or left == 0 or dearest == np.inf:
            return
        dearest = np.inf
