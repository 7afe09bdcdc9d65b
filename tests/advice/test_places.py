"""Which pieces a cell may hold and where a piece may lie, against trying every one."""

import numpy as np
import pytest
from helpers import random_pieces
from hypothesis import given, settings
from hypothesis import strategies as st
from skimage import data

from jigsolve import Board, InputError, Placement, Puzzle, Settings, solve
from jigsolve.advice import candidates, fits

STEPS = ((0, -1), (0, 1), (-1, 0), (1, 0))
TURNS = {"none": (0,), "half": (0, 2), "quarter": (0, 1, 2, 3)}
UNSOLVED = {"population": 6, "generations": 0, "annealing": 0}


def prepared_noise(rng, turns, measure):
    rows, columns = int(rng.integers(1, 5)), int(rng.integers(2, 5))
    pieces = random_pieces(rng, rows * columns + 2, 5, 5)
    puzzle = Puzzle(pieces, Board(rows, columns), strays=2, turns=turns)
    return solve(puzzle, Settings.of(**UNSOLVED, measure=measure)).prepared


def some_placement(rng, prepared):
    rows, columns = prepared.puzzle.board
    pieces = rng.permutation(len(prepared.puzzle))[: rows * columns].reshape(rows, columns)
    pieces[rng.random(pieces.shape) < 0.3] = -1
    turns = rng.choice(TURNS[prepared.puzzle.turns], pieces.shape)
    return Placement(pieces, np.where(pieces >= 0, turns, 0))


def cost_there(prepared, placement, piece, turn, row, column):
    """Return what a piece's seams cost in a cell, one by one in an otherwise empty picture."""
    total, seams = 0.0, 0
    rows, columns = placement.pieces.shape
    for down, right in STEPS:
        r, c = row + down, column + right
        if not (0 <= r < rows and 0 <= c < columns) or placement.pieces[r, c] in (-1, piece):
            continue
        pair = np.array([[piece, placement.pieces[r, c]]])
        lie = np.array([[turn, placement.turns[r, c]]])
        if down + right < 0:
            pair, lie = pair[:, ::-1], lie[:, ::-1]
        if down:
            pair, lie = pair.T, lie.T
        total += prepared.plain.cost_of(prepared.poses(pair, lie))
        seams += 1
    return total, seams


@given(
    st.integers(0, 2**32),
    st.sampled_from([*TURNS]),
    st.sampled_from(["learned", "dissimilarity", "mgc"]),
)
@settings(max_examples=30)
def test_every_piece_in_a_cell_costs_what_its_seams_do(seed, turns, measure):
    rng = np.random.default_rng(seed)
    prepared = prepared_noise(rng, turns, measure)
    placement = some_placement(rng, prepared)
    row, column = (int(rng.integers(most)) for most in prepared.puzzle.board)
    found = candidates(prepared, placement, row, column, 10_000)
    expected = {}
    for piece in range(len(prepared.puzzle)):
        for turn in TURNS[turns]:
            cost, seams = cost_there(prepared, placement, piece, turn, row, column)
            if seams:
                expected[piece, turn] = cost, seams
    assert {(each.piece, each.turn) for each in found} == set(expected)
    for each in found:
        assert each.cost == pytest.approx(expected[each.piece, each.turn][0])
    if measure == "learned":
        chances = [each.probability for each in found]
        assert chances == sorted(chances, reverse=True)
        assert sum(chances) == pytest.approx(1 if found else 0)
    else:
        means = [each.cost / expected[each.piece, each.turn][1] for each in found]
        assert means == sorted(means)
        assert all(each.probability is None for each in found)


@given(
    st.integers(0, 2**32),
    st.sampled_from([*TURNS]),
    st.sampled_from(["learned", "dissimilarity", "mgc"]),
)
@settings(max_examples=30)
def test_a_piece_in_every_cell_costs_what_its_seams_do(seed, turns, measure):
    rng = np.random.default_rng(seed)
    prepared = prepared_noise(rng, turns, measure)
    placement = some_placement(rng, prepared)
    piece = int(rng.integers(len(prepared.puzzle)))
    found = fits(prepared, placement, piece, 10_000)
    expected = {}
    for row, column in np.ndindex(*prepared.puzzle.board):
        for turn in TURNS[turns]:
            cost, seams = cost_there(prepared, placement, piece, turn, row, column)
            if seams:
                expected[row, column, turn] = cost, seams
    assert {each[:3] for each in found} == set(expected)
    for each in found:
        assert each.cost == pytest.approx(expected[each[:3]][0])
    if measure == "learned":
        assert sum(each.probability for each in found) == pytest.approx(1 if found else 0)
    else:
        means = [each.cost / expected[each[:3]][1] for each in found]
        assert means == sorted(means)


@pytest.mark.parametrize("turns", ["none", "quarter"])
def test_in_a_photograph_the_right_piece_comes_first(turns):
    puzzle, truth = Puzzle.cut(data.chelsea()[:140, :196], 14).shuffle(3, turns=turns)
    prepared = solve(puzzle, Settings.of(**UNSOLVED)).prepared
    lies = truth if turns != "none" else Placement(truth, np.zeros(truth.shape, int))
    for row, column in ((0, 0), (4, 5), (9, 13), (0, 6)):
        pieces = lies.pieces.copy()
        pieces[row, column] = -1
        gap = Placement(pieces, lies.turns)
        piece, turn = int(lies.pieces[row, column]), int(lies.turns[row, column])
        best = candidates(prepared, gap, row, column, 3)
        assert len(best) == 3
        assert best[0][:2] == (piece, turn)
        assert best[0].probability > 0.9
        assert fits(prepared, gap, piece, 2)[0][:3] == (row, column, turn)
        # It may as well lie there already.
        assert fits(prepared, lies, piece, 2)[0][:3] == (row, column, turn)


def test_what_is_no_cell_or_piece_is_refused():
    puzzle = Puzzle(random_pieces(np.random.default_rng(0), 6, 4, 4), Board(2, 3))
    prepared = solve(puzzle, Settings.of(**UNSOLVED)).prepared
    board = np.arange(6).reshape(2, 3)
    with pytest.raises(InputError, match="row, column: expected a cell of 2 rows and 3 columns"):
        candidates(prepared, board, 2, 0)
    with pytest.raises(InputError, match="piece: expected"):
        fits(prepared, board, 6)
    with pytest.raises(InputError, match="count: expected"):
        fits(prepared, board, 5, 0)
    with pytest.raises(InputError, match="placement: expected every piece once"):
        candidates(prepared, np.zeros((2, 3), int), 0, 0)
    assert candidates(prepared, np.full((2, 3), -1), 0, 0) == []
