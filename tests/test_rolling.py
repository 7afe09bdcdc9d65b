"""Pictures that came out rolled."""

import itertools

import numpy as np
import pytest
from helpers import random_pieces, table_of
from hypothesis import given, settings
from hypothesis import strategies as st
from skimage import data

from jigsolve import Puzzle
from jigsolve.evolution.rolling import cheapest_roll
from jigsolve.measures import EXTRAPOLATION


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 5), st.integers(2, 5), st.integers(0, 10**6))
def test_no_roll_is_cheaper(rows, columns, seed):
    rng = np.random.default_rng(seed)
    table = table_of(random_pieces(rng, rows * columns), candidates=4)
    arrangement = rng.permutation(rows * columns).reshape(rows, columns)
    rolls = [
        np.roll(arrangement, shift, axis=(0, 1))
        for shift in itertools.product(range(rows), range(columns))
    ]
    found = cheapest_roll(table, arrangement)
    assert any(np.array_equal(found, roll) for roll in rolls)
    assert table.cost_of(found) == pytest.approx(min(map(table.cost_of, rolls)), rel=1e-6)


@pytest.mark.parametrize("shift", [(0, 0), (3, 0), (0, 7), (4, 11)])
def test_a_photograph_is_rolled_back(shift):
    puzzle = Puzzle.cut(data.coffee(), 40)
    table = table_of(puzzle.pieces, candidates=20, measure=EXTRAPOLATION)
    truth = np.arange(len(puzzle)).reshape(puzzle.board)
    rolled = np.roll(truth, shift, axis=(0, 1))
    np.testing.assert_array_equal(cheapest_roll(table, rolled), truth)
