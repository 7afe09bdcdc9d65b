"""Overlays: what is doubtful is seen, what is sure is grey."""

import numpy as np
import pytest
from helpers import random_pieces

from jigsolve import InputError, Puzzle, Settings, demo_photo, solve
from jigsolve.io.pictures import read_picture
from jigsolve.render import draw_overlay, write_overlay
from jigsolve.render.overlay import LONGEST_SIDE
from jigsolve.render.scale import MARK, SCALE, SUSPICIOUS, tinted

ROWS, COLUMNS, SIZE, TIMES = 4, 5, 16, 8  # 80 pixels are enlarged to 640


@pytest.fixture
def sure():
    """Make pieces in order, and seams beyond doubt."""
    pieces = random_pieces(np.random.default_rng(1), ROWS * COLUMNS, SIZE, SIZE)
    grid = np.arange(ROWS * COLUMNS, dtype=np.int32).reshape(ROWS, COLUMNS)
    return pieces, grid, np.ones((ROWS, COLUMNS - 1)), np.ones((ROWS - 1, COLUMNS))


def cell(pixels, row, column):
    """Return the inside of a cell of an overlay, without what is drawn on its seams."""
    side, rim = SIZE * TIMES, SIZE * TIMES // 8
    y, x = row * side, column * side
    return pixels[y + rim : y + side - rim, x + rim : x + side - rim].astype(int)


def colourful(pixels):
    return np.ptp(pixels, axis=-1).mean()


def marks(pixels):
    return np.argwhere((pixels[: ROWS * SIZE * TIMES] == MARK).all(axis=-1))


def test_what_is_sure_is_grey_and_unmarked(sure):
    pixels = draw_overlay(*sure)
    assert colourful(pixels[: ROWS * SIZE * TIMES]) == 0
    assert len(marks(pixels)) == 0
    assert pixels.shape[1] == COLUMNS * SIZE * TIMES
    assert pixels.shape[0] > ROWS * SIZE * TIMES  # and a legend


@pytest.mark.parametrize("way", ["right", "below"])
def test_a_suspicious_seam_is_marked_and_its_pieces_tinted(sure, way):
    pieces, grid, right, below = sure
    (right if way == "right" else below)[1, 2] = SUSPICIOUS - 0.01
    pixels = draw_overlay(pieces, grid, right, below)
    touched = {(1, 2), (1, 3) if way == "right" else (2, 2)}
    for row in range(ROWS):
        for column in range(COLUMNS):
            assert (colourful(cell(pixels, row, column)) > 5) == ((row, column) in touched)
    side = SIZE * TIMES
    low, high = marks(pixels).min(axis=0), marks(pixels).max(axis=0)
    ends = [[side, 3 * side], [2 * side, 3 * side]] if way == "right" else [
        [2 * side, 2 * side], [2 * side, 3 * side]
    ]  # fmt: skip
    np.testing.assert_allclose([low, high], ends, atol=side // 8)


def test_a_seam_just_sure_enough_is_not_marked(sure):
    pieces, grid, right, below = sure
    right[1, 2] = SUSPICIOUS
    assert len(marks(draw_overlay(pieces, grid, right, below))) == 0


def test_a_missing_piece_is_hatched_and_none_of_its_seams_is_read(sure):
    pieces, grid, right, below = sure
    grid[2, 1] = -1
    right[2, :2] = below[1:, 1] = 0.0
    pixels = draw_overlay(pieces, grid, right, below)
    assert len(marks(pixels)) == 0
    hole = cell(pixels, 2, 1)
    assert len(np.unique(hole.reshape(-1, 3), axis=0)) == 2
    for row, column in ((2, 0), (2, 2), (1, 1), (3, 1)):
        assert colourful(cell(pixels, row, column)) == 0


def test_lightness_falls_evenly_with_confidence_for_any_colour_vision():
    weights = np.array([0.2126, 0.7152, 0.0722])
    linear = (SCALE / 255) ** 2.2 @ weights
    lightness = 116 * np.cbrt(linear) - 16
    steps = np.diff(lightness)
    assert steps.min() > 10
    assert steps.max() < 2 * steps.min()
    grey = np.full((1, 9), 128, np.uint8)
    ramp = tinted(grey, np.linspace(0.5, 1, 9)[None]).astype(int)
    change = np.linalg.norm(ramp - ramp[0, -1], axis=-1)[0]
    assert (np.diff(change) < 0).all()  # what is surer stands out less


@pytest.mark.parametrize("board", [(1, 2), (2, 1), (150, 203), (3, 900)])
def test_any_board_gives_a_picture_of_bounded_size(board):
    rows, columns = board
    pieces = np.full((1, 14, 14, 3), 100, np.uint8)
    grid = np.zeros(board, np.int32)
    doubt = np.full((rows, columns - 1), 0.6), np.full((rows - 1, columns), 0.6)
    pixels = draw_overlay(pieces, grid, *doubt)
    assert 400 <= max(pixels.shape[:2]) <= LONGEST_SIDE + 200
    assert (pixels == MARK).all(axis=-1).any()


def test_writing_needs_a_measure_that_states_confidence(tmp_path):
    puzzle, _ = Puzzle.cut(demo_photo(), 100).shuffle(1)
    solution = solve(puzzle, Settings.of(population=10, generations=1))
    write_overlay(tmp_path / "doubts.png", solution)
    assert read_picture(tmp_path / "doubts.png").shape[1] == 1200
    other = solve(puzzle, Settings.of(measure="mgc", population=10, generations=1))
    with pytest.raises(InputError, match=r"state confidence \(learned, qr\).*found mgc"):
        write_overlay(tmp_path / "none.png", other)
    assert not (tmp_path / "none.png").exists()
