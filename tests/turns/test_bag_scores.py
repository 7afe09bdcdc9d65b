"""Scores of bags, against slow ones and by hand."""

import itertools

import numpy as np
import pytest
import slow_scores
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from test_turned_scores import pieces_with_symmetries

from jigsolve import InputError
from jigsolve.core.bag import Bag
from jigsolve.core.turns import Placement, possible_turns
from jigsolve.scores.bags import score_bag

TURNS = st.sampled_from(["none", "half", "quarter"])


def plain(*grids):
    return [Placement(np.array(grid), np.zeros(np.shape(grid), np.int8)) for grid in grids]


def noise(count):
    pieces = np.random.default_rng(0).integers(0, 256, (count, 3, 3, 3)).astype(np.uint8)
    return Bag(pieces)


def drawn(seed, turns):
    """Return a bag of pictures, and pictures found in it that are partly right."""
    rng = np.random.default_rng(seed)
    boards = [tuple(rng.integers(1, 4, 2)) for _ in range(rng.integers(1, 4))]
    cells = [rows * columns for rows, columns in boards]
    count = sum(cells) + int(rng.integers(0, 3))
    assume(count >= 2)
    shape = (2, 2) if turns == "quarter" else (2, 3)
    bag = Bag(pieces_with_symmetries(rng, count, *shape), turns=turns)
    order, begins = rng.permutation(count), np.cumsum([0, *cells])
    posed = rng.choice([*possible_turns(turns)], count)
    truth = []
    for board, begin in zip(boards, begins, strict=False):
        ids = order[begin : begin + board[0] * board[1]].reshape(board)
        ids = np.where(rng.random(board) < 0.1, -1, ids)
        truth.append(Placement(ids, np.where(ids >= 0, posed[ids], 0)))
    found = [Placement(np.pad(p.pieces, ((0, 0), (0, 1)), constant_values=-1).copy(),
                       np.pad(p.turns, ((0, 0), (0, 1))).copy()) for p in truth]  # fmt: skip
    for _ in range(rng.integers(0, 6)):
        one, other = rng.integers(0, len(found), 2)
        here, there = (
            tuple(rng.integers(0, side) for side in found[n].pieces.shape) for n in (one, other)
        )
        for mine, its in zip(found[one], found[other], strict=True):
            mine[here], its[there] = its[there], mine[here]
        if found[one].pieces[here] >= 0:
            found[one].turns[here] = rng.choice([*possible_turns(turns)])
    found = [p.turned(int(rng.choice([*possible_turns(turns)]))) for p in found]
    if rng.random() < 0.3:
        found = found[1:]
    return bag, found, truth


def in_place(bag, mine, true, is_right):
    """Return how many of the true cells are right, in each turn."""
    expected = slow_scores.cells_of(bag.pieces, true)
    counts = []
    for turn in possible_turns(bag.turns):
        seen = slow_scores.cells_of(bag.pieces, mine.turned(turn))
        counts.append(sum(c in seen and is_right(seen[c], p) for c, p in expected.items()))
    return counts


def slow_bag_scores(bag, found, truth):
    pieces, possible = bag.pieces, possible_turns(bag.turns)

    def alike(one, other):
        return np.array_equal(slow_scores.pixels(pieces, one), slow_scores.pixels(pieces, other))

    def ids(placement):
        return {piece for piece, _ in slow_scores.cells_of(pieces, placement).values()}

    def common(pairs):
        return sum(len(ids(truth[i]) & ids(found[j])) for i, j in enumerate(pairs) if j is not None)

    candidates = [*range(len(found)), *[None] * len(truth)]
    ways = {*itertools.permutations(candidates, len(truth))}
    most = max(common(pairs) for pairs in ways)
    total = sum(len(ids(true)) for true in truth)
    direct = set()
    for pairs in ways:
        if common(pairs) == most:
            strict = aware = 0
            for i, j in enumerate(pairs):
                if j is None or not ids(truth[i]) & ids(found[j]):
                    continue
                both = zip(
                    in_place(bag, found[j], truth[i], alike),
                    in_place(bag, found[j], truth[i], lambda one, other: one == other),
                    strict=True,
                )
                best = max(both)
                aware, strict = aware + best[0], strict + best[1]
            direct.add((strict / total, aware / total))

    def seams(of, placements):
        return [seam for placement in placements for seam in of(placement)]

    shares = []
    for of in (
        lambda placement: slow_scores.strict_seams(pieces, placement),
        lambda placement: slow_scores.seen_seams(pieces, placement, possible),
    ):
        true = seams(of, truth)
        shares.append(slow_scores.in_common(seams(of, found), true) / len(true) if true else None)
    return shares, direct


@settings(max_examples=100)
@given(TURNS, st.integers(0, 10**6))
def test_scores_are_those_of_the_definition(turns, seed):
    bag, found, truth = drawn(seed, turns)
    assume(any((true.pieces >= 0).any() for true in truth))
    (neighbour, aware), direct = slow_bag_scores(bag, found, truth)
    if neighbour is None:
        with pytest.raises(InputError, match="side by side"):
            score_bag(found, truth, bag)
        return
    scores = score_bag(found, truth, bag)
    assert scores.neighbour == pytest.approx(neighbour)
    assert scores.neighbour_aware == pytest.approx(aware)
    # Where several assignments share as many pieces, any of them will do.
    assert any((scores.direct, scores.direct_aware) == pytest.approx(pair) for pair in direct)
    assert (scores.pictures, scores.found) == (len(truth), len(found))


@settings(max_examples=60)
@given(TURNS, st.integers(0, 10**6))
def test_the_truth_is_perfect_in_any_order_and_turn(turns, seed):
    rng = np.random.default_rng(seed)
    bag, _, truth = drawn(seed, turns)
    truth = [true for true in truth if (true.pieces >= 0).sum() > 1]
    assume(any(len(slow_scores.strict_seams(bag.pieces, true)) for true in truth))
    order = rng.permutation(len(truth))
    found = [truth[i].turned(int(rng.choice([*possible_turns(turns)]))) for i in order]
    scores = score_bag(found, truth, bag)
    assert scores.perfect
    assert scores.neighbour == scores.direct_aware == scores.sedas == 1
    assert [order[j] for j in scores.matched] == list(range(len(truth)))


def test_pictures_are_matched_by_most_shared_pieces():
    bag, truth = noise(12), plain([[0, 1, 2, 3]], [[4, 5, 6, 7]])
    found = plain([[4, 5, 2, 7]], [[0, 1, 6, 3]], [[8, 9]])
    scores = score_bag(found, truth, bag)
    assert scores.matched == (1, 0)
    assert scores.direct == 6 / 8
    assert scores.neighbour == 2 / 6
    assert (scores.found, scores.pictures, scores.perfect) == (3, 2, False)
    assert scores.as_dict()["matched"] == [1, 0]


def test_a_picture_that_nothing_is_found_of():
    bag, truth = noise(8), plain([[0, 1], [2, 3]], [[4, 5]])
    scores = score_bag(plain([[0, 1], [2, 3]], [[6, 7]]), truth, bag)
    assert scores.matched == (0, None)
    assert scores.turns == (0, None)
    assert scores.direct == 4 / 6
    nothing = score_bag([], truth, bag)
    assert (nothing.direct, nothing.neighbour, nothing.sedas) == (0, 0, 0)
    assert nothing.matched == (None, None)


def test_a_merged_picture_counts_once():
    bag, truth = noise(8), plain([[0, 1, 2]], [[3, 4, 5]])
    scores = score_bag(plain([[0, 1, 2], [3, 4, 5]]), truth, bag)
    assert scores.direct == 3 / 6
    assert scores.neighbour == 1
    # Three right of three and three foreign ones; the other is in the second row.
    assert scores.sedas == pytest.approx((3 / 6 + 0) / 2)


def test_sedas_divides_by_foreign_pieces():
    bag, truth = noise(8), plain([[0, 1], [2, 3]])
    scores = score_bag(plain([[0, 1, 6], [2, 4, 7]]), truth, bag)
    assert scores.sedas == pytest.approx(3 / (4 + 3))
    assert scores.direct == 3 / 4


def test_sedas_shifts_as_far_as_the_corner_is_empty():
    bag, truth = noise(8), plain([[0, 1], [2, 3]])
    shifted = plain([[-1, 0, 1], [-1, 2, 3]])
    scores = score_bag(shifted, truth, bag)
    assert scores.direct == 0
    assert scores.sedas == 1
    held = plain([[5, 0, 1], [-1, 2, 3]])  # a stray in the corner
    assert score_bag(held, truth, bag).sedas == 0
    down = plain([[-1, -1], [-1, 0], [-1, 2]])
    assert score_bag(down, plain([[0], [2]]), bag).sedas == 1


@pytest.mark.parametrize(
    ("found", "truth", "words"),
    [
        ([[[0, 0]]], [[[0, 1]]], "found: expected each piece once, found one in two cells"),
        ([[[0, 1]], [[1, 2]]], [[[0, 1]]], "found: expected each piece once"),
        ([[[0, 9]]], [[[0, 1]]], "found: expected pieces from 0 to 7, found 9"),
        ([[0, 1]], [[[0, 1]]], "found: expected pieces as whole numbers of shape"),
        ([[[0, 1]]], [], "truth: expected pictures with pieces, found none"),
        ([[[0, 1]]], [[[0, -1, 1]]], "expected a truth with two pieces side by side"),
    ],
)
def test_what_is_no_picture_of_the_bag(found, truth, words):
    with pytest.raises(InputError, match=words):
        score_bag(plain(*found), plain(*truth), noise(8))
