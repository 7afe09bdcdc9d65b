"""What sides foretell of each other: Pomeranz's and Paikin and Tal's measures, and SSD in RGB."""

import naive
import numpy as np
import pytest
from asking import seam_cost
from helpers import random_pieces, table_of
from hypothesis import given, settings
from hypothesis import strategies as st
from skimage import data

from jigsolve import InputError, Puzzle
from jigsolve._kernels.costs import border_cost, one_sided_cost
from jigsolve.measures import MGC, ONE_SIDED, PREDICTION, SSD_RGB, Measure
from jigsolve.measures.colour import UNITS

SHAPES = pytest.mark.parametrize("shape", [(28, 28), (7, 12), (12, 7), (1, 1), (1, 4)])
SIDES = pytest.mark.parametrize("side", [0, 1, 2, 3])


def two_pieces(shape):
    photo = data.coffee()
    return np.stack([photo[100 : 100 + shape[0], x : x + shape[1]] for x in (50, 300)])


@SHAPES
@SIDES
def test_prediction_is_the_paper_s(shape, side):
    pieces = two_pieces(shape)
    facing = 4 + naive.OPPOSITE[side]
    found = border_cost(PREDICTION.borders(pieces), PREDICTION.rule, side, facing)
    assert found == pytest.approx(naive.prediction(pieces[0], pieces[1], side), rel=2e-3)


@SHAPES
@SIDES
def test_one_side_says_what_it_foretells_and_a_seam_costs_what_both_say(shape, side):
    pieces = two_pieces(shape)
    facing = 4 + naive.OPPOSITE[side]
    arrays = table_of(pieces, measure=ONE_SIDED).arrays
    own = naive.one_sided(pieces[0], pieces[1], side)
    theirs = naive.one_sided(pieces[1], pieces[0], naive.OPPOSITE[side])
    rounding = 0.06 * 3 * max(shape)
    assert one_sided_cost(arrays, side, facing) / UNITS == pytest.approx(own, abs=rounding)
    assert one_sided_cost(arrays, facing, side) / UNITS == pytest.approx(theirs, abs=rounding)
    both = seam_cost(arrays, side, facing) / UNITS
    assert both == pytest.approx(own + theirs, abs=2 * rounding)
    assert seam_cost(arrays, facing, side) / UNITS == both


def test_of_other_measures_one_side_says_half():
    arrays = table_of(two_pieces((7, 7)), measure=MGC).arrays
    assert one_sided_cost(arrays, 1, 4) == np.float32(0.5) * seam_cost(arrays, 1, 4)


@SIDES
def test_ssd_in_rgb(side):
    pieces = two_pieces((9, 9))
    outer = naive.side_pixels(pieces[0].astype(float), side)
    facing = naive.side_pixels(pieces[1].astype(float), naive.OPPOSITE[side])
    found = border_cost(SSD_RGB.borders(pieces), SSD_RGB.rule, side, 4 + naive.OPPOSITE[side])
    assert found == pytest.approx(np.sqrt(((outer - facing) ** 2).sum()))


@settings(max_examples=30)
@given(
    st.integers(2, 7), st.integers(1, 20), st.integers(0, 10**6), st.sampled_from([1, 2, 256]),
    st.sampled_from(["none", "half", "quarter"]), st.sampled_from([ONE_SIDED, PREDICTION]),
)  # fmt: skip
def test_candidates_are_the_cheapest_of_all_sides_that_may_touch(
    n, k, seed, levels, turns, measure
):
    pieces = random_pieces(np.random.default_rng(seed), n, 3, 3, levels)
    arrays = table_of(pieces, k, measure=measure, turns=turns).arrays
    for side in range(4 * n):
        ranked = []
        for partner in naive.partners_of(side, n, turns):
            both, toward = naive.turned_pair(pieces, side, partner)
            sides = measure.borders(both)
            cost = border_cost(sides, measure.rule, toward, 4 + naive.OPPOSITE[toward])
            assert seam_cost(arrays, side, partner) == cost
            ranked.append(cost)
        assert arrays.costs[side].tolist() == sorted(ranked)[: arrays.partners.shape[1]]


@pytest.mark.parametrize("measure", [ONE_SIDED, PREDICTION], ids=lambda m: m.name)
def test_nearly_all_cheapest_partners_are_shortlisted(measure):
    # Shortlists are those of squared differences, which rank otherwise.
    pieces = Puzzle.cut(data.astronaut()[:504, :504], 12).pieces
    arrays = table_of(pieces, 16, measure=measure).arrays
    sides = np.random.default_rng(0).choice(4 * len(pieces), 200, replace=False)
    missed = 0
    for side in sides:
        others = naive.partners_of(int(side), len(pieces), "none")
        least = min(border_cost(arrays.borders, arrays.rule, side, other) for other in others)
        missed += least != arrays.costs[side, 0]
    assert missed <= 2


def test_a_rule_is_one_of_those_there_are():
    with pytest.raises(InputError, match="expected the rule MAGNITUDES, EUCLIDEAN, GRADIENTS"):
        Measure(name="odd", look=lambda edge, inner: edge, rule=4)
