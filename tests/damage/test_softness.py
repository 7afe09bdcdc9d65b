"""Whether pictures were scaled or blurred after they were shuffled."""

import numpy as np
import pytest
from PIL import Image, ImageFilter

from jigsolve import Puzzle
from jigsolve.damage.softness import is_soft
from jigsolve.io.demo import demo_photo

PHOTO = np.asarray(demo_photo())


def shuffled(piece):
    return Puzzle.cut(PHOTO, piece).shuffle(seed=2)[0].image()


def pieces_of(pixels, piece):
    return Puzzle.cut(pixels, piece).pieces


@pytest.mark.parametrize("piece", [20, 28, 45])
def test_pieces_as_they_were_cut_are_not_soft(piece):
    assert not is_soft(pieces_of(shuffled(piece), piece), compressed=False)


@pytest.mark.parametrize("factor", [1.5, 2.0])
@pytest.mark.parametrize("how", [Image.Resampling.BILINEAR, Image.Resampling.LANCZOS])
def test_scaled_ones_are(factor, how):
    picture = Image.fromarray(shuffled(28))
    scaled = picture.resize([round(extent * factor) for extent in picture.size], how)
    assert is_soft(pieces_of(np.asarray(scaled), round(28 * factor)), compressed=False)


def test_blurred_ones_are():
    blurred = Image.fromarray(shuffled(28)).filter(ImageFilter.GaussianBlur(0.8))
    assert is_soft(pieces_of(np.asarray(blurred), 28), compressed=False)


@pytest.mark.parametrize("shape", [(4, 10, 10, 3), (1, 40, 40, 3), (2, 1, 300, 3)])
def test_too_little_to_see(shape):
    noise = np.random.default_rng(1).integers(0, 255, shape, dtype=np.uint8)
    assert not is_soft(noise, compressed=False)
    assert not is_soft(np.zeros(shape, np.uint8), compressed=False)
