"""The linear programmes, against what is obvious of small ones."""

import itertools
import sys

import numpy as np
import pytest
from helpers import random_pieces
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog
from skimage import data

from jigsolve import Board, InputError, Puzzle, Settings, Stop, score, solve
from jigsolve._kernels.segments import join
from jigsolve.assembly.joining import seams_of
from jigsolve.assembly.outside import Matches, join_outside, outside_ratios
from jigsolve.assembly.trees import known_clusters
from jigsolve.execution.stop import Stopped
from jigsolve.execution.work import working
from jigsolve.pricing.prepared import prepare
from jigsolve.pricing.settings import Pricing
from jigsolve.solvers.yu.matches import CLOSED, MUTUAL, UNCONTESTED, best_matches, filtered
from jigsolve.solvers.yu.programme import _places, met_matches, single_bodies
from jigsolve.solvers.yu.solver import worth_of


def noise(seed, board, turns="none", levels=256):
    pieces = random_pieces(np.random.default_rng(seed), board[0] * board[1], 3, 3, levels)
    with working(1) as work:
        puzzle = Puzzle(pieces, Board(*board), turns=turns)
        return prepare(puzzle, Pricing(measure="dissimilarity"), 0, work)


@given(
    st.lists(
        st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(-1, 1), st.floats(0.01, 1.0)),
        min_size=1,
        max_size=9,
    )
)
@settings(max_examples=60)
def test_places_violate_links_by_as_little_as_the_programme_itself_says(links):
    ends = np.array([(a, b) for a, b, _, _ in links])
    away = np.array([d for _, _, d, _ in links], float)
    weights = np.array([w for _, _, _, w in links])
    given = np.array([0.0, *[np.nan] * 4])
    places = _places(5, ends, away, weights, given, Stop())
    assert places[0] == 0.0
    free = ends[:, 0] != ends[:, 1]  # what links a body with itself does not depend on places
    found = (weights * np.abs(places[ends[:, 1]] - places[ends[:, 0]] - away))[free].sum()
    # The plain programme: places, and for each link how much it is too long or too short.
    count = len(links)
    matrix = np.zeros((count, 5 + 2 * count))
    for row, (a, b) in enumerate(ends):
        matrix[row, b] += 1
        matrix[row, a] -= 1
        matrix[row, 5 + row], matrix[row, 5 + count + row] = -1, 1
    costs = np.concatenate([np.zeros(5), weights * free, weights * free])
    bounds = [(0, 0), *[(None, None)] * 4, *[(0, None)] * (2 * count)]
    plain = linprog(costs, A_eq=matrix, b_eq=away, bounds=bounds)
    assert found == pytest.approx(plain.fun, abs=1e-6)


@given(seed=st.integers(0, 10**6), joins=st.integers(0, 6), levels=st.sampled_from([2, 256]))
@settings(max_examples=25)
def test_ratios_are_of_what_is_left(seed, joins, levels):
    table = noise(seed, (3, 4), levels=levels).table
    partners, costs = table.arrays.partners, table.arrays.costs.astype(float)
    clusters = known_clusters(table, Board(3, 4))
    for side in np.random.default_rng(seed).permutation(48)[:joins]:
        one, other = int(side), int(partners[side, 0])
        if clusters.segment[one // 4] != clusters.segment[other // 4]:
            join(clusters, one, other)
    ratios = outside_ratios(table, clusters)

    def can_touch(one, other):
        both_open = all(clusters.neighbours[s // 4, s % 4] == -1 for s in (one, other))
        return both_open and clusters.segment[one // 4] != clusters.segment[other // 4]

    def best_other(one, other):
        left = [
            costs[one, r]
            for r in range(partners.shape[1])
            if partners[one, r] != other and can_touch(one, int(partners[one, r]))
        ]
        return min([*left, max(costs[one, -1], 0.0)])

    for side, rank in itertools.product(range(48), range(partners.shape[1])):
        partner = int(partners[side, rank])
        if not can_touch(side, partner):
            assert ratios[side, rank] == np.inf
            continue
        rival = min(best_other(side, partner), best_other(partner, side))
        expected = (costs[side, rank] + 1e-15) / (rival + 1e-15)
        assert ratios[side, rank] == pytest.approx(expected, rel=1e-6)


def test_matches_that_can_all_be_met_are_met_and_others_give_way():
    """Four pieces in a square, and a match that would put one of them elsewhere."""
    sides = np.array([4 * 0 + 1, 4 * 2 + 1, 4 * 0 + 3, 4 * 1 + 3, 4 * 3 + 1])
    partners = np.array([4 * 1 + 0, 4 * 3 + 0, 4 * 2 + 2, 4 * 3 + 2, 4 * 0 + 0])
    matches = Matches(sides, partners, np.array([0.5, 0.5, 0.5, 0.5, 0.9]))
    for poses in (1, 2, 4):
        met = met_matches(single_bodies(4), matches, poses)
        assert met.tolist() == [True] * 4 + [False]


def slow_loops(matches, index):
    """Return whether a match closes a loop of four, and whether it contradicts one."""
    liked = dict(zip(matches.sides.tolist(), matches.partners.tolist(), strict=True))
    for _, one, other in sorted(
        zip(matches.ratios.tolist(), matches.sides.tolist(), matches.partners.tolist(), strict=True)
    ):
        liked.setdefault(other, one)
    clockwise = {0: 2, 2: 1, 1: 3, 3: 0}
    backward = {after: before for before, after in clockwise.items()}

    def turn(side, order):
        return side // 4 * 4 + order[side % 4]

    closes = contradicts = False
    for order, against in ((clockwise, backward), (backward, clockwise)):
        near = liked.get(turn(int(matches.sides[index]), order))
        far = liked.get(turn(int(matches.partners[index]), against))
        if near is None or far is None or turn(near, order) not in liked:
            continue
        if liked[turn(near, order)] == turn(far, against):
            closes = True
        else:
            contradicts = True
    return closes, contradicts


@given(seed=st.integers(0, 10**6))
@settings(max_examples=25)
def test_filters_keep_what_they_say(seed):
    table = noise(seed, (3, 3), levels=3).table
    matches = best_matches(outside_ratios(table, known_clusters(table, Board(3, 3))), table)
    liked = dict(zip(matches.sides.tolist(), matches.partners.tolist(), strict=True))
    count = range(len(matches.sides))
    loops = [slow_loops(matches, index) for index in count]
    kept = {
        MUTUAL: [i for i in count if liked.get(int(matches.partners[i])) == matches.sides[i]],
        CLOSED: [i for i in count if loops[i][0]],
        UNCONTESTED: [i for i in count if not loops[i][1]],
    }
    for which, expected in kept.items():
        found = filtered(matches, which, 36)
        np.testing.assert_array_equal(found.sides, matches.sides[expected])


@given(seed=st.integers(0, 10**6))
@settings(max_examples=15)
def test_worth_counts_good_seams_and_bad_ones(seed):
    table = noise(seed, (3, 4), levels=4).table
    grid = 4 * np.random.default_rng(seed).permutation(12).reshape(3, 4).astype(np.int32)
    good = bad = 0
    partners, costs = table.arrays.partners, table.arrays.costs.astype(float)
    for side, partner in zip(*seams_of(grid), strict=True):
        others = [
            min(costs[a, r] for r in range(partners.shape[1]) if partners[a, r] != b)
            for a, b in ((side, partner), (partner, side))
        ]
        cost = costs[side][partners[side] == partner][0]
        ratio = (cost + 1e-15) / (min(others) + 1e-15)
        good, bad = good + (ratio <= 1.3), bad + (ratio > 13)
    assert worth_of(table, grid) == good - bad


def test_joining_what_is_left_goes_by_ratio():
    prepared = noise(5, (4, 4))
    clusters = known_clusters(prepared.table, prepared.puzzle.board)
    join_outside(prepared.table, clusters, 0.0)
    assert len(np.unique(clusters.segment)) == 16
    join_outside(prepared.table, clusters, 1e9)
    assert len(np.unique(clusters.segment)) < 16


def test_one_variant_alone_solves_an_easy_picture():
    puzzle, truth = Puzzle.cut(data.chelsea()[:140, :168], 28).shuffle(2)
    for variant in ("rigid", "free"):
        one = Settings.of("yu", variants=(variant,), filters=("mutual",))
        assert score(solve(puzzle, one), truth).perfect


@pytest.mark.parametrize(("name", "found"), [("variants", ()), ("filters", ("all",))])
def test_unknown_variants_and_filters_are_refused(name, found):
    with pytest.raises(InputError, match=f"{name}: expected some of"):
        Settings.of("yu", **{name: found})


def test_without_scipy_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "scipy.optimize", None)
    puzzle, _ = Puzzle.cut(data.chelsea()[:84, :84], 28).shuffle(2)
    with pytest.raises(InputError, match=r"expected SciPy, found none: pip install 'jigsolve\["):
        solve(puzzle, Settings.of("yu"))


def test_a_programme_ends_when_its_time_is_up():
    prepared = noise(3, (16, 20))
    matches = best_matches(
        outside_ratios(prepared.table, known_clusters(prepared.table, prepared.puzzle.board, None)),
        prepared.table,
    )
    asked = []

    class Hurried(Stop):
        def check(self):
            asked.append(self)  # it is in time to begin, and not to end

    with pytest.raises(Stopped, match="time"):
        met_matches(single_bodies(320), matches, 1, Hurried(seconds=1e-9))
    assert len(asked) == 1  # the second programme was not begun
