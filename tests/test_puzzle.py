import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jigsolve import Board, InputError, PieceSize, Puzzle


@settings(max_examples=40)
@given(st.integers(2, 40), st.integers(2, 40), st.integers(1, 6), st.integers(1, 6), st.data())
def test_cut_shuffle_and_truth_restore_the_picture(height, width, tall, wide, data):
    rows, columns = height // tall, width // wide
    if rows * columns < 2:
        return
    rng = np.random.default_rng(data.draw(st.integers(0, 10**6)))
    picture = rng.integers(0, 256, (height, width, 3)).astype(np.uint8)
    puzzle = Puzzle.cut(picture, (tall, wide))
    assert puzzle.board == (rows, columns)
    assert puzzle.piece_size == (tall, wide)
    np.testing.assert_array_equal(
        puzzle.pieces[1 % columns],
        picture[:tall, wide : 2 * wide] if columns > 1 else picture[:tall, :wide],
    )
    whole = picture[: rows * tall, : columns * wide]
    np.testing.assert_array_equal(puzzle.image(), whole)
    shuffled, truth = puzzle.shuffle(seed=5)
    np.testing.assert_array_equal(shuffled.image(truth), whole)


def test_shuffle_repeats_for_a_seed_and_moves_pieces():
    puzzle = Puzzle.cut(np.arange(300, dtype=np.uint8).reshape(10, 30), 1)
    first, again, other = (puzzle.shuffle(seed)[1] for seed in (1, 1, 2))
    np.testing.assert_array_equal(first, again)
    assert (first != other).any()
    assert (first.ravel() != np.arange(300)).mean() > 0.9


def test_grey_arrays_are_taken():
    grey = np.arange(64, dtype=np.uint8).reshape(8, 8)
    puzzle = Puzzle.cut(grey, 4)
    np.testing.assert_array_equal(puzzle.image()[:, :, 1], grey)


@pytest.mark.parametrize("piece", [0, -3, (0, 5), (5, -1)])
def test_no_piece_size(piece):
    with pytest.raises(InputError, match="expected a piece of at least 1 x 1 pixels, found"):
        Puzzle.cut(np.zeros((20, 20, 3), np.uint8), piece)


@pytest.mark.parametrize("piece", [21, (11, 11), (20, 20), 10**9])
def test_too_small_for_two_pieces(piece):
    with pytest.raises(InputError, match=r"at least two pieces of .*found a picture of 20 x 20"):
        Puzzle.cut(np.zeros((20, 20, 3), np.uint8), piece)


def test_not_a_whole_number_of_pieces():
    with pytest.raises(
        InputError, match="whole 6 x 6 pieces, found 20 x 22; its whole pieces measure 18 x 18"
    ):
        Puzzle.cut(np.zeros((22, 20, 3), np.uint8), 6, crop=False)


@pytest.mark.parametrize("shape", [(20,), (20, 20, 4), (2, 20, 20, 3)])
def test_arrays_that_are_no_picture(shape):
    with pytest.raises(InputError, match="expected a picture as uint8"):
        Puzzle.cut(np.zeros(shape, np.uint8), 5)


def test_float_pictures_are_refused():
    with pytest.raises(InputError, match="found float64"):
        Puzzle.cut(np.zeros((20, 20, 3)), 5)


def test_board_must_match_the_pieces():
    with pytest.raises(InputError, match="2 rows x 3 columns expects 6 pieces, found 5"):
        Puzzle(np.zeros((5, 2, 2, 3), np.uint8), Board(2, 3))


def test_incomplete_arrangements_are_refused():
    puzzle = Puzzle.cut(np.zeros((4, 4, 3), np.uint8), 2)
    with pytest.raises(InputError, match="each of 4 pieces once, found 3 different ids"):
        puzzle.image(np.array([[0, 1], [1, 2]]))


def test_piece_size_is_shown_as_width_by_height():
    assert str(PieceSize.of((11, 35))) == "35 x 11"


@pytest.mark.parametrize("piece", ["28", 28.0, (1, 2, 3), None, (2.5, 2)])
def test_piece_sizes_that_are_none(piece):
    with pytest.raises(InputError, match="expected a piece size as a whole number"):
        Puzzle.cut(np.zeros((20, 20, 3), np.uint8), piece)


@pytest.mark.parametrize("board", [(-2, -2), (0, 4), (4.0, 1), (4,), None, ("2", "2")])
def test_boards_that_are_none(board):
    with pytest.raises(InputError, match="expected a board"):
        Puzzle(np.zeros((4, 8, 8, 3), np.uint8), board)


def test_pieces_without_pixels():
    with pytest.raises(InputError, match="expected pieces with pixels"):
        Puzzle(np.zeros((4, 0, 5, 3), np.uint8), Board(2, 2))


@pytest.mark.parametrize("seed", [-1, 1.5, "x", None, True])
def test_seeds_that_are_none(seed):
    with pytest.raises(InputError, match="seed: expected a whole number"):
        Puzzle(np.zeros((4, 2, 2, 3), np.uint8), Board(2, 2)).shuffle(seed)


@pytest.mark.parametrize("cells", [np.arange(6).reshape(3, 2), np.arange(6.0), [[0, 1], [2]]])
def test_arrangements_of_another_kind(cells):
    puzzle = Puzzle(np.zeros((6, 2, 2, 3), np.uint8), Board(2, 3))
    with pytest.raises((InputError, ValueError)):
        puzzle.image(cells)


def test_names_stay_with_their_pieces():
    pieces = np.arange(12, dtype=np.uint8).repeat(12).reshape(12, 2, 2, 3)
    puzzle = Puzzle(pieces, Board(3, 4), [f"tile {n}" for n in range(12)])
    shuffled, _ = puzzle.shuffle(seed=3)
    assert shuffled.names == tuple(f"tile {piece[0, 0, 0]}" for piece in shuffled.pieces)
    assert shuffled.names != puzzle.names
    assert Puzzle(pieces, Board(3, 4)).shuffle(seed=3)[0].names is None
    with pytest.raises(InputError, match="expected 12 names, found 11"):
        Puzzle(pieces, Board(3, 4), puzzle.names[1:])
