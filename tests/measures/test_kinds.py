"""Sides that look the same are one kind: scored once, and one candidate among many."""

import naive
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jigsolve import Puzzle
from jigsolve._kernels.costs import FAR, seam_cost
from jigsolve._kernels.learned import COMPANY, enter_members
from jigsolve.measures import LEARNED
from jigsolve.measures.kinds import Kinds
from jigsolve.measures.proposals import listed
from jigsolve.parallel import crew
from jigsolve.pricing import seam_table

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


@given(scored_kinds(), st.integers(1, 12))
def test_every_kind_has_a_candidate_and_the_cheapest_have_more(scored, room):
    near, far, seams = scored
    pieces = len(near.first)
    ordered = sorted(seams, key=lambda pair: (pair[0], seams[pair], pair[1]))
    starts = np.searchsorted([one for one, _ in ordered], np.arange(pieces + 1))
    partners = np.full((4 * pieces, room), -1, np.int32)
    costs = np.full((4 * pieces, room), np.inf, np.float32)
    found = np.zeros(4 * pieces, np.int32)
    theirs = np.array([other for _, other in ordered])
    seam_costs = np.array([seams[pair] for pair in ordered], np.float32)
    members = far.members, far.starts
    enter_members(1, near.first, starts, theirs, seam_costs, *members, partners, costs, found)
    for piece in range(pieces):
        row = 4 * piece + 1
        count = found[row]
        listed = partners[row, :count] // 4
        assert (partners[row, :count] % 4 == 0).all()
        assert (np.diff(costs[row, :count]) >= 0).all()
        assert piece not in listed
        assert len(set(listed.tolist())) == count
        own = [(seams[pair], pair[1]) for pair in ordered if pair[0] == near.first[piece]]
        own = own[:room]
        for cost, kind in own:
            of_kind = listed[far.first[listed] == kind]
            others = far.many[kind] - (far.first[piece] == kind)
            assert min(others, 1) <= len(of_kind) <= min(others, 1 + COMPANY)
            assert (costs[row, :count][far.first[listed] == kind] == cost).all()
        wanted = sum(min(far.many[kind] - (far.first[piece] == kind), 8) for _, kind in own)
        cut_short = sum(far.first[piece] == kind for _, kind in own)
        assert min(wanted, room) - cut_short <= count <= min(wanted, room)


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
            one, other = (seam_cost(seams, s, partner) for s in (side, twin))
            assert one == other or min(one, other) > FAR
            compared += side != twin
    assert compared > 500


def test_right_partners_are_listed_though_many_look_alike(sky):
    seams, truth = sky
    across = [
        seam_cost(seams, 4 * one + 1, 4 * other)
        for one, other in zip(truth[:, :-1].flat, truth[:, 1:].flat, strict=True)
    ]
    assert max(across) <= FAR
    assert np.bincount(seams.twins).max() > listed(144)
