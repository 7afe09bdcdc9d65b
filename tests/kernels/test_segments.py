import naive
import numpy as np
import pytest
from asking import seam_cost, speaks_for
from helpers import neighbour_table, random_pieces, seam_table, table_of
from hypothesis import given, settings
from hypothesis import strategies as st
from skimage import data

from jigsolve import Puzzle
from jigsolve._kernels import evidence as evidence_of
from jigsolve._kernels import joining
from jigsolve._kernels import segments as kernels
from jigsolve._kernels.costs import Rivals, firsts_of
from jigsolve.assembly.joining import MOMENTS, Assembly, single_pieces
from jigsolve.assembly.segments import Segments
from jigsolve.core import Board
from jigsolve.core.poses import poses_of
from jigsolve.execution.crew import crew
from jigsolve.measures import EXTRAPOLATION, LEARNED
from jigsolve.measures.calibration import COUNTED


def random_joins(rng, n, rows, columns, attempts):
    """Join at random; return the kernel's segments and the same as dictionaries."""
    table = table_of(random_pieces(rng, n, levels=4), candidates=n - 1)
    work = single_pieces(n)
    slow = {piece: naive.Segment({(0, 0): piece}) for piece in range(n)}
    for _ in range(attempts):
        piece, other = rng.integers(0, n, 2)
        toward = int(rng.integers(0, 4))
        side, partner = 4 * piece + toward, 4 * other + (toward ^ 1)
        if slow[piece] is slow[other] or not kernels.may_join(work, side, partner):
            continue
        moved = naive.joined(slow[piece], slow[other], side, partner)
        caution = rng.choice([0.0, 2.0])
        vote = joining.weigh_join(
            table.arrays,
            firsts_of(table.arrays),
            COUNTED.evidence,
            work,
            rows,
            columns,
            side,
            partner,
            caution,
        )
        fits = False
        if moved is not None:
            height, width = naive.extent({**slow[piece], **moved})
            fits = height <= rows and width <= columns
        assert (vote != evidence_of.NEVER) == fits
        if not fits:
            continue
        pairs = naive.touching_sides(slow[piece], moved)
        assert (side, partner) in pairs
        expected = sum(
            speaks_for(table.arrays, firsts_of(table.arrays), COUNTED.evidence, *pair)
            for pair in pairs
        )
        expected -= caution * np.log(min(len(slow[piece]), len(slow[other])))
        assert vote == pytest.approx(expected)
        kernels.join(work, side, partner)
        whole = naive.Segment({**slow[piece], **moved})
        for member in whole.values():
            slow[member] = whole
    return table, work, slow


@settings(max_examples=60)
@given(st.integers(4, 24), st.integers(2, 6), st.integers(2, 6), st.integers(0, 10**6))
def test_joins_are_weighed_and_made_as_by_hand(n, rows, columns, seed):
    rng = np.random.default_rng(seed)
    _, work, slow = random_joins(rng, n, rows, columns, attempts=120)
    for piece in range(n):
        whole = slow[piece]
        segment = work.segment[piece]
        assert {p for p in range(n) if work.segment[p] == segment} == set(whole.values())
        assert work.size[segment] == len(whole)
        row, column = whole.cell_of(piece)
        for toward, (down, right) in enumerate(((0, -1), (0, 1), (-1, 0), (1, 0))):
            other = whole.get((row + down, column + right))
            expected = kernels.NOTHING if other is None else 4 * other + naive.OPPOSITE[toward]
            assert work.neighbours[piece, toward] == expected
        limits = work.limits[segment]
        assert (limits[1] - limits[0] + 1, limits[3] - limits[2] + 1) == naive.extent(whole)


@settings(max_examples=30)
@given(st.integers(4, 16), st.integers(0, 10**6))
def test_rivals_are_the_cheapest_that_are_still_open(n, seed):
    rng = np.random.default_rng(seed)
    table, work, slow = random_joins(rng, n, 4, 4, attempts=40)
    seams = table.arrays
    rivals = nearest, nearest_cost, runner_up_cost = Rivals(*(a.copy() for a in firsts_of(seams)))
    excluded = rng.random(seams.partners.shape) < 0.2
    ranks = np.full(4 * n, -1, np.int32)
    joining.find_rivals(seams, work, excluded, rivals, ranks, 0, len(ranks))

    def cost(side, partner):
        return seam_cost(seams, side, partner)

    for side in range(4 * n):
        if work.neighbours[side // 4, side % 4] != kernels.NOTHING:
            continue
        others = [
            4 * piece + (side % 4 ^ 1)
            for piece in range(n)
            if slow[piece] is not slow[side // 4]
            and work.neighbours[piece, side % 4 ^ 1] == kernels.NOTHING
        ]
        shut_out = seams.partners[side][excluded[side]].tolist()
        others = [other for other in others if other not in shut_out]
        if len(others) > 1:
            found = nearest[side], nearest_cost[side], runner_up_cost[side]
            assert found == naive.two_cheapest(side, others, cost)
            assert seams.partners[side, ranks[side]] == nearest[side]
        else:
            assert runner_up_cost[side] == seams.costs[side, -1]  # no more is known


def test_a_cheap_seam_speaks_for_a_join_and_a_dear_one_against():
    table = table_of(random_pieces(np.random.default_rng(0), 12), candidates=11)
    seams = table.arrays
    for side in range(48):
        partners = seams.partners[side]
        votes = [
            speaks_for(seams, firsts_of(seams), COUNTED.evidence, side, partner)
            for partner in partners
        ]
        back = [
            speaks_for(seams, firsts_of(seams), COUNTED.evidence, partner, side)
            for partner in partners
        ]
        assert votes == back  # whichever side asks
        for partner, cost, vote in zip(partners, seams.costs[side], votes, strict=True):
            rivals = [c for p, c in zip(partners, seams.costs[side], strict=True) if p != partner]
            rivals += [
                c
                for p, c in zip(seams.partners[partner], seams.costs[partner], strict=True)
                if p != side
            ]
            s = (min(rivals) - cost) / (min(rivals) + cost)
            expected = evidence_of.EVEN + evidence_of.STEEP * s if s else evidence_of.TIE
            assert vote == pytest.approx(expected, abs=1e-5)


def test_identical_sides_say_nothing():
    table = table_of(np.full((5, 3, 3, 3), 90, np.uint8), candidates=4)
    assert (
        speaks_for(table.arrays, firsts_of(table.arrays), COUNTED.evidence, 1, 4)
        == evidence_of.TIE
        == 0
    )


def test_the_same_join_has_one_key_and_different_ones_have_several():
    repeated = 0
    for seed in range(20):
        table, work, slow = random_joins(np.random.default_rng(seed), 14, 5, 5, attempts=60)
        seams = table.arrays
        rivals = Rivals(*(array.copy() for array in firsts_of(seams)))
        nothing, ranks = np.zeros(seams.partners.shape, bool), np.empty(56, np.int32)
        joining.find_rivals(seams, work, nothing, rivals, ranks, 0, len(ranks))
        proposers, sides, partners = np.empty((3, 56), np.int32)
        keys = np.empty(56, np.uint64)
        count = joining.propose(rivals, work, proposers, sides, partners, keys)
        joins = {}
        for side, partner, key in zip(sides[:count], partners[:count], keys[:count], strict=True):
            assert kernels.may_join(work, side, partner)
            assert rivals[0][side] == partner or rivals[0][partner] == side
            one, other = slow[side // 4], slow[partner // 4]
            move = kernels.move_between(work, np.int64(side), np.int64(partner))
            assert move[0] == 0
            joins.setdefault(key, set()).add((min(one.values()), min(other.values()), *move))
        for proposer, side, partner in zip(proposers, sides, partners[:count], strict=False):
            assert proposer in (side, partner)
            assert rivals[0][proposer] in (side, partner)
        assert all(len(same) == 1 for same in joins.values())
        assert len(set().union(*joins.values())) == len(joins)
        repeated += count - len(joins)
    assert repeated > 20


def test_the_map_of_cells_is_cleared_before_it_is_full():
    rng = np.random.default_rng(2)
    n = 64
    work = single_pieces(n)
    work = work._replace(cells=work.cells[:256].copy(), occupants=work.occupants[:256].copy())
    kernels.scatter(work)
    for piece in rng.permutation(n - 1):  # one long row, from both ends of many parts
        kernels.join(work, 4 * piece + 1, 4 * (piece + 1))
        assert work.entries[0] <= 128
    assert work.size[work.segment[0]] == n
    assert work.neighbours[:, 1].tolist() == [*range(4, 4 * n, 4), -1]


@pytest.fixture(scope="module")
def coffee():
    # In the true order: piece p belongs to cell p.
    puzzle = Puzzle.cut(data.coffee(), 20)
    return table_of(puzzle.pieces, candidates=64, measure=EXTRAPOLATION), puzzle.board


def test_segments_of_a_photo_are_right_and_grow(coffee):
    table, board = coffee
    with crew(1) as hands:
        segments = Segments.assemble(table, board, hands)
    truth = neighbour_table(np.arange(board.rows * board.columns).reshape(board))
    known = [(table_ >= 0) for table_ in segments.neighbours]
    assert len(known) == len(segments.largest) == len(MOMENTS)
    shares = [k.mean() for k in known]
    assert shares == sorted(shares)
    assert shares[-1] > 0.9
    assert (segments.neighbours[0] == truth)[known[0]].mean() > 0.995
    assert (segments.neighbours[-1] == truth)[known[-1]].mean() > 0.97
    sizes = [len(largest.pieces) for largest in segments.largest]
    assert sizes == sorted(sizes)
    for largest in segments.largest:
        cells = np.stack(np.divmod(largest.pieces, board.columns), axis=1)
        assert np.mean(largest.places - largest.places[0] == cells - cells[0]) > 0.97
        assert largest.places.min() == 0
        assert all(np.array(largest.extent) == np.ptp(largest.places, axis=0) + 1)


def test_segments_never_exceed_the_board(coffee):
    table, board = coffee
    low = Board(4, board.rows * board.columns // 4)
    with crew(2) as hands:
        assembly = Assembly(table, low, hands)
        for least in (8.0, 6.0, 4.0):
            assembly.join_round(least)
    work = assembly.work
    assert not assembly._excluded.any()  # only where costs are looked up
    heights = work.limits[work.segment, 1] - work.limits[work.segment, 0] + 1
    assert heights.max() == 4


def test_any_number_of_threads_makes_the_same_segments(coffee, monkeypatch):
    table, board = coffee
    monkeypatch.setattr("jigsolve.assembly.joining.JOINS_PER_JOB", 7)
    found = []
    for threads in (1, 3):
        with crew(threads) as hands:
            found.append(Segments.assemble(table, board, hands).neighbours)
    np.testing.assert_array_equal(*found)
    monkeypatch.undo()
    with crew(1) as hands:
        whole = Segments.assemble(table, board, hands).neighbours
    np.testing.assert_array_equal(found[0], whole)


def test_what_speaks_for_itself_in_an_arrangement_is_kept(coffee):
    table, board = coffee
    grid = np.arange(board.rows * board.columns).reshape(board)
    truth = neighbour_table(grid)
    wrong = np.roll(grid, 7, axis=1)  # a cut from top to bottom, and all else as it should be
    with crew(1) as hands:
        assembly = Assembly(table, board, hands)
        assembly.keep(poses_of(wrong), caution=0.0)
        kept = assembly.work.neighbours.copy()
        again = Segments.reassemble(table, board, hands, poses_of(wrong))
    across_the_cut = (kept != -1) & (kept != truth)
    assert across_the_cut.sum() == 0
    assert (kept != -1).mean() > 0.85
    # Joined anew, the halves are found to belong together the other way round.
    np.testing.assert_array_equal(again.neighbours[-1], truth)
    assert (kept != truth).any()


def test_nothing_is_left_to_do_where_all_speaks_for_itself(coffee):
    table, board = coffee
    grid = np.arange(board.rows * board.columns).reshape(board)
    with crew(1) as hands:
        assert Segments.reassemble(table, board, hands, poses_of(grid)) is None
        assert Segments.reassemble(table, board, hands, poses_of(grid[::-1])) is not None


def test_caution_keeps_less_but_never_anything_else(coffee):
    table, board = coffee
    grid = np.arange(board.rows * board.columns).reshape(board)
    wrong = grid.copy()
    wrong[: board.rows // 2] = np.roll(grid[: board.rows // 2], 3, axis=1)
    kept = []
    for caution in (0.0, 2.0, 1000.0):
        with crew(1) as hands:
            assembly = Assembly(table, board, hands)
            assembly.keep(poses_of(wrong), caution)
        kept.append(assembly.work.neighbours)
    shares = [(table_ != -1).mean() for table_ in kept]
    assert shares[0] >= shares[1] > 0.5 > shares[2]
    for table_ in kept:
        assert (table_ == neighbour_table(wrong))[table_ != -1].all()
    assert (kept[2] == kept[0])[kept[2] != -1].all()


def test_what_is_restored_is_the_arrangement_but_for_what_was_joined_otherwise(coffee):
    table, board = coffee
    grid = np.arange(board.rows * board.columns).reshape(board)
    wrong = np.roll(grid, 7, axis=1)
    with crew(1) as hands:
        assembly = Assembly(table, board, hands)
        assembly.restore(poses_of(wrong))
        np.testing.assert_array_equal(assembly.work.neighbours, neighbour_table(wrong))
        assembly = Assembly(table, board, hands)
        assembly.join_down_to(MOMENTS[0])
        before = assembly.work.neighbours.copy()
        assembly.restore(poses_of(wrong))
    after = assembly.work.neighbours
    joined = before != -1
    assert 0.2 < joined.mean() < 1.0
    np.testing.assert_array_equal(after[joined], before[joined])
    assert (after != -1).mean() > joined.mean()


def test_with_caution_two_more_moments_have_what_the_arrangement_had(coffee, monkeypatch):
    table, board = coffee
    wrong = np.random.default_rng(3).permutation(board.rows * board.columns).reshape(board)
    poses = poses_of(wrong)
    with crew(1) as hands:
        other = Segments.reassemble(table, board, hands, poses, cautious=True)
        assert len(other.neighbours) == len(MOMENTS)  # costs are no logarithms
        puzzle = Puzzle.cut(data.coffee(), 20)
        table = seam_table(puzzle, np.arange(len(puzzle)), LEARNED, 32, hands)
        monkeypatch.setattr(Assembly, "join_down_to", lambda self, least: None)
        plain, cautious = (
            Segments.reassemble(table, board, hands, poses, cautious=c) for c in (False, True)
        )
    assert len(plain.neighbours) == len(plain.largest) == len(MOMENTS)
    assert len(cautious.neighbours) == len(cautious.largest) == len(MOMENTS) + 2
    last = cautious.neighbours[len(MOMENTS) - 1]
    np.testing.assert_array_equal(cautious.neighbours[-2][last != -1], last[last != -1])
    # Without any new joins all is as it was.
    np.testing.assert_array_equal(cautious.neighbours[-1], neighbour_table(wrong))


def test_joins_are_kept_within_parts_only(coffee):
    table, board = coffee
    grid = np.arange(board.rows * board.columns).reshape(board)
    part = (grid % board.columns >= board.columns // 2).ravel().astype(np.int32)
    kept = []
    for parts in (None, part):
        with crew(1) as hands:
            assembly = Assembly(table, board, hands)
            assembly.keep(poses_of(grid), 0.0, parts)
        kept.append(assembly.work.neighbours)
    everywhere, within = kept
    middle = np.s_[grid[:, board.columns // 2 - 1], 1]
    assert (everywhere[middle] != -1).mean() > 0.5
    assert (within[middle] == -1).all()
    assert (within != -1).sum() > 0.9 * (everywhere != -1).sum()


def test_a_copy_is_joined_by_itself(coffee):
    table, board = coffee
    with crew(1) as hands:
        assembly = Assembly(table, board, hands)
        assembly.join_down_to(MOMENTS[0])
        before = assembly.work.neighbours.copy()
        other = assembly.copy()
        np.testing.assert_array_equal(other.work.neighbours, before)
        other.join_down_to(MOMENTS[-1])
        np.testing.assert_array_equal(assembly.work.neighbours, before)
        assembly.join_down_to(MOMENTS[-1])
    np.testing.assert_array_equal(other.work.neighbours, assembly.work.neighbours)
    assert (before != other.work.neighbours).any()
