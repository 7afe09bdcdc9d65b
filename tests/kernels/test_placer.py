"""The placer, the segmenter and the shifter, against slow and obvious twins."""

import math

import numpy as np
import pytest
from asking import seam_cost
from helpers import random_pieces, table_of
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import STEP, partners_of
from turning import pose_with, side_of

from jigsolve._kernels import placer as kernels
from jigsolve.assembly.floating import Growth
from jigsolve.core import Board
from jigsolve.measures import PREDICTION
from jigsolve.solvers.pomeranz import new_frontier

TURNS = st.sampled_from(["none", "quarter"])


def around(grid, cell):
    """Return the poses beside a cell, by where they are."""
    beside = {toward: (cell[0] + d, cell[1] + r) for toward, (d, r) in STEP.items()}
    return {toward: grid[there] for toward, there in beside.items() if there in grid}


def has_room(grid, cell, board):
    rows, columns = zip(*grid, cell, strict=True)
    return max(rows) - min(rows) < board.rows and max(columns) - min(columns) < board.columns


def are_buddies(arrays, side, partner):
    return arrays.buddies[side] == partner and arrays.buddies[partner] == side


def placed_slowly(arrays, usual, start, board):
    """Place what fits best where most lies around; return the poses by cell."""
    grid = {(0, 0): start}
    while True:
        used = {pose // 4 for pose in grid.values()}
        open_cells = {
            (row + d, column + r) for row, column in grid for d, r in STEP.values()
        } - set(grid)
        best = None
        for cell in open_cells:
            if not has_room(grid, cell, board):
                continue
            beside = around(grid, cell)
            for toward, other in beside.items():
                asking = side_of(other, toward ^ 1)
                free = [int(p) for p in arrays.partners[asking] if p // 4 not in used]
                for partner in free:
                    pose = pose_with(partner, toward)
                    fits, bonus = [], 0.0
                    for way, neighbour in beside.items():
                        own, theirs = side_of(pose, way), side_of(neighbour, way ^ 1)
                        cost = seam_cost(arrays, own, theirs)
                        fits += [math.exp(-cost / usual[own]), math.exp(-cost / usual[theirs])]
                        if are_buddies(arrays, own, theirs):
                            bonus = 2.0
                    key = (len(beside), bonus + sum(fits) / len(fits))
                    if best is None or key > best[0]:
                        best = key, cell, pose
        if best is None:
            return grid
        grid[best[1]] = best[2]


def as_dictionary(growth):
    """Return the poses of a growth by cell, the first row and column 0."""
    grid = growth.arrangement()
    return {tuple(cell): int(grid[tuple(cell)]) for cell in np.argwhere(grid >= 0).tolist()}


def from_zero(grid):
    top, left = (min(cell[axis] for cell in grid) for axis in (0, 1))
    return {(row - top, column - left): pose for (row, column), pose in grid.items()}


@settings(max_examples=30)
@given(st.integers(1, 4), st.integers(2, 5), st.integers(0, 10**6), TURNS)
def test_what_fits_best_is_placed_where_most_lies_around(rows, columns, seed, turns):
    rng, n = np.random.default_rng(seed), rows * columns
    arrays = table_of(random_pieces(rng, n), 6, measure=PREDICTION, turns=turns).arrays
    usual = rng.uniform(0.5, 2.0, 4 * n).astype(np.float32)
    growth = Growth(n, Board(rows, columns))
    frontier = new_frontier(growth.state.grid.size)
    start = int(4 * rng.integers(n))
    growth.begin(np.array([start]), np.zeros((1, 2), np.int64))
    kernels.surround(growth.state, frontier)
    while kernels.place_some(arrays, usual, growth.state, frontier, 2, n):
        pass
    expected = placed_slowly(arrays, usual, start, Board(rows, columns))
    assert as_dictionary(growth) == from_zero(expected)
    assert growth.placed == len(expected)


@settings(max_examples=30)
@given(st.integers(2, 30), st.integers(0, 10**6), st.sampled_from([2, 256]))
def test_the_lower_quartile_of_all_costs(n, seed, levels):
    table = table_of(random_pieces(np.random.default_rng(seed), n, levels=levels), 4)
    usual = np.empty(4 * n, np.float32)
    kernels.usual_costs(table.arrays, n, np.empty(n, np.float32), 0, 4 * n, usual)
    # The piece itself is passed over for the next one, which then counts twice.
    for side in range(4 * n):
        others = partners_of(side, n, "none")
        others.append(4 * ((side // 4 + 1) % n) + (side % 4 ^ 1))
        costs = sorted(seam_cost(table.arrays, side, other) for other in others)
        assert usual[side] == costs[len(costs) // 4]


@settings(max_examples=40)
@given(
    st.integers(1, 4), st.integers(2, 5), st.integers(0, 10**6), st.sampled_from([2, 3, 256]), TURNS
)
def test_segments_are_what_best_buddies_hold_together(rows, columns, seed, levels, turns):
    rng, n = np.random.default_rng(seed), rows * columns
    arrays = table_of(random_pieces(rng, n, 2, 2, levels), 6, turns=turns).arrays
    growth = Growth(n, Board(rows, columns))
    cells = np.argwhere(np.ones((rows, columns)))
    growth.begin(4 * rng.permutation(n), cells)
    grid = as_dictionary(growth)
    held = {
        (cell, toward)
        for cell, pose in grid.items()
        for toward, other in around(grid, cell).items()
        if are_buddies(arrays, side_of(pose, toward), side_of(other, toward ^ 1))
    }
    assert kernels.count_buddies(arrays, growth.state) == len(held) / 2
    groups = {cell: {cell} for cell in grid}
    for cell, toward in held:
        other = (cell[0] + STEP[toward][0], cell[1] + STEP[toward][1])
        both = groups[cell] | groups[other]
        for member in both:
            groups[member] = both
    marks, stack = np.empty((2, growth.state.grid.size), np.int32)
    largest = kernels.mark_segments(arrays, growth.state, marks, stack)
    poses, places = growth.part(np.flatnonzero(marks == largest))
    shift = places.min(axis=0)
    sizes = max(len(group) for group in groups.values())
    assert len(poses) == sizes
    same = [group for group in groups.values() if {grid[cell] for cell in group} == set(poses)]
    assert same
    assert {tuple(p) for p in (places - shift).tolist()} == set(
        from_zero(dict.fromkeys(same[0], 0))
    )
    growth.begin(poses, places)
    assert growth.placed == sizes


@pytest.mark.parametrize("extent", [(1, 1), (2, 3), (3, 4)])
def test_a_growth_has_room_for_the_board_whichever_way_it_grows(extent):
    board = Board(3, 4)
    growth = Growth(12, board)
    cells = np.argwhere(np.ones(extent))
    growth.begin(4 * np.arange(len(cells)), cells + 7)
    reach = growth.state.reach
    rows, columns = 2 * board.rows - 1, 2 * board.columns - 1
    assert board.rows - extent[0] <= min(reach[0] - 1, rows - reach[1])
    assert board.columns - extent[1] <= min(reach[2] - 1, columns - reach[3])
