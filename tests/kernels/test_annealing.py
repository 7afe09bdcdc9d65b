"""Parts moved as bodies, and what annealing makes of an arrangement."""

import itertools
import math
import subprocess
import sys
from collections import Counter
from types import SimpleNamespace

import naive
import numpy as np
import pytest
from asking import seam_cost
from helpers import hearing, random_pieces, seam_table, stopping
from hypothesis import given, settings
from hypothesis import strategies as st
from skimage import data

from jigsolve import Board, Puzzle, Settings, solve
from jigsolve._kernels import annealing as kernels
from jigsolve._kernels import hints
from jigsolve._kernels import site as sites
from jigsolve._kernels.bodies import Bodies, fits, shift_body
from jigsolve.assembly import population
from jigsolve.assembly.joining import Segment
from jigsolve.assembly.segments import Segments, evidence
from jigsolve.core.poses import pieces_of, poses_of
from jigsolve.execution.clock import Clock
from jigsolve.execution.crew import crew
from jigsolve.execution.events import Progressed, StageBegan
from jigsolve.measures import LEARNED
from jigsolve.seams.table import SeamTable
from jigsolve.solvers.genetic import annealing
from jigsolve.solvers.genetic.annealing import (
    STAGES,
    Annealing,
    _in_doubt,
    temperature,
)
from jigsolve.solvers.genetic.site import site_of

ROWS, COLUMNS = 4, 5


def learned_table(puzzle):
    with crew(1) as hands:
        return seam_table(puzzle, np.arange(len(puzzle)), LEARNED, 16, hands)


@pytest.fixture(scope="module")
def noise():
    """Make the table of twenty pieces of noise, four of which there are twice."""
    pieces = random_pieces(np.random.default_rng(5), 20, 7, 7)
    pieces[[3, 8, 13, 18]] = pieces[[2, 7, 12, 17]]
    return learned_table(Puzzle(pieces, Board(ROWS, COLUMNS)))


def random_arrangement(rng, holes=0):
    arrangement = rng.permutation(20).reshape(ROWS, COLUMNS)
    arrangement.flat[rng.permutation(20)[:holes]] = -1
    return poses_of(arrangement)


def random_body(rng, size):
    """Cells that touch each other."""
    body = [(int(rng.integers(ROWS)), int(rng.integers(COLUMNS)))]
    while len(body) < size:
        row, column = body[rng.integers(len(body))]
        down, right = [(0, 1), (1, 0), (0, -1), (-1, 0)][rng.integers(4)]
        cell = row + down, column + right
        if cell not in body and 0 <= cell[0] < ROWS and 0 <= cell[1] < COLUMNS:
            body.append(cell)
    return body


def mark_body(site, body, number):
    for index, (row, column) in enumerate(body):
        site.cells[index] = (row + 1) * site.width + column + 1
        site.mark[site.cells[index]] = number


def total(site):
    return float(site.across.sum(dtype=float) + site.down.sum(dtype=float))


def grid_of(site):
    return site.grid.reshape(ROWS + 2, COLUMNS + 2)[1:-1, 1:-1]


@settings(max_examples=300)
@given(st.integers(1, 20), st.integers(-4, 4), st.integers(-5, 5), st.integers(0, 10**6))
def test_a_body_moves_and_is_weighed_as_by_hand(noise, size, down, right, seed):
    rng = np.random.default_rng(seed)
    grid = random_arrangement(rng)
    site = site_of(noise, grid)
    before = total(site)
    body = random_body(rng, size)
    mark_body(site, body, 8)
    shift = down * site.width + right
    if shift == 0:
        return
    # A row more and as many columns less as a row has are the same number of cells.
    meant = ((down + turn, right - turn * site.width) for turn in (-1, 0, 1))
    moved = [naive.body_moved(grid, body, *way) for way in meant]
    expected = next((grid for grid in moved if grid is not None), None)
    assert fits(site, size, shift) == (expected is not None)
    if expected is None:
        return
    touched = shift_body(site, 8, size, shift)
    np.testing.assert_array_equal(grid_of(site), expected)
    anew = site_of(noise, expected)
    has = kernels.held_energy(site, 8, touched) + total(anew) - before
    assert kernels.is_dearer(noise.arrays, site, 8, touched, has - 0.001)
    assert not kernels.is_dearer(noise.arrays, site, 8, touched, has + 0.001)
    kernels.settle(site, 8, touched)
    for noted in ("across", "down", "place"):
        np.testing.assert_array_equal(getattr(site, noted), getattr(anew, noted))


@settings(max_examples=40)
@given(st.integers(0, 3), st.sampled_from([0.001, 0.5, 4.0, 20.0]), st.integers(0, 10**6))
def test_what_is_noted_stays_true(noise, holes, degrees, seed):
    rng = np.random.default_rng(seed)
    grid = random_arrangement(rng, holes)
    work = Annealing(noise, grid)
    site = work._site
    before = total(site)
    with crew(1) as hands:
        bodies = work._parts(hands)
    active = pieces_of(grid[grid >= 0])
    moves = kernels.Moves(active, bodies, 0.3, degrees, np.uint64(seed))
    for first in (0, 700):
        kernels.anneal(noise.arrays, site, moves, first, first + 700)
    found = work.arrangement()
    assert sorted(found.ravel()) == sorted(grid.ravel())
    anew = site_of(noise, found)
    np.testing.assert_array_equal(anew.across, site.across)
    np.testing.assert_array_equal(anew.down, site.down)
    on_board = pieces_of(found[found >= 0])
    np.testing.assert_array_equal(anew.place[on_board], site.place[on_board])
    assert (found != grid).any() or total(site) == before
    if degrees < 0.01:
        assert total(site) <= before + 0.1
    cheapest, cost = work.cheapest()
    assert cost == noise.cost_of(cheapest) == min(noise.cost_of(grid), noise.cost_of(found))


def test_energies_are_known_of_seams_that_are_scored(noise):
    # Few candidates, so that some seams are not scored.
    arrays = noise.arrays._replace(scored=np.minimum(noise.arrays.scored, 3))
    site = site_of(SeamTable(arrays), random_arrangement(np.random.default_rng(1)))
    assert len(np.unique(arrays.twins)) < len(arrays.twins)
    unlisted = 0
    for first, second in itertools.permutations(range(20), 2):
        for toward in (1, 3):
            seam = 4 * first, toward, 4 * second
            exact = sites.energy(arrays, site, *seam)
            found = hints.energy_if_scored(arrays, site, *seam)
            if found == hints.NOT_SCORED:
                unlisted += 1
                found = hints.energy_unscored(arrays, site, *seam)
                assert found > site.scale.least_unscored
            assert found == exact
    assert unlisted > 300
    for cell in (sites.OUTSIDE, 80, 84):  # the rim and empty cells
        found = hints.energy_if_scored(arrays, site, cell, 1, 12)
        assert found == sites.energy(arrays, site, cell, 1, 12)


def test_dearer_moves_are_made_as_often_as_the_temperature_says(noise):
    # Piece 0 has one move, to the other side of piece 1. Both seams cost so much that it is made
    # alone, whichever there is.
    partners, costs = noise.arrays.partners.copy(), noise.arrays.costs.copy()
    for side in range(8):
        partners[side] = 4 * (1 - side // 4) + (side % 4 ^ 1)
    costs[[1, 4]], costs[[0, 5]] = 20.0, 23.0
    seams = noise.arrays._replace(
        partners=partners,
        costs=costs,
        nearest=partners[:, 0].copy(),
        nearest_cost=costs[:, 0].copy(),
    )
    degrees = 2.0
    left, right = poses_of(np.array([[0, 1, -1]])), poses_of(np.array([[-1, 1, 0]]))
    site = site_of(SeamTable(seams), left)
    rise = total(site_of(SeamTable(seams), right)) - total(site)
    assert rise == pytest.approx(0.4 * 3)
    none = Bodies(np.zeros(1, np.int64), np.zeros(0, np.int32), np.zeros(0, np.int32))
    active = np.arange(2, dtype=np.int32)
    drawing = kernels.Moves(active, none, 0.0, degrees, np.uint64(3))
    moved = 0
    steps = 40_000
    for step in range(steps):
        kernels.try_moves(seams, site, drawing, step, 1, True)
        moved += site.place[0] > site.place[1]
    odds = np.exp(-rise / degrees)
    assert moved / steps == pytest.approx(odds / (1 + odds), abs=0.03)


def test_energies_bend(noise):
    site = site_of(noise, random_arrangement(np.random.default_rng(0)))
    for first, second in ((3, 8), (8, 3), (0, 19)):
        for toward in (1, 3):
            cost = seam_cost(noise.arrays, 4 * first + toward, 4 * second + toward - 1)
            expected = min(cost, 7.0) + 0.4 * max(cost - 7.0, 0.0)
            found = sites.energy(noise.arrays, site, 4 * first, toward, 4 * second)
            assert found == pytest.approx(expected, rel=1e-6)
    assert sites.energy(noise.arrays, site, sites.OUTSIDE, 1, 12) == 0


def test_it_gets_colder():
    degrees = [temperature(stage) for stage in range(STAGES)]
    assert degrees[0] == 5.0
    assert degrees[-5] == pytest.approx(3.0)
    assert degrees[-4:] == [1.0] * 4
    assert degrees == sorted(degrees, reverse=True)


@pytest.mark.parametrize("holes", [0, 3])
def test_pieces_are_in_doubt_by_what_all_their_seams_say(noise, holes):
    grid = random_arrangement(np.random.default_rng(2), holes)
    across, down = evidence(noise, grid)
    expected = []
    for row in range(ROWS):
        for column in range(COLUMNS):
            said = []
            if column > 0:
                said.append(across[row, column - 1])
            if column < COLUMNS - 1:
                said.append(across[row, column])
            if row > 0:
                said.append(down[row - 1, column])
            if row < ROWS - 1:
                said.append(down[row, column])
            if grid[row, column] >= 0 and np.mean(said) < 4.0:
                expected.append(grid[row, column] // 4)
    assert expected
    assert _in_doubt(noise, grid).tolist() == expected


@pytest.fixture(scope="module")
def coffee():
    """Cut a photograph; return its table and the truth."""
    puzzle = Puzzle.cut(data.coffee(), 28)
    return learned_table(puzzle), poses_of(np.arange(len(puzzle)).reshape(puzzle.board))


def annealed(table, arrangement, moves, seed=1, threads=1):
    told = []
    work = Annealing(table, arrangement)
    with crew(threads) as hands:
        work.run(
            moves, np.random.default_rng(seed), hands, progress=lambda *step: told.append(step)
        )
    return work.cheapest()[0], told


def test_exchanged_parts_find_back(coffee):
    table, truth = coffee
    assert table.costs_are_logarithms
    wrong = truth.copy()
    wrong[1:5, 1:5], wrong[8:12, 12:16] = truth[8:12, 12:16], truth[1:5, 1:5]
    wrong[6, 3], wrong[10, 2] = truth[10, 2], truth[6, 3]
    found, told = annealed(table, wrong, 1000, threads=2)
    assert table.cost_of(found) <= table.cost_of(truth)
    assert np.mean(found == truth) > 0.99
    assert told[-1][0] == told[-1][1] >= STAGES


def test_large_parts_move_as_known_bodies(coffee, monkeypatch):
    # Larger than any body that grows: its pieces are never moved one by one, it is too cold.
    table, truth = coffee
    wrong = truth.copy()
    wrong[:9, :9], wrong[:9, 12:] = truth[:9, 12:], truth[:9, :9]
    monkeypatch.setattr(annealing, "temperature", lambda stage: 1e-6)
    found, _ = annealed(table, wrong, 4000)
    assert np.mean(found == truth) > 0.99
    monkeypatch.setattr(annealing, "BODILY", 0.0)
    found, _ = annealed(table, wrong, 4000)
    assert np.mean(found == truth) < 0.5


def test_nothing_is_made_worse(monkeypatch):
    puzzle = Puzzle.cut(data.chelsea(), 7)
    table = learned_table(puzzle)
    truth = poses_of(np.arange(len(puzzle)).reshape(puzzle.board))
    monkeypatch.setattr(annealing, "temperature", lambda stage: 50.0)
    found, told = annealed(table, truth, 5)
    assert told
    np.testing.assert_array_equal(found, truth)


def test_moves_are_counted_by_pieces_in_doubt_and_bounded(noise, monkeypatch):
    monkeypatch.setattr(annealing, "_in_doubt", lambda *_: np.arange(3, dtype=np.int32))
    monkeypatch.setattr(annealing, "temperature", lambda stage: 50.0)  # any move is made

    def after(moves, most):
        monkeypatch.setattr(annealing, "MOST_PIECES", most)
        work = Annealing(noise, random_arrangement(np.random.default_rng(1)))
        with crew(1) as hands:
            work.run(moves, np.random.default_rng(1), hands)
        return work.arrangement().tolist()

    forty_each = after(40, 10**9)
    assert forty_each == after(60, 2) == after(120, 1)
    assert after(40, 2) == after(80, 1) != forty_each


def test_a_clock_may_stand_still_while_moves_are_tried(noise, monkeypatch):
    monkeypatch.setattr(annealing, "time", SimpleNamespace(monotonic=lambda: 7.0))
    found = []
    for seconds in (math.inf, 60.0):
        work = Annealing(noise, random_arrangement(np.random.default_rng(1)))
        with crew(1) as hands:
            work.run(40, np.random.default_rng(1), hands, seconds=seconds)
        found.append(work.arrangement().tolist())
    assert found[0] == found[1]


FEW = {"population": 8, "repairs": 0, "generations": 0, "seeding": "random"}


@pytest.fixture(scope="module")
def cat():
    return Puzzle.cut(data.chelsea(), 14).shuffle(3)[0]


def test_annealing_lowers_what_evolution_found_and_repeats(cat):
    plain = solve(cat, Settings.of(**FEW, annealing=0))
    one, two = (solve(cat, Settings.of(**FEW, annealing=60, threads=n)) for n in (1, 2))
    assert plain.cost == min(g.best for g in plain.history)
    assert "annealing" not in plain.timings
    assert one.cost < 0.99 * plain.cost
    assert one.history[-1].best == plain.cost
    np.testing.assert_array_equal(one.arrangement, two.arrangement)
    across, down = one.seam_costs
    assert across.sum() + down.sum() == pytest.approx(one.cost, rel=1e-5)
    assert one.timings["annealing"].cpu > 0


def test_measures_whose_costs_are_no_logarithms_are_left_alone(cat):
    plain, other = (
        solve(cat, Settings.of(**FEW, measure="extrapolation", annealing=moves))
        for moves in (0, 60)
    )
    assert "annealing" not in other.timings
    np.testing.assert_array_equal(plain.arrangement, other.arrangement)


@pytest.fixture(scope="module")
def sky():
    """Return a puzzle that takes several rounds: noise hides its seams and traces."""
    noise = np.random.default_rng(1).normal(0, 5, (308, 476, 3))
    photo = np.clip(data.rocket()[:308, :476] + noise, 0, 255).astype(np.uint8)
    return Puzzle.cut(photo, 14).shuffle(3)[0]


def test_every_round_is_annealed_and_the_cheapest_kept(sky):
    stages = []
    solution = solve(
        sky,
        Settings.of(population=8, annealing=60, patience=1, repairs=3),
        **hearing(lambda event: stages.append(event.stage), StageBegan),
    )
    rounds = sum(g.number > 0 and not any(g.placements.values()) for g in solution.history)
    assert rounds
    assert stages.count("annealing") == rounds + 1
    assert solution.cost <= min(g.best for g in solution.history)
    assert solution.timings["annealing"].cpu > 0


def test_a_stage_within_another_is_timed_apart(monkeypatch):
    ticks = iter(range(100))
    monkeypatch.setattr("jigsolve.execution.clock.time.perf_counter", lambda: next(ticks))
    clock = Clock()
    with clock.stage("outer"):  # one tick at each beginning and end
        for _ in range(2):
            with clock.stage("inner"):
                pass
        with pytest.raises(KeyboardInterrupt), clock.stage("inner"):
            raise KeyboardInterrupt
    assert clock.timings["inner"].wall == 3
    assert clock.timings["outer"].wall == 7 - 3


def test_rounds_that_are_annealed_go_on_where_they_were(sky, tmp_path):
    puzzle = sky
    settings = Settings.of(population=8, annealing=30, patience=1, repairs=2)
    whole = solve(puzzle, settings)
    begun = []

    def interrupt(event):
        if isinstance(event, StageBegan) and event.stage == "annealing":
            begun.append(event)
        if isinstance(event, Progressed) and len(begun) == 2 and event.done > event.total / 9:
            raise KeyboardInterrupt

    file = tmp_path / "run.ckpt"
    assert solve(puzzle, settings, on_event=interrupt, checkpoint=file).stopped == "interrupted"
    resumed = solve(puzzle, resume=file)
    np.testing.assert_array_equal(resumed.arrangement, whole.arrangement)
    assert [g.best for g in resumed.history] == [g.best for g in whole.history]


@pytest.fixture
def coffee_corner():
    return Puzzle.cut(data.coffee()[100:268, 100:324], 56)


def test_half_of_the_completions_are_told_where_the_largest_segment_lies(coffee_corner):
    # Two pieces side by side on a board of 3 x 4: they may lie in nine places.
    puzzle = coffee_corner
    neighbours = np.full((1, 12, 4), -1, np.int32)
    neighbours[0, 5, 1], neighbours[0, 6, 0] = 4 * 6, 4 * 5 + 1
    pair = Segment(np.array([5, 6]), np.array([[0, 0], [0, 1]]), np.zeros(2, np.int32))
    assert pair.extent == (1, 2)
    completed = population.Population.empty(200, 12)
    with crew(1) as hands:
        nursery = population.Nursery(
            learned_table(puzzle), puzzle.board, population.Growing(), hands
        )
        nursery.complete(Segments(neighbours, [pair]), 0, completed)
    places = []
    for member in completed.neighbours:
        grid = pieces_of(population.arrangement_of(member, puzzle.board, 12))
        ((row, column),) = np.argwhere(grid == 5)
        assert grid[row, column + 1] == 6
        places.append((int(row), int(column)))
    free, told = Counter(places[::2]), Counter(places[1::2])
    assert free[1, 1] > 90, "where seams say they belong"
    assert set(told) == {(row, column) for row in range(3) for column in range(3)}
    assert max(told.values()) < 30


def test_a_run_that_is_told_to_stop_is_not_annealed(cat):
    stopped = solve(cat, Settings.of(**FEW, annealing=60), **stopping(lambda _: True))
    assert "annealing" not in stopped.timings


@pytest.mark.parametrize("share", [0, 0.95])
def test_interrupted_annealing_keeps_the_cheaper_and_a_checkpoint(cat, tmp_path, share):
    settings = Settings.of(**FEW, annealing=60)
    whole = solve(cat, settings)

    def interrupt(event):
        if event.stage == "annealing" and event.done > share * event.total:
            raise KeyboardInterrupt

    file = tmp_path / "run.ckpt"
    stopped = solve(cat, settings, **hearing(interrupt, Progressed), checkpoint=file)
    assert stopped.stopped == "interrupted"
    assert "annealing" in stopped.timings
    if share:
        assert stopped.cost < 0.99 * stopped.history[-1].best
    else:
        assert stopped.cost <= stopped.history[-1].best
    resumed = solve(cat, resume=file)
    np.testing.assert_array_equal(resumed.arrangement, whole.arrangement)


def test_the_first_run_compiles_annealing_with_all_other_kernels():
    program = (
        "from jigsolve.solvers.kernels import load_kernels; load_kernels();"
        "from jigsolve._kernels.annealing import anneal; assert anneal.signatures"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
