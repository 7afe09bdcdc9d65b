"""Pictures that came out rolled."""

import numpy as np
import pytest
from helpers import random_pieces, seam_table, table_of
from hypothesis import given, settings
from hypothesis import strategies as st
from skimage import data

from jigsolve import Puzzle
from jigsolve.assembly.segments import evidence
from jigsolve.core.poses import pieces_of, poses_of
from jigsolve.execution.crew import crew
from jigsolve.measures import EXTRAPOLATION, LEARNED
from jigsolve.solvers.genetic.rolling import BELONG, _is_rolled, cheaper_rolls, rolled_back


@settings(max_examples=60)
@given(st.integers(1, 5), st.integers(2, 5), st.integers(0, 10**6))
def test_only_ends_that_belong_together_are_joined(rows, columns, seed):
    rng = np.random.default_rng(seed)
    table = table_of(random_pieces(rng, rows * columns), candidates=4)
    arrangement = poses_of(rng.permutation(rows * columns).reshape(rows, columns))
    found = rolled_back(table, arrangement)
    expected = arrangement
    for axis, which in ((0, 1), (1, 0)):
        ends = np.take(arrangement, [-1, 0], axis)
        cuts = [evidence(table, ends)[which].mean()]
        cuts += evidence(table, arrangement)[which].mean(axis=1 - axis).tolist()
        if cuts[0] > BELONG:
            expected = np.roll(expected, -int(np.argmin(cuts)), axis)
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("shift", [(0, 0), (3, 0), (0, 7), (4, 11)])
def test_a_photograph_is_rolled_back(shift):
    puzzle = Puzzle.cut(data.coffee(), 40)
    table = table_of(puzzle.pieces, candidates=20, measure=EXTRAPOLATION)
    truth = poses_of(np.arange(len(puzzle)).reshape(puzzle.board))
    rolled = np.roll(truth, shift, axis=(0, 1))
    np.testing.assert_array_equal(rolled_back(table, rolled), truth)


def test_a_picture_with_a_white_rim_stays_as_it_is():
    # Over the rim every seam costs nothing, and that is no reason to cut the picture in two.
    photo = np.full((240, 320, 3), 255, np.uint8)
    photo[80:200, 80:240] = data.coffee()[100:220, 200:360]
    puzzle = Puzzle.cut(photo, 20)
    table = table_of(puzzle.pieces, candidates=20, measure=EXTRAPOLATION)
    truth = poses_of(np.arange(len(puzzle)).reshape(puzzle.board))
    rolled = rolled_back(table, truth)
    assert (puzzle.image(pieces_of(rolled)) == photo).all()


def test_plain_ends_do_not_belong_together():
    photo = data.coffee()
    # The seams between white and the photograph are the worst of all: it would be cut there.
    height, width = (28 * (pixels // 28) for pixels in photo.shape[:2])
    framed = np.pad(photo[:height, :width], ((28, 28), (0, 0), (0, 0)), constant_values=255)
    puzzle = Puzzle.cut(framed, 28)
    truth = poses_of(np.arange(len(puzzle)).reshape(puzzle.board))
    with crew(1) as hands:
        table = seam_table(puzzle, np.arange(len(puzzle)), LEARNED, 32, hands)
    np.testing.assert_array_equal(rolled_back(table, truth), truth)


@pytest.mark.parametrize(
    ("cuts", "is_damaged", "expected"),
    [
        ([2.1, 3.0, 0.5], False, True),
        ([1.9, 3.0, -3.0], False, False),
        ([-0.8, 4.0, -2.7, 4.0], True, True),
        ([-2.2, 4.0, -2.7, 4.0], True, False),
        ([-0.8, 4.0, -0.9, 4.0], True, False),
    ],
)
def test_where_a_board_ends(cuts, is_damaged, expected):
    assert _is_rolled(np.array(cuts), is_damaged=is_damaged) == expected


@settings(max_examples=60)
@given(st.integers(1, 5), st.integers(2, 5), st.integers(0, 10**6))
def test_the_cheapest_roll_along_each_axis_is_found(rows, columns, seed):
    rng = np.random.default_rng(seed)
    table = table_of(random_pieces(rng, rows * columns, levels=4), candidates=4)
    arrangement = poses_of(rng.permutation(rows * columns).reshape(rows, columns))
    expected = []
    for axis in (1, 0):
        every = [np.roll(arrangement, shift, axis) for shift in range(arrangement.shape[axis])]
        costs = [table.cost_of(each) for each in every]
        if min(costs) < costs[0] - 1e-6:
            expected.append(min(costs))
    found = [table.cost_of(each) for each in cheaper_rolls(table, arrangement)]
    assert found == pytest.approx(expected)
