"""Seam tables by rows of sides: as of all pairs at once, or by blocks of sides that look alike."""

import functools
from dataclasses import replace

import numpy as np
import pytest
from helpers import random_pieces
from hypothesis import given, settings
from hypothesis import strategies as st
from skimage import data

from jigsolve import Puzzle
from jigsolve._kernels.candidates import absorb_rows, shortlists
from jigsolve._kernels.facing import FACING
from jigsolve.core.turns import POSES
from jigsolve.execution.crew import ALONE, crew
from jigsolve.measures import EXTRAPOLATION, MEASURES, MGC
from jigsolve.seams import all_pairs, blocks, rows
from jigsolve.seams.table import SeamTable, table_bytes


def tiles_of(monkeypatch, size):
    for module in (all_pairs, blocks, rows):
        monkeypatch.setattr(module, "TILE", size)


def filled(fill, borders, measure, turns, threads, candidates=6):
    """Return the candidates of all sides, and what they cost."""
    poses = POSES[turns]
    pieces = len(borders) // (4 if poses == 1 else 8)
    kept = min(candidates, poses * (pieces - 1))
    partners, costs = np.full((4 * pieces, kept), -1, np.int32), np.zeros((4 * pieces, kept), "f4")
    told = []
    with crew(threads) as hands:
        for facing in FACING[poses]:
            told += fill(borders, measure.rule, facing, partners, costs, hands)
    return partners, costs, told


@pytest.mark.parametrize("turns", POSES)
@pytest.mark.parametrize("name", [name for name in MEASURES if name not in ("learned", "qr")])
@pytest.mark.parametrize(("pieces", "tile", "threads"), [(2, 8, 1), (45, 8, 3), (33, 32, 1)])
def test_rows_are_what_all_pairs_give(monkeypatch, turns, name, pieces, tile, threads):
    # Nothing to spare: what products say in the last bits would be seen.
    monkeypatch.setattr(all_pairs, "SPARE", dict.fromkeys(all_pairs.SPARE, 0))
    tiles_of(monkeypatch, tile)
    some = random_pieces(np.random.default_rng(pieces), pieces, 5, 4)
    some[pieces // 3 : pieces // 2] = some[0]
    borders = MEASURES[name].borders(some, turns=turns)
    expected = filled(all_pairs.fill_candidates, borders, MEASURES[name], turns, threads)
    found = filled(rows.fill_rows, borders, MEASURES[name], turns, threads)
    np.testing.assert_array_equal(found[0], expected[0])
    np.testing.assert_array_equal(found[1], expected[1])
    done, total = found[2][-1]
    assert done == total == len(found[2]) // len(FACING[POSES[turns]])


def test_products_have_the_same_bits_whoever_asks(monkeypatch):
    tiles_of(monkeypatch, 64)
    borders = EXTRAPOLATION.borders(
        random_pieces(np.random.default_rng(1), 60, 28, 28), turns="quarter"
    )
    facing = FACING[4][0]
    asking = rows.Asking(borders, EXTRAPOLATION.rule, facing, False, 4, blocks.all_alike(240))
    seen = np.zeros((240, 240), np.float32)

    def note(tile, own, theirs, *rest):
        seen[np.ix_(own, theirs)] = tile

    monkeypatch.setattr(rows, "absorb_rows", note)
    monkeypatch.setattr(rows, "ranked", lambda *some: (np.empty((0, 4)), np.empty((0, 4))))
    work = asking.begin(ALONE)
    for block in range(4):
        work(block, lambda: None)
    np.testing.assert_array_equal(seen, seen.T)


@settings(max_examples=30)
@given(
    st.integers(1, 9),
    st.integers(1, 150),
    st.integers(1, 8),
    st.integers(0, 2),
    st.integers(0, 10**6),
)
def test_lists_hold_the_cheapest_of_a_row(mine, theirs, keep, bits, seed):
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 40, (mine, theirs)).astype(np.float32)
    own, others = rng.permutation(400)[:mine], rng.permutation(400)[:theirs]
    lists = shortlists(mine, keep, np.dtype(np.float32))
    half = theirs // 2
    for some in (slice(half), slice(half, None)):
        absorb_rows(np.ascontiguousarray(values[:, some]), own, others[some], bits, lists)
    for row in range(mine):
        pairs = [
            (float(value), int(other))
            for value, other in zip(values[row], others, strict=True)
            if other >> bits != own[row] >> bits
        ]
        held = zip(lists.values[row], lists.ids[row], strict=True)
        listed = sorted((float(v), int(i)) for v, i in list(held)[: lists.filled[row]])
        assert listed[:keep] == sorted(pairs)[:keep]


ROWS, COLUMNS = 25, 28
ORDER = np.random.default_rng(0).permutation(ROWS * COLUMNS)


@functools.cache
def photo(turns, measure, pieces=ROWS * COLUMNS):
    """Return the borders of a photograph's pieces in that order."""
    puzzle = Puzzle.cut(data.coffee()[: 14 * ROWS, : 14 * COLUMNS], 14)
    return measure.borders(puzzle.pieces[ORDER[:pieces]], turns=turns)


def are_right(partners):
    """Return which sides have the one that belongs to them as their first candidate."""
    number = np.pad(np.argsort(ORDER).reshape(ROWS, COLUMNS), 1, constant_values=-1000)
    beside = [number[1:-1, :-2] * 4 + 1, number[1:-1, 2:] * 4,
              number[:-2, 1:-1] * 4 + 3, number[2:, 1:-1] * 4 + 2]  # fmt: skip
    true = np.stack(beside, axis=2).reshape(-1, 4)[ORDER].ravel()
    return partners[:, 0] == true


@pytest.mark.parametrize(
    ("turns", "measure"), [("none", EXTRAPOLATION), ("none", MGC), ("quarter", EXTRAPOLATION)]
)
def test_sides_that_belong_together_are_looked_at(monkeypatch, turns, measure):
    tiles_of(monkeypatch, 16)
    monkeypatch.setattr(rows, "MOST_FOR_ALL_PAIRS", 0)
    monkeypatch.setattr(blocks, "LOOKED_AT", 16 * 8 * POSES[turns])
    borders = photo(turns, measure)
    found = filled(rows.fill_rows, borders, measure, turns, 2)
    alone = filled(rows.fill_rows, borders, measure, turns, 1)
    np.testing.assert_array_equal(found[0], alone[0])
    expected = filled(all_pairs.fill_candidates, borders, measure, turns, 2)
    sure = are_right(expected[0])
    assert sure.mean() > 0.6
    assert are_right(found[0])[sure].mean() > 0.97
    assert (found[0] != expected[0]).any()  # it was another way
    assert (found[0] // 4 != np.arange(4 * len(ORDER))[:, None] // 4).all()
    assert all(len(set(row)) == len(row) for row in found[0].tolist())


def test_with_few_blocks_all_pairs_are_found(monkeypatch):
    tiles_of(monkeypatch, 64)
    monkeypatch.setattr(rows, "MOST_FOR_ALL_PAIRS", 0)
    for turns in POSES:
        borders = photo(turns, EXTRAPOLATION, 60)
        found = filled(rows.fill_rows, borders, EXTRAPOLATION, turns, 2)
        expected = filled(all_pairs.fill_candidates, borders, EXTRAPOLATION, turns, 2)
        assert found[2] != expected[2]  # it was another way
        np.testing.assert_array_equal(found[1], expected[1])
        np.testing.assert_array_equal(found[0], expected[0])


@pytest.mark.parametrize("black", [0, 300, 999])
def test_every_side_is_in_one_block_and_none_is_large(monkeypatch, black):
    tiles_of(monkeypatch, 16)
    monkeypatch.setattr(blocks, "LOOKED_AT", 100)
    rng = np.random.default_rng(3)
    near = rng.integers(0, 255, (999, 12)).astype(np.int16)
    far = (near + rng.integers(0, 3, near.shape)).astype(np.int16)
    near[:black] = far[:black] = 0
    found = blocks.alike(near, far, ALONE)
    for half in (found.near, found.far):
        np.testing.assert_array_equal(np.sort(half.members), np.arange(999))
        assert (half.starts[0], half.starts[-1]) == (0, 999)
        assert len(half.starts) == len(found) + 1
        assert np.diff(half.starts).max() <= blocks.LARGEST * 16
        for block in range(len(found)):
            met = found.met(block, half)
            assert len(set(met.tolist())) == len(met)
            sizes = np.diff(half.starts)[met]
            assert 100 <= sizes.sum() < 100 + 2 * blocks.LARGEST * 16  # enough, and not many more
    order = np.sort(found.order, axis=1)
    np.testing.assert_array_equal(order, np.tile(np.arange(len(found)), (len(found), 1)))


def test_other_tasks_have_other_digests(monkeypatch):
    borders = photo("none", EXTRAPOLATION)
    facing, whole = FACING[1][0], blocks.all_alike(len(borders) // 4)
    near, far = (rows._looks(borders, EXTRAPOLATION.rule, r, len(borders) // 4) for r in facing)
    monkeypatch.setattr(blocks, "TILE", 100)
    apart = blocks.alike(near, far, ALONE)
    others_met = replace(apart, order=apart.order[:, ::-1])
    tasks = [
        rows.Asking(borders, EXTRAPOLATION.rule, facing, False, 6, whole),
        rows.Asking(borders, EXTRAPOLATION.rule, facing, True, 6, whole),
        rows.Asking(borders, EXTRAPOLATION.rule, facing, False, 7, whole),
        rows.Asking(borders, EXTRAPOLATION.rule, FACING[1][1], False, 6, whole),
        rows.Asking(borders + np.int16(1), EXTRAPOLATION.rule, facing, False, 6, whole),
        rows.Asking(borders, EXTRAPOLATION.rule, facing, False, 6, apart),
        rows.Asking(borders, EXTRAPOLATION.rule, facing, False, 6, others_met),
    ]
    assert len({task.digest for task in tasks}) == len(tasks)
    assert tasks[0].digest == rows.Asking(borders.copy(), *list(vars(tasks[0]).values())[1:]).digest


def test_a_large_class_is_built_by_blocks(monkeypatch):
    tiles_of(monkeypatch, 32)
    borders = photo("none", EXTRAPOLATION)
    with crew(2) as hands:
        usual = SeamTable.build(borders, 6, hands, rule=EXTRAPOLATION.rule)
        monkeypatch.setattr(rows, "MOST_FOR_ALL_PAIRS", 500)
        monkeypatch.setattr("jigsolve.seams.table.MOST_FOR_ALL_PAIRS", 500)
        monkeypatch.setattr(blocks, "LOOKED_AT", 32 * 8)
        by_blocks = SeamTable.build(borders, 6, hands, rule=EXTRAPOLATION.rule)
    same = usual.arrays.partners == by_blocks.arrays.partners
    assert same[:, 0].mean() > 0.97
    assert not same.all()  # it was another way


def test_memory_of_very_many_sides_does_not_grow_with_lists():
    each = [table_bytes(n, 28, 64, 2) / n for n in (150_000, 1_000_000)]
    assert each[1] < 0.8 * each[0]
    assert table_bytes(1_000_000, 28, 64, 2, on_disk=True) < table_bytes(1_000_000, 28, 64, 2) - 2e9
