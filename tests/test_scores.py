import naive
import numpy as np
import pytest
from helpers import random_pieces
from hypothesis import given, settings
from hypothesis import strategies as st

from jigsolve import Board, InputError, Puzzle, score, score_pictures
from jigsolve.scores.looks import look_alikes


class Found:
    """As much of a solution as scoring looks at."""

    turns = None

    def __init__(self, puzzle, arrangement):
        self.puzzle, self.arrangement = puzzle, arrangement


@settings(max_examples=60)
@given(st.integers(1, 5), st.integers(2, 5), st.integers(0, 10**6), st.integers(1, 30))
def test_scores_by_counting(rows, columns, seed, kinds):
    rng = np.random.default_rng(seed)
    n = rows * columns
    looks = rng.integers(0, kinds, n)
    pieces = random_pieces(np.random.default_rng(1), 30, 2, 2)[looks]
    truth = rng.permutation(n).reshape(rows, columns)
    cells = truth.ravel().copy()
    for _ in range(rng.integers(0, 4)):
        i, j = rng.integers(0, n, 2)
        cells[i], cells[j] = cells[j], cells[i]
    found = cells.reshape(rows, columns)
    scores = score(Found(Puzzle(pieces, Board(rows, columns)), found), truth).as_dict()
    expected = naive.scores(found.tolist(), truth.tolist(), looks.tolist())
    for name, value in expected.items():
        assert scores[name] == pytest.approx(value), name
    assert scores["perfect"] == (expected["direct_aware"] == 1)


def test_a_shift_costs_direct_but_hardly_neighbour():
    puzzle = Puzzle(random_pieces(np.random.default_rng(0), 100), Board(10, 10))
    truth = np.arange(100).reshape(10, 10)
    scores = score(Found(puzzle, np.roll(truth, 1, axis=1)), truth)
    assert scores.direct == 0
    assert scores.neighbour == pytest.approx(170 / 180)


def test_look_alikes_are_equal_pixels():
    pieces = random_pieces(np.random.default_rng(0), 5)[[0, 1, 0, 2, 1]]
    kinds = look_alikes(pieces)
    assert kinds[0] == kinds[2] != kinds[1] == kinds[4] != kinds[3]


def test_pictures_without_look_alikes_score_exactly():
    rng = np.random.default_rng(3)
    original = Puzzle(random_pieces(rng, 24), Board(4, 6))
    found = rng.permutation(24).reshape(4, 6)
    found[:2, :3] = [[0, 1, 2], [6, 7, 8]]
    found = np.array(list(dict.fromkeys([*found.ravel(), *range(24)]))[:24]).reshape(4, 6)
    solved = Puzzle(original.pieces[found.ravel()], original.board)
    exact = score(Found(original, found), np.arange(24).reshape(4, 6))
    assert score_pictures(original, solved) == exact


def test_strict_scores_of_pictures_are_the_mean_over_numberings():
    rng = np.random.default_rng(5)
    looks = np.array([0, 1, 0, 2, 0, 1, 3, 4, 5])
    original = Puzzle(random_pieces(rng, 9)[looks], Board(3, 3))
    truth = np.arange(9).reshape(3, 3)
    found = np.array([[0, 1, 2], [3, 5, 4], [6, 7, 8]])
    solved = Puzzle(original.pieces[found.ravel()], original.board)
    samples = []
    for _ in range(1500):
        dealt = found.copy()
        for kind in set(looks):
            cells = np.isin(found, np.flatnonzero(looks == kind))
            dealt[cells] = rng.permutation(dealt[cells])
        sample = score(Found(original, dealt), truth)
        samples.append((sample.neighbour, sample.direct))
    scores = score_pictures(original, solved)
    expected = np.mean(samples, axis=0)
    assert (scores.neighbour, scores.direct) == pytest.approx(tuple(expected), abs=0.015)


def test_a_perfect_flat_picture():
    flat = Puzzle(np.full((6, 2, 2, 3), 9, np.uint8), Board(2, 3))
    scores = score_pictures(flat, flat)
    assert scores.perfect
    assert scores.neighbour_aware == scores.direct_aware == 1
    assert scores.direct == pytest.approx(1 / 6)


def test_pictures_of_other_sizes_or_pieces_are_refused():
    rng = np.random.default_rng(0)
    original = Puzzle(random_pieces(rng, 6), Board(2, 3))
    with pytest.raises(InputError, match=r"expected a solved picture of 3 x 2 .* found 1 x 6"):
        score_pictures(original, Puzzle(original.pieces, Board(6, 1)))
    with pytest.raises(InputError, match="found 6 of 6 that are not among them"):
        score_pictures(original, Puzzle(255 - original.pieces, Board(2, 3)))


def test_a_piece_used_twice_is_refused():
    original = Puzzle(random_pieces(np.random.default_rng(0), 6), Board(2, 3))
    repeated = Puzzle(original.pieces[[0, 1, 2, 3, 4, 4]], original.board)
    with pytest.raises(InputError, match="found 1 of 6 that are not among them"):
        score_pictures(original, repeated)


def test_truth_must_be_complete():
    puzzle = Puzzle(random_pieces(np.random.default_rng(0), 6), Board(2, 3))
    with pytest.raises(InputError, match="each of 6 pieces once"):
        score(Found(puzzle, np.arange(6).reshape(2, 3)), np.zeros((2, 3), int))
