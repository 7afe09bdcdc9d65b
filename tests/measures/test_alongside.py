"""Seams that would be made together are looked at together."""

import naive
import numpy as np
import pytest
from helpers import seam_table
from hypothesis import given, settings
from hypothesis import strategies as st
from skimage import data

from jigsolve import Puzzle
from jigsolve.assembly.segments import Segments
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
    return Puzzle.cut(data.rocket(), 12)


@pytest.fixture(scope="module")
def reranking(rocket):
    order = np.arange(len(rocket))
    with crew(1) as hands:
        tables = [
            SeamTable.build(m.borders(rocket.pieces), kept, hands, rule=m.rule).arrays
            for m, kept in ((LEARNED, 64), (MGC, listed(len(rocket))))
        ]
        work = Reranking(WholeBorders(rocket.pieces, order), rocket.board, *tables, hands)
        work.score_candidates()
        yield work


def parts_of(board, rng):
    """Tear the true picture along random lines, and take some pieces out."""
    grid = np.arange(board.rows * board.columns).reshape(board)
    part = np.add.outer(
        np.cumsum(rng.random(board.rows) < 0.3) * 100, np.cumsum(rng.random(board.columns) < 0.3)
    )
    alone = rng.random(grid.shape) < 0.05
    part[alone] = -1 - grid[alone]
    neighbours = np.full((grid.size, 4), -1, np.int32)
    across = part[:, :-1] == part[:, 1:]
    down = part[:-1] == part[1:]
    neighbours[grid[:, 1:][across], 0] = grid[:, :-1][across]
    neighbours[grid[:, :-1][across], 1] = grid[:, 1:][across]
    neighbours[grid[1:][down], 2] = grid[:-1][down]
    neighbours[grid[:-1][down], 3] = grid[1:][down]
    return neighbours


def scored_seams(arrays, side):
    seams = set()
    for own in (side, side ^ 1):
        for row in range(own, len(arrays.partners), 4):
            for partner in arrays.partners[row, : arrays.scored[row]]:
                pair = int(row // 4), int(partner // 4)
                seams.add(pair if own == side else pair[::-1])
    return seams


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from([1, 3]))
def test_they_are_those_found_one_by_one(rocket, reranking, seed, side):
    arrays = reranking.table()
    few = arrays._replace(scored=np.minimum(arrays.scored, 4))
    neighbours = parts_of(rocket.board, np.random.default_rng(seed))
    found = set(zip(*map(np.ndarray.tolist, seams_alongside(few, neighbours, side)), strict=True))
    expected = naive.seams_alongside(scored_seams(few, side), neighbours.tolist(), side, FARTHEST)
    assert found == expected
    assert found


def right_seams_scored(arrays, board):
    """Return the share of the true seams that are scored."""
    grid = np.arange(board.rows * board.columns).reshape(board)
    shares = []
    for side, ones, others in ((1, grid[:, :-1], grid[:, 1:]), (3, grid[:-1], grid[1:])):
        scored = scored_seams(arrays, side)
        shares += [seam in scored for seam in zip(ones.flat, others.flat, strict=True)]
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
