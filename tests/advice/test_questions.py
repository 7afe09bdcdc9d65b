"""Which seams are asked about, in which order, and what follows from answers."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from skimage import data

from jigsolve import Constraints, InputError, Puzzle, Settings, solve
from jigsolve.advice import assessed, implied, questions
from jigsolve.advice.borders import borders_of
from jigsolve.advice.seams import BoardSeams
from jigsolve.core.layout import laid_out


def seams_of(rng, rows, columns, cut):
    cells = np.arange(rows * columns).reshape(rows, columns)
    one = np.concatenate([cells[:, :-1].ravel(), cells[:-1].ravel()])
    other = np.concatenate([cells[:, 1:].ravel(), cells[1:].ravel()])
    is_below = np.arange(len(one)) >= rows * (columns - 1)
    # Sums of quarters are exact: borders that are as sure as each other are so here, too.
    chance = rng.integers(0, 5, len(one)) / 4
    parted = rng.random(len(one)) < cut
    nothing = np.zeros(len(one), bool)
    return BoardSeams(
        one, other, is_below, chance, nothing, parted, cells.size, columns, is_probability=True
    )


@given(st.integers(0, 2**32), st.integers(1, 5), st.integers(2, 5), st.sampled_from([0, 0.1]))
@settings(max_examples=80)
def test_the_surest_border_is_crossed_first(seed, rows, columns, cut):
    rng = np.random.default_rng(seed)
    seams = seams_of(rng, rows, columns, cut)
    part = seams.parts(0.9)
    found = [*borders_of(seams, part)]
    sizes = np.bincount(part, minlength=len(part))
    group = {int(p): {int(p)} for p in np.unique(part)}
    for border in found:  # each as a slow look at the groups of its time says
        one, other = (
            next(g for g in group.values() if part[end[border.seam]] in g)
            for end in (seams.one, seams.other)
        )
        means = {}
        for seam, ends in enumerate(zip(part[seams.one], part[seams.other], strict=True)):
            a, b = (next(i for i, g in enumerate(group.values()) if end in g) for end in ends)
            if a != b:
                means.setdefault(frozenset((a, b)), []).append(seam)
        allowed = {
            pair: np.mean(seams.chance[members])
            for pair, members in means.items()
            if not seams.parted[members].any()
        }
        pair = frozenset([*group.values()].index(g) for g in (one, other))
        assert border.chance == allowed[pair] == max(allowed.values())
        assert border.fewer == min(sum(sizes[p] for p in g) for g in (one, other))
        assert border.seam in means[pair]
        smaller = np.minimum(sizes[part[seams.one]], sizes[part[seams.other]])
        assert smaller[border.seam] == smaller[means[pair]].max()
        joined = one | other
        group = {name: g for name, g in group.items() if not g & joined}
        group[min(joined)] = joined
    left = [  # what is not crossed has a seam that does not hold
        (one, other)
        for one, other in zip(part[seams.one], part[seams.other], strict=True)
        if not any({one, other} <= g for g in group.values())
    ]
    assert bool(left) <= bool(seams.parted.any())


@pytest.fixture(scope="module")
def cat():
    # Two halves of a picture are in each other's place, and a piece is somewhere else.
    puzzle, truth = Puzzle.cut(data.chelsea()[:168, :224], 14).shuffle(3)
    prepared = solve(puzzle, Settings.of(population=12, generations=4, annealing=0)).prepared
    wrong = np.roll(truth, 5, axis=1)
    wrong[[2, 9], [12, 2]] = wrong[[9, 2], [2, 12]]
    return prepared, truth, wrong


def seam_at(arrangement, question):
    down = question.direction == "below"
    other = arrangement[question.row + down, question.column + (not down)]
    side = "bottom" if down else "right"
    return int(arrangement[question.row, question.column]), side, int(other)


def test_the_border_of_the_largest_part_comes_first(cat):
    prepared, _, wrong = cat
    found = assessed(prepared, wrong)
    asked = questions(found, 100, kinds=["seam"])
    assert (asked[0].column, asked[0].direction) == (4, "right")
    assert asked[0].gain > 5 * asked[1].gain
    assert [q.gain for q in asked] == sorted((q.gain for q in asked), reverse=True)
    assert all(q.probability < 0.95 for q in asked)
    assert questions(found, 1, kinds=["seam"]) == asked[:1]
    assert len({q[:3] for q in asked}) == len(asked)


def test_what_is_answered_is_not_asked_again(cat):
    prepared, truth, wrong = cat
    found = assessed(prepared, wrong)
    right = {
        (int(a), "right", int(b))
        for a, b in zip(truth[:, :-1].ravel(), truth[:, 1:].ravel(), strict=True)
    } | {
        (int(a), "bottom", int(b))
        for a, b in zip(truth[:-1].ravel(), truth[1:].ravel(), strict=True)
    }
    joined, parted, asked = [], [], 0
    while open_ones := questions(found, 1, Constraints(joined, parted), ["seam"]):
        seam = seam_at(wrong, open_ones[0])
        assert seam not in joined + parted
        (joined if seam in right else parted).append(seam)
        asked += 1
    assert asked < 30
    assert parted


def test_a_parted_seam_parts_all_of_its_border_and_all_that_look_the_same(cat):
    prepared, truth, wrong = cat
    found = assessed(prepared, wrong)
    first = questions(found, 1, kinds=["seam"])[0]
    answered = Constraints(parted=[seam_at(wrong, first)])
    follows = implied(found, answered)
    assert set(answered.parted) < set(follows.parted)
    border = {(int(a), "right", int(b)) for a, b in zip(wrong[:, 4], wrong[:, 5], strict=True)}
    assert {seam[:3] for seam in follows.parted} <= border
    assert len(follows.parted) > 8
    again = solve(prepared, constraints=follows, start=wrong)
    assert laid_out(follows, prepared.puzzle).violated(again.arrangement) == 0
    np.testing.assert_array_equal(again.arrangement, truth)


def test_pieces_that_look_the_same_are_parted_alike():
    photo = data.chelsea()[:56, :70].copy()
    photo[14:28, 14:28] = photo[28:42, 42:56]  # pieces 6 and 13 of 5 a row
    prepared = solve(
        Puzzle.cut(photo, 14), Settings.of(population=6, generations=0, annealing=0)
    ).prepared
    found = assessed(prepared, np.arange(20).reshape(4, 5))
    answered = Constraints(parted=[(0, "top", 6)], joined=[(13, "bottom", 1)])
    follows = implied(found, answered)
    assert {seam[:3] for seam in follows.parted} == {(0, "top", 6), (0, "top", 13)}
    answered = Constraints(parted=[(6, "left", 13)])  # nobody lies beside itself
    assert {s[:3] for s in implied(found, answered).parted} == {(6, "left", 13), (13, "left", 6)}
    answered = Constraints(
        parted=[(0, "top", 6)], joined=[(13, "bottom", 0)]
    )  # from its other side
    assert {seam[:3] for seam in implied(found, answered).parted} == {(0, "top", 6)}


@pytest.mark.parametrize("measure", ["dissimilarity", "mgc", "extrapolation"])
def test_without_probabilities_costs_say_what_to_ask(measure):
    puzzle, truth = Puzzle.cut(data.chelsea()[:168, :224], 14).shuffle(3)
    chosen = Settings.of(population=6, generations=0, annealing=0, measure=measure)
    prepared = solve(puzzle, chosen).prepared
    wrong = np.roll(truth, 5, axis=1)
    asked = questions(assessed(prepared, wrong), 20, kinds=["seam"])
    assert all(q.probability is None and q.gain >= 0 for q in asked)
    assert (4, "right") in [q[1:3] for q in asked[:3]]


def test_turned_pieces_and_empty_cells(cat):
    puzzle, truth = Puzzle.cut(data.chelsea()[:112, :140], 14).shuffle(3, turns="quarter")
    prepared = solve(puzzle, Settings.of(population=6, generations=0, annealing=0)).prepared
    pieces, turns = np.roll(truth.pieces, 4, axis=1), np.roll(truth.turns, 4, axis=1)
    pieces[3, 3:6] = -1
    found = assessed(prepared, type(truth)(pieces, turns))
    asked = questions(found, 50, kinds=["seam"])
    assert asked[0][1:3] == (3, "right")
    for q in asked:
        down = q.direction == "below"
        assert pieces[q.row, q.column] >= 0
        assert pieces[q.row + down, q.column + (not down)] >= 0
    nothing = assessed(prepared, np.full(truth.pieces.shape, -1))
    assert questions(nothing) == []
    with pytest.raises(InputError, match="count: expected"):
        questions(nothing, 0)
