"""Segments that turn when they are joined, against dictionaries of cells."""

import itertools

import numpy as np
import pytest
import turning
from asking import seam_cost, speaks_for
from helpers import random_pieces, table_of
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import extent, partners_of, two_cheapest

from jigsolve._kernels import evidence as evidence_of
from jigsolve._kernels import joining
from jigsolve._kernels import segments as kernels
from jigsolve._kernels.costs import Rivals, firsts_of
from jigsolve.assembly.joining import Assembly, Segment, single_pieces
from jigsolve.assembly.population import Growing, Nursery, Population, arrangement_of
from jigsolve.assembly.segments import Segments, evidence
from jigsolve.core import Board
from jigsolve.core.turns import POSES
from jigsolve.execution.crew import crew
from jigsolve.measures import EXTRAPOLATION
from jigsolve.measures.calibration import COUNTED

KINDS = st.sampled_from(["half", "quarter"])


def random_joins(rng, n, board, turns, attempts):
    """Join at random; return a table, the kernel's segments and the same as dictionaries."""
    table = table_of(random_pieces(rng, n, levels=4), candidates=4 * n, turns=turns)
    arrays = table.arrays
    asked = arrays, firsts_of(arrays), COUNTED.evidence
    work = single_pieces(n)
    slow = {piece: {(0, 0): 4 * piece} for piece in range(n)}
    for _ in range(attempts):
        side = int(rng.integers(4 * n))
        partner = int(rng.choice(partners_of(side, n, turns)))
        one, other = slow[side // 4], slow[partner // 4]
        if one is other or not kernels.may_join(work, side, partner):
            continue
        moved = turning.brought_to(one, other, side, partner)
        caution = float(rng.choice([0.0, 2.0]))
        vote = joining.weigh_join(*asked, work, *board, side, partner, caution)
        both = {**one, **moved}
        possible = len(both) == len(one) + len(moved)
        possible = possible and turning.has_room(*extent(both), *board, turns)
        assert (vote != evidence_of.NEVER) == possible
        if not possible:
            continue
        new = set(turning.meetings(both).items())
        new -= set(turning.meetings(one).items()) | set(turning.meetings(moved).items())
        new = {(mine, its) for mine, its in new if mine // 4 in {p // 4 for p in one.values()}}
        assert (side, partner) in new
        expected = sum(speaks_for(*asked, *pair) for pair in new)
        expected -= caution * np.log(min(len(one), len(other)))
        assert vote == pytest.approx(expected, abs=1e-5)
        kernels.join(work, side, partner)
        for pose in both.values():
            slow[pose // 4] = both
    return table, work, slow


@settings(max_examples=60)
@given(
    st.integers(4, 20),
    st.tuples(st.integers(2, 6), st.integers(2, 6)),
    KINDS,
    st.integers(0, 10**6),
)
def test_joins_are_weighed_and_made_as_by_hand(n, board, turns, seed):
    _, work, slow = random_joins(np.random.default_rng(seed), n, board, turns, attempts=60)
    for piece, whole in slow.items():
        members = [pose // 4 for pose in whole.values()]
        segment = work.segment[piece]
        assert np.flatnonzero(work.segment == segment).tolist() == sorted(members)
        assert work.size[segment] == len(members)
        met = turning.meetings(whole)
        for side in range(4 * piece, 4 * piece + 4):
            assert work.neighbours[piece, side % 4] == met.get(side, kernels.NOTHING)
        found = {
            (int(work.row[p]), int(work.column[p])): int(4 * p + work.turn[p]) for p in members
        }
        assert turning.seen_from(found, piece) == turning.seen_from(whole, piece)
        rows, columns = zip(*found, strict=True)
        limits = [min(rows), max(rows), min(columns), max(columns)]
        assert work.limits[segment].tolist() == limits
        for (row, column), pose in found.items():
            assert kernels.occupant(work, segment, row, column) == pose // 4


@settings(max_examples=25)
@given(st.integers(4, 12), KINDS, st.integers(0, 10**6))
def test_rivals_are_the_cheapest_that_are_still_open(n, turns, seed):
    rng = np.random.default_rng(seed)
    table, work, slow = random_joins(rng, n, (4, 4), turns, attempts=30)
    seams = table.arrays
    rivals = Rivals(*(array.copy() for array in firsts_of(seams)))
    nothing, ranks = np.zeros(seams.partners.shape, bool), np.full(4 * n, -1, np.int32)
    joining.find_rivals(seams, work, nothing, rivals, ranks, 0, len(ranks))
    shut = {side for whole in slow.values() for side in turning.meetings(whole)}
    for side in set(range(4 * n)) - shut:
        others = [
            partner
            for partner in partners_of(side, n, turns)
            if partner not in shut and slow[partner // 4] is not slow[side // 4]
        ]
        if len(others) > 1:
            found = tuple(array[side] for array in rivals)
            assert found == two_cheapest(side, others, lambda *pair: seam_cost(seams, *pair))
            assert seams.partners[side, ranks[side]] == rivals.nearest[side]


@pytest.mark.parametrize("turns", ["half", "quarter"])
def test_joins_have_the_same_key_if_and_only_if_they_are_the_same(turns):
    repeated = 0
    for seed in range(20):
        table, work, slow = random_joins(np.random.default_rng(seed), 14, (5, 5), turns, 40)
        seams = table.arrays
        rivals = Rivals(*(array.copy() for array in firsts_of(seams)))
        nothing, ranks = np.zeros(seams.partners.shape, bool), np.empty(56, np.int32)
        joining.find_rivals(seams, work, nothing, rivals, ranks, 0, len(ranks))
        proposers, sides, partners = np.empty((3, 56), np.int32)
        keys = np.empty(56, np.uint64)
        count = joining.propose(rivals, work, proposers, sides, partners, keys)
        joins = set()
        for proposer, *pair, key in zip(
            *(array[:count].tolist() for array in (proposers, sides, partners, keys)), strict=True
        ):
            assert sorted(pair) == sorted([proposer, int(rivals.nearest[proposer])])
            joins.add((key, *meant_by(slow, *pair)))
        assert len(joins) == len({key for key, *_ in joins}) == len({join[1:] for join in joins})
        repeated += count - len(joins)
    assert repeated > 20


def meant_by(slow, side, partner):
    """Return two segments by their first pieces, and where one's lies seen from the other's."""
    (first, side), (second, partner) = sorted(
        (min(pose // 4 for pose in slow[side // 4].values()), side) for side in (side, partner)
    )
    one, other = turning.seen_from(slow[first], first), slow[second]
    return first, second, turning.cell_of(turning.brought_to(one, other, side, partner), second)


@pytest.mark.parametrize("turns", ["none", "half", "quarter"])
def test_what_exceeds_a_board_has_no_room_either_way_up(turns):
    for sizes in itertools.product(range(1, 5), repeat=4):
        expected = not turning.has_room(*sizes, turns)
        assert joining.exceeds_board(*sizes, POSES[turns]) == expected


@settings(max_examples=80)
@given(st.integers(1, 12), st.tuples(st.integers(1, 6), st.integers(1, 6)), st.integers(0, 10**6))
def test_a_segment_is_turned_onto_a_board_that_has_room_for_it(size, board, seed):
    rng = np.random.default_rng(seed)
    cells = {(0, 0)}
    while len(cells) < size:
        row, column = [*cells][rng.integers(len(cells))]
        cells.add([(row, column + 1), (row + 1, column), (row - 1, column)][rng.integers(3)])
    if not turning.has_room(*extent(cells), *board, "quarter"):
        return
    places = np.array(sorted(cells)) - np.min([*cells], axis=0)
    pieces, turns = rng.permutation(size), rng.integers(0, 4, size)
    segment = Segment(pieces, places, turns)
    found = segment.turned_onto(Board(*board), rng)
    assert found.extent.rows <= board[0]
    assert found.extent.columns <= board[1]
    before, after = (
        {tuple(cell): 4 * piece + turn for cell, piece, turn in zip(*parts, strict=True)}
        for parts in (
            (part.places.tolist(), part.pieces.tolist(), part.turns.tolist())
            for part in (segment, found)
        )
    )
    assert after in (before, turning.turned_segment(before, 1))
    if board[0] == board[1]:
        assert after == before


def test_a_segment_with_room_both_ways_is_turned_at_random():
    rng = np.random.default_rng(0)
    segment = Segment(np.arange(2), np.array([[0, 0], [0, 1]]), np.array([0, 3]))
    found = [segment.turned_onto(Board(3, 4), rng) for _ in range(60)]
    assert 15 < sum(part is segment for part in found) < 45
    other = next(part for part in found if part is not segment)
    assert other.places.tolist() == [[0, 0], [1, 0]]
    assert other.turns.tolist() == [1, 0]


@pytest.fixture(scope="module", params=["half", "quarter"])
def waves(request):
    """Return a table of a texture whose pieces are turned, the truth, and the turns."""
    puzzle, truth = turning.turned_puzzle(1, 6, 8, (14, 14), request.param)
    table = table_of(puzzle.pieces, 20, measure=EXTRAPOLATION, turns=request.param)
    return table, truth, request.param


def table_of_neighbours(poses, pieces):
    table = np.full((pieces, 4), -1)
    for side, partner in turning.meetings(turning.as_cells(poses)).items():
        table[side // 4, side % 4] = partner
    return table


def test_segments_of_a_texture_are_right(waves, monkeypatch):
    table, truth, _ = waves
    board = Board(*truth.shape)
    found = []
    monkeypatch.setattr("jigsolve.assembly.joining.JOINS_PER_JOB", 7)
    for threads in (1, 2):
        with crew(threads) as hands:
            found.append(Segments.assemble(table, board, hands))
    np.testing.assert_array_equal(*(segments.neighbours for segments in found))
    true = table_of_neighbours(truth, truth.size)
    for neighbours in found[0].neighbours:
        np.testing.assert_array_equal(neighbours[neighbours >= 0], true[neighbours >= 0])
    assert (found[0].neighbours[-1] >= 0).sum() == (true >= 0).sum()
    largest = found[0].largest[-1]
    cells = {
        tuple(cell): 4 * piece + turn
        for cell, piece, turn in zip(
            largest.places.tolist(), largest.pieces.tolist(), largest.turns.tolist(), strict=True
        )
    }
    assert turning.seen_from(cells, 0) == turning.seen_from(turning.as_cells(truth), 0)


def test_completed_segments_are_the_arrangement_that_they_are_of(waves):
    table, truth, turns = waves
    board = Board(*truth.shape)
    with crew(1) as hands:
        assembly = Assembly(table, board, hands)
        assembly.restore(truth)
        nursery = Nursery(table, board, Growing(mutation=0.0), hands)
        completed = Population.empty(12, truth.size)
        nursery.complete(Segments.so_far(assembly), 0, completed)
    for neighbours, cost in zip(completed.neighbours, completed.costs, strict=True):
        found = arrangement_of(neighbours, board, truth.size, POSES[turns])
        assert turning.same_whole(found, truth, turns)
        assert cost == pytest.approx(table.cost_of(truth), rel=1e-6)


def test_what_speaks_for_itself_is_kept_and_what_does_not_joined_anew(waves):
    table, truth, _ = waves
    board = Board(*truth.shape)
    with crew(1) as hands:
        assert Segments.reassemble(table, board, hands, truth) is None
        wrong = truth.copy()
        wrong[:, 5:] = turning.turned_whole(truth[:, 5:], 2)  # all but a seam from top to bottom
        wrong[3, 1] = turning.turned_pose(truth[3, 1], 2)
        assembly = Assembly(table, board, hands)
        assembly.keep(wrong)
        kept = assembly.work.neighbours.copy()
        assembly = Assembly(table, board, hands)
        assembly.restore(wrong)
        np.testing.assert_array_equal(
            assembly.work.neighbours, table_of_neighbours(wrong, truth.size)
        )
        again = Segments.reassemble(table, board, hands, wrong)
    true = table_of_neighbours(truth, truth.size)
    assert (kept >= 0).mean() > 0.6
    np.testing.assert_array_equal(kept[kept >= 0], true[kept >= 0])
    np.testing.assert_array_equal(again.neighbours[-1], true)


def test_evidence_is_that_of_each_seam(waves):
    table, truth, turns = waves
    rng = np.random.default_rng(2)
    poses = turning.random_board(rng, *truth.shape, turns, empty=3)
    asked = table.arrays, firsts_of(table.arrays), COUNTED.evidence
    across, down = evidence(table, poses)
    for found, one, other, toward in (
        (across, poses[:, :-1], poses[:, 1:], 1),
        (down, poses[:-1], poses[1:], 3),
    ):
        for said, first, second in zip(found.flat, one.flat, other.flat, strict=True):
            expected = 0.0
            if min(first, second) >= 0:
                pair = turning.side_of(first, toward), turning.side_of(second, toward - 1)
                expected = speaks_for(*asked, *pair)
            assert said == expected
