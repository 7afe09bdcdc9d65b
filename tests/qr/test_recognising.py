"""What is a QR code, and what is not."""

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont
from qr_codes import code_modules, code_picture

from jigsolve import Board, Puzzle, demo_photo
from jigsolve.qr import raster
from jigsolve.qr.fits import recognise
from jigsolve.qr.raster import Raster


def pieces_of(pixels, piece):
    return Puzzle.cut(pixels, piece).shuffle(1)[0].pieces


def page_of_text():
    page = Image.new("L", (300, 300), 255)
    for line in range(9):
        text = f"{line}: flag{{one_side_at_a_time}}"
        ImageDraw.Draw(page).text((8, 5 + 32 * line), text, 0, ImageFont.load_default(18))
    return 255 * (np.asarray(page) > 127).astype(np.uint8)


def line_drawing():
    page = Image.new("1", (300, 300), 1)
    for i in range(12):
        ImageDraw.Draw(page).ellipse((10 * i, 12 * i, 290 - 3 * i, 280 - 5 * i), outline=0)
    return 255 * np.asarray(page).astype(np.uint8)


def blocks(seed=0, size=29, module=10):
    modules = np.random.default_rng(seed).integers(0, 2, (size, size))
    return np.kron(modules, np.ones((module, module), int)).astype(np.uint8) * 255


def few_words():
    """As many pixels as a code may have modules."""
    return page_of_text()[:120, :120]


def large_words():
    return np.kron(few_words(), np.ones((3, 3), np.uint8))


@pytest.mark.parametrize("piece", [20, 30, 50])
@pytest.mark.parametrize(
    "draw", [page_of_text, few_words, large_words, line_drawing, blocks, demo_photo]
)
def test_other_pictures_are_not_taken_for_a_code(draw, piece):
    assert recognise(pieces_of(draw(), piece)) is None


def test_photographs_are_turned_away_at_once(monkeypatch):
    looked_at = []
    inner = raster._dark

    def watched(pieces):
        looked_at.append(len(pieces))
        return inner(pieces)

    monkeypatch.setattr(raster, "_dark", watched)
    pieces = pieces_of(demo_photo(), 20)
    assert Raster.of(pieces) is None
    assert len(pieces) > 300
    assert sum(looked_at) < 2 * raster.SAMPLED


@pytest.mark.parametrize(("module", "piece"), [(4, 12), (4, 20), (5, 14), (1, 7), (10, 28)])
def test_modules_are_measured(module, piece):
    pieces = pieces_of(code_picture("flag{}", 2, "M", module=module), piece)
    assert Raster.of(pieces).module == module


@pytest.mark.parametrize("margin", [0, 1, 4, 7])
@pytest.mark.parametrize(("version", "piece"), [(1, 12), (2, 20), (4, 28), (7, 11)])
def test_version_margin_and_board_are_found(version, piece, margin):
    pixels = code_picture("flag{a}", version, "L", margin=margin)
    pixels = np.pad(pixels, (0, -len(pixels) % piece), constant_values=255)
    fit = recognise(pieces_of(pixels, piece))
    assert fit.frame.version == version
    assert fit.frame.board == Board(len(pixels) // piece, len(pixels) // piece)
    # In the middle, or where it was: the two may be the same picture shifted by part of a piece.
    assert (fit.frame.top, fit.frame.left) == (4 * margin, 4 * margin)


def test_two_colours_are_enough_and_they_may_be_rough():
    grey = code_picture("flag{}", 1, "L")
    noise = np.random.default_rng(0).integers(0, 20, grey.shape)
    pixels = np.where(grey[..., None] > 0, [250, 240, 180], [20, 30, 90]) - noise[..., None]
    pieces = pieces_of(np.clip(pixels, 0, 255).astype(np.uint8), 12)
    assert recognise(pieces).frame.version == 1


@pytest.mark.parametrize("piece", [4, 8])
def test_pieces_of_a_module_or_two_say_nothing(piece):
    assert recognise(pieces_of(code_picture("flag{}", 1, "L", margin=0), piece)) is None


def test_a_negative_and_a_code_with_one_wrong_pattern_are_none():
    pixels = code_picture("flag{}", 2, "L")
    assert recognise(pieces_of(pixels, 20)) is not None
    assert recognise(pieces_of(255 - pixels, 20)) is None
    modules, _ = code_modules("flag{}", 2, "L")
    modules[3, 3] = 0
    broken = np.kron(np.pad(1 - modules, 4, constant_values=1), np.ones((4, 4), int))
    assert recognise(pieces_of(255 * broken.astype(np.uint8), 20)) is None
