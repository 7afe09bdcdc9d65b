"""Parts moved as bodies, and what annealing makes of an arrangement."""

import naive
import numpy as np
import pytest
from helpers import random_pieces, table_of
from hypothesis import given, settings
from hypothesis import strategies as st
from skimage import data

from jigsolve import Puzzle, Settings, solve
from jigsolve._kernels import annealing as kernels
from jigsolve._kernels.costs import LOOKUP
from jigsolve.evolution import annealing
from jigsolve.evolution.annealing import _arrangement, _bodies, _site, annealed
from jigsolve.measures import EXTRAPOLATION, LEARNED
from jigsolve.parallel import crew
from jigsolve.pricing import seam_table


def learned_table(puzzle):
    with crew(1) as hands:
        return seam_table(puzzle, np.arange(len(puzzle)), LEARNED, 16, hands)


@pytest.fixture(scope="module")
def noise():
    """Make a table of pieces of noise, and boards of so many cells."""
    rng = np.random.default_rng(5)
    puzzle = Puzzle(random_pieces(rng, 20, 7, 7), (4, 5))
    return learned_table(puzzle)


def random_arrangement(rng, holes=0):
    arrangement = rng.permutation(20).reshape(4, 5).astype(np.int32)
    arrangement.flat[rng.permutation(20)[:holes]] = -1
    return arrangement


def total(site):
    return float(site.across.sum(dtype=float) + site.down.sum(dtype=float))


@settings(max_examples=200, deadline=None)
@given(st.integers(1, 20), st.integers(-4, 4), st.integers(-4, 4), st.integers(0, 10**6))
def test_a_body_moves_as_by_hand(noise, size, down, right, seed):
    rng = np.random.default_rng(seed)
    grid = random_arrangement(rng)
    site = _site(noise, grid)
    body = [(int(c) // 5, int(c) % 5) for c in rng.permutation(20)[:size]]
    for index, (row, column) in enumerate(body):
        site.cells[index] = (row + 1) * site.width + column + 1
        site.mark[site.cells[index]] = 8
    shift = down * site.width + right
    expected = naive.body_moved(grid, body, down, right)
    if shift == 0:
        return
    if size == 1:  # two shifts may be the same number of cells; that of a single piece is meant
        row, column = body[0]
        aim = site.cells[0] + shift
        on_board = 0 <= aim < site.grid.size and site.grid[aim] >= 0
        assert kernels.fits(site, 1, shift) == on_board
    if expected is None:
        return
    assert kernels.fits(site, size, shift)
    kernels.shift_body(site, 8, size, shift)
    np.testing.assert_array_equal(_arrangement(noise, site, grid.shape), expected)


def test_a_body_does_not_leave_the_board_over_its_side(noise):
    grid = np.arange(20, dtype=np.int32).reshape(4, 5)
    site = _site(noise, grid)
    width = site.width
    site.cells[:2] = [2 * width + 3, 2 * width + 5]  # the last of its row, and one before
    assert kernels.fits(site, 2, -1)
    assert not kernels.fits(site, 2, 1)
    assert not kernels.fits(site, 2, 3)  # one would come down a row, the other not
    assert not kernels.fits(site, 2, -3 * width)
    assert not kernels.fits(site, 2, 9 * width)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 3), st.floats(0.001, 20.0), st.integers(0, 10**6))
def test_what_is_noted_stays_true(noise, holes, temperature, seed):
    rng = np.random.default_rng(seed)
    grid = random_arrangement(rng, holes)
    site = _site(noise, grid)
    kernels.price(noise.arrays, site)
    before = total(site)
    with crew(1) as hands:
        bodies = _bodies(noise, site, grid.shape, hands)
    active = grid[grid >= 0].astype(np.int32)
    stream = np.array([seed], np.uint64)
    made = 0
    for first in (0, 700):
        made += kernels.anneal(
            noise.arrays, site, active, bodies, 0.3, temperature, first, first + 700, stream
        )
    found = _arrangement(noise, site, grid.shape)
    assert sorted(found.ravel()) == sorted(grid.ravel())
    anew = _site(noise, found)
    kernels.price(noise.arrays, anew)
    np.testing.assert_array_equal(anew.across, site.across)
    np.testing.assert_array_equal(anew.down, site.down)
    on_board = found[found >= 0]
    np.testing.assert_array_equal(anew.place[on_board], site.place[on_board])
    assert made > 0 or total(site) == before
    if temperature < 0.01:
        assert total(site) <= before + 0.1


def test_energies_bend(noise):
    for first, second in ((3, 8), (8, 3), (0, 19)):
        for toward in (1, 3):
            cost = kernels.seam_cost(noise.arrays, 4 * first + toward, 4 * second + toward - 1)
            expected = min(cost, 7.0) + 0.4 * max(cost - 7.0, 0.0)
            found = kernels.energy(noise.arrays, first, toward, second)
            assert found == pytest.approx(expected, rel=1e-6)
    assert kernels.energy(noise.arrays, kernels.OUTSIDE, 1, 3) == 0


@pytest.fixture(scope="module")
def coffee():
    """Cut a photograph; return its table and the truth."""
    puzzle = Puzzle.cut(data.coffee(), 28)
    return learned_table(puzzle), np.arange(len(puzzle)).reshape(puzzle.board)


def test_exchanged_parts_find_back(coffee):
    table, truth = coffee
    assert table.arrays.rule == LOOKUP
    wrong = truth.copy()
    wrong[1:5, 1:5], wrong[8:12, 12:16] = truth[8:12, 12:16], truth[1:5, 1:5]
    wrong[6, 3], wrong[10, 2] = truth[10, 2], truth[6, 3]
    told = []
    with crew(2) as hands:
        rng = np.random.default_rng(1)
        found = annealed(
            table, wrong, 1000, rng, hands, progress=lambda done, of: told.append((done, of))
        )
    assert table.cost_of(found) <= table.cost_of(truth)
    assert np.mean(found == truth) > 0.99
    assert told[-1][0] == told[-1][1]


def test_nothing_is_made_worse_and_other_measures_are_left_alone(coffee):
    table, truth = coffee
    rng = np.random.default_rng(1)
    with crew(1) as hands:
        found = annealed(table, truth, 50, rng, hands)
        assert table.cost_of(found) <= table.cost_of(truth)
        shuffled = rng.permutation(truth.ravel()).reshape(truth.shape)
        np.testing.assert_array_equal(annealed(table, shuffled, 0, rng, hands), shuffled)
        puzzle = Puzzle.cut(data.coffee(), 28)
        other = table_of(puzzle.pieces, measure=EXTRAPOLATION)
        np.testing.assert_array_equal(annealed(other, shuffled, 9, rng, hands), shuffled)


def test_annealing_lowers_what_evolution_found_and_repeats(monkeypatch):
    puzzle = Puzzle.cut(data.chelsea(), 14).shuffle(3)[0]
    few = {"population": 8, "repairs": 0, "generations": 0, "seeding": "random"}
    plain = solve(puzzle, Settings(**few, annealing=0))
    one, two = (solve(puzzle, Settings(**few, annealing=60, threads=n)) for n in (1, 2))
    assert plain.cost == min(g.best for g in plain.history)
    assert one.cost < 0.99 * plain.cost
    assert one.history[-1].best == plain.cost
    np.testing.assert_array_equal(one.arrangement, two.arrangement)
    across, down = one.seam_costs
    assert across.sum() + down.sum() == pytest.approx(one.cost, rel=1e-5)
    assert "annealing" in one.timings

    def stop(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(annealing.kernels, "anneal", stop)
    stopped = solve(puzzle, Settings(**few, annealing=60))
    assert stopped.stopped == "interrupted"
    assert stopped.cost == plain.cost
