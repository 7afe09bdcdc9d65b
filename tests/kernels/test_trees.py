"""Clusters that grow along the surest seams, against a slow and obvious twin."""

import numpy as np
from helpers import random_pieces, table_of
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import STEP
from turning import pose_with, side_of

from jigsolve.assembly.frames import fullest_window, trimmed, ways_to_lie
from jigsolve.assembly.joining import Segment
from jigsolve.assembly.trees import join_surest, known_clusters, main_cluster, sure_seams
from jigsolve.core import Board
from jigsolve.measures import MGC

TURNS = st.sampled_from(["none", "half", "quarter"])


def some_table(n, seed, levels, turns, k=64):
    pieces = random_pieces(np.random.default_rng(seed), n, 3, 3, levels)
    return table_of(pieces, k, turns=turns)


@settings(max_examples=40)
@given(st.integers(2, 8), st.integers(0, 10**6), st.sampled_from([2, 256]), TURNS)
def test_ratios_compare_a_seam_with_the_best_other_of_both_sides(n, seed, levels, turns):
    table = some_table(n, seed, levels, turns)
    arrays = table.arrays
    costs = {
        (side, int(partner)): float(cost)
        for side in range(4 * n)
        for partner, cost in zip(arrays.partners[side], arrays.costs[side], strict=True)
    }
    expected = {}
    for (side, partner), cost in costs.items():
        others = [c for (s, p), c in costs.items() if s == side and p != partner]
        others += [c for (s, p), c in costs.items() if s == partner and p != side]
        rival = min(others, default=np.inf)
        ratio = (cost + 1e-15) / (rival + 1e-15)
        if ratio <= 1.25:
            expected[frozenset((side, partner))] = ratio
    sides, partners, ratios = sure_seams(table, 1.25)
    found = [frozenset(pair) for pair in zip(sides.tolist(), partners.tolist(), strict=True)]
    assert len(set(found)) == len(found)
    assert dict(zip(found, ratios.tolist(), strict=True)) == expected
    assert (np.diff(ratios) >= 0).all()


def joined_slowly(n, seams):
    """Join clusters, each a dictionary from cell to pose, along seams, in order."""
    clusters = {piece: {(0, 0): 4 * piece} for piece in range(n)}
    where = {piece: piece for piece in range(n)}
    for side, partner in seams:
        one, other = where[side // 4], where[partner // 4]
        if one == other:
            continue
        fixed, moved = clusters[one], clusters[other]
        (row, column), pose = next(item for item in fixed.items() if item[1] // 4 == side // 4)
        way = next(toward for toward in STEP if side_of(pose, toward) == side)
        there = (row + STEP[way][0], column + STEP[way][1])
        lies = next(p for p in moved.values() if p // 4 == partner // 4)
        turn = (pose_with(partner, way ^ 1) - lies) % 4
        for _ in range(turn):
            moved = {(c, -r): p // 4 * 4 + (p + 1) % 4 for (r, c), p in moved.items()}
        at = next(cell for cell, p in moved.items() if p // 4 == partner // 4)
        shifted = {(r + there[0] - at[0], c + there[1] - at[1]): p for (r, c), p in moved.items()}
        if there in fixed or set(shifted) & set(fixed):
            continue
        fixed |= shifted
        del clusters[other]
        for p in shifted.values():
            where[p // 4] = one
    return clusters.values()


def seams_of(cluster):
    """Return the sides that touch in a cluster: what is the same however it lies."""
    return {
        frozenset((side_of(pose, toward), side_of(other, toward ^ 1)))
        for (row, column), pose in cluster.items()
        for toward, (down, right) in STEP.items()
        if (other := cluster.get((row + down, column + right))) is not None
    }


@settings(max_examples=40)
@given(st.integers(2, 12), st.integers(0, 10**6), st.sampled_from([2, 256]), TURNS)
def test_clusters_are_joined_unless_they_would_overlap(n, seed, levels, turns):
    table = some_table(n, seed, levels, turns)
    sides, partners, _ = sure_seams(table, 1.25)
    clusters = known_clusters(table, Board(1, n))
    join_surest(clusters, sides, partners)
    slow = joined_slowly(n, list(zip(sides.tolist(), partners.tolist(), strict=True)))
    groups = {frozenset(p // 4 for p in cluster.values()) for cluster in slow}
    numbers = clusters.segment
    assert {
        frozenset(np.flatnonzero(numbers == number).tolist()) for number in np.unique(numbers)
    } == groups
    touching = {
        frozenset((side, int(partner)))
        for side, partner in enumerate(clusters.neighbours.ravel())
        if partner >= 0
    }
    assert touching == set().union(*(seams_of(cluster) for cluster in slow))
    assert len(main_cluster(clusters).pieces) == max(len(group) for group in groups)


@settings(max_examples=100)
@given(
    st.sets(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1),
    st.integers(1, 5),
    st.integers(1, 5),
)
def test_the_window_is_the_fullest(cells, rows, columns):
    places = np.array(sorted(cells))
    places -= places.min(axis=0)
    count, row, column = fullest_window(places, Board(rows, columns))

    def within(top, left):
        return sum(top <= r < top + rows and left <= c < left + columns for r, c in places)

    assert count == within(row, column)
    assert count == max(within(top, left) for top in range(-5, 11) for left in range(-5, 11))


def test_a_cluster_that_lies_across_is_turned():
    row = Segment(np.arange(4), np.array([(0, 0), (0, 1), (0, 2), (0, 3)]), np.zeros(4, np.int64))
    upright = trimmed(row, Board(4, 2), poses=4)
    np.testing.assert_array_equal(upright[:, 0], [1, 5, 9, 13])
    cut_off = trimmed(row, Board(4, 2), poses=1)
    np.testing.assert_array_equal(cut_off[0], [0, 4])
    assert (cut_off[1:] < 0).all()


def test_what_does_not_reach_across_lies_at_either_end():
    grid = np.full((3, 4), -1)
    grid[0, :3] = 0, 4, 8
    ways = ways_to_lie(grid)
    places = {tuple(np.argwhere(way == 0)[0].tolist()) for way in ways}
    assert places == {(0, 0), (0, 1), (2, 0), (2, 1)}
    assert len(ways_to_lie(np.zeros((2, 2)))) == 1
    assert len(ways_to_lie(np.full((2, 2), -1))) == 1


def test_equal_pieces_make_one_cluster():
    table = table_of(np.full((12, 4, 4, 3), 77, np.uint8), 64, measure=MGC)
    clusters = known_clusters(table, Board(3, 4))
    join_surest(clusters, *sure_seams(table, 1.25)[:2])
    assert len(main_cluster(clusters).pieces) == 12
