"""Which way up a picture is, by where the blocks of its compression begin."""

import io

import numpy as np
import pytest
from PIL import Image
from skimage import data

from jigsolve import Puzzle, Settings, demo_photo, solve
from jigsolve.measures.upright import possible_ways

QUICK = Settings.of(population=12, generations=6, annealing=20)
ALL = (0, 1, 2, 3)


def as_jpeg(pixels, quality=75, subsampling=2):
    written = io.BytesIO()
    Image.fromarray(pixels).save(written, "JPEG", quality=quality, subsampling=subsampling)
    return np.asarray(Image.open(written))


def plain_again(pixels):
    """Scale a photograph, so that nothing is left of how it was saved."""
    picture = Image.fromarray(pixels)
    size = [round(0.77 * side) for side in picture.size]
    return np.asarray(picture.resize(size, Image.Resampling.LANCZOS))


def turned(pixels, turn):
    return np.ascontiguousarray(np.rot90(pixels, -turn))


@pytest.mark.parametrize("quality", [50, 75, 90])
@pytest.mark.parametrize("subsampling", [0, 2])
def test_a_whole_photograph_is_turned_back(quality, subsampling):
    for photo in (demo_photo(), data.chelsea(), data.astronaut()):
        saved = as_jpeg(plain_again(photo), quality, subsampling)[: 28 * 9, : 28 * 9]
        for turn in ALL:
            ways = possible_ways(turned(saved, turn), (28, 28), ALL)
            assert ways in ((-turn % 4,), ALL)
            halves = possible_ways(turned(saved, turn), (28, 28), (0, 2))
            assert halves in ((-turn % 4,), (0, 2))
    assert possible_ways(turned(saved, 3), (28, 28), ALL) == (1,)


def test_what_was_never_compressed_says_nothing():
    for photo in (demo_photo(), data.chelsea()):
        assert possible_ways(plain_again(photo)[:252, :252], (28, 28), ALL) == ALL
    assert possible_ways(np.full((84, 84, 3), 7, np.uint8), (28, 28), ALL) == ALL
    noise = np.random.default_rng(0).integers(0, 256, (84, 84, 3), dtype=np.uint8)
    assert possible_ways(noise, (28, 28), ALL) == ALL
    assert possible_ways(noise, (2, 2), ALL) == ALL


def test_a_photograph_that_was_cropped_says_nothing():
    saved = as_jpeg(plain_again(demo_photo()))
    for down, right in ((1, 0), (3, 5), (4, 4), (0, 7)):
        part = saved[down : down + 252, right : right + 252]
        ways = possible_ways(part, (28, 28), ALL)
        begins = (-right) % 8, (-down) % 8
        assert ways == ALL or begins in ((0, 4), (4, 0), (4, 4))  # as from another corner


def test_whole_numbers_of_blocks_leave_every_way_open():
    saved = as_jpeg(plain_again(demo_photo()))[: 28 * 8, : 28 * 8]
    assert possible_ways(saved, (28, 28), ALL) == ALL


def test_colours_that_contradict_leave_it_open():
    """A photograph that was cropped by one block has its colours begin within one of theirs."""
    saved = as_jpeg(plain_again(demo_photo()), quality=75)
    ways = possible_ways(saved[8 : 8 + 252, 8 : 8 + 252], (28, 28), ALL)
    assert ways == ALL


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_turned_puzzle_comes_out_upright(seed):
    photo = as_jpeg(plain_again(data.astronaut()))[: 28 * 9, : 28 * 9]
    puzzle, truth = Puzzle.cut(photo, 28).shuffle(seed, turns="quarter")
    solution = solve(puzzle, QUICK, keep_arrangements=True)
    np.testing.assert_array_equal(solution.arrangement, truth.pieces)
    np.testing.assert_array_equal(solution.image(), photo)
    last = solution.history[-1]
    np.testing.assert_array_equal(last.arrangement, solution.arrangement)
    np.testing.assert_array_equal(last.turns, solution.turns)
    assert solution.cost == pytest.approx(solution.cost_of(solution.arrangement, solution.turns))
    unasked = solve(puzzle, QUICK.changed(traces=False))
    upright = [int((truth.turned(way).turns == 0).sum()) for way in ALL]
    assert np.count_nonzero(unasked.turns == 0) == max(upright)
