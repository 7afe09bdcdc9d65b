import naive
import numpy as np
import pytest
import skimage.data
from helpers import random_pieces, table_of
from hypothesis import given, settings
from hypothesis import strategies as st

from jigsolve import Puzzle
from jigsolve._kernels.choosing import is_best_buddy
from jigsolve._kernels.costs import NO_BUDDY, SEVERAL_BUDDIES, border_cost
from jigsolve.execution.crew import crew
from jigsolve.measures import DISSIMILARITY, MGC
from jigsolve.seams import all_pairs, twins
from jigsolve.seams import table as seams


def check_against_naive(table, costs, n, k):
    for piece in range(n):
        for side in range(4):
            own = 4 * piece + side
            expected = naive.candidates(costs, n, piece, side)[:k]
            found_costs = table.arrays.costs[own]
            np.testing.assert_array_equal(found_costs, [costs[piece, side, q] for q in expected])
            partners = table.arrays.partners[own]
            assert (partners % 4 == naive.OPPOSITE[side]).all()
            found = [int(q) for q in partners // 4]
            assert len(set(found)) == len(found)
            assert piece not in found
            for q, cost in zip(found, found_costs, strict=True):
                assert costs[piece, side, q] == cost


@settings(max_examples=25)
@given(st.integers(2, 14), st.integers(1, 16), st.integers(0, 10**6), st.sampled_from([2, 3, 256]))
def test_candidates_are_the_cheapest_partners(n, k, seed, levels):
    pieces = random_pieces(np.random.default_rng(seed), n, levels=levels)
    table = table_of(pieces, candidates=k)
    kept = min(max(k, 2), n - 1)
    assert table.arrays.partners.shape == (4 * n, kept)
    check_against_naive(table, naive.cost_table(table.arrays.borders), n, kept)


def test_many_tiles_give_the_same_as_one(monkeypatch):
    pieces = random_pieces(np.random.default_rng(5), 60, levels=4)
    whole = table_of(pieces, candidates=12).arrays
    monkeypatch.setattr(all_pairs, "TILE", 7)
    for threads in (1, 3):
        tiled = table_of(pieces, candidates=12, threads=threads).arrays
        for name in whole._fields:
            np.testing.assert_array_equal(getattr(whole, name), getattr(tiled, name), name)
    check_against_naive(table_of(pieces, candidates=12), naive.cost_table(whole.borders), 60, 12)


def test_nearly_equal_costs_are_ranked_exactly():
    # All borders bright and one level apart: matrix products alone would round them together.
    rng = np.random.default_rng(1)
    pieces = (250 + rng.integers(0, 2, (40, 28, 28, 3))).astype(np.uint8)
    table = table_of(pieces, candidates=6)
    check_against_naive(table, naive.cost_table(table.arrays.borders), 40, 6)


@settings(max_examples=20)
@given(
    st.integers(2, 10),
    st.integers(0, 10**6),
    st.sampled_from([1, 2, 256]),
    st.sampled_from([1, 2, 4]),
)
def test_best_buddies_are_those_of_equation_3(n, seed, levels, k):
    pieces = random_pieces(np.random.default_rng(seed), n, 2, 2, levels=levels)
    arrays = table_of(pieces, candidates=k).arrays
    costs = naive.cost_table(arrays.borders)
    for piece in range(n):
        for side in range(4):
            own = 4 * piece + side
            true = [
                q
                for q in range(n)
                if q != piece and naive.are_best_buddies(costs, n, piece, side, q)
            ]
            for q in range(n):
                if q == piece:
                    continue
                facing = 4 * q + naive.OPPOSITE[side]
                found = is_best_buddy(arrays, own, facing)
                assert found == (q in true)
            if arrays.buddies[own] == NO_BUDDY:
                assert not true
            elif arrays.buddies[own] != SEVERAL_BUDDIES:
                assert [arrays.buddies[own] // 4] == true


def test_progress_reaches_its_total():
    seen = []
    with crew(2) as hands:
        sides = DISSIMILARITY.borders(random_pieces(np.random.default_rng(0), 9))
        seams.SeamTable.build(
            sides, 4, hands, progress=lambda done, total: seen.append((done, total))
        )
    assert seen[-1][0] == seen[-1][1] == len(seen)


@pytest.mark.parametrize("levels", [1, 2, 256])
def test_twins_have_the_same_border(levels):
    pieces = random_pieces(np.random.default_rng(5), 60, 1, 2, levels=levels)
    arrays = table_of(np.concatenate([pieces, pieces[:9]])).arrays
    same = (arrays.borders[:, None] == arrays.borders[None]).all(axis=2)
    np.testing.assert_array_equal(arrays.twins[:, None] == arrays.twins[None], same)
    assert len(set(arrays.twins.tolist())) < len(arrays.twins)


def test_equal_words_of_different_borders_make_no_twins(monkeypatch):
    def all_the_same(borders, hashes):
        hashes[:] = 7

    monkeypatch.setattr(twins, "hash_borders", all_the_same)
    arrays = table_of(random_pieces(np.random.default_rng(5), 20)).arrays
    same = (arrays.borders == arrays.borders[0]).all(axis=1)
    np.testing.assert_array_equal(arrays.twins == arrays.twins[0], same)
    assert not same.all()


def test_table_memory_is_foreseen():
    pieces = random_pieces(np.random.default_rng(0), 400, 28, 28)
    arrays = table_of(pieces, candidates=64).arrays
    held = sum(array.nbytes for array in arrays if isinstance(array, np.ndarray))
    assert held < seams.table_bytes(400, 28, 64, threads=1) < 15 * held


def brute_force(borders, side, k):
    by_side = borders.reshape(-1, 4, borders.shape[1]).astype(np.float64)
    own, facing = by_side[:, side], by_side[:, side ^ 1]
    squares = (own**2).sum(1)[:, None] + (facing**2).sum(1)[None] - 2 * own @ facing.T
    np.fill_diagonal(squares, np.inf)
    return np.argsort(squares, axis=1, kind="stable")[:, :k], np.sort(squares, axis=1)[:, :k]


@pytest.mark.parametrize("kind", ["saturated", "photo", "ties"])
def test_long_lists_of_many_pieces_are_exact(kind):
    rng = np.random.default_rng(4)
    if kind == "saturated":  # large squares, small differences: single precision fails here
        flat = rng.choice([0, 255], (1500, 1, 1, 3))
        pieces = np.abs(flat - rng.integers(0, 2, (1500, 4, 4, 3))).astype(np.uint8)
    elif kind == "photo":
        pieces = Puzzle.cut(skimage.data.astronaut(), 13).pieces
    else:
        pieces = rng.choice(np.array([0, 85], np.uint8), (1200, 1, 1, 3)).repeat(3, 1).repeat(3, 2)
    table = table_of(pieces, candidates=20)
    for side in range(4):
        ids, squares = brute_force(table.arrays.borders, side, 20)
        found = table.arrays.costs[side::4]
        np.testing.assert_array_equal(found, np.sqrt(squares).astype(np.float32))
        np.testing.assert_array_equal(table.arrays.partners[side::4] // 4, ids)


@pytest.mark.parametrize("size", [(13, 13), (9, 20)])
@pytest.mark.parametrize("photo", ["astronaut", "camera"])
def test_candidates_by_gradients_are_the_cheapest(size, photo):
    rows, columns = 512 // size[0] * size[0], 512 // size[1] * size[1]
    picture = getattr(skimage.data, photo)()[:rows, :columns]
    pieces = Puzzle.cut(picture, (size[1], size[0])).pieces
    table = table_of(pieces, candidates=8, measure=MGC)
    borders = table.arrays.borders
    n = len(pieces)
    rng = np.random.default_rng(0)
    for side in rng.integers(0, 4 * n, 60):
        facing = [4 * q + (side & 3 ^ 1) for q in range(n) if q != side // 4]
        costs = sorted((border_cost(borders, MGC.rule, side, p), p) for p in facing)
        assert [p for _, p in costs[:8]] == table.arrays.partners[side].tolist()
        assert [c for c, _ in costs[:8]] == table.arrays.costs[side].tolist()


@pytest.mark.parametrize("shape", [(3, 9), (9, 3)])
def test_rectangular_pieces(shape):
    pieces = random_pieces(np.random.default_rng(8), 12, *shape)
    table = table_of(pieces, candidates=5)
    check_against_naive(table, naive.cost_table(table.arrays.borders), 12, 5)
