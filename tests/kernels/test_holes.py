"""Children of puzzles with empty cells and pieces left over."""

import numpy as np
import pytest
from asking import seam_cost
from helpers import grow_table, random_pieces, rules, table_of
from hypothesis import given, settings
from hypothesis import strategies as st

from jigsolve._kernels import growing
from jigsolve._kernels.arrangements import BEYOND, NOWHERE
from jigsolve.assembly.population import Population, arrangement_of
from jigsolve.core import Board
from jigsolve.core.poses import pieces_of, poses_of


def random_arrangement(rng, pieces, holes, board):
    """Fill a board with some of the pieces, and at most so many holes."""
    cells = board.rows * board.columns
    empty = int(rng.integers(max(0, cells - pieces), min(holes, cells - 2) + 1))
    filled = rng.permutation(pieces)[: cells - empty]
    return rng.permutation([*filled, *[-1] * empty]).reshape(board)


def naive_cost(seams, arrangement):
    """Add up what the seams of an arrangement cost, cell by cell."""
    rows, columns = arrangement.shape
    total = 0.0
    for row in range(rows):
        for column in range(columns):
            for down, right, side in ((0, 1, 1), (1, 0, 3)):
                if row + down < rows and column + right < columns:
                    one = int(arrangement[row, column])
                    other = int(arrangement[row + down, column + right])
                    if min(one, other) < 0:
                        total += seams.hole
                    else:
                        total += seam_cost(seams, 4 * one + side, 4 * other + (side ^ 1))
    return total


faulty = st.tuples(
    st.integers(2, 5),  # rows
    st.integers(2, 5),  # columns
    st.integers(0, 3),  # cells that must stay empty
    st.integers(0, 4),  # holes beyond that
    st.integers(0, 4),  # pieces too many
    st.integers(0, 10**6),  # seed
)


@settings(max_examples=150)
@given(faulty, st.sampled_from([1, 4]), st.sampled_from([1, 3]), st.sampled_from([0.0, 1.0]))
def test_children_are_arrangements_and_cost_what_their_seams_do(
    faults, boundaries, weighed, mutation
):
    rows, columns, too_few, spare, too_many, seed = faults
    rng = np.random.default_rng(seed)
    board = Board(rows, columns)
    pieces = rows * columns - too_few + (too_many if not too_few else 0)
    holes = min(too_few + spare, rows * columns - 2)
    if pieces < 2:
        return
    table = table_of(random_pieces(rng, pieces, levels=4), candidates=3)
    parents = Population.empty(2, pieces, holes)
    for index in range(2):
        arrangement = random_arrangement(rng, pieces, holes, board)
        neighbours = parents.set_arrangement(index, poses_of(arrangement))
        found = arrangement_of(neighbours, board, pieces)
        np.testing.assert_array_equal(pieces_of(found), arrangement)
    work = growing.workspace(pieces + holes)
    use = rules(rows, columns, boundaries=boundaries, weighed=weighed, mutation=mutation)
    child, cost = grow_table(table, use, work, parents.neighbours, seed)

    found = pieces_of(arrangement_of(child, board, pieces))
    placed = found[found >= 0]
    assert len(set(placed.tolist())) == placed.size
    assert (found < 0).sum() <= holes
    assert cost == pytest.approx(naive_cost(table.arrays, found), rel=1e-5)
    away = np.setdiff1d(np.arange(pieces), placed)
    assert (child[away] == NOWHERE).all()
    assert (child[placed] != NOWHERE).all()
    assert ((child == BEYOND).sum() == 2 * (rows + columns)) or not holes + too_many
    # One empty cell is like another: they are numbered row by row, as in a checkpoint.
    again = Population.empty(1, pieces, holes).set_arrangement(0, poses_of(found))
    np.testing.assert_array_equal(again, child)


def test_what_parents_agree_on_stays_and_their_holes_do():
    rng = np.random.default_rng(4)
    board = Board(4, 5)
    table = table_of(random_pieces(rng, 18), candidates=17)
    arrangement = random_arrangement(rng, 18, 2, board)
    parents = Population.empty(2, 18, 2)
    for index in range(2):
        parents.set_arrangement(index, poses_of(arrangement))
    child, _ = grow_table(table, rules(4, 5), growing.workspace(20), parents.neighbours, seed=1)
    found = pieces_of(arrangement_of(child, board, 18))
    np.testing.assert_array_equal(found, arrangement)
