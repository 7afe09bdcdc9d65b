import naive
import numpy as np
import pytest
from helpers import random_pieces, table_of
from hypothesis import given, settings
from hypothesis import strategies as st

from jigsolve._kernels import greedy
from jigsolve._kernels.search import MARGIN, forget_skips, nearest_free_side
from jigsolve.measures import EXTRAPOLATION


def unpack(outlook):
    return (
        (outlook >> greedy.DOUBT_SHIFT) / greedy.TIE,
        (outlook >> greedy.BEST_SHIFT) & greedy.PIECE_MASK,
        (outlook >> greedy.NEXT_SHIFT) & greedy.PIECE_MASK,
    )


@settings(max_examples=60)
@given(st.integers(3, 14), st.integers(1, 13), st.integers(0, 10**6), st.sampled_from([2, 256]))
def test_outlook_follows_the_free_candidates(n, k, seed, levels):
    rng = np.random.default_rng(seed)
    arrays = table_of(random_pieces(rng, n, levels=levels), candidates=k).arrays
    side = int(rng.integers(0, 4 * n))
    slot = np.zeros(n, np.int32)
    outlooks = np.full(4 * n, greedy.UNKNOWN, np.int64)
    for used in rng.permutation(n):
        found = greedy.current_outlook(arrays.partners, arrays.costs, slot, outlooks, side)
        free = [
            (cost, partner // 4)
            for partner, cost in zip(arrays.partners[side], arrays.costs[side], strict=True)
            if slot[partner // 4] >= 0
        ]
        if not free:
            assert found == greedy.DRY
        else:
            doubt, best, second = unpack(found)
            assert best == free[0][1]
            if len(free) > 1:
                assert second == free[1][1]
                expected = free[0][0] / free[1][0] if free[1][0] else 1
                assert doubt == pytest.approx(expected, abs=1 / greedy.TIE)
            else:
                assert doubt == 1
        slot[used] = -1


def test_outlooks_hold_any_piece():
    most = greedy.MOST_PIECES
    partners = np.array([[4 * (most - 1), 4 * (most - 2)]] * 4, np.int32)
    costs = np.array([[1.0, 2.0]] * 4, np.float32)
    slot = np.zeros(most, np.int32)
    outlooks = np.full(4, greedy.UNKNOWN, np.int64)
    found = greedy.current_outlook(partners, costs, slot, outlooks, 1)
    assert found > 0
    assert unpack(found) == (0.5, most - 1, most - 2)


@settings(max_examples=80)
@given(
    st.integers(2, 60),
    st.integers(0, 10**6),
    st.sampled_from([1, 2, 4, 256]),
    st.booleans(),
    st.sampled_from([(4, 3), (4, 300)]),  # fewer sides than a border has numbers, too
)
def test_search_finds_the_nearest_free_piece_while_pieces_are_used_up(
    n, seed, levels, extrapolated, size
):
    rng = np.random.default_rng(seed)
    pieces = random_pieces(rng, n, *size, levels=levels)
    options = {"measure": EXTRAPOLATION} if extrapolated else {}
    arrays = table_of(pieces, candidates=1, **options).arrays
    slot = np.zeros(n, np.int32)
    skips = np.empty((2, 4, n + 2), np.int32)
    forget_skips(skips)
    for used in rng.permutation(n)[: n - 1]:  # what was skipped before stays true
        slot[used] = -1
        side = int(rng.integers(0, 4 * n))
        found = nearest_free_side(arrays, slot, skips, side) // 4
        free = np.flatnonzero(slot == 0)
        facing = naive.OPPOSITE[side % 4]
        own = arrays.borders[side].astype(int)
        distances = [((own - arrays.borders[4 * q + facing]) ** 2).sum() for q in free]
        assert found == free[int(np.argmin(distances))]


@pytest.mark.parametrize(("n", "width"), [(2, 1400), (9, 640), (100, 64), (300, 16), (600, 350)])
@pytest.mark.parametrize("levels", [1, 2, 256])
def test_distances_of_components_are_lower_bounds(n, width, levels):
    pieces = random_pieces(np.random.default_rng(n), n, 3, width, levels=levels)
    arrays = table_of(pieces, candidates=2).arrays
    borders = arrays.borders.astype(np.float64)
    looks = arrays.looks.astype(np.float64)
    shares = []
    for side in range(0, 4 * n, max(n // 8, 1)):
        facing = np.arange(side % 4 ^ 1, 4 * n, 4)
        true = np.sqrt(((borders[side] - borders[facing]) ** 2).sum(axis=1))
        seen = np.sqrt(((looks[side] - looks[facing]) ** 2).sum(axis=1))
        assert (seen <= true + MARGIN / 2).all()
        shares += [seen.sum() / true.sum()] if true.sum() else []
    assert levels == 1 or np.mean(shares) > 0.05  # and bounds that tell something
