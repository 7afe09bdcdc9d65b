"""The learned measure where pieces may be turned, against pieces turned one by one."""

import naive
import numpy as np
import pytest
from asking import seam_cost
from helpers import grid_places, random_pieces
from skimage import data

from jigsolve import Board, Puzzle
from jigsolve._kernels.costs import FAR, border_cost
from jigsolve._kernels.facing import FACING, member_of, member_side
from jigsolve.core.turns import POSES, turned_pieces
from jigsolve.damage import Blocks, Conditions, Damage
from jigsolve.execution.crew import crew
from jigsolve.measures import LEARNED, MGC
from jigsolve.measures.damaged.tower import Tower
from jigsolve.measures.judges import DamagedBorders, WholeBorders, outer_lines
from jigsolve.measures.learned import Reranking
from jigsolve.measures.network import DEPTH, SeamNetwork, Seams, Sides
from jigsolve.measures.proposals import listed
from jigsolve.measures.shares import STEPS, without_partner
from jigsolve.seams.table import SeamTable

JPEG = Damage("jpeg", Blocks((8, 8), (16, 16)), (29.0, 43.0))
TURNED = pytest.mark.parametrize("turns", ["half", "quarter"])


def reranked(pieces, board, turns, threads=1):
    """Return the table of the candidates that the two measures propose."""
    order = np.arange(len(pieces))
    with crew(threads) as hands:
        tables = [
            SeamTable.build(m.borders(pieces, turns=turns), 64, hands, rule=m.rule, turns=turns)
            for m in (LEARNED, MGC)
        ]
        work = Reranking(
            WholeBorders(pieces, order), board, *(table.arrays for table in tables), hands
        )
        work.score_candidates()
        return tables[0].with_costs(work.table()).arrays


def upright_score(pieces, side, partner):
    """Score a seam between pieces turned first; and "none of these" for the side."""
    both, toward = naive.turned_pair(pieces, side, partner)
    near, far = (
        Sides.of(outer_lines(both, np.array([number]), which))
        for number, which in ((0, toward), (1, naive.OPPOSITE[toward]))
    )
    length = both.shape[1] if toward == 1 else both.shape[2]
    pair = both[0], both[1], toward
    cheap, second = (
        np.array([cost / (3 * length)], np.float32)
        for cost in (naive.extrapolation(*pair), naive.mgc(*pair))
    )
    zero = np.zeros(1, int)
    network = SeamNetwork.load()
    return (
        float(network.scores(near, far, Seams(zero, zero, cheap, second))[0]),
        float(network.none_of_these(near)[0]),
    )


@pytest.mark.parametrize(("turns", "size"), [("quarter", (9, 9)), ("half", (7, 12))])
def test_costs_are_those_of_pieces_turned_upright(turns, size):
    """With few pieces, where every seam is scored."""
    n, board = 4, Board(2, 2)
    pieces = random_pieces(np.random.default_rng(2), n, *size)
    arrays = reranked(pieces, board, turns)
    for facing in FACING[POSES[turns]]:
        sides = facing.near.sides(n).tolist()
        scores, nones = {}, {}
        for side in sides:
            for partner in naive.partners_of(side, n, turns):
                scores[side, partner], nones[side] = upright_score(pieces, side, partner)
        members = {
            (sides.index(one), sides.index(other)): said for (one, other), said in scores.items()
        }
        none = [nones[side] for side in sides]
        alone = without_partner(board, facing) + WholeBorders.unlisted
        for (one, other), cost in naive.seam_costs(members, none, none, alone).items():
            found = seam_cost(arrays, sides[one], sides[other])
            assert found == pytest.approx(min(cost, FAR), abs=4e-3)
    assert (arrays.scored == len(naive.partners_of(0, n, turns))).all()


def test_a_board_says_which_sides_have_no_partner():
    board = Board(4, 5)
    assert [without_partner(board, facing) for facing in FACING[1]] == [1 / 5, 1 / 4]
    assert [without_partner(board, facing) for facing in FACING[2]] == [1 / 5, 1 / 4]
    assert without_partner(board, FACING[4][0]) == pytest.approx((4 + 5) / (2 * 4 * 5))


@pytest.fixture(scope="module")
def cat():
    return Puzzle.cut(data.chelsea(), 28)


@pytest.fixture(scope="module")
def of_cat(cat):
    return reranked(cat.pieces, cat.board, "quarter")


def test_turning_pieces_turns_their_candidates(cat, of_cat):
    quarters = np.random.default_rng(1).integers(0, 4, len(cat))
    after = reranked(turned_pieces(cat.pieces, quarters), cat.board, "quarter", threads=2)
    number = np.array(
        [4 * p + naive.direction_of(s, quarters[p]) for p in range(len(cat)) for s in range(4)]
    )
    same = number[of_cat.nearest] == after.nearest[number]
    np.testing.assert_allclose(of_cat.nearest_cost, after.nearest_cost[number], atol=4 / STEPS)
    assert same.mean() > 0.995  # ties go by number


def test_the_right_partner_is_first_nearly_as_often_as_unturned(cat, of_cat):
    grid = np.arange(len(cat)).reshape(cat.board)
    still = reranked(cat.pieces, cat.board, "none")
    right = [
        np.mean(arrays.nearest[4 * grid[:, :-1] + 1] == 4 * grid[:, 1:])
        for arrays in (still, of_cat)
    ]
    assert right[1] > right[0] - 0.03


def test_candidates_are_sorted_different_and_of_other_pieces(of_cat):
    own = np.arange(len(of_cat.partners))[:, None]
    assert (np.diff(of_cat.costs, axis=1) >= 0).all()
    assert all(len(set(row)) == len(row) for row in of_cat.partners.tolist())
    assert (of_cat.partners // 4 != own // 4).all()
    assert len(set((of_cat.partners[:, 0] % 4).tolist())) == 4


def test_a_seam_costs_the_same_from_both_sides(of_cat):
    rng = np.random.default_rng(5)
    sides = len(of_cat.partners)
    for side in rng.integers(0, sides, 200):
        for partner in (*of_cat.partners[side, :4], *rng.integers(0, sides, 4)):
            if partner // 4 != side // 4:
                assert seam_cost(of_cat, side, partner) == seam_cost(of_cat, partner, side)


@TURNED
def test_sides_that_look_the_same_clockwise_are_one_kind(turns):
    rng = np.random.default_rng(4)
    flat = rng.choice(np.array([60, 61, 180], np.uint8), 40)
    pieces = np.broadcast_to(flat[:, None, None, None], (40, 28, 28, 3)).copy()
    pieces[:20] = random_pieces(rng, 20, 28, 28)
    pieces[10:20] = turned_pieces(pieces[:10], np.full(10, 2))
    arrays = reranked(pieces, Board(5, 8), turns)
    upright = [
        naive.turned_toward(pieces[side // 4], side % 4, 2)[:DEPTH].tobytes() for side in range(160)
    ]
    for facing in FACING[arrays.poses]:
        sides = facing.near.sides(40)
        same = np.array([[upright[one] == upright[other] for other in sides] for one in sides])
        twins = arrays.twins[sides]
        np.testing.assert_array_equal(twins[:, None] == twins[None], same)
    looked_up = [
        [seam_cost(arrays, side, p) for p in row] for side, row in enumerate(arrays.partners)
    ]
    np.testing.assert_array_equal(np.array(looked_up, np.float32), arrays.costs)


@pytest.mark.parametrize("poses", [1, 2, 4])
def test_members_are_sides_in_turn(poses):
    for reading in (reading for facing in FACING[poses] for reading in facing):
        sides = reading.sides(5)
        assert (np.diff(sides) > 0).all()
        assert {int(side) % 4 for side in sides} == set(reading.towards)
        np.testing.assert_array_equal(member_of(reading.bits, sides), np.arange(len(sides)))
        np.testing.assert_array_equal(member_side(reading.bits, reading.first, 3), sides[3])
    every = [reading.sides(5) for facing in FACING[poses] for reading in set(facing)]
    assert len(np.unique(np.concatenate(every))) == 20


def test_more_are_listed_where_pieces_may_be_turned():
    assert [listed(1000, poses) for poses in (1, 2, 4)] == [15, 18, 21]


@pytest.fixture(scope="module")
def damaged():
    pieces = Puzzle.cut(data.chelsea(), 28).pieces[:60]
    with crew(1) as hands:
        yield pieces, DamagedBorders(pieces, np.arange(60), JPEG, grid_places(4, 15, 28, 28), hands)


@TURNED
def test_damaged_sides_are_read_with_what_is_told_of_them(damaged, turns):
    pieces, judge = damaged
    rng = np.random.default_rng(3)
    for facing in FACING[POSES[turns]]:
        near, far = judge.sides(facing)
        for own in facing.near.towards:
            for theirs in facing.near.towards:
                ones, others = rng.integers(0, 60, (2, 20))
                cheap = rng.uniform(0.1, 40, (2, 20)).astype(np.float32)
                expected = judge.network.scores(
                    explicit(pieces, judge, own, True),
                    explicit(pieces, judge, theirs, False),
                    Seams(ones, others, *cheap),
                )
                members = (
                    member_of(facing.bits, 4 * ones + own),
                    member_of(facing.bits, 4 * others + theirs),
                )
                found = judge.network.scores(near, far, Seams(*members, *cheap))
                np.testing.assert_allclose(found, expected, atol=5e-4)


def explicit(pieces, judge, side, clockwise):
    """Make a side of all pieces for the network, reversed if it has to be."""
    told = Conditions.of(JPEG, grid_places(4, 15, 28, 28), 60, (28, 28), side)
    lines = outer_lines(pieces, np.arange(60), side)
    if (side in (1, 2)) != clockwise:
        told = Conditions(told.features, told.ends[:, [1, 0, 3, 2]])
        lines = np.ascontiguousarray(lines[:, ::-1])
    return judge.network.sides(lines, told, Tower.load().looks(lines, told)[1])


def test_kernels_and_whole_arrays_read_backwards_alike(damaged):
    pieces, judge = damaged
    rng = np.random.default_rng(1)
    seams = Seams(
        *rng.integers(0, 240, (2, 200)), *rng.uniform(0.1, 40, (2, 200)).astype(np.float32)
    )
    for sides, network in (
        (judge.sides(FACING[4][0]), judge.network),
        (WholeBorders(pieces, np.arange(60)).sides(FACING[4][0]), SeamNetwork.load()),
    ):
        np.testing.assert_allclose(
            network.scores(*sides, seams),
            network.scores_of_arrays(*sides, seams, 28 * 70),
            atol=5e-4,
        )


@TURNED
def test_damaged_borders_cost_what_those_of_pieces_turned_upright_do(turns):
    pieces = Puzzle.cut(data.chelsea(), 28).pieces[40:46]
    blurred = Damage(soft=True)
    with crew(1) as hands:
        tables = DamagedBorders(pieces, np.arange(6), blurred, None, hands).borders(turns)
        for side in range(0, 24, 3):
            for partner in naive.partners_of(side, 6, turns)[::2]:
                both, toward = naive.turned_pair(pieces, side, partner)
                upright = DamagedBorders(both, np.arange(2), blurred, None, hands).borders()
                facing = 4 + naive.OPPOSITE[toward]
                # Means are over positions that cannot lie evenly about one: there both choices.
                for rows, expected, rel in zip(tables, upright, (1e-3, 0.25), strict=True):
                    found = border_cost(rows, LEARNED.rule, side, partner)
                    assert found == border_cost(rows, LEARNED.rule, partner, side)
                    cost = border_cost(expected, LEARNED.rule, toward, facing)
                    assert found == pytest.approx(cost, rel=rel)
