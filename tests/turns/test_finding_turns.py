"""Whether pieces are turned: what a sample of sure seams says."""

import numpy as np
import pytest
from helpers import texture
from skimage import data

from jigsolve import Puzzle
from jigsolve.detect.turned import _same_from_both_ends, find_turns

PHOTOS = [data.astronaut(), data.coffee(), data.chelsea(), data.rocket()]


@pytest.mark.parametrize("photo", PHOTOS, ids=["astronaut", "coffee", "chelsea", "rocket"])
@pytest.mark.parametrize(
    ("piece", "turns"), [(28, "none"), (28, "quarter"), ((11, 35), "none"), ((11, 35), "half")]
)
def test_photographs_say_whether_their_pieces_are_turned(photo, piece, turns):
    shuffled, _ = Puzzle.cut(photo, piece).shuffle(3, turns)
    found = find_turns(shuffled.pieces)
    assert found.is_sure
    assert found.turns == turns


def test_pieces_are_compared_with_those_of_other_pieces_only():
    symmetric = np.tile(np.arange(28, dtype=np.uint8)[None, :, None, None], (9, 1, 28, 3))
    assert find_turns(symmetric).seams == 0  # each would touch itself best


@pytest.mark.parametrize("shape", [(2, 5, 5, 3), (40, 1, 9, 3), (40, 9, 1, 3), (3, 200, 300, 3)])
def test_few_narrow_and_large_pieces_are_not_sure(shape):
    noise = np.random.default_rng(1).integers(0, 256, shape, np.uint8)
    found = find_turns(noise)
    assert not found.is_sure
    assert found.turns == "none"
    assert "taken for not turned" in found.describe()


def test_flat_pieces_say_nothing():
    found = find_turns(np.full((50, 8, 8, 3), 200, np.uint8))
    assert (found.seams, found.is_sure) == (0, False)


def test_what_is_found_does_not_depend_on_the_order_of_the_pieces():
    puzzle = Puzzle.cut(texture(np.random.default_rng(4), 280, 420), 28)
    shuffled, _ = puzzle.shuffle(1, "quarter")
    for seed in range(3):
        order = np.random.default_rng(seed).permutation(len(shuffled))
        assert find_turns(shuffled.pieces[order]).turns == "quarter"


@pytest.mark.parametrize("length", [1, 28, 64, 65, 100, 127, 640])
def test_the_pixels_compared_are_the_same_from_both_ends(length):
    which = _same_from_both_ends(length)
    assert len(which) == min(length, 64)
    assert (np.diff(which) > 0).all()
    np.testing.assert_array_equal(which, length - 1 - which[::-1])
