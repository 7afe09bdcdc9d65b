"""Filling gaps, against a slow and obvious twin."""

import numpy as np
import pytest
from asking import seam_cost
from helpers import random_pieces, table_of
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import STEP
from turning import WAYS, side_of

from jigsolve import Board, Constraints, Puzzle
from jigsolve.assembly.gaps import filled
from jigsolve.core.layout import laid_out

TURNS = st.sampled_from(["none", "half", "quarter"])


def cost_in(table, grid, row, column, pose):
    """Return what a pose costs beside what lies around a cell, and how much lies there."""
    total, many = 0.0, 0
    for toward, (down, right) in STEP.items():
        r, c = row + down, column + right
        if 0 <= r < grid.shape[0] and 0 <= c < grid.shape[1] and grid[r, c] >= 0:
            partner = side_of(int(grid[r, c]), toward ^ 1)
            total += float(seam_cost(table.arrays, side_of(pose, toward), partner))
            many += 1
    return total, many


def some_gaps(rng, rows, columns, pieces, gaps, turns):
    poses = 4 * rng.permutation(pieces) + rng.choice(WAYS[turns], pieces)
    grid = poses[: rows * columns].reshape(rows, columns).astype(np.int32)
    grid.ravel()[rng.choice(rows * columns, gaps, replace=False)] = -1
    return grid


@settings(max_examples=40)
@given(
    st.integers(1, 4), st.integers(2, 5), st.integers(1, 8), st.integers(0, 3),
    st.integers(0, 10**6), TURNS,
)  # fmt: skip
def test_every_piece_that_is_filled_in_was_the_cheapest_where_most_lay(
    rows, columns, gaps, spare, seed, turns
):
    rng = np.random.default_rng(seed)
    cells = rows * columns
    table = table_of(random_pieces(rng, cells + spare), 64, turns=turns)
    grid = some_gaps(rng, rows, columns, cells + spare, min(gaps, cells), turns)
    while (grid < 0).any():
        # One at a time: each must be the best choice where as many lie around as anywhere.
        left = int((grid < 0).sum())
        after = filled(table, grid, holes=left - 1)
        ((row, column),) = np.argwhere(after != grid)
        empty = [tuple(cell) for cell in np.argwhere(grid < 0)]
        free = sorted(set(range(cells + spare)) - set((grid[grid >= 0] // 4).tolist()))
        neighbours = {cell: cost_in(table, grid, *cell, 4 * free[0])[1] for cell in empty}
        poses = [4 * piece + turn for piece in free for turn in WAYS[turns]]
        least = min(cost_in(table, grid, row, column, pose)[0] for pose in poses)
        cost, many = cost_in(table, grid, row, column, int(after[row, column]))
        assert cost == pytest.approx(least, abs=1e-3)
        if left == 1 or cost <= table.arrays.hole * many:
            fitting = [
                count
                for cell, count in neighbours.items()
                if left == 1
                or min(cost_in(table, grid, *cell, p)[0] for p in poses)
                <= table.arrays.hole * count
            ]
            assert many == max(fitting)
        grid = after


def test_all_pieces_find_a_cell_whatever_is_compared():
    rng = np.random.default_rng(4)
    table = table_of(random_pieces(rng, 24), 3)
    grid = some_gaps(rng, 4, 6, 24, 15, "none")
    for hurried in (False, True):
        after = filled(table, grid, hurried=hurried)
        assert sorted((after // 4).ravel()) == list(range(24))
        assert (after[grid >= 0] == grid[grid >= 0]).all()


def test_constraints_are_kept_and_gaps_stay():
    rng = np.random.default_rng(2)
    pieces = random_pieces(rng, 15)
    puzzle = Puzzle(pieces, Board(4, 4), holes=2, strays=1)
    known = Constraints(joined=[(3, "right", 9), (9, "bottom", 1)], fixed=[(5, 2, 2)])
    layout = laid_out(known, puzzle)
    table = table_of(pieces, 14).ruled(layout)
    after = filled(table, np.full((4, 4), -1), 2, layout)
    found = np.where(after < 0, -1, after // 4)
    assert layout.violated(found) == 0
    assert np.count_nonzero(found < 0) == 2
    assert len(np.unique(found[found >= 0])) == 14
