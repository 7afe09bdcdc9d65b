"""Offsets in the grid of blocks of pieces that may be turned."""

import naive
import numpy as np
import pytest
from skimage import data
from test_traces import choices, compressed

from jigsolve import Puzzle
from jigsolve._kernels.facing import FACING, member_of
from jigsolve.core.turns import turned_pieces
from jigsolve.measures.offsets import PERIOD
from jigsolve.measures.traces import Offsets
from jigsolve.measures.turned_traces import TurnedOffsets, from_other_end

TURNED = pytest.mark.parametrize("poses", [2, 4])


@pytest.fixture(scope="module")
def puzzle():
    return Puzzle.cut(compressed(data.astronaut()), 28)


def turned(puzzle, poses):
    """Return pieces turned at random, and the number of each side once its piece is turned."""
    quarters = np.random.default_rng(3).integers(0, 4, len(puzzle))
    quarters = quarters if poses == 4 else quarters // 2 * 2
    sides = [
        4 * piece + naive.direction_of(side, quarters[piece])
        for piece in range(len(puzzle))
        for side in range(4)
    ]
    return turned_pieces(puzzle.pieces, quarters), np.array(sides)


def offsets_of(pieces, poses):
    return TurnedOffsets.of(pieces, np.arange(len(pieces)), FACING[poses])


def known(board, sides, poses):
    """Return for each class sides that touch, among others that do not."""
    found = [
        (sides[4 * ones + side], sides[4 * others + side - 1])
        for (ones, others), side in zip(choices(board), (1, 3), strict=True)
    ]
    if poses == 4:
        return {FACING[4][0]: tuple(np.concatenate(part) for part in zip(*found, strict=True))}
    classes = zip(FACING[2], found, strict=True)
    return {f: (member_of(1, ones), member_of(1, others)) for f, (ones, others) in classes}


@TURNED
def test_sides_that_touch_are_told_from_others(puzzle, poses):
    pieces, sides = turned(puzzle, poses)
    witnesses = known(puzzle.board, sides, poses)
    vouched = offsets_of(pieces, poses).vouched_for(witnesses)
    assert vouched.say_something
    rng = np.random.default_rng(2)
    for facing, (ones, others) in witnesses.items():
        right = vouched.said((ones, others[:, 0]), facing)
        wrong = vouched.said((ones, rng.permutation(others[:, 0])), facing)
        assert right.mean() > 1
        assert wrong.mean() < -1
        both_ways = vouched.said((others[:, 0], ones), facing)
        np.testing.assert_allclose(right, both_ways, atol=1e-4)


@TURNED
def test_turning_pieces_changes_nothing(puzzle, poses):
    pieces, sides = turned(puzzle, poses)
    before, after = offsets_of(puzzle.pieces, poses), offsets_of(pieces, poses)
    rng = np.random.default_rng(5)
    for facing in FACING[poses]:
        ones, others = rng.choice(facing.near.sides(len(puzzle)), (2, 300))
        pairs = [
            (member_of(facing.bits, number[ones]), member_of(facing.bits, number[others]))
            for number in (np.arange(4 * len(puzzle)), sides)
        ]
        said = before.said(pairs[0], facing), after.said(pairs[1], facing)
        np.testing.assert_allclose(*said, atol=0.05)


def test_lines_are_those_of_pieces_that_are_not_turned(puzzle):
    """Where nothing is turned, the same neighbours are likely."""
    still = Offsets.of(puzzle.pieces, np.arange(len(puzzle)))
    found = offsets_of(puzzle.pieces, 4)
    facing = FACING[4][0]
    rng = np.random.default_rng(1)
    ones, others = rng.integers(0, len(puzzle), (2, 2000))
    expected = still.log_ratios((ones, others), rightward=True)
    said = found.said((4 * ones + 1, 4 * others), facing)
    assert np.corrcoef(expected, said)[0, 1] > 0.95


def test_places_are_counted_from_either_end():
    likely = np.eye(PERIOD)[[3]]
    assert from_other_end(likely, 28).argmax() == (28 - 3) % PERIOD
    np.testing.assert_array_equal(from_other_end(from_other_end(likely, 28), 28), likely)


@TURNED
def test_nothing_is_said_of_a_picture_that_was_not_compressed(poses):
    noise = np.random.default_rng(3).integers(0, 256, (420, 420, 3)).astype(np.uint8)
    puzzle = Puzzle.cut(noise, 28)
    witnesses = known(puzzle.board, np.arange(4 * len(puzzle)), poses)
    assert not offsets_of(puzzle.pieces, poses).vouched_for(witnesses).say_something


def test_rectangles_have_offsets_of_their_own_in_each_direction():
    puzzle = Puzzle.cut(compressed(data.astronaut()), (20, 30))
    pieces, sides = turned(puzzle, 2)
    witnesses = known(puzzle.board, sides, 2)
    vouched = offsets_of(pieces, 2).vouched_for(witnesses)
    for facing, (ones, others) in witnesses.items():
        assert vouched.said((ones, others[:, 0]), facing).mean() > 0.5
