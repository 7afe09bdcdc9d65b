"""Scores where pieces are turned, against slow ones that look at pixels."""

import dataclasses

import numpy as np
import pytest
import slow_scores
from hypothesis import given, settings
from hypothesis import strategies as st

from jigsolve import Board, InputError, Puzzle, score, score_pictures
from jigsolve.core.turns import Placement, possible_turns
from jigsolve.scores.scores import score_arrangement, strict_ceiling, wrong_seams


def pieces_with_symmetries(rng, count, height, width):
    """Return black and white pieces: some are equal, some once turned, some to themselves."""
    kinds = rng.integers(0, 2, (6, height, width)) * 255
    kinds[0] = 0
    kinds[1] = np.rot90(kinds[2], 2)
    pieces = kinds[rng.integers(0, 6, count)]
    if height == width:
        pieces = np.stack([np.rot90(piece, rng.integers(4)) for piece in pieces])
    return np.repeat(pieces[..., None], 3, axis=3).astype(np.uint8)


def drawn(seed, board, turns, holes=0):
    """Return a puzzle, its truth and something found that is partly right."""
    rng = np.random.default_rng(seed)
    shape = (2, 2) if turns == "quarter" else (2, 3)
    cells = board[0] * board[1]
    holes = min(holes, cells - 2)
    pieces = pieces_with_symmetries(rng, cells - holes, *shape)
    puzzle = Puzzle(pieces, board, holes=holes, turns=turns)

    def some(order):
        ids = np.append(order, np.full(holes, -1))
        posed = rng.choice([*possible_turns(turns)], cells)
        return Placement(ids.reshape(board), np.where(ids < 0, 0, posed).reshape(board))

    truth = some(rng.permutation(cells - holes))
    found = Placement(truth.pieces.copy(), truth.turns.copy())
    for _ in range(rng.integers(0, 5)):
        one, other = (tuple(rng.integers(0, side) for side in board) for _ in "ab")
        for grid in found:
            grid[one], grid[other] = grid[other], grid[one]
        if found.pieces[one] >= 0:
            found.turns[one] = rng.choice([*possible_turns(turns)])
    return puzzle, truth, found.turned(int(rng.choice(fitting(board, turns))))


def fitting(board, turns):
    """Return the turns in which a board fits itself."""
    return [t for t in possible_turns(turns) if t % 2 == 0 or board[0] == board[1]]


BOARDS = st.tuples(st.integers(1, 4), st.integers(1, 4)).filter(lambda b: b[0] * b[1] > 1)
TURNS = st.sampled_from(["none", "half", "quarter"])


@settings(max_examples=150)
@given(BOARDS, TURNS, st.integers(0, 10**6), st.integers(0, 3))
def test_scores_are_those_of_the_definition(board, turns, seed, holes):
    puzzle, truth, found = drawn(seed, board, turns, holes)
    seams = slow_scores.strict_seams(puzzle.pieces, truth)
    if not seams:
        with pytest.raises(InputError, match="two pieces side by side"):
            score_arrangement(puzzle, found, truth)
        return
    expected = slow_scores.scores(puzzle.pieces, found, truth, possible_turns(turns))
    assert score_arrangement(puzzle, found, truth).as_dict() == pytest.approx(expected)


@settings(max_examples=60)
@given(BOARDS, TURNS, st.integers(0, 10**6))
def test_the_truth_is_perfect_however_the_whole_is_turned(board, turns, seed):
    rng = np.random.default_rng(seed)
    shape = (3, 3) if turns == "quarter" else (2, 3)
    count = board[0] * board[1]
    pieces = rng.integers(0, 256, (count, *shape, 3)).astype(np.uint8)
    puzzle, truth = Puzzle(pieces, board).shuffle(seed, turns)
    truth = truth if isinstance(truth, Placement) else Placement(truth, np.zeros_like(truth))
    for turn in fitting(board, turns):
        scores = score_arrangement(puzzle, truth.turned(turn), truth)
        assert scores.perfect
        assert (scores.neighbour, scores.direct) == (1, 1)
        assert scores.turn == -turn % 4


@settings(max_examples=60)
@given(BOARDS, TURNS, st.integers(0, 10**6), st.integers(0, 3))
def test_wrong_seams_are_those_nobody_sees_in_the_truth(board, turns, seed, holes):
    puzzle, truth, found = drawn(seed, board, turns, holes)
    possible = possible_turns(turns)
    true = set(slow_scores.seen_seams(puzzle.pieces, truth, possible))
    across, down = wrong_seams(puzzle, found, truth)
    for wrong, (rows, columns) in ((across, (1, 2)), (down, (2, 1))):
        for (row, column), is_wrong in np.ndenumerate(wrong):
            window = np.s_[row : row + rows, column : column + columns]
            pair = Placement(found.pieces[window], found.turns[window])
            seam = slow_scores.seen_seams(puzzle.pieces, pair, possible)
            assert is_wrong == bool(seam and seam[0] not in true)


@pytest.mark.parametrize("turns", ["half", "quarter"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_ceiling_is_the_mean_over_dealings(turns, seed):
    puzzle, truth, _ = drawn(seed, (3, 3), turns, 1)
    rng = np.random.default_rng(seed)
    possible = possible_turns(turns)
    seams = slow_scores.strict_seams(puzzle.pieces, truth)
    cells = slow_scores.cells_of(puzzle.pieces, truth)
    samples = []
    for _ in range(1500):
        dealt = slow_scores.dealt(puzzle.pieces, truth, possible, rng)
        shared = slow_scores.in_common(slow_scores.strict_seams(puzzle.pieces, dealt), seams)
        mine = slow_scores.cells_of(puzzle.pieces, dealt)
        right = sum(mine[cell] == cells[cell] for cell in cells)
        samples.append((shared / len(seams), right / len(cells)))
    ceiling = strict_ceiling(puzzle, truth)
    expected = tuple(np.mean(samples, axis=0))
    assert (ceiling.neighbour, ceiling.direct) == pytest.approx(expected, abs=0.02)
    assert ceiling.perfect
    assert ceiling.neighbour_aware == ceiling.direct_aware == 1


def test_without_look_alikes_a_perfect_picture_can_score_everything():
    pieces = np.random.default_rng(0).integers(0, 256, (12, 3, 3, 3)).astype(np.uint8)
    puzzle, truth = Puzzle(pieces, Board(3, 4)).shuffle(1, "quarter")
    ceiling = strict_ceiling(puzzle, truth)
    assert (ceiling.neighbour, ceiling.direct) == (1, 1)


def test_a_solution_is_scored_with_its_turns():
    pieces = np.random.default_rng(0).integers(0, 256, (12, 3, 3, 3)).astype(np.uint8)
    puzzle, truth = Puzzle(pieces, Board(3, 4)).shuffle(1, "quarter")

    class Found:
        arrangement, turns, placement = *truth, truth

    Found.puzzle = puzzle
    assert score(Found, truth).perfect
    Found.turns = None  # a solver that knows no turns
    scores = score(Found, truth)
    assert scores.direct == pytest.approx((truth.turns == 0).mean())
    assert scores.neighbour < 0.3


@settings(max_examples=80)
@given(BOARDS, TURNS, st.integers(0, 10**6))
def test_pictures_are_scored_by_what_is_seen(board, turns, seed):
    """Aware scores are as with known pieces; strict ones are no higher than the ceiling."""
    puzzle, truth, found = drawn(seed, board, turns)
    upright = dataclasses.replace(puzzle, turns=turns)
    original = Puzzle.cut(upright.image(*truth), puzzle.piece_size)
    flat = Puzzle(puzzle.pieces, found.pieces.shape, turns=turns)
    solved = Puzzle.cut(flat.image(*found), puzzle.piece_size)
    scores = score_pictures(original, solved)
    if scores.turn is None:  # it has the original's pieces as they are: not taken for turned
        return
    known = score_arrangement(puzzle, found, truth)
    assert scores.neighbour_aware == pytest.approx(known.neighbour_aware)
    assert scores.direct_aware == pytest.approx(known.direct_aware)
    assert scores.perfect == known.perfect
    ceiling = strict_ceiling(puzzle, truth)
    assert 0 <= scores.direct <= ceiling.direct + 1e-9


@pytest.mark.parametrize("seed", [3, 5, 8])
def test_strict_scores_of_turned_pictures_are_the_mean_over_numberings(seed):
    puzzle, truth, found = drawn(seed, (3, 3), "quarter")
    original = Puzzle.cut(puzzle.image(*truth), puzzle.piece_size)
    solved = Puzzle.cut(puzzle.image(*found), puzzle.piece_size)
    scores = score_pictures(original, solved)
    assert scores.turn is not None  # some piece is turned
    rng = np.random.default_rng(seed)
    seams = slow_scores.strict_seams(puzzle.pieces, truth)
    samples = [
        slow_scores.in_common(
            slow_scores.strict_seams(
                puzzle.pieces, slow_scores.dealt(puzzle.pieces, found, range(4), rng)
            ),
            seams,
        )
        for _ in range(1500)
    ]
    assert scores.neighbour == pytest.approx(np.mean(samples) / len(seams), abs=0.02)


def test_a_turned_picture_says_by_how_much():
    picture = np.random.default_rng(2).integers(0, 256, (30, 40, 3)).astype(np.uint8)
    original = Puzzle.cut(picture, 10)
    for turn in range(4):
        solved = Puzzle.cut(np.rot90(picture, turn), 10)
        scores = score_pictures(original, solved)
        assert scores.perfect
        assert scores.turn == (turn or None)
    with pytest.raises(InputError, match="found 12 of 12 that are not among them"):
        score_pictures(original, Puzzle.cut(255 - picture, 10))
    rectangles = Puzzle.cut(picture, (10, 5))
    turned = score_pictures(rectangles, Puzzle.cut(picture[::-1, ::-1], (10, 5)))
    assert (turned.perfect, turned.turn) == (True, 2)
    with pytest.raises(InputError, match="expected a solved picture of 8 x 3"):
        score_pictures(rectangles, Puzzle.cut(np.rot90(picture), (10, 5)))
