import naive
import numpy as np
import pytest
from helpers import arrangement_of, neighbour_table, random_pieces, table_of
from hypothesis import given, settings
from hypothesis import strategies as st
from skimage import data
from skimage.color import rgb2lab

from jigsolve._kernels.costs import arrangement_cost, border_distance
from jigsolve.measures.colour import lab_from_rgb
from jigsolve.measures.dissimilarity import UNITS, borders


def test_lab_agrees_with_scikit_image():
    pixels = np.random.default_rng(0).integers(0, 256, (50, 40, 3)).astype(np.uint8)
    np.testing.assert_allclose(lab_from_rgb(pixels), rgb2lab(pixels), atol=2e-3)


def test_lab_of_white_black_and_green():
    pixels = np.array([[255, 255, 255], [0, 0, 0], [0, 255, 0]], np.uint8)
    expected = [[100, 0, 0], [0, 0, 0], [87.73, -86.18, 83.18]]
    np.testing.assert_allclose(lab_from_rgb(pixels), expected, atol=0.02)


@pytest.mark.parametrize("shape", [(28, 28), (7, 12), (12, 7), (1, 1), (40, 9)])
@pytest.mark.parametrize("side", [0, 1, 2, 3])
def test_border_distance_is_the_dissimilarity_of_equation_1(shape, side):
    photo = data.coffee()
    pieces = np.stack([photo[100 : 100 + shape[0], x : x + shape[1]] for x in (50, 300)])
    expected = naive.dissimilarity(pieces[0], pieces[1], side)
    found = border_distance(borders(pieces), side, 4 + naive.OPPOSITE[side]) / UNITS
    assert found == pytest.approx(expected, abs=0.02 * np.sqrt(max(shape)))


def test_extreme_colours_do_not_overflow():
    black_and_white = np.zeros((2, 500, 3, 3), np.uint8)
    black_and_white[1] = (0, 255, 0)
    black_and_white[0] = (255, 0, 255)
    expected = naive.dissimilarity(*black_and_white, 1)
    found = border_distance(borders(black_and_white), 1, 4) / UNITS
    assert found == pytest.approx(expected, rel=1e-3)


def test_distance_is_the_same_from_both_sides():
    sides = borders(random_pieces(np.random.default_rng(3), 6, 5, 4))
    assert border_distance(sides, 1, 4) == border_distance(sides, 4, 1)
    assert border_distance(sides, 3, 10) == border_distance(sides, 10, 3)


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 5), st.integers(1, 5), st.integers(0, 10**6), st.sampled_from([2, 4, 256]))
def test_arrangement_cost_is_the_fitness_of_equation_2(rows, columns, seed, levels):
    n = rows * columns
    if n < 2:
        return
    rng = np.random.default_rng(seed)
    table = table_of(random_pieces(rng, n, levels=levels), candidates=3)
    arrangement = rng.permutation(n).reshape(rows, columns)
    costs = naive.cost_table(table.arrays.borders)
    found = arrangement_cost(table.arrays, neighbour_table(arrangement))
    assert found == pytest.approx(naive.fitness(arrangement.tolist(), costs), rel=1e-6)
    across, down = table.board_costs(arrangement)
    assert across.sum() + down.sum() == pytest.approx(found, rel=1e-5)
    for row in range(rows):
        for column in range(columns - 1):
            piece, other = arrangement[row, column : column + 2]
            assert across[row, column] == costs[piece, 1, other]


@given(st.integers(1, 6), st.integers(1, 6), st.integers(0, 10**6))
@settings(deadline=None)
def test_neighbour_table_and_back(rows, columns, seed):
    arrangement = np.random.default_rng(seed).permutation(rows * columns).reshape(rows, columns)
    table = neighbour_table(arrangement)
    expected = naive.neighbours(arrangement.tolist())
    for piece in range(rows * columns):
        for side in range(4):
            assert table[piece, side] == expected.get((piece, side), -1)
    assert arrangement_of(table, rows, columns) == arrangement.tolist()
