"""Turns, poses and placements, against labelled arrays that np.rot90 turns."""

import itertools

import numpy as np
import pytest
import turning
from hypothesis import given, settings
from hypothesis import strategies as st

from jigsolve._kernels import geometry
from jigsolve._kernels.jit import kernel
from jigsolve.core.poses import as_most_lie, pieces_of, placement_of, poses_of
from jigsolve.core.turns import Placement, turned_pieces

SIDES = TURNS = range(4)


@kernel
def told_to_a_kernel(pose, told):
    for toward in range(4):
        side = geometry.side_at(pose, toward)
        told[toward, 0] = side
        told[toward, 1] = geometry.toward_when_turned(side & 3, geometry.turn_of(pose))
        told[toward, 2] = geometry.pose_with(side, toward)
        told[toward, 3] = geometry.pose_beside(side, geometry.opposite(toward))
        told[toward, 4] = geometry.pose_of(geometry.posed_piece(pose), geometry.turn_of(pose))


@pytest.mark.parametrize("tell", [told_to_a_kernel, told_to_a_kernel.py_func])
def test_sides_of_poses_and_poses_of_sides(tell):
    told = np.empty((4, 5), np.int64)
    for pose in (*range(8), *range(4 * 1_000_000, 4 * 1_000_000 + 4)):
        tell(np.int64(pose), told)
        for toward in SIDES:
            expected = [turning.side_of(pose, toward), toward, pose, pose, pose]
            assert told[toward].tolist() == expected


def test_whole_arrays_have_the_sides_of_their_poses():
    poses = np.arange(20, dtype=np.int32).reshape(4, 5)
    for toward in SIDES:
        expected = [[turning.side_of(pose, toward) for pose in row] for row in poses.tolist()]
        np.testing.assert_array_equal(geometry.side_at(poses, toward), expected)


@pytest.mark.parametrize("turn", TURNS)
def test_a_side_points_where_it_is_once_its_piece_is_turned(turn):
    for own in SIDES:
        assert geometry.toward_when_turned(own, turn) == turning.way_of(own, turn)


@pytest.mark.parametrize("turn", TURNS)
def test_cells_turn_as_an_array_does(turn):
    for row, column in itertools.product(range(-3, 4), repeat=2):
        around = np.zeros((7, 7))
        around[3 + row, 3 + column] = 1
        ((to_row, to_column),) = np.argwhere(np.rot90(around, -turn)) - 3
        assert geometry.turned_cell(row, column, turn) == (to_row, to_column)


@pytest.mark.parametrize("turn", TURNS)
def test_a_step_turns_with_its_side(turn):
    for own in SIDES:
        step = geometry.cell_toward(0, 0, own)
        toward = geometry.toward_when_turned(own, turn)
        assert geometry.turned_cell(*step, turn) == geometry.cell_toward(0, 0, toward)


def test_turned_pieces_show_the_sides_that_their_poses_have():
    # The sides of a piece are the colours along its rim.
    piece = np.full((1, 3, 3, 3), 99, np.uint8)
    for side, middle in turning.EDGE.items():
        piece[0][middle] = side
    for turn in TURNS:
        found = turned_pieces(piece, np.array([turn]))[0, :, :, 0]
        for toward in SIDES:
            assert found[turning.EDGE[toward]] == geometry.side_at(turn, toward)


@settings(max_examples=50)
@given(st.integers(1, 5), st.integers(1, 5), st.integers(0, 3), st.integers(0, 10**6))
def test_placements_and_poses_are_the_same_in_other_numbers(rows, columns, empty, seed):
    rng = np.random.default_rng(seed)
    n = rows * columns
    poses = turning.random_board(rng, rows, columns, "quarter", n + 2, min(empty, n))
    order = rng.permutation(n + 2)
    placement = placement_of(poses, order)
    for pose, piece, turn in zip(poses.flat, *(part.flat for part in placement), strict=True):
        assert (piece, turn) == ((-1, 0) if pose < 0 else (order[pose // 4], pose % 4))
    numbers = np.append(np.argsort(order), -1)
    np.testing.assert_array_equal(poses_of(numbers[placement.pieces], placement.turns), poses)
    np.testing.assert_array_equal(pieces_of(poses), numbers[placement.pieces])
    for turn in TURNS:
        turned, whole = placement.turned(turn), turning.turned_whole(poses, turn)
        np.testing.assert_array_equal(poses_of(numbers[turned.pieces], turned.turns), whole)
        assert not turned.turns[turned.pieces < 0].any(), "0 where a cell is empty"


@settings(max_examples=80)
@given(
    st.integers(1, 4), st.integers(1, 4), st.sampled_from(["none", "half", "quarter"]),
    st.integers(0, 2), st.integers(0, 10**6),
)  # fmt: skip
def test_a_whole_lies_as_most_of_its_pieces_do(rows, columns, turns, empty, seed):
    rng = np.random.default_rng(seed)
    poses = turning.random_board(rng, rows, columns, turns, empty=min(empty, rows * columns))
    given = placement_of(poses, np.arange(rows * columns))
    found = as_most_lie(given, turns)
    whole = poses_of(found.pieces, found.turns)
    assert found.pieces.shape == (rows, columns)
    assert turning.same_whole(whole, poses, turns)
    upright = [
        np.count_nonzero((way >= 0) & (way % 4 == 0)) for way in turning.wholes(poses, turns)
    ]
    assert np.count_nonzero((whole >= 0) & (whole % 4 == 0)) == max(upright)
    if turns == "none":
        np.testing.assert_array_equal(whole, poses)


def test_a_whole_that_may_lie_in_several_ways_stays_as_it_is():
    placement = Placement(np.array([[0, 1], [2, 3]]), np.array([[0, 1], [2, 3]], np.int8))
    found = as_most_lie(placement, "quarter")
    np.testing.assert_array_equal(found.pieces, placement.pieces)
    np.testing.assert_array_equal(found.turns, placement.turns)
