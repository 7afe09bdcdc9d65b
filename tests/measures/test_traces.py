"""Traces of compression: offsets of pieces in the grid of blocks, and what they say for seams."""

import io

import naive
import numpy as np
import pytest
from helpers import seam_table
from PIL import Image
from skimage import data

from jigsolve import Puzzle
from jigsolve.execution.crew import crew
from jigsolve.measures.learned import LEARNED
from jigsolve.measures.offsets import PERIOD
from jigsolve.measures.proposals import likeliest_partners
from jigsolve.measures.traces import Offsets


def compressed(picture, quality=75, subsampling=2):
    """Return a picture as JPEG would give it back."""
    file = io.BytesIO()
    Image.fromarray(picture).save(file, "JPEG", quality=quality, subsampling=subsampling)
    return np.asarray(Image.open(file).convert("RGB"))


def offsets_of(pieces):
    return Offsets.of(pieces, np.arange(len(pieces)))


def neighbours(board):
    grid = np.arange(board.rows * board.columns).reshape(board)
    rightward = grid[:, :-1].ravel(), grid[:, 1:].ravel()
    return rightward, (grid[:-1].ravel(), grid[1:].ravel())


def choices(board, others=7):
    """Every neighbour among some pieces that are none."""
    rng = np.random.default_rng(9)
    count = board.rows * board.columns
    return [
        (ones, np.column_stack([right, rng.integers(0, count, (len(ones), others))]))
        for ones, right in neighbours(board)
    ]


@pytest.fixture(scope="module")
def photo():
    return compressed(data.astronaut())


@pytest.fixture(scope="module")
def puzzle(photo):
    return Puzzle.cut(photo, 28)


@pytest.fixture(scope="module")
def offsets(puzzle):
    return offsets_of(puzzle.pieces)


@pytest.mark.parametrize("crop", [0, 3])
@pytest.mark.parametrize("piece", [(28, 28), (20, 30), (14, 14)])
def test_neighbours_differ_by_a_piece_and_all_agree_where_the_grid_begins(photo, piece, crop):
    puzzle = Puzzle.cut(photo[crop:, crop:], piece)
    found = offsets_of(puzzle.pieces)
    rows, columns = np.divmod(np.arange(len(puzzle)), puzzle.board.columns)
    for likely, pixels in (
        (found.across.likely, columns * piece[1]),
        (found.down.likely, rows * piece[0]),
    ):
        begins = (likely.argmax(axis=1) - pixels) % 8
        assert np.bincount(begins).max() > 0.8 * len(puzzle)


def test_offsets_are_shares(offsets):
    for likely in (offsets.across.likely, offsets.down.likely):
        assert likely.shape[1] == PERIOD
        np.testing.assert_allclose(likely.sum(axis=1), 1, rtol=1e-5)


def test_log_ratios_are_those_written_out(puzzle, offsets):
    rng = np.random.default_rng(1)
    ones, others = rng.integers(0, len(puzzle), (2, 50))
    for rightward in (True, False):
        found = offsets.log_ratios((ones, others), rightward=rightward)
        for i, j, ratio in zip(ones, others, found, strict=True):
            across = naive.offset_ratio(offsets.across.likely, i, j, 28 if rightward else 0)
            down = naive.offset_ratio(offsets.down.likely, i, j, 0 if rightward else 28)
            assert ratio == pytest.approx(np.log(across * down), abs=1e-4)


def test_neighbours_are_told_from_others(puzzle, offsets):
    vouched = offsets.vouched_for(*choices(puzzle.board))
    rng = np.random.default_rng(2)
    for rightward, pairs in zip((True, False), neighbours(puzzle.board), strict=True):
        right = vouched.log_ratios(pairs, rightward=rightward)
        wrong = vouched.log_ratios((pairs[0], rng.permutation(pairs[1])), rightward=rightward)
        assert right.mean() > 1
        assert wrong.mean() < -1


@pytest.mark.parametrize(("subsampling", "period"), [(2, 16), (0, 8)])
def test_colour_may_have_larger_blocks_than_light(subsampling, period):
    puzzle = Puzzle.cut(compressed(data.astronaut(), 60, subsampling), 28)
    vouched = offsets_of(puzzle.pieces).vouched_for(*choices(puzzle.board))
    assert vouched.across.likely.shape[1] == vouched.down.likely.shape[1] == period


def test_nothing_is_said_of_a_picture_that_was_not_compressed():
    rng = np.random.default_rng(3)
    noise = rng.integers(0, 256, (420, 420, 3)).astype(np.uint8)
    smooth = Image.fromarray(noise[:60, :60]).resize((420, 420), Image.Resampling.BICUBIC)
    for picture in (noise, np.asarray(smooth)):
        puzzle = Puzzle.cut(picture, 28)
        vouched = offsets_of(puzzle.pieces).vouched_for(*choices(puzzle.board))
        for rightward, pairs in zip((True, False), neighbours(puzzle.board), strict=True):
            assert not vouched.log_ratios(pairs, rightward=rightward).any()


def test_nothing_is_said_of_a_picture_that_was_compressed_after_it_was_shuffled():
    puzzle, truth = Puzzle.cut(data.astronaut(), 28).shuffle(1)
    shuffled = Puzzle.cut(compressed(puzzle.image()), 28)
    pieces = shuffled.pieces[truth.ravel()]
    vouched = offsets_of(pieces).vouched_for(*choices(puzzle.board))
    assert not vouched.say_something


def test_what_no_pairs_vouch_for_is_not_believed(offsets):
    nobody = np.empty(0, np.int64), np.empty((0, 8), np.int64)
    doubted = offsets.vouched_for(nobody, nobody)
    assert not doubted.say_something
    assert not doubted.log_ratios((np.arange(9), np.arange(9) + 5), rightward=True).any()


def test_pieces_of_one_colour_say_nothing(photo):
    pieces = Puzzle.cut(photo, 28).pieces.copy()
    pieces[::3] = 255
    found = offsets_of(pieces)
    for likely in (found.across.likely, found.down.likely):
        np.testing.assert_array_equal(likely[::3], np.broadcast_to(likely[0], likely[::3].shape))
        np.testing.assert_allclose(likely[0], likely.mean(axis=0), atol=0.01)


@pytest.mark.parametrize("shape", [(1, 1), (11, 11), (3, 40), (32, 8)])
def test_pieces_that_are_too_small_say_nothing_in_that_direction(shape):
    rng = np.random.default_rng(4)
    pieces = rng.integers(0, 256, (20, *shape, 3)).astype(np.uint8)
    found = offsets_of(pieces)
    assert (found.down.likely == 1 / PERIOD).all()
    assert (found.across.likely == 1 / PERIOD).all() == (shape[1] < 12)


@pytest.mark.parametrize("axis", [0, 1])
def test_mirroring_pieces_mirrors_what_is_said(puzzle, offsets, axis):
    mirrored = offsets_of(np.flip(puzzle.pieces, axis + 1))
    rng = np.random.default_rng(5)
    ones, others = rng.integers(0, len(puzzle), (2, 200))
    for rightward in (True, False):
        swapped = rightward == (axis == 1)
        pairs = (others, ones) if swapped else (ones, others)
        np.testing.assert_allclose(
            mirrored.log_ratios(pairs, rightward=rightward),
            offsets.log_ratios((ones, others), rightward=rightward),
            atol=0.02,
        )


def test_offsets_do_not_depend_on_the_order_in_which_pieces_are_given(puzzle):
    rng = np.random.default_rng(6)
    given, order = rng.permutation(len(puzzle)), rng.permutation(len(puzzle))
    found = Offsets.of(puzzle.pieces[given], np.argsort(given)[order])
    expected = Offsets.of(puzzle.pieces, order)
    for one, other in ((found.across, expected.across), (found.down, expected.down)):
        np.testing.assert_array_equal(one.likely, other.likely)


def test_the_middle_of_large_pieces_will_do(photo):
    puzzle = Puzzle.cut(photo, (28, 100))
    found = offsets_of(puzzle.pieces)
    columns = np.arange(len(puzzle)) % puzzle.board.columns
    begins = (found.across.likely.argmax(axis=1) - columns * 100) % 8
    assert np.bincount(begins).max() > 0.8 * len(puzzle)


def test_partners_are_proposed_by_rank_and_by_what_offsets_say():
    theirs = np.array([[5, 6, 7, 8], [5, 6, 7, 8]])
    said = np.array([[0.0, 0.0, 0.0, 0.0], [-5.0, 0.0, 0.0, 1.0]])
    expected = [[True, True, False, False], [False, True, False, True]]
    np.testing.assert_array_equal(likeliest_partners(theirs, said, 2), expected)


def test_of_partners_of_a_kind_one_is_proposed():
    theirs = np.array([[5, 5, 5, 7, 5, 8], [5, 5, 5, 5, 5, 5]])
    # The fourth is the second that differs: offsets that say less than log 3/2 leave it there.
    said = np.array([[0.0, 9.0, 0.0, 0.0, 0.0, 0.4], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]])
    expected = [[True, False, False, True, False, False], [True, *[False] * 5]]
    np.testing.assert_array_equal(likeliest_partners(theirs, said, 2), expected)


def tables(picture, piece):
    """Return the seam tables of a shuffled puzzle with and without traces, and the truth."""
    puzzle, truth = Puzzle.cut(picture, piece).shuffle(1)
    with crew(1) as hands:
        both = [
            seam_table(puzzle, np.arange(len(puzzle)), LEARNED, 64, hands, traces=traces).arrays
            for traces in (True, False)
        ]
    return *both, truth


def right_first(table, truth):
    ones, others = truth[:, :-1].ravel(), truth[:, 1:].ravel()
    return np.mean(table.nearest[4 * ones + 1] == 4 * others)


def test_more_right_partners_come_first_in_a_compressed_picture():
    """A photograph that is mostly sky, and is stored as a JPEG, in small pieces."""
    traced, untraced, truth = tables(data.rocket(), 14)
    assert right_first(traced, truth) > right_first(untraced, truth) + 0.02


def test_without_traces_nothing_changes():
    grown = Image.fromarray(data.chelsea()).resize((360, 240), Image.Resampling.LANCZOS)
    traced, untraced, _ = tables(np.asarray(grown), 20)
    for name in ("partners", "costs", "scored"):
        np.testing.assert_array_equal(getattr(traced, name), getattr(untraced, name))
