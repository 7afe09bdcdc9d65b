"""Loops of loops, against all squares of pieces that can be made."""

import itertools

import numpy as np
import pytest
from helpers import random_pieces
from hypothesis import given, settings
from hypothesis import strategies as st
from skimage import data

from jigsolve import Board, Puzzle
from jigsolve._kernels.geometry import BOTTOM, RIGHT, pose_beside, posed_piece, side_at
from jigsolve._kernels.loops import spread_out
from jigsolve.assembly.trees import known_clusters
from jigsolve.execution.work import working
from jigsolve.pricing.prepared import prepare
from jigsolve.pricing.settings import Pricing
from jigsolve.solvers.son.loops import all_loops, fitting
from jigsolve.solvers.son.solver import Merging

SLACK = 1.4
"""So much that unrelated pieces fit each other often."""


def prepared_noise(seed, board, turns="none", levels=256):
    pieces = random_pieces(np.random.default_rng(seed), board[0] * board[1], 3, 3, levels)
    puzzle = Puzzle(pieces, Board(*board), turns=turns)
    with working(1) as work:
        return prepare(puzzle, Pricing(measure="dissimilarity"), 0, work)


def fitting_poses(table, slack):
    """Return which poses fit beside each pose, to the right and below, one by one."""
    fits = fitting(table, slack)
    step = 4 // table.arrays.poses
    poses = range(0, 4 * table.pieces, step)
    beside = {}
    for pose, toward in itertools.product(poses, (RIGHT, BOTTOM)):
        side = side_at(pose, toward)
        partners = table.arrays.partners[side, : fits.shape[1]][fits[side]]
        beside[pose, toward] = {int(pose_beside(partner, toward)) for partner in partners}
    return beside


def slow_squares(beside, order, poses):
    """Return all squares of poses whose seams all fit and that have no piece twice."""
    found = [()]
    for cell in range(order * order):
        longer = []
        for square in found:
            options = set(poses)
            if cell % order:
                options &= beside[square[-1], RIGHT]
            if cell >= order:
                options &= beside[square[-order], BOTTOM]
            used = {posed_piece(pose) for pose in square}
            longer += [(*square, pose) for pose in options if posed_piece(pose) not in used]
        found = longer
    return set(found)


def squares_of(found, order):
    size = max(found.highest, 1)
    block, spare = np.empty((2, size, size), np.int64)
    squares = []
    for number in range(found.starts[order + 1] - found.starts[order]):
        spread_out(found.loops, found.starts, order, number, found.poses, block, spare)
        squares.append(tuple(block[:order, :order].ravel().tolist()))
    return squares


@pytest.mark.parametrize("turns", ["none", "half", "quarter"])
@given(seed=st.integers(0, 10**6))
@settings(max_examples=15)
def test_loops_are_all_squares_whose_seams_fit(turns, seed):
    table = prepared_noise(seed, (3, 5), turns).table
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("jigsolve.solvers.son.loops.MOST_LOOPS", 10_000)  # none are left out
        found = all_loops(table, SLACK)
    beside = fitting_poses(table, SLACK)
    assert found.highest >= 1
    for order in range(2, found.highest + 2):
        slow = slow_squares(beside, order, found.poses.tolist())
        if order > found.highest:
            assert not slow
        else:
            squares = squares_of(found, order)
            assert len(set(squares)) == len(squares)
            assert set(squares) == slow


def test_partners_fit_both_ways_and_within_the_slack():
    table = prepared_noise(3, (4, 5)).table
    fits = fitting(table, SLACK)
    partners, costs = table.arrays.partners, table.arrays.costs
    listed = {(s, int(partners[s, r])) for s, r in zip(*np.nonzero(fits), strict=True)}
    assert listed == {(b, a) for a, b in listed}
    for side, rank in zip(*np.nonzero(fits), strict=True):
        assert costs[side, rank] <= SLACK * costs[side, 0] * (1 + 1e-6)
    for side, partner in itertools.combinations(range(len(partners)), 2):
        cheap = [
            any(
                partners[a, r] == b and costs[a, r] <= SLACK * costs[a, 0] * (1 - 1e-6)
                for r in range(10)
            )
            for a, b in ((side, partner), (partner, side))
        ]
        if all(cheap):
            assert (side, partner) in listed


@pytest.mark.parametrize("turns", ["none", "quarter"])
@given(seed=st.integers(0, 10**6))
@settings(max_examples=15)
def test_merging_puts_no_two_pieces_into_a_cell_and_exceeds_no_frame(turns, seed):
    prepared = prepared_noise(seed, (3, 6), turns)
    clusters = known_clusters(prepared.table, prepared.puzzle.board)
    found = all_loops(prepared.table, SLACK)
    Merging(clusters, found, prepared).all_orders(lambda done, total: None)
    for number in np.unique(clusters.segment):
        pieces = np.flatnonzero(clusters.segment == number)
        cells = np.stack([clusters.row[pieces], clusters.column[pieces]], axis=1)
        assert len(np.unique(cells, axis=0)) == len(pieces) == clusters.size[number]
        extent = tuple(np.ptp(cells, axis=0) + 1)
        ways = [extent, extent[::-1]] if turns == "quarter" else [extent]
        assert any(rows <= 3 and columns <= 6 for rows, columns in ways)


def test_every_loop_of_the_largest_order_lies_in_a_cluster_as_it_is_if_they_agree():
    """Of a picture's own squares all do."""
    puzzle, truth = Puzzle.cut(data.chelsea()[:196, :280], 28).shuffle(3)
    with working(1) as work:
        prepared = prepare(puzzle, Pricing(measure="mgc"), 0, work)
    clusters = known_clusters(prepared.table, puzzle.board)
    found = all_loops(prepared.table, 1.07)
    Merging(clusters, found, prepared).all_orders(lambda done, total: None)
    place = np.empty((len(puzzle), 2), int)
    place[prepared.numbers[truth].ravel()] = np.argwhere(truth >= 0)
    for order in range(2, found.highest + 1):
        for square in squares_of(found, order):
            pieces = [posed_piece(pose) for pose in square]
            cells = np.stack([clusters.row[pieces], clusters.column[pieces]], axis=1)
            true = place[pieces]
            if (true - true[0] == np.argwhere(np.ones((order, order)))).all():
                assert len(set(clusters.segment[pieces])) == 1
                np.testing.assert_array_equal(cells - cells[0], true - true[0])


def test_pieces_that_are_all_alike_make_few_loops():
    prepared = prepared_noise(0, (12, 12), levels=1)
    found = all_loops(prepared.table, 1.07)
    assert len(found.loops) <= 8 * 144 * max(found.highest - 1, 1)
