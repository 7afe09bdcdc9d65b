"""Puzzles with missing and foreign pieces, and with a board that is not known."""

import itertools

import numpy as np
import pytest
from asking import speaks_for
from helpers import stopping
from skimage import data

from jigsolve import Board, InputError, Puzzle, Settings, score, solve
from jigsolve._kernels.costs import firsts_of
from jigsolve.assembly.segments import evidence
from jigsolve.core.cutting import cut_tiles
from jigsolve.detect.sources import Source
from jigsolve.execution.events import StageBegan
from jigsolve.measures.calibration import COUNTED
from jigsolve.scores.scores import score_arrangement
from jigsolve.solvers.boards import BoardGuess, check_clear, find_board, is_clear, shapes

SMALL = Settings.of(population=20)


def faulty(holes=0, **faults):
    """Cut a photograph with faults; return the puzzle and the truth."""
    cut = cut_tiles(data.chelsea(), 28, seed=5, **faults)
    strays = len(cut.tiles) + holes - cut.truth.size
    return Puzzle(cut.pieces, cut.board, holes=holes, strays=strays), cut


@pytest.mark.parametrize(
    ("holes", "faults"),
    [
        (12, {"missing": 12}),
        (0, {"strays": [(data.coffee(), 9)]}),
        (12, {"missing": 12, "strays": [(data.coffee(), 9)]}),
        (0, {"duplicates": 6}),
    ],
)
def test_what_is_there_is_solved(holes, faults):
    puzzle, cut = faulty(holes, **faults)
    solution = solve(puzzle, SMALL)
    scores = score(solution, cut.truth)
    assert scores.neighbour_aware > 0.97
    assert scores.direct_aware > 0.97
    assert (solution.arrangement < 0).sum() == cut.truth.size - len(set(cut.truth[cut.truth >= 0]))
    if "duplicates" in faults:
        copies = {frozenset(pair) for pair in cut.duplicates}
        assert all(any(stray in pair for pair in copies) for stray in solution.strays)
    else:
        assert set(solution.strays) == set(cut.strays)


def test_holes_are_shown_and_their_seams_have_no_cost():
    puzzle, _ = faulty(12, missing=12)
    solution = solve(puzzle, SMALL)
    empty = solution.arrangement < 0
    height, width = puzzle.piece_size
    cells = solution.image().reshape(puzzle.board.rows, height, puzzle.board.columns, width, 3)
    assert (cells.swapaxes(1, 2)[empty] == 128).all()
    across, down = solution.seam_costs
    np.testing.assert_array_equal(np.isnan(across), empty[:, 1:] | empty[:, :-1])
    np.testing.assert_array_equal(np.isnan(down), empty[1:] | empty[:-1])
    assert solution.cost == pytest.approx(solution.cost_of(solution.arrangement))
    assert solution.cost > np.nansum(across) + np.nansum(down)
    record = solution.as_dict()
    assert None in record["seam_costs"]["right"]
    assert record["strays"] == []


def test_runs_with_holes_and_strays_repeat_and_resume(tmp_path):
    puzzle, _ = faulty(12, missing=12, strays=[(data.coffee(), 9)])
    settings = SMALL.changed(generations=6, patience=None, mutation=0.5)
    whole = solve(puzzle, settings)
    threads = solve(puzzle, settings.changed(threads=3))
    np.testing.assert_array_equal(whole.arrangement, threads.arrangement)
    saved = tmp_path / "c"
    solve(
        puzzle,
        settings,
        checkpoint=saved,
        checkpoint_every=0,
        **stopping(lambda g: g.number == 3),
    )
    resumed = solve(puzzle, resume=saved)
    np.testing.assert_array_equal(whole.arrangement, resumed.arrangement)
    assert [g.mean for g in whole.history] == [g.mean for g in resumed.history]


@pytest.mark.parametrize("seeding", ["segments", "random"])
@pytest.mark.parametrize("preset", ["default", "paper"])
def test_every_way_to_evolve_knows_holes(preset, seeding):
    puzzle, cut = faulty(9, missing=9, strays=[(data.coffee(), 4)])
    settings = Settings.preset(preset, seeding=seeding, population=30, generations=8)
    scores = score(solve(puzzle, settings), cut.truth)
    assert scores.neighbour > (0.9 if seeding == "segments" else 0.3)


def test_scores_count_only_what_could_be_right():
    puzzle, cut = faulty(12, missing=12)
    perfect = score_arrangement(puzzle, cut.truth, cut.truth)
    assert perfect.perfect
    assert perfect.neighbour == perfect.direct == perfect.neighbour_aware == 1
    swapped = cut.truth.copy()
    (one, other), *_ = itertools.combinations(np.argwhere(cut.truth >= 0), 2)
    swapped[*one], swapped[*other] = swapped[*other], swapped[*one]
    scores = score_arrangement(puzzle, swapped, cut.truth)
    assert scores.direct == pytest.approx(1 - 2 / (cut.truth >= 0).sum())
    assert not scores.perfect


@pytest.mark.parametrize(
    ("holes", "strays", "message"),
    [
        (1, 0, "with 1 holes and 0 strays expects 11 pieces, found 12"),
        (0, 2, "expects 14 pieces"),
        (-1, 0, "holes: expected a whole number"),
        (0, 99, "strays: expected a whole number"),
        (12, 12, "expected at least two pieces and cells"),
    ],
)
def test_numbers_that_do_not_agree(holes, strays, message):
    pieces = np.zeros((12, 2, 2, 3), np.uint8)
    with pytest.raises(InputError, match=message):
        Puzzle(pieces, Board(3, 4), holes=holes, strays=strays)


def test_a_truth_without_seams_cannot_be_scored():
    pieces = np.zeros((2, 3, 3, 3), np.uint8)
    solution = solve(Puzzle(pieces, Board(2, 2), holes=2), Settings.of(population=6, generations=1))
    for truth in ([[0, -1], [-1, 1]], [[-1, -1], [-1, -1]]):
        with pytest.raises(InputError, match="two pieces side by side"):
            score(solution, np.array(truth))


def test_arrangements_of_puzzles_with_holes_are_checked():
    puzzle = Puzzle(np.zeros((11, 2, 2, 3), np.uint8), Board(3, 4), holes=1)
    good = np.array([*range(11), -1])
    assert puzzle.image(good).shape == (6, 8, 3)
    for wrong in (np.array([*range(10), 10, 10]), np.array([*range(11), -2]), np.arange(12)):
        with pytest.raises(InputError, match="expected an arrangement"):
            puzzle.image(wrong)
    with pytest.raises(InputError, match="whole puzzle to shuffle"):
        puzzle.shuffle(1)


@pytest.mark.parametrize(
    ("pieces", "board", "holes", "expected"),
    [
        (12, Board(3, 4), 0, (0, 0)),
        (10, Board(3, 4), 0, (2, 0)),
        (15, Board(3, 4), 0, (0, 3)),
        (12, Board(3, 4), 2, (2, 2)),
        (10, Board(3, 4), 5, (5, 3)),
    ],
)
def test_holes_and_strays_follow_from_the_board(pieces, board, holes, expected):
    source = Source(np.zeros((pieces, 2, 2, 3), np.uint8), None, None, ())
    puzzle = source.puzzle(board, holes)
    assert (puzzle.holes, puzzle.strays) == expected


def test_shapes_are_all_boards_of_that_size():
    for pieces in (2, 7, 12, 36, 432):
        found = shapes(pieces)
        assert len(found) == len(set(found))
        assert sorted(found) == [(r, pieces // r) for r in range(1, pieces + 1) if pieces % r == 0]
        ratios = [max(board) / min(board) for board in found]
        assert ratios == sorted(ratios)


@pytest.mark.parametrize("picture", [data.chelsea()[:280, :420], data.coffee()[:392, :280]])
def test_the_board_is_found(picture):
    puzzle = Puzzle.cut(picture, 28).shuffle(3)[0]
    told = []
    guesses = find_board(puzzle.pieces, on_event=told.append)
    assert guesses[0].board == puzzle.board
    assert is_clear(guesses)
    assert check_clear(guesses, len(puzzle)) == puzzle.board
    assert [evidence for _, evidence in guesses] == sorted((e for _, e in guesses), reverse=True)
    assert told[0] == StageBegan("kernels")
    assert told[-1].stage == "boards"


def test_tiles_that_fill_no_board():
    cut = cut_tiles(data.chelsea(), 28, missing=3)  # 157 tiles, a prime number
    with pytest.raises(InputError, match=r"157 that fill none with room for the 1\d x"):
        find_board(cut.pieces)


def test_a_prime_number_of_tiles_is_not_taken_for_a_strip():
    shuffled, _ = Puzzle.cut(data.chelsea(), 56).shuffle(3)
    with pytest.raises(InputError, match=r"found 37 that .* room for the 8 x 5 that surely belong"):
        find_board(shuffled.pieces[:37])
    with pytest.raises(InputError, match="expected pieces with pixels"):
        find_board(shuffled.pieces[:0])


def test_a_column_less_is_warned_of():
    """Of 16 x 10 tiles so many are missing that the rest would fill 15 x 10."""
    cut = cut_tiles(data.chelsea(), 28, seed=5, missing=10)
    with pytest.warns(UserWarning, match="16 x 10 tiles seem .* give `board`$"):
        guesses = find_board(cut.pieces)
    assert guesses[0].board == Board(10, 15)


def test_boards_that_are_not_clear_are_not_taken():
    one, other = Board(4, 6), Board(6, 4)
    assert check_clear([BoardGuess(one, 100.0)], 24) == one  # the only one there is
    assert check_clear([BoardGuess(one, 100.0), BoardGuess(other, 50.0)], 24) == one
    for second in (99.0, 100.0):
        with pytest.raises(InputError, match=r"give `board` \(likeliest: 6x4, 4x6\)"):
            check_clear([BoardGuess(one, 100.0), BoardGuess(other, second)], 24)
    for first in (-5.0, 60.0):  # 38 seams
        with pytest.raises(InputError, match="expected a board that 24 tiles clearly fill"):
            check_clear([BoardGuess(one, first), BoardGuess(other, -50.0)], 24)


def test_evidence_is_that_of_each_seam():
    puzzle = Puzzle.cut(data.chelsea()[:112, :140], 28)
    solution = solve(puzzle, Settings.of(population=6, generations=1))
    seams = solution.prepared.table.arrays
    grid = solution.prepared.poses(solution.arrangement)
    for first, second, side, found in (
        (grid[:, :-1], grid[:, 1:], 1, evidence(solution.prepared.table, grid)[0]),
        (grid[:-1], grid[1:], 3, evidence(solution.prepared.table, grid)[1]),
    ):
        expected = [
            speaks_for(seams, firsts_of(seams), COUNTED.evidence, a + side, b + (side ^ 1))
            for a, b in zip(first.ravel().tolist(), second.ravel().tolist(), strict=True)
        ]
        np.testing.assert_allclose(found.ravel(), expected)
    grid[1, 2] = -1
    across, down = evidence(solution.prepared.table, grid)
    assert across[1, 1] == across[1, 2] == down[0, 2] == down[1, 2] == 0


@pytest.mark.parametrize(
    ("height", "width", "board"), [(140, 7, (1, 12)), (3, 60, (12, 1)), (41, 2, (1, 12))]
)
def test_strips_lie_in_one_line(height, width, board):
    pieces = np.random.default_rng(1).integers(0, 256, (12, height, width, 3)).astype(np.uint8)
    guesses = find_board(pieces)
    assert [guess.board for guess in guesses] == [board]
    assert check_clear(guesses, 12) == board
