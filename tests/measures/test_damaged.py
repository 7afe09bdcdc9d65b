"""The judge of damaged borders: its kernel beside a plain twin, its symmetry, and photographs."""

import dataclasses
import io

import numpy as np
import pytest
from helpers import grid_places
from PIL import Image

from jigsolve import Puzzle, Settings, score, solve
from jigsolve._kernels.facing import FACING
from jigsolve._kernels.geometry import LEFT, RIGHT
from jigsolve.damage import Blocks, Conditions, Damage
from jigsolve.damage.files import damage_of_file
from jigsolve.execution.crew import crew
from jigsolve.io.demo import demo_photo
from jigsolve.measures.damaged.network import DamagedNetwork
from jigsolve.measures.damaged.tower import ANSWERS, Tower, broad
from jigsolve.measures.judges import DamagedBorders, outer_lines
from jigsolve.measures.trunk import Seams

JPEG = Damage("jpeg", Blocks((8, 8), (16, 16)), (29.0, 43.0))
PHOTO = np.asarray(demo_photo())


@pytest.fixture(scope="module")
def pieces():
    return Puzzle.cut(PHOTO, 28).pieces[:60]


@pytest.fixture(scope="module")
def judge(pieces):
    with crew(1) as hands:
        yield DamagedBorders(pieces, np.arange(60), JPEG, grid_places(4, 15, 28, 28), hands)


def some_seams(rng, count=300):
    return Seams(
        *rng.integers(0, 60, (2, count)), *rng.uniform(0.1, 40, (2, count)).astype(np.float32)
    )


def test_kernels_and_whole_arrays_agree(judge):
    network = judge.network
    seams = some_seams(np.random.default_rng(1))
    near, far = judge.sides(FACING[1][0])
    np.testing.assert_allclose(
        network.scores(near, far, seams),
        network.scores_of_arrays(near, far, seams, 28 * 70),
        atol=2e-4,
    )


def test_a_seam_read_from_its_other_side_scores_the_same(judge):
    seams = some_seams(np.random.default_rng(2))
    swapped = Seams(seams.others, seams.ones, seams.cheap, seams.second)
    near, far = judge.sides(FACING[1][0])
    np.testing.assert_allclose(
        judge.network.scores(near, far, seams),
        judge.network.scores(far, near, swapped),
        atol=2e-4,
    )


def test_a_seam_read_from_its_other_end_scores_the_same(pieces):
    network = DamagedNetwork.load()
    seams = some_seams(np.random.default_rng(3))
    places = grid_places(4, 15, 28, 28)
    scores = []
    for upside_down in (False, True):
        sides = []
        for side in (RIGHT, LEFT):
            told = Conditions.of(JPEG, places, 60, (28, 28), side)
            lines = outer_lines(pieces, np.arange(60), side)
            if upside_down:
                told = told.from_other_end()
                lines = np.ascontiguousarray(lines[:, ::-1])
            sides.append(network.sides(lines, told, Tower.load().looks(lines, told)[1]))
        scores.append(network.scores(*sides, seams))
    np.testing.assert_allclose(*scores, atol=2e-4)


def test_the_tower_says_the_same_from_the_other_end(pieces):
    told = Conditions.of(JPEG, grid_places(4, 15, 28, 28), 60, (28, 28), RIGHT)
    lines = outer_lines(pieces, np.arange(60), RIGHT)
    ahead = Tower.load().looks(lines, told)[0].reshape(60, 28, ANSWERS)
    turned = told.from_other_end()
    back = Tower.load().looks(np.ascontiguousarray(lines[:, ::-1]), turned)[0]
    np.testing.assert_allclose(ahead, back.reshape(60, 28, ANSWERS)[:, ::-1], atol=1e-3)


def test_broad_is_a_mean_over_lines_and_positions(pieces):
    lines = outer_lines(pieces, np.arange(60), LEFT)
    found = broad(lines).reshape(60, 28, 3)
    light = lines[7, 10 - 2 : 10 + 2, :4].astype(float).mean(axis=(0, 1)).mean()
    assert found[7, 10, 0] == pytest.approx(light, abs=1e-3)


def test_rows_do_not_depend_on_the_number_of_threads(pieces):
    rows = []
    for threads in (1, 3):
        with crew(threads) as hands:
            whole = DamagedBorders(pieces, np.arange(60), JPEG, None, hands)
            rows.append(whole.borders())
    for one, other in zip(*rows, strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("size", [(28, 28), (5, 9), (1, 40), (3, 3)])
def test_any_size_of_pieces(size):
    rng = np.random.default_rng(4)
    some = rng.integers(0, 255, (12, *size, 3), dtype=np.uint8)
    puzzle = Puzzle(some, (3, 4), damage=JPEG, places=grid_places(3, 4, *size))
    solution = solve(puzzle, Settings.of(population=6, generations=1, threads=1))
    assert sorted(solution.arrangement.ravel()) == list(range(12))


def compressed(quality, piece=28):
    """Return a part of the demo's photograph, saved as a puzzle after shuffling, and the truth."""
    puzzle, truth = Puzzle.cut(PHOTO[:280, :420], piece).shuffle(seed=3)
    file = io.BytesIO()
    Image.fromarray(puzzle.image()).save(file, "JPEG", quality=quality)
    pixels = np.asarray(Image.open(file))
    damaged = Puzzle.cut(pixels, piece)
    places = grid_places(*puzzle.board, piece, piece)
    whole = dataclasses.replace(damaged, damage=damage_of_file(file.getvalue()), places=places)
    return whole, truth


def test_a_puzzle_compressed_after_shuffling_is_solved():
    puzzle, truth = compressed(75)
    known = solve(puzzle, Settings.of(seed=1))
    blind = solve(puzzle, Settings.of(seed=1, damage="none"))
    assert score(known, truth).neighbour > 0.95
    assert score(known, truth).neighbour > score(blind, truth).neighbour + 0.2
    assert known.puzzle.damage.codec == "jpeg"
    assert blind.puzzle.damage.is_none
