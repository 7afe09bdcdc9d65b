"""Bodies that turn while they move, and annealing of turned pieces."""

import functools

import numpy as np
import pytest
import turning
from helpers import random_pieces, table_of
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import STEP

from jigsolve._kernels import annealing as kernels
from jigsolve._kernels import hints
from jigsolve._kernels import site as sites
from jigsolve._kernels.costs import LOOKUP
from jigsolve._kernels.rotation import turn_body
from jigsolve.execution.crew import crew
from jigsolve.measures import EXTRAPOLATION
from jigsolve.seams.table import SeamTable
from jigsolve.solvers.genetic import annealing
from jigsolve.solvers.genetic.annealing import Annealing
from jigsolve.solvers.genetic.site import site_of

ROWS, COLUMNS = 4, 5
NUMBER = 8
KINDS = st.sampled_from(["half", "quarter"])


def looked_up(table):
    """Return a table whose costs are looked up, from 0 to 20, as those of a network are."""
    arrays = table.arrays
    least, most = np.log(arrays.costs[:, 0].min() + 1), np.log(arrays.costs.max() + 1)
    costs = ((np.log(arrays.costs + 1) - least) * (20 / (most - least))).astype(np.float32)
    scored = np.full(len(costs), costs.shape[1], np.int32)
    return table.with_costs(arrays._replace(costs=costs, scored=scored, rule=LOOKUP))


@functools.cache
def noise(turns):
    """Return the table of twenty pieces of noise, two of which there are twice."""
    pieces = random_pieces(np.random.default_rng(5), 20, 5, 5)
    pieces[3], pieces[8] = pieces[2], np.rot90(pieces[7])
    return looked_up(table_of(pieces, 12, turns=turns))


def random_body(rng, poses, size):
    """Return cells that touch each other, none of them empty."""
    filled = [*turning.as_cells(poses)]
    body = [filled[rng.integers(len(filled))]]
    for _ in range(4 * size):
        row, column = body[rng.integers(len(body))]
        down, right = STEP[int(rng.integers(4))]
        cell = row + down, column + right
        if len(body) < size and cell in filled and cell not in body:
            body.append(cell)
    return body


def number_of(site, cell):
    return (cell[0] + 1) * site.width + cell[1] + 1


def marked(site, body):
    for index, cell in enumerate(body):
        site.cells[index] = number_of(site, cell)
        site.mark[site.cells[index]] = NUMBER


def total(site):
    return float(site.across.sum(dtype=float) + site.down.sum(dtype=float))


def poses_in(site, pieces=20):
    grid = site.grid.reshape(-1, site.width)[1:-1, 1:-1]
    return np.where(grid < 4 * pieces, grid, -1)


@settings(max_examples=300)
@given(KINDS, st.integers(1, 14), st.integers(1, 3), st.integers(0, 3), st.integers(0, 10**6))
def test_a_body_turns_and_is_weighed_as_by_hand(turns, size, turn, empty, seed):
    turn = 2 if turns == "half" else turn
    table = noise(turns)
    rng = np.random.default_rng(seed)
    poses = turning.random_board(rng, ROWS, COLUMNS, turns, 20, empty)
    site = site_of(table, poses)
    before = [array.copy() for array in (site.grid, site.place, site.across, site.down)]
    energy = total(site)
    body = random_body(rng, poses, size)
    marked(site, body)
    pivot, aim = (
        body[rng.integers(len(body))],
        (int(rng.integers(ROWS)), int(rng.integers(COLUMNS))),
    )
    expected = turning.body_turned(poses, body, pivot, aim, turn)
    where = number_of(site, pivot), number_of(site, aim)
    touched = turn_body(site, NUMBER, len(body), *where, turn)
    if expected is None:
        assert touched == 0
        np.testing.assert_array_equal(site.grid, before[0])
        return
    np.testing.assert_array_equal(poses_in(site), expected)
    assert sorted(pose // 4 for pose in expected[expected >= 0]) == sorted(
        pose // 4 for pose in poses[poses >= 0]
    )
    changed = np.flatnonzero(site.grid != before[0])
    assert set(changed.tolist()) <= set(site.cells[:touched].tolist())
    assert len(set(site.cells[:touched].tolist())) == touched
    # All of the body has turned and lies as it lay.
    then, now = (
        {cell: pose for cell, pose in turning.as_cells(whole).items() if pose // 4 in members}
        for members in [{poses[cell] // 4 for cell in body}]
        for whole in (poses, expected)
    )
    anchor = poses[body[0]] // 4
    assert turning.seen_from(now, anchor) == turning.seen_from(then, anchor)
    # It costs what it costs when it is priced anew.
    anew = site_of(table, expected)
    has = kernels.held_energy(site, NUMBER, touched) + total(anew) - energy
    assert kernels.is_dearer(table.arrays, site, NUMBER, touched, has - 0.001)
    assert not kernels.is_dearer(table.arrays, site, NUMBER, touched, has + 0.001)
    if seed % 2:  # a move that is not made
        for index in range(touched):
            site.grid[site.cells[index]] = site.before[index]
        for found, held in zip(
            (site.grid, site.place, site.across, site.down), before, strict=True
        ):
            np.testing.assert_array_equal(found, held)
        return
    kernels.settle(site, NUMBER, touched)
    np.testing.assert_array_equal(site.across, anew.across)
    np.testing.assert_array_equal(site.down, anew.down)
    there = expected[expected >= 0] // 4
    np.testing.assert_array_equal(site.place[there], anew.place[there])


def test_parts_that_change_places_stay_whole():
    # Two by two, upright and upside down: each takes the place of the other, turned.
    poses = 4 * np.arange(20, dtype=np.int32).reshape(ROWS, COLUMNS)
    body = [(0, 0), (0, 1), (1, 0), (1, 1)]
    site = site_of(noise("half"), poses)
    marked(site, body)
    turn_body(site, NUMBER, 4, number_of(site, (0, 0)), number_of(site, (3, 4)), 2)
    found = poses_in(site)
    np.testing.assert_array_equal(found[2:, 3:], turning.turned_whole(poses[:2, :2], 2))
    np.testing.assert_array_equal(found[:2, :2], turning.turned_whole(poses[2:, 3:], 2))


@pytest.mark.parametrize("held", [(0, 1), (3, 3)])
def test_what_must_stay_is_not_turned(held):
    poses = turning.random_board(np.random.default_rng(1), ROWS, COLUMNS, "quarter")
    site = site_of(noise("quarter"), poses)
    body = [(0, 0), (0, 1)]
    marked(site, body)
    site.still[number_of(site, held)] = True
    where = number_of(site, (0, 0)), number_of(site, (2, 3))  # the other goes to (3, 3)
    assert turn_body(site, NUMBER, 2, *where, 1) == 0
    np.testing.assert_array_equal(poses_in(site), poses)
    site.still[:] = False
    assert turn_body(site, NUMBER, 2, *where, 1) == 4


def test_energies_are_known_of_seams_that_are_scored():
    for turns in ("half", "quarter"):
        table = noise(turns)
        arrays = table.arrays._replace(scored=np.minimum(table.arrays.scored, 3))
        poses = turning.random_board(np.random.default_rng(1), ROWS, COLUMNS, turns)
        site = site_of(SeamTable(arrays), poses)
        unlisted = 0
        for first in range(0, 80, 4 // len(turning.WAYS[turns])):
            for second in range(0, 80, 12 // len(turning.WAYS[turns])):
                if first // 4 == second // 4:
                    continue
                for toward in (1, 3):
                    exact = sites.energy(arrays, site, first, toward, second)
                    found = hints.energy_if_scored(arrays, site, first, toward, second)
                    if found == hints.NOT_SCORED:
                        unlisted += 1
                        found = hints.energy_unscored(arrays, site, first, toward, second)
                        assert found > site.scale.least_unscored
                    assert found == exact
        assert unlisted > 300


@settings(max_examples=40)
@given(KINDS, st.integers(0, 3), st.sampled_from([0.001, 0.5, 4.0, 20.0]), st.integers(0, 10**6))
def test_what_is_noted_stays_true(turns, empty, degrees, seed):
    table = noise(turns)
    rng = np.random.default_rng(seed)
    poses = turning.random_board(rng, ROWS, COLUMNS, turns, 20, empty)
    work = Annealing(table, poses)
    site, before = work._site, total(work._site)
    with crew(1) as hands:
        bodies = work._parts(hands)
    active = (poses[poses >= 0] // 4).astype(np.int32)
    moves = kernels.Moves(active, bodies, 0.3, degrees, np.uint64(seed))
    for first in (0, 700):
        kernels.anneal(table.arrays, site, moves, first, first + 700)
    found = work.arrangement()
    assert sorted(found[found >= 0] // 4) == sorted(active)
    assert set(np.unique(found[found >= 0] % 4)) <= set(turning.WAYS[turns])
    anew = site_of(table, found)
    np.testing.assert_array_equal(anew.across, site.across)
    np.testing.assert_array_equal(anew.down, site.down)
    np.testing.assert_array_equal(anew.place[active], site.place[active])
    assert (found != poses).any() or total(site) == before
    if degrees < 0.01:
        assert total(site) <= before + 0.1
    cheapest, cost = work.cheapest()
    assert cost == table.cost_of(cheapest) == min(table.cost_of(poses), table.cost_of(found))


@pytest.fixture(scope="module", params=["half", "quarter"])
def waves(request):
    """Return the table of a texture whose pieces are turned, the truth, and the turns."""
    puzzle, truth = turning.turned_puzzle(3, 8, 9, (10, 10), request.param)
    table = table_of(puzzle.pieces, 12, measure=EXTRAPOLATION, turns=request.param)
    return looked_up(table), truth, request.param


def annealed(table, poses, moves=400, threads=1):
    work = Annealing(table, poses)
    with crew(threads) as hands:
        work.run(moves, np.random.default_rng(1), hands)
    return work.cheapest()[0]


def test_parts_that_are_turned_and_exchanged_find_back(waves):
    table, truth, turns = waves
    turn = turning.WAYS[turns][1]
    wrong = truth.copy()
    wrong[1:3, 1:3] = turning.turned_whole(truth[5:7, 6:8], turn)
    wrong[5:7, 6:8] = turning.turned_whole(truth[1:3, 1:3], turn)
    wrong[4, 4] = turning.turned_pose(truth[4, 4], 2)
    found = annealed(table, wrong)
    np.testing.assert_array_equal(found, truth)
    np.testing.assert_array_equal(annealed(table, wrong, threads=2), found)


def test_a_large_part_is_turned_as_a_known_body(waves, monkeypatch):
    table, truth, _ = waves
    wrong = truth.copy()
    wrong[:, 4:] = turning.turned_whole(truth[:, 4:], 2)
    monkeypatch.setattr(annealing, "temperature", lambda stage: 1e-6)
    monkeypatch.setattr(annealing, "BODILY", 1.0)
    np.testing.assert_array_equal(annealed(table, wrong, 100), truth)
