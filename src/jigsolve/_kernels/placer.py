"""Placing the piece that fits best where it has the most neighbours, again and again.

Only cells with the most neighbours are looked at, so what fits a cell is not worked out before it
is one of them. What fits best is remembered until that piece is used elsewhere; it can only get
worse.
"""

import math
from typing import NamedTuple

import numpy as np

from jigsolve._kernels.costs import pieces_in, seam_cost
from jigsolve._kernels.floating import (
    NOWHERE,
    PLACED,
    drop_first,
    has_room,
    is_beside_pieces,
    is_open_cell,
    push,
    put,
)
from jigsolve._kernels.gaps import GAP
from jigsolve._kernels.geometry import (
    BOTTOM,
    RIGHT,
    SIDES,
    beside,
    opposite,
    piece_of,
    pose_with,
    posed_piece,
    side_at,
    side_of,
    toward_of,
)
from jigsolve._kernels.jit import kernel

BUDDY = 2.0
"""What a best buddy has more than all others; compatibilities are from 0 to 1."""


class Frontier(NamedTuple):
    """The cells around a floating arrangement, by how many neighbours they have."""

    waiting: np.ndarray  # (5, cells) int32: cells that were not looked at yet
    waits: np.ndarray  # (5,) int64: how many
    keys: np.ndarray  # (5, cells) float32: heaps of what fits best in cells
    cells: np.ndarray  # (5, cells) int32
    sizes: np.ndarray  # (5,) int64: how many are in each heap
    best: np.ndarray  # (cells,) int32: the pose that fits a cell best
    fits: np.ndarray  # (cells,) float32: and how well


@kernel
def usual_costs(seams, sampled, room, first, last, costs):
    """Fill in the lower quartile of what seams of the sides `first`..`last`-1 cost, by a sample.

    `room` is for as many numbers as are sampled. Those sampled are spread over all pieces.
    """
    pieces = pieces_in(seams)
    for side in range(first, last):
        count = 0
        facing = opposite(toward_of(side))
        for index in range(sampled):
            piece = np.int64(index) * pieces // sampled
            if piece == piece_of(side):
                piece = (piece + 1) % pieces
            if piece == piece_of(side):
                continue
            room[count] = seam_cost(seams, np.int64(side), side_of(piece, facing))
            count += 1
        costs[side] = kth_lowest(room, count, count // 4) if count > 0 else 1.0


@kernel
def kth_lowest(values, count, k):
    """Return the k-th lowest, from 0, of so many values, and leave them in another order."""
    low = 0
    high = count - 1
    while low < high:
        pivot = values[(low + high) >> 1]
        i = low
        j = high
        while i <= j:
            while values[i] < pivot:
                i += 1
            while values[j] > pivot:
                j -= 1
            if i <= j:
                values[i], values[j] = values[j], values[i]
                i += 1
                j -= 1
        if k <= j:
            high = j
        elif k >= i:
            low = i
        else:
            break
    return values[k]


@kernel
def compatibility(seams, usual, side, partner, cost):
    """Return how compatible two sides are, from both ends: from 0 to 1."""
    own = math.exp(-cost / max(usual[side], 1e-9))
    theirs = math.exp(-cost / max(usual[partner], 1e-9))
    return 0.5 * (own + theirs)


@kernel
def fit_of(seams, usual, floating, cell, pose):
    """Return how well a pose fits a cell: its mean compatibility with the pieces around it.

    A best buddy of one of them fits better than any that is not.
    """
    total = 0.0
    many = 0
    bonus = 0.0
    for toward in range(SIDES):
        other = np.int64(floating.grid[beside(floating.width, cell, toward)])
        if other < 0:
            continue
        side = side_at(pose, toward)
        partner = side_at(other, opposite(toward))
        cost = seam_cost(seams, side, partner)
        total += compatibility(seams, usual, side, partner, cost)
        many += 1
        if seams.buddies[side] == partner and seams.buddies[partner] == side:
            bonus = BUDDY
    return bonus + total / many


@kernel
def look_at(seams, usual, floating, frontier, cell):
    """Find what fits a cell best of the free candidates of the sides around it."""
    frontier.best[cell] = GAP
    frontier.fits[cell] = -1.0
    for toward in range(SIDES):
        other = np.int64(floating.grid[beside(floating.width, cell, toward)])
        if other < 0:
            continue
        asking = side_at(other, opposite(toward))
        for rank in range(seams.partners.shape[1]):
            partner = np.int64(seams.partners[asking, rank])
            if partner == asking or floating.place[piece_of(partner)] != NOWHERE:
                continue
            pose = pose_with(partner, toward)
            fit = fit_of(seams, usual, floating, cell, pose)
            if fit > frontier.fits[cell]:
                frontier.fits[cell] = fit
                frontier.best[cell] = pose


@kernel
def await_turn(floating, frontier, cell):
    """Note a cell among those with as many neighbours."""
    level = is_beside_pieces(floating, cell)
    frontier.waiting[level, frontier.waits[level]] = cell
    frontier.waits[level] += 1


@kernel
def enter(floating, frontier, cell, level):
    """Enter a cell that was looked at into the heap of its level, unless nothing fits it."""
    if frontier.best[cell] != GAP:
        frontier.sizes[level] = push(
            frontier.keys[level],
            frontier.cells[level],
            frontier.sizes[level],
            frontier.fits[cell],
            cell,
        )


@kernel
def best_cell(seams, usual, floating, frontier):
    """Return the cell to fill next, negative if nothing fits any."""
    for level in range(SIDES, 0, -1):
        while frontier.waits[level] > 0:
            frontier.waits[level] -= 1
            cell = np.int64(frontier.waiting[level, frontier.waits[level]])
            if is_open_cell(floating, cell) and is_beside_pieces(floating, cell) == level:
                look_at(seams, usual, floating, frontier, cell)
                enter(floating, frontier, cell, level)
        keys, cells = frontier.keys[level], frontier.cells[level]
        while frontier.sizes[level] > 0:
            cell = np.int64(cells[0])
            frontier.sizes[level] = drop_first(keys, cells, frontier.sizes[level])
            if not is_open_cell(floating, cell) or is_beside_pieces(floating, cell) != level:
                continue
            if floating.place[posed_piece(frontier.best[cell])] == NOWHERE:
                return cell
            look_at(seams, usual, floating, frontier, cell)
            enter(floating, frontier, cell, level)
    return np.int64(-1)


@kernel
def surround(floating, frontier):
    """Begin with the cells around all pieces of a floating arrangement."""
    frontier.waits[:] = 0
    frontier.sizes[:] = 0
    for cell in range(floating.width, floating.grid.shape[0] - floating.width):
        if floating.grid[cell] == GAP and is_beside_pieces(floating, cell) > 0:
            await_turn(floating, frontier, cell)


@kernel
def place_some(seams, usual, floating, frontier, most, wanted):
    """Place up to `most` pieces, until so many are placed; return whether more can be."""
    for _ in range(most):
        if floating.reach[PLACED] >= wanted:
            return False
        cell = best_cell(seams, usual, floating, frontier)
        if cell < 0:
            return False
        put(floating, cell, np.int64(frontier.best[cell]))
        for toward in range(SIDES):
            there = beside(floating.width, cell, toward)
            if floating.grid[there] == GAP and has_room(floating, there):
                await_turn(floating, frontier, there)
    return True


@kernel
def are_buddies(seams, first, toward, second):
    """Whether two poses, the second beside the first, are best buddies there."""
    side = side_at(np.int64(first), toward)
    partner = side_at(np.int64(second), opposite(toward))
    return seams.buddies[side] == partner and seams.buddies[partner] == side


@kernel
def count_buddies(seams, floating):
    """Return how many seams of a floating arrangement are those of best buddies."""
    count = 0
    width, grid = floating.width, floating.grid
    for cell in range(width, grid.shape[0] - width):
        if grid[cell] < 0:
            continue
        for toward in (RIGHT, BOTTOM):
            other = grid[beside(width, cell, toward)]
            count += other >= 0 and are_buddies(seams, grid[cell], toward, other)
    return count


@kernel
def mark_segments(seams, floating, marks, stack):
    """Mark the segments that adjacent best buddies make, and return the largest one's mark.

    Marks are the first cells of segments, and negative elsewhere.
    """
    width, grid = floating.width, floating.grid
    marks[:] = -1
    best = np.int64(-1)
    largest = 0
    for first in range(width, grid.shape[0] - width):
        if grid[first] < 0 or marks[first] >= 0:
            continue
        marks[first] = first
        stack[0] = first
        count = 1
        size = 0
        while count > 0:
            count -= 1
            cell = np.int64(stack[count])
            size += 1
            for toward in range(SIDES):
                there = beside(width, cell, toward)
                if (
                    grid[there] >= 0
                    and marks[there] < 0
                    and are_buddies(seams, grid[cell], toward, grid[there])
                ):
                    marks[there] = first
                    stack[count] = there
                    count += 1
        if size > largest:
            largest = size
            best = np.int64(first)
    return best
