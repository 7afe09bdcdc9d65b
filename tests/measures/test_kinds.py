"""Sides that look the same are one kind: scored once, and one candidate among many."""

import naive
import numpy as np
import pytest
from asking import seam_cost
from helpers import seam_table
from hypothesis import given, settings
from hypothesis import strategies as st

from jigsolve import Puzzle
from jigsolve._kernels.costs import FAR
from jigsolve._kernels.learned import COMPANY, enter_members
from jigsolve.execution.crew import crew
from jigsolve.measures import LEARNED
from jigsolve.measures.kinds import Kinds, first_of_same
from jigsolve.measures.proposals import listed

few = st.integers(0, 2)


@given(st.lists(st.tuples(few, few, few), min_size=1, max_size=30))
def test_kinds_are_those_with_the_same_pixels_and_traits(pieces):
    lines = np.array([[[[a, b, 0]]] for a, b, _ in pieces], np.uint8)
    traits = np.array([trait for _, _, trait in pieces])
    for kinds, keys in (
        (Kinds.of(lines), [piece[:2] for piece in pieces]),
        (Kinds.of(lines, [traits, 2 - traits]), pieces),
    ):
        first, many, members = naive.kinds(keys)
        assert kinds.first.tolist() == first
        assert kinds.many.tolist() == many
        found = np.split(kinds.members, kinds.starts[1:-1])
        assert [group.tolist() for group in found] == members


def test_things_whose_words_are_the_same_by_chance_are_told_apart():
    things = np.array([4, 7, 4, 4, 7])
    first = first_of_same(
        np.zeros(5, np.uint64), lambda ones, others: things[ones] == things[others]
    )
    assert first.tolist() == [0, 1, 0, 0, 4]  # two that are the same may be taken for two


@st.composite
def scored_kinds(draw):
    """Draw kinds of near and far sides, and costs of some seams between them."""
    pieces = draw(st.integers(2, 12))
    group = st.lists(st.integers(0, 3), min_size=pieces, max_size=pieces)
    near, far = (Kinds(np.array(naive.kinds(draw(group))[0])) for _ in range(2))
    pairs = [(i, j) for i in np.unique(near.first) for j in np.unique(far.first)]
    chosen = draw(st.lists(st.sampled_from(pairs), min_size=1, unique=True))
    costs = draw(st.lists(st.integers(0, 9), min_size=len(chosen), max_size=len(chosen)))
    return near, far, dict(zip(chosen, costs, strict=True))


def entered(near, far, seams, room):
    """Return the candidates of right sides and their costs, a list for each piece."""
    pieces = len(near.first)
    ordered = sorted(seams, key=lambda pair: (pair[0], seams[pair], pair[1]))
    starts = np.searchsorted([one for one, _ in ordered], np.arange(pieces + 1))
    partners = np.full((4 * pieces, room), -1, np.int32)
    costs = np.full((4 * pieces, room), np.inf, np.float32)
    scored = np.zeros(4 * pieces, np.int32)
    theirs = np.array([other for _, other in ordered])
    seam_costs = np.array([seams[pair] for pair in ordered], np.float32)
    facing = far.first, far.members, far.starts
    enter_members(0, 1, 0, near.first, starts, theirs, seam_costs, *facing, partners, costs, scored)
    assert (partners[scored[:, None] > np.arange(room)] % 4 == 0).all()
    return [
        (partners[row, : scored[row]] // 4, costs[row, : scored[row]])
        for row in range(1, 4 * pieces, 4)
    ]


@settings(max_examples=300)
@given(scored_kinds(), st.integers(2, 12))
def test_every_kind_has_a_candidate_and_all_that_there_is_room_for(scored, room):
    near, far, seams = scored
    for piece, (found, costs) in enumerate(entered(near, far, seams, room)):
        wanted = {
            other: seams[near.first[piece], far.first[other]]
            for other in range(len(near.first))
            if other != piece and (near.first[piece], far.first[other]) in seams
        }
        assert len(set(found.tolist())) == len(found)
        assert [wanted[other] for other in found.tolist()] == costs.tolist()
        assert (np.diff(costs) >= 0).all()
        if len(wanted) <= room:
            assert set(wanted) == set(found.tolist())
            continue
        kinds = far.first[list(wanted)]
        assert len(found) >= min(room - 1, len(wanted))
        assert len(set(far.first[found])) >= min(len(set(kinds)), room - 1)
        cheapest = min(wanted.values())
        equals = sum(cost == cheapest for cost in wanted.values())
        assert np.sum(costs == cheapest) >= min(equals, 2)


def test_cheap_kinds_leave_room_for_others_and_pieces_want_different_members():
    near = Kinds(np.zeros(200, np.int64))
    far = Kinds(np.repeat([0, 100], 100))
    lists = entered(near, far, {(0, 0): 1, (0, 100): 2}, 64)
    assert {len(listed) for listed, _ in lists} == {64}
    assert {int(np.sum(costs == 2)) for _, costs in lists} == {1 + COMPANY}
    members = np.concatenate([listed for listed, _ in lists])
    assert np.bincount(members)[100:].tolist() == [16] * 100


@pytest.fixture(scope="module")
def sky():
    """Cut a sky of few levels, a little brighter behind every seam to the right.

    Many sides are equal, and more of them are as bright as a side than its right partner is.
    """
    rng = np.random.default_rng(4)
    before = rng.integers(200, 204, (12, 12))
    behind = np.roll(before, 1, axis=1) + 1
    halves = np.stack([behind, before], axis=2).reshape(12, 24)
    picture = np.kron(halves, np.ones((28, 14))).astype(np.uint8)
    puzzle, truth = Puzzle.cut(np.repeat(picture[:, :, None], 3, axis=2), 28).shuffle(1)
    with crew(1) as hands:
        return seam_table(puzzle, np.arange(len(puzzle)), LEARNED, 64, hands).arrays, truth


def test_twins_cost_the_same(sky):
    seams, _ = sky
    rng = np.random.default_rng(1)
    sizes = np.bincount(seams.twins, minlength=len(seams.twins))
    compared = 0
    for side in np.flatnonzero(sizes[seams.twins] > 1):
        twin = rng.choice(np.flatnonzero(seams.twins == seams.twins[side]))
        for partner in 4 * rng.integers(0, len(sizes) // 4, 20) + (side % 4 ^ 1):
            if partner // 4 in (side // 4, twin // 4):
                continue
            assert seam_cost(seams, side, partner) == seam_cost(seams, twin, partner)
            compared += side != twin
    assert compared > 500


def test_the_table_says_what_a_look_up_does(sky):
    seams, _ = sky
    looked_up = [
        [seam_cost(seams, side, p) for p in row] for side, row in enumerate(seams.partners)
    ]
    np.testing.assert_array_equal(np.array(looked_up, np.float32), seams.costs)


def test_right_partners_are_listed_though_many_look_alike(sky):
    seams, truth = sky
    across = [
        seam_cost(seams, 4 * one + 1, 4 * other)
        for one, other in zip(truth[:, :-1].flat, truth[:, 1:].flat, strict=True)
    ]
    assert max(across) <= FAR
    assert np.bincount(seams.twins).max() > listed(144)
