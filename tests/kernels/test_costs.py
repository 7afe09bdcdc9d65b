import naive
import numpy as np
import pytest
from helpers import arrangement_of, neighbour_table, random_pieces, table_of
from hypothesis import given, settings
from hypothesis import strategies as st
from skimage import data
from skimage.color import rgb2lab

from jigsolve._kernels.arrangements import arrangement_cost
from jigsolve._kernels.costs import border_cost
from jigsolve.core.poses import poses_of
from jigsolve.measures import DISSIMILARITY, EXTRAPOLATION, MGC
from jigsolve.measures.colour import UNITS, lab_from_rgb


def test_lab_agrees_with_scikit_image():
    pixels = np.random.default_rng(0).integers(0, 256, (50, 40, 3)).astype(np.uint8)
    np.testing.assert_allclose(lab_from_rgb(pixels), rgb2lab(pixels), atol=2e-3)


def test_lab_of_white_black_and_green():
    pixels = np.array([[255, 255, 255], [0, 0, 0], [0, 255, 0]], np.uint8)
    expected = [[100, 0, 0], [0, 0, 0], [87.73, -86.18, 83.18]]
    np.testing.assert_allclose(lab_from_rgb(pixels), expected, atol=0.02)


@pytest.mark.parametrize("shape", [(28, 28), (7, 12), (12, 7), (1, 1), (40, 9)])
@pytest.mark.parametrize("side", [0, 1, 2, 3])
def test_seam_cost_is_the_dissimilarity_of_equation_1(shape, side):
    photo = data.coffee()
    pieces = np.stack([photo[100 : 100 + shape[0], x : x + shape[1]] for x in (50, 300)])
    expected = naive.dissimilarity(pieces[0], pieces[1], side)
    found = border_cost(DISSIMILARITY.borders(pieces), 2, side, 4 + naive.OPPOSITE[side]) / UNITS
    assert found == pytest.approx(expected, abs=0.02 * np.sqrt(max(shape)))


@pytest.mark.parametrize("shape", [(28, 28), (7, 12), (12, 7), (1, 1), (1, 4)])
@pytest.mark.parametrize("side", [0, 1, 2, 3])
def test_seam_cost_is_the_extrapolated_difference(shape, side):
    photo = data.coffee()
    pieces = np.stack([photo[100 : 100 + shape[0], x : x + shape[1]] for x in (50, 300)])
    expected = naive.extrapolation(pieces[0], pieces[1], side)
    sides = EXTRAPOLATION.borders(pieces)
    found = border_cost(sides, 1, side, 4 + naive.OPPOSITE[side]) / UNITS
    assert found == pytest.approx(expected, abs=0.05 * max(shape))


@pytest.mark.parametrize("shape", [(28, 28), (7, 12), (12, 7), (40, 9), (2, 2)])
@pytest.mark.parametrize("side", [0, 1, 2, 3])
@pytest.mark.parametrize("kind", ["photo", "flat", "noise", "grey"])
def test_seam_cost_is_the_gradient_compatibility(shape, side, kind):
    photo = data.coffee()
    pieces = np.stack([photo[100 : 100 + shape[0], x : x + shape[1]] for x in (50, 300)])
    if kind == "flat":
        pieces[0], pieces[1] = 10, 250
    elif kind == "grey":  # all gradients lie on one line
        pieces[:] = pieces[..., :1]
    elif kind == "noise":
        pieces = np.random.default_rng(1).integers(0, 256, pieces.shape).astype(np.uint8)
    expected = naive.mgc(pieces[0], pieces[1], side)
    facing = 4 + naive.OPPOSITE[side]
    sides = MGC.borders(pieces)
    assert border_cost(sides, MGC.rule, side, facing) == pytest.approx(expected, rel=3e-3)
    assert border_cost(sides, MGC.rule, facing, side) == border_cost(sides, MGC.rule, side, facing)


def test_a_slope_through_the_seam_costs_less_by_gradients():
    rng = np.random.default_rng(0)
    picture = np.repeat(np.arange(20, 180, 10)[None, :, None], 30, axis=0).repeat(3, axis=2)
    picture = (picture + rng.integers(-2, 3, picture.shape)).astype(np.uint8)
    pieces = np.stack([picture[:, :8], picture[:, 8:], picture[:, 7:15]])
    sides = MGC.borders(pieces)
    assert border_cost(sides, MGC.rule, 1, 4) < 0.8 * border_cost(sides, MGC.rule, 1, 8)


def test_a_slope_through_the_seam_costs_little_extrapolated():
    ramp = np.arange(20, 180, 10, dtype=np.uint8)
    picture = np.repeat(np.repeat(ramp[None, :, None], 4, axis=0), 3, axis=2)
    pieces = np.stack([picture[:, :8], picture[:, 8:]])
    carried_on = border_cost(EXTRAPOLATION.borders(pieces), 1, 1, 4)
    plain = border_cost(DISSIMILARITY.borders(pieces), 1, 1, 4)
    assert carried_on == pytest.approx(0.3 * plain, rel=0.1)


@pytest.mark.parametrize("measure", [DISSIMILARITY, EXTRAPOLATION, MGC], ids=lambda m: m.name)
def test_borders_come_in_the_order_asked_for_however_many_at_once(measure, monkeypatch):
    pieces = random_pieces(np.random.default_rng(2), 23, 4, 6)
    whole = measure.borders(pieces).reshape(23, -1)
    order = np.random.default_rng(3).permutation(23)
    monkeypatch.setattr("jigsolve.measures.measure.PIECES_AT_ONCE", 5)
    told = []
    found = measure.borders(pieces, order, progress=lambda *steps: told.append(steps))
    np.testing.assert_array_equal(found.reshape(23, -1), whole[order])
    assert told == [(part, 5) for part in range(1, 6)]


def test_extreme_colours_do_not_overflow():
    black_and_white = np.zeros((2, 500, 3, 3), np.uint8)
    black_and_white[1] = (0, 255, 0)
    black_and_white[0] = (255, 0, 255)
    expected = naive.dissimilarity(*black_and_white, 1)
    sharp = black_and_white.copy()
    sharp[0, :, -2], sharp[1, :, 1] = (0, 255, 0), (255, 0, 255)
    found = border_cost(EXTRAPOLATION.borders(sharp), 1, 1, 4) / UNITS
    assert found == pytest.approx(naive.extrapolation(*sharp, 1), rel=1e-3)
    found = border_cost(DISSIMILARITY.borders(black_and_white), 2, 1, 4) / UNITS
    assert found == pytest.approx(expected, rel=1e-3)


def test_distance_is_the_same_from_both_sides():
    sides = DISSIMILARITY.borders(random_pieces(np.random.default_rng(3), 6, 5, 4))
    assert border_cost(sides, 2, 1, 4) == border_cost(sides, 2, 4, 1)
    assert border_cost(sides, 2, 3, 10) == border_cost(sides, 2, 10, 3)


@settings(max_examples=30)
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
    across, down = table.board_costs(poses_of(arrangement))
    assert across.sum() + down.sum() == pytest.approx(found, rel=1e-5)
    for row in range(rows):
        for column in range(columns - 1):
            piece, other = arrangement[row, column : column + 2]
            assert across[row, column] == costs[piece, 1, other]
    for row in range(rows - 1):
        for column in range(columns):
            piece, other = arrangement[row : row + 2, column]
            assert down[row, column] == costs[piece, 3, other]


@given(st.integers(1, 6), st.integers(1, 6), st.integers(0, 10**6))
def test_neighbour_table_and_back(rows, columns, seed):
    arrangement = np.random.default_rng(seed).permutation(rows * columns).reshape(rows, columns)
    table = neighbour_table(arrangement)
    expected = naive.neighbours(arrangement.tolist())
    for piece in range(rows * columns):
        for side in range(4):
            other = expected.get((piece, side), -1)
            assert table[piece, side] == (-1 if other < 0 else 4 * other + naive.OPPOSITE[side])
    assert arrangement_of(table, rows, columns) == arrangement.tolist()
