"""Tables of pieces that may be turned, against all pairs of pieces turned one by one."""

import naive
import numpy as np
import pytest
import skimage.data
from asking import seam_cost
from helpers import random_pieces, table_of
from hypothesis import given, settings
from hypothesis import strategies as st

from jigsolve import Puzzle
from jigsolve._kernels.costs import border_cost, row_against
from jigsolve._kernels.search import forget_skips, nearest_free_side
from jigsolve.measures import DISSIMILARITY, EXTRAPOLATION, MGC
from jigsolve.seams import all_pairs

KINDS = st.sampled_from(["half", "quarter"])
MEASURES = st.sampled_from([DISSIMILARITY, EXTRAPOLATION])


def cost_of_turned(measure, pieces, side, partner):
    """Turn two pieces so that their sides face, and compare them as pieces that are not turned."""
    both, toward = naive.turned_pair(pieces, side, partner)
    return border_cost(measure.borders(both), measure.rule, toward, 4 + naive.OPPOSITE[toward])


@settings(max_examples=40)
@given(
    st.integers(2, 6), st.integers(1, 20), st.integers(0, 10**6), st.sampled_from([1, 2, 256]),
    KINDS, MEASURES,
)  # fmt: skip
def test_candidates_are_the_cheapest_of_all_sides_that_may_touch(
    n, k, seed, levels, turns, measure
):
    pieces = random_pieces(np.random.default_rng(seed), n, 3, 3, levels)
    arrays = table_of(pieces, k, measure=measure, turns=turns).arrays
    assert arrays.poses == {"half": 2, "quarter": 4}[turns]
    assert arrays.partners.shape == (4 * n, min(max(k, 2), arrays.poses * (n - 1)))
    for side in range(4 * n):
        others = naive.partners_of(side, n, turns)
        ranked = sorted((cost_of_turned(measure, pieces, side, p), p) for p in others)
        kept = ranked[: arrays.partners.shape[1]]
        assert arrays.costs[side].tolist() == [cost for cost, _ in kept]
        if measure is DISSIMILARITY:  # the others' shortlists may end within a tie
            assert arrays.partners[side].tolist() == [partner for _, partner in kept]
        for cost, partner in ranked:
            assert seam_cost(arrays, side, partner) == cost


@pytest.mark.parametrize("size", [(6, 9), (9, 6), (1, 4)])
@pytest.mark.parametrize("measure", [DISSIMILARITY, EXTRAPOLATION, MGC], ids=lambda m: m.name)
def test_rectangles_have_half_turns(size, measure):
    pieces = random_pieces(np.random.default_rng(3), 5, *size)
    arrays = table_of(pieces, 30, measure=measure, turns="half").arrays
    for side in range(20):
        others = naive.partners_of(side, 5, "half")
        assert sorted(arrays.partners[side].tolist()) == others
        for partner, cost in zip(arrays.partners[side], arrays.costs[side], strict=True):
            expected = cost_of_turned(measure, pieces, side, int(partner))
            assert cost == pytest.approx(expected, rel=2e-3)


@pytest.mark.parametrize("turns", ["half", "quarter"])
def test_gradients_of_photographs_rank_all_sides(turns):
    pieces = Puzzle.cut(skimage.data.astronaut()[:260, :260], 13).pieces
    arrays = table_of(pieces, 8, measure=MGC, turns=turns).arrays
    for side in np.random.default_rng(0).integers(0, 4 * len(pieces), 40).tolist():
        others = naive.partners_of(side, len(pieces), turns)
        costs = sorted((border_cost(arrays.borders, MGC.rule, side, p), p) for p in others)
        assert [p for _, p in costs[:8]] == arrays.partners[side].tolist()
        assert [c for c, _ in costs[:8]] == arrays.costs[side].tolist()
        for cost, partner in costs[:8]:
            assert cost == pytest.approx(cost_of_turned(MGC, pieces, side, partner), rel=2e-3)
            assert cost == border_cost(arrays.borders, MGC.rule, partner, side)


@pytest.mark.parametrize("turns", ["half", "quarter"])
def test_tiles_and_threads_give_the_same_table(turns, monkeypatch):
    pieces = random_pieces(np.random.default_rng(5), 30, levels=4)
    whole = table_of(pieces, 12, turns=turns).arrays
    for tile, threads in ((7, 1), (7, 3), (8, 2), (60, 2)):
        monkeypatch.setattr(all_pairs, "TILE", tile)
        tiled = table_of(pieces, 12, threads, turns=turns).arrays
        for name in whole._fields:
            np.testing.assert_array_equal(getattr(whole, name), getattr(tiled, name), name)


def test_turning_pieces_turns_their_candidates():
    rng = np.random.default_rng(2)
    pieces = random_pieces(rng, 12, 4, 4)
    quarters = rng.integers(0, 4, 12)
    turned = np.stack([np.rot90(p, k) for p, k in zip(pieces, quarters, strict=True)])
    number = np.empty(48, int)  # of each side once its piece is turned
    for piece, turn in enumerate(quarters):
        for side in range(4):
            now = side
            for _ in range(turn):
                now = naive.COUNTERCLOCKWISE[now]
            number[4 * piece + side] = 4 * piece + now
    before = table_of(pieces, 6, turns="quarter").arrays
    after = table_of(turned, 6, turns="quarter").arrays
    np.testing.assert_array_equal(number[before.partners], after.partners[number])
    np.testing.assert_array_equal(before.costs, after.costs[number])


@pytest.mark.parametrize("turns", ["half", "quarter"])
@pytest.mark.parametrize("levels", [1, 2, 256])
def test_twins_look_the_same_clockwise(turns, levels):
    pieces = random_pieces(np.random.default_rng(5), 25, 2, 2, levels=levels)
    pieces = np.concatenate([pieces, np.rot90(pieces[:9], 1, (1, 2)), pieces[:3]])
    arrays = table_of(pieces, turns=turns).arrays
    upright = [
        naive.turned_toward(pieces[side // 4], side % 4, 2)[0].tobytes()
        for side in range(4 * len(pieces))
    ]
    same = np.array([[one == other for other in upright] for one in upright])
    np.testing.assert_array_equal(arrays.twins[:, None] == arrays.twins[None], same)


@settings(max_examples=60)
@given(
    st.integers(2, 30),
    st.integers(0, 10**6),
    st.sampled_from([1, 2, 4, 256]),
    KINDS,
    st.sampled_from([DISSIMILARITY, EXTRAPOLATION, MGC]),
    st.sampled_from([3, 40]),  # fewer sides than a border has numbers, too
)
def test_search_finds_the_nearest_free_side(n, seed, levels, turns, measure, size):
    rng = np.random.default_rng(seed)
    arrays = table_of(random_pieces(rng, n, size, size, levels), 1, 1, measure, turns).arrays
    orders, many = arrays.order.shape
    assert orders * many == 4 * n
    slot = np.zeros(n, np.int32)
    skips = np.empty((2, orders, many + 2), np.int32)
    forget_skips(skips)
    edges = arrays.edges.astype(int)
    for used in rng.permutation(n)[: n - 1]:  # what was skipped before stays true
        slot[used] = -1
        side = 4 * int(used) + int(rng.integers(0, 4))
        free = [p for p in naive.partners_of(side, n, turns) if slot[p // 4] == 0]
        rows = [row_against(edges, side, p) for p in free]
        distances = [((edges[side] - edges[row]) ** 2).sum() for row in rows]
        assert nearest_free_side(arrays, slot, skips, side) == free[int(np.argmin(distances))]
