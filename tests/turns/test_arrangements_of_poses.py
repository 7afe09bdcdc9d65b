"""Neighbour tables and costs of arrangements whose pieces are turned."""

import numpy as np
import pytest
import turning
from helpers import random_pieces, table_of
from hypothesis import given, settings
from hypothesis import strategies as st

from jigsolve._kernels.arrangements import (
    BEYOND,
    NOWHERE,
    arrangement_cost,
    cells_across,
    neighbours_from_grid,
)
from jigsolve.assembly.population import Population, arrangement_of
from jigsolve.core import Board
from jigsolve.core.poses import poses_of
from jigsolve.core.turns import POSES, turned_pieces
from jigsolve.measures import DISSIMILARITY, EXTRAPOLATION

KINDS = st.sampled_from(["half", "quarter"])
BOARDS = st.tuples(st.integers(1, 5), st.integers(1, 5)).filter(lambda board: max(board) > 1)


def random_bag(rng, board, turns, holes, strays):
    """Return poses on a board, some cells empty, and how many pieces and holes there are."""
    cells = board[0] * board[1]
    empty = int(rng.integers(min(holes, cells - 2) + 1))
    pieces = cells - empty + strays
    return turning.random_board(rng, *board, turns, pieces, empty), pieces, holes


@settings(max_examples=150)
@given(BOARDS, KINDS, st.integers(0, 4), st.integers(0, 3), st.integers(0, 10**6))
def test_a_neighbour_table_holds_the_sides_that_meet(board, turns, holes, strays, seed):
    rng = np.random.default_rng(seed)
    poses, pieces, holes = random_bag(rng, board, turns, holes, strays)
    table = Population.empty(1, pieces, holes).set_arrangement(0, poses)
    cells = turning.as_cells(poses)
    met = turning.meetings(cells)
    on_board = {pose // 4 for pose in cells.values()}
    for side in range(4 * pieces):
        found = table[side // 4, side % 4]
        if side // 4 not in on_board:
            assert found == NOWHERE
        elif side in met:
            assert found == met[side]
        else:
            assert found == BEYOND or found >= 4 * pieces  # an empty cell
    rim = 2 * (board[0] + board[1])
    assert np.count_nonzero(table == BEYOND) == rim
    for pose in cells.values():
        assert cells_across(table, pose) == board[1]


@settings(max_examples=200)
@given(BOARDS, KINDS, st.integers(0, 4), st.integers(0, 3), st.integers(0, 10**6))
def test_a_neighbour_table_gives_its_arrangement_back(board, turns, holes, strays, seed):
    rng = np.random.default_rng(seed)
    poses, pieces, holes = random_bag(rng, board, turns, holes, strays)
    table = Population.empty(1, pieces, holes).set_arrangement(0, poses)
    found = arrangement_of(table, Board(*board), pieces, POSES[turns])
    assert turning.same_whole(found, poses, turns)
    # Once it lies some way up it stays so: a run that is resumed goes on with the same.
    again = Population.empty(1, pieces, holes).set_arrangement(0, found)
    np.testing.assert_array_equal(arrangement_of(again, Board(*board), pieces, POSES[turns]), found)
    np.testing.assert_array_equal(
        np.where(again[:pieces] < 4 * pieces, again[:pieces], 4 * pieces),
        np.where(table[:pieces] < 4 * pieces, table[:pieces], 4 * pieces),
    )


@pytest.mark.parametrize(
    "poses", [[[3, 11], [5, -1]], [[10, 19, -1], [14, 22, 5], [25, -1, 0]], [[-1, 1], [6, 11]]]
)
def test_empty_corners_do_not_say_which_way_up_the_whole_is(poses):
    poses = np.array(poses, np.int32)
    empty = int(np.count_nonzero(poses < 0))
    pieces, board = poses.size - empty, Board(*poses.shape)
    found = [
        arrangement_of(
            Population.empty(1, pieces, empty).set_arrangement(0, whole), board, pieces, 4
        )
        for whole in turning.wholes(poses)
    ]
    for whole in found:
        np.testing.assert_array_equal(whole, found[0])


@settings(max_examples=60)
@given(BOARDS, KINDS, st.integers(0, 10**6))
def test_which_way_up_the_whole_is_makes_no_difference_to_its_table(board, turns, seed):
    poses = turning.random_board(np.random.default_rng(seed), *board, turns)
    ways = turning.WAYS[turns]
    tables = []
    for turn in ways:
        whole = np.ascontiguousarray(turning.turned_whole(poses, turn), np.int32)
        tables.append(np.empty((poses.size, 4), np.int32))
        neighbours_from_grid(whole.ravel(), *whole.shape, 0, 0, tables[-1])
    for table in tables[1:]:
        np.testing.assert_array_equal(table, tables[0])
    for rows, columns in {board, board[::-1]} if turns == "quarter" else {board}:
        found = arrangement_of(tables[0], Board(rows, columns), poses.size, POSES[turns])
        expected = poses if (rows, columns) == board else turning.turned_whole(poses, 1)
        assert turning.same_whole(found, expected, turns)


def test_the_torus_is_read_from_its_first_cell():
    rng = np.random.default_rng(1)
    poses = turning.random_board(rng, 4, 5, "quarter")
    expected = np.empty((20, 4), np.int32)
    neighbours_from_grid(poses.ravel(), 4, 5, 0, 0, expected)
    for down, right in ((1, 0), (3, 4), (2, 2)):
        rolled = np.roll(poses, (down, right), axis=(0, 1))
        found = np.empty_like(expected)
        neighbours_from_grid(rolled.ravel(), 4, 5, down, right, found)
        np.testing.assert_array_equal(found, expected)


def test_pieces_that_need_no_turn_lie_upright():
    rng = np.random.default_rng(2)
    for board in ((4, 4), (3, 5), (1, 6), (6, 1)):
        poses = turning.random_board(rng, *board, "none")
        table = Population.empty(1, poses.size).set_arrangement(0, poses)
        for turns in ("half", "quarter"):
            found = arrangement_of(table, Board(*board), poses.size, POSES[turns])
            np.testing.assert_array_equal(found, poses)


@settings(max_examples=60)
@given(
    BOARDS, st.sampled_from([("half", (3, 3)), ("half", (2, 5)), ("quarter", (3, 3))]),
    st.sampled_from([DISSIMILARITY, EXTRAPOLATION]), st.sampled_from([1, 2, 256]),
    st.integers(0, 10**6),
)  # fmt: skip
def test_turned_pieces_cost_what_they_do_when_they_lie_upright(board, kind, measure, levels, seed):
    turns, size = kind
    rng = np.random.default_rng(seed)
    pieces = random_pieces(rng, board[0] * board[1], *size, levels)
    poses = turning.random_board(rng, *board, turns)
    upright = np.empty_like(pieces)
    upright[poses.ravel() // 4] = turned_pieces(pieces[poses.ravel() // 4], poses.ravel() % 4)
    table = table_of(pieces, 5, measure=measure, turns=turns)
    unturned = table_of(upright, 5, measure=measure)
    for found, expected in zip(
        table.board_costs(poses), unturned.board_costs(poses_of(poses // 4)), strict=True
    ):
        np.testing.assert_array_equal(found, expected)
    neighbours = Population.empty(1, poses.size).set_arrangement(0, poses)
    found = arrangement_cost(table.arrays, neighbours)
    assert found == pytest.approx(unturned.cost_of(poses_of(poses // 4)), rel=1e-6, abs=1e-6)


@settings(max_examples=80)
@given(BOARDS, KINDS, st.integers(0, 4), st.integers(0, 3), st.integers(0, 10**6))
def test_an_arrangement_costs_what_its_seams_do(board, turns, holes, strays, seed):
    rng = np.random.default_rng(seed)
    poses, pieces, holes = random_bag(rng, board, turns, holes, strays)
    if pieces < 2:
        return
    table = table_of(random_pieces(rng, pieces, levels=4), 3, turns=turns)
    neighbours = Population.empty(1, pieces, holes).set_arrangement(0, poses)
    found = arrangement_cost(table.arrays, neighbours)
    across, down = table.board_costs(poses)
    assert found == pytest.approx(across.sum(dtype=float) + down.sum(dtype=float), rel=1e-6)
    rows, columns = board
    for row in range(rows):
        for column in range(columns - 1):
            if min(poses[row, column : column + 2]) < 0:
                assert across[row, column] == np.float32(table.arrays.hole)
    for whole in turning.wholes(poses, turns):
        assert table.cost_of(whole) == pytest.approx(found, rel=1e-6)
