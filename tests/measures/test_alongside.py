"""Seams that would be made together are looked at together."""

from dataclasses import replace

import naive
import numpy as np
import pytest
from helpers import seam_table
from hypothesis import given, settings
from hypothesis import strategies as st
from skimage import data

from jigsolve import Puzzle
from jigsolve._kernels.facing import FACING
from jigsolve.assembly.segments import Segments
from jigsolve.core.turns import turned_pieces
from jigsolve.execution.crew import crew
from jigsolve.measures import EXTRAPOLATION, LEARNED, MGC
from jigsolve.measures.alongside import FARTHEST, seams_alongside
from jigsolve.measures.judges import WholeBorders
from jigsolve.measures.learned import Reranking
from jigsolve.measures.proposals import listed
from jigsolve.seams.table import SeamTable


@pytest.fixture(scope="module")
def rocket():
    """Cut a photograph finely, in the true order."""
    return Puzzle.cut(data.rocket()[:308, :476], 12)


def reranked(puzzle, turns, hands):
    """Score what the two measures propose."""
    order = np.arange(len(puzzle))
    tables = [
        SeamTable.build(
            m.borders(puzzle.pieces, turns=turns), kept, hands, rule=m.rule, turns=turns
        ).arrays
        for m, kept in ((LEARNED, 64), (MGC, listed(len(puzzle))))
    ]
    work = Reranking(WholeBorders(puzzle.pieces, order), puzzle.board, *tables, hands)
    work.score_candidates()
    return work


@pytest.fixture(scope="module")
def reranking(rocket):
    with crew(1) as hands:
        yield reranked(rocket, "none", hands)


def parts_of(board, quarters, rng):
    """Tear the true picture along random lines, and take some pieces out.

    Pieces are turned clockwise by so many quarters. Returns a neighbour table, the part of each
    cell, and which side points where in it.
    """
    grid = np.arange(board.rows * board.columns).reshape(board)
    part = np.add.outer(
        np.cumsum(rng.random(board.rows) < 0.3) * 100, np.cumsum(rng.random(board.columns) < 0.3)
    )
    alone = rng.random(grid.shape) < 0.05
    part[alone] = -1 - grid[alone]
    parts = {cell: int(part[cell]) for cell in np.ndindex(*board)}
    shown = {}
    for cell in parts:
        piece = int(grid[cell])
        pointing = {naive.direction_of(own, quarters[piece]): 4 * piece + own for own in range(4)}
        shown[cell] = [pointing[toward] for toward in range(4)]
    neighbours = np.full((grid.size, 4), -1, np.int32)
    for (row, column), own in shown.items():
        for toward, (down, right) in naive.STEP.items():
            beside = row + down, column + right
            if parts.get(beside) == parts[row, column]:
                touched = shown[beside][naive.OPPOSITE[toward]]
                neighbours[own[toward] // 4, own[toward] % 4] = touched
    return neighbours, parts, shown


def scored_sides(arrays, sides):
    """Return the scored seams of some sides, each as the numbers of both."""
    return {
        (int(side), int(partner))
        for side in sides
        for partner in arrays.partners[side, : arrays.scored[side]]
    }


@settings(max_examples=12)
@given(st.integers(0, 10**6), st.sampled_from(FACING[1]))
def test_they_are_those_found_one_by_one(rocket, reranking, seed, facing):
    arrays = reranking.table()
    few = arrays._replace(scored=np.minimum(arrays.scored, 4))
    still = np.zeros(len(rocket), int)
    neighbours, *torn = parts_of(rocket.board, still, np.random.default_rng(seed))
    found = set(zip(*map(np.ndarray.tolist, seams_alongside(few, neighbours, facing)), strict=True))
    near, far = (scored_sides(few, reading.sides(len(rocket))) for reading in facing)
    scored = near | {(side, partner) for partner, side in far}
    assert found == naive.seams_alongside(scored, *torn, FARTHEST)
    assert found


@pytest.mark.parametrize("turns", ["half", "quarter"])
def test_they_are_those_of_turned_pieces(turns):
    puzzle = Puzzle.cut(data.rocket()[:240, :360], 12)
    rng = np.random.default_rng(3)
    quarters = rng.integers(0, 4, len(puzzle))
    quarters = quarters if turns == "quarter" else quarters // 2 * 2
    # Pieces need these turns: they were turned back.
    turned = replace(puzzle, pieces=turned_pieces(puzzle.pieces, -quarters % 4))
    with crew(1) as hands:
        arrays = reranked(turned, turns, hands).table()
    few = arrays._replace(scored=np.minimum(arrays.scored, 4))
    neighbours, *torn = parts_of(puzzle.board, quarters, rng)
    for facing in FACING[arrays.poses]:
        found = zip(*map(np.ndarray.tolist, seams_alongside(few, neighbours, facing)), strict=True)
        scored = scored_sides(few, facing.near.sides(len(puzzle)))
        expected = naive.seams_alongside(scored, *torn, FARTHEST)
        assert {tuple(sorted(pair)) for pair in found} == {tuple(sorted(p)) for p in expected}
        assert expected


def right_seams_scored(arrays, board):
    """Return the share of the true seams that are scored."""
    grid = np.arange(board.rows * board.columns).reshape(board)
    scored = scored_sides(arrays, range(len(arrays.partners)))
    shares = []
    for side, ones, others in ((1, grid[:, :-1], grid[:, 1:]), (3, grid[:-1], grid[1:])):
        for one, other in zip(4 * ones.ravel() + side, 4 * others.ravel() + side - 1, strict=True):
            shares.append((one, other) in scored or (other, one) in scored)
    return np.mean(shares)


def test_more_right_seams_are_scored_for_few_wrong_ones(rocket, reranking):
    before = reranking.table()
    with crew(1) as hands:
        parts = Segments.surest(SeamTable(before).with_costs(before), hands)
        after = seam_table(rocket, np.arange(len(rocket)), LEARNED, 64, hands).arrays
    assert (parts >= 0).mean() > 0.5
    shares = [right_seams_scored(arrays, rocket.board) for arrays in (before, after)]
    assert 1 - shares[1] < 0.8 * (1 - shares[0])
    assert after.scored.sum() < 1.1 * before.scored.sum()


def test_what_is_scored_is_not_scored_again(rocket, reranking):
    told = []
    alone = np.full((len(rocket), 4), -1)
    reranking.score_alongside(reranking.table(), alone, lambda *step: told.append(step))
    assert not told  # single pieces bring nothing with them
    before = reranking.table()
    reranking.score_candidates(lambda *step: told.append(step))
    assert not told
    np.testing.assert_array_equal(reranking.table().costs, before.costs)


def test_other_measures_have_nothing_scored(rocket):
    with crew(1) as hands:
        table = seam_table(rocket, np.arange(len(rocket)), EXTRAPOLATION, 16, hands)
    assert not table.arrays.scored.any()
