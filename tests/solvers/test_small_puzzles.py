"""Beliefs and particles: solvers of small puzzles, which look at all pairs."""

import numpy as np
import pytest
from helpers import random_pieces
from hypothesis import given, settings
from hypothesis import strategies as st
from skimage import data

from jigsolve import Board, Constraints, InputError, Puzzle, Settings, score, solve
from jigsolve._kernels.particles import place_one
from jigsolve.assembly.affinities import affinities_of, cut_open
from jigsolve.core.poses import poses_of
from jigsolve.execution.work import working
from jigsolve.pricing.prepared import prepare
from jigsolve.pricing.settings import Pricing
from jigsolve.solvers.cho import Beliefs

SMALL = pytest.mark.parametrize(("name", "most"), [("cho", 2000), ("yang", 500)])


def table_of(pieces, measure="dissimilarity"):
    with working(1) as work:
        return prepare(Puzzle(pieces, Board(1, len(pieces))), Pricing(measure=measure), 0, work)


@SMALL
def test_larger_puzzles_are_refused_before_anything_is_priced(name, most):
    rows = most // 20 + 1
    puzzle = Puzzle(random_pieces(np.random.default_rng(0), 20 * rows, 2, 2), Board(rows, 20))
    with pytest.raises(
        InputError, match=f"solver {name}: expected at most {most:,} pieces.*found {20 * rows:,}"
    ):
        solve(puzzle, Settings.of(name))


@SMALL
def test_an_anchor_says_where_all_belongs(name, most):
    puzzle, truth = Puzzle.cut(data.astronaut()[:140, :168], 28).shuffle(2)
    known = Constraints(fixed=[(int(truth[2, 2]), 2, 2)])
    solution = solve(puzzle, Settings.of(name), constraints=known)
    assert solution.arrangement[2, 2] == truth[2, 2]
    assert score(solution, truth).direct > 0.7


def test_affinities_are_of_the_two_best_of_each_side():
    prepared = table_of(random_pieces(np.random.default_rng(1), 7, 3, 3))
    found = affinities_of(prepared.table, lambda done, total: None)
    squares = np.full((7, 7), np.inf)
    for a, b in np.argwhere(~np.eye(7, dtype=bool)):
        pair = np.array([[a, b]])
        squares[a, b] = prepared.table.cost_of(poses_of(pair)) ** 2
    for a, b in np.argwhere(~np.eye(7, dtype=bool)):
        row, column = np.sort(squares[a]), np.sort(squares[:, b])
        expected = [5 * (squares[a, b] - s[0]) / (s[1] - s[0]) for s in (row, column)]
        assert found.right[a, b] == pytest.approx(max(-np.mean(expected), -60.0), rel=1e-3)


@given(seed=st.integers(0, 10**6), rows=st.integers(1, 4), columns=st.integers(1, 4))
@settings(max_examples=20)
def test_a_board_without_ends_is_cut_where_that_costs_least(seed, rows, columns):
    if rows * columns < 2:
        return
    rng = np.random.default_rng(seed)
    table = table_of(random_pieces(rng, rows * columns, 3, 3)).table
    grid = rng.permutation(rows * columns).reshape(rows, columns).astype(np.int32)
    rolled = [np.roll(grid, (r, c), (0, 1)) for r in range(rows) for c in range(columns)]
    if rows > 1 and columns > 1:
        least = min(table.cost_of(poses_of(way)) for way in rolled)
        found = table.cost_of(poses_of(cut_open(table, grid)))
        assert found == pytest.approx(least, rel=1e-5)
    assert any(np.array_equal(cut_open(table, grid), way) for way in rolled)


def test_beliefs_add_up_and_an_anchor_is_believed():
    prepared = table_of(random_pieces(np.random.default_rng(2), 12, 3, 3))
    affinities = affinities_of(prepared.table, lambda done, total: None)
    anchors = np.full((3, 4), -1, np.int32)
    anchors[1, 2] = 5
    beliefs = Beliefs(affinities, (3, 4), anchors)
    for _ in range(10):
        beliefs.travel()
        np.testing.assert_allclose(beliefs.beliefs.sum(axis=2), 1.0)
    assert beliefs.beliefs[1, 2].argmax() == 5
    decided = beliefs.decided(12)
    placed = decided[decided >= 0]
    assert len(set(placed.tolist())) == len(placed)
    assert np.count_nonzero(beliefs.decided(2) >= 0) <= 2


@given(seed=st.integers(0, 10**6), wraps=st.booleans(), drawn=st.floats(0, 0.999))
@settings(max_examples=40)
def test_a_particle_grows_by_what_is_drawn(seed, wraps, drawn):
    rng = np.random.default_rng(seed)
    right, below = -3 * rng.random((2, 6, 6))
    grid = np.full(6, -1, np.int32)
    placed = int(rng.integers(1, 5))
    start = [(0, 0), (0, 1), (1, 0), (1, 1)][:placed]
    for piece, (row, column) in enumerate(start):
        grid[3 * row + column] = piece
    chances = {}
    for cell in np.flatnonzero(grid < 0):
        row, column = divmod(int(cell), 3)
        around = []
        for down, along, matrix, is_first in (
            (0, -1, right, False), (0, 1, right, True), (-1, 0, below, False), (1, 0, below, True),
        ):  # fmt: skip
            r, c = row + down, column + along
            if wraps:
                r, c = r % 2, c % 3
            if 0 <= r < 2 and 0 <= c < 3 and grid[3 * r + c] >= 0:
                around.append((matrix, is_first, grid[3 * r + c]))
        for piece in range(placed, 6):
            if around:
                fits = [m[piece, o] if first else m[o, piece] for m, first, o in around]
                chances[int(cell), piece] = np.exp(sum(fits))
    total = sum(chances.values())
    cells = {cell for cell, _ in chances}
    is_used = np.arange(6) < placed
    before = grid.copy()
    weight = place_one(right, below, 2, 3, wraps, grid, is_used, drawn)
    assert weight == pytest.approx(np.log(total / len(cells)))
    (cell,) = np.flatnonzero(grid != before)
    bounds = np.cumsum([0.0, *chances.values()])
    index = [*chances].index((int(cell), int(grid[cell])))
    assert bounds[index] - 1e-9 <= drawn * total <= bounds[index + 1] + 1e-9
    assert is_used[grid[cell]]
