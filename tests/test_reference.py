"""Placing pieces by a picture of the original."""

import dataclasses
import io
import json

import numpy as np
import pytest
from helpers import jigsolve
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from skimage import data

from jigsolve import Board, InputError, Puzzle, Settings, demo_photo, score, solve
from jigsolve.cli.reference import report_of
from jigsolve.io.pictures import write_picture
from jigsolve.reference import Placement, place_by_reference
from jigsolve.reference.holding import held_together
from jigsolve.reference.matching import give_out, nearest
from jigsolve.reference.placement import _rival_cells

QUICK = Settings.of(population=20, generations=0, mutation=0.0, annealing=20, threads=1)


def scaled(pixels, factor):
    picture = Image.fromarray(pixels)
    size = [round(side * factor) for side in picture.size]
    return np.asarray(picture.resize(size, Image.Resampling.LANCZOS))


def as_jpeg(pixels, quality):
    written = io.BytesIO()
    Image.fromarray(pixels).save(written, "JPEG", quality=quality)
    return np.asarray(Image.open(written))


def brighter(pixels):
    return np.clip((pixels / 255) ** 0.7 * 215 + 30, 0, 255).astype(np.uint8)


def inside_more(pixels):
    """Lay a picture somewhere on a larger one."""
    sheet = np.full((pixels.shape[0] + 90, pixels.shape[1] + 230, 3), 250, np.uint8)
    sheet[33 : 33 + pixels.shape[0], 101 : 101 + pixels.shape[1]] = pixels
    return sheet


REFERENCES = {
    "exact": lambda photo: photo,
    "whole pieces only": lambda photo: Puzzle.cut(photo, 25).image(),
    "smaller": lambda photo: scaled(photo, 0.37),
    "larger": lambda photo: scaled(photo, 1.6),
    "jpeg": lambda photo: as_jpeg(photo, 60),
    "small jpeg": lambda photo: as_jpeg(scaled(photo, 0.6), 60),
    "brighter": brighter,
    "brighter inside more": lambda photo: inside_more(brighter(photo)),
    "stretched": lambda photo: np.asarray(Image.fromarray(photo[:400, :600]).resize((700, 400))),
}


@pytest.mark.parametrize("name", REFERENCES)
def test_every_piece_finds_its_cell(name):
    photo = demo_photo()
    puzzle, truth = Puzzle.cut(photo, 25).shuffle(3)
    placement = place_by_reference(puzzle, REFERENCES[name](photo))
    assert placement.complete
    assert placement.unmatched.size == 0
    assert np.median(placement.match) > 0.6
    np.testing.assert_array_equal(placement.arrangement, truth)


@pytest.mark.parametrize(("piece", "factor"), [(7, 1.0), ((11, 35), 0.7)])
def test_small_and_narrow_pieces_find_their_cells(piece, factor):
    photo = demo_photo()[:160, 150:400]
    puzzle, truth = Puzzle.cut(photo, piece).shuffle(3)
    placement = place_by_reference(puzzle, scaled(photo, factor))
    assert (placement.arrangement == truth).mean() > 0.98
    assert (placement.arrangement == truth)[placement.sure].all()


def test_a_crop_places_what_it_shows_and_seams_place_the_rest():
    photo = demo_photo()
    puzzle, truth = Puzzle.cut(photo, 28).shuffle(5)
    placement = place_by_reference(puzzle, scaled(photo[30:-30, 45:-45], 1.1))
    assert not placement.complete
    rows, columns = placement.covered
    assert (rows, columns) == (12, 17)  # cells 1 to 12, but for two pixels, and 2 to 18
    np.testing.assert_array_equal(placement.arrangement[:12, :17], truth[1:13, 2:19])
    assert (placement.arrangement[12:] == -1).all()
    assert (placement.arrangement[:, 17:] == -1).all()
    outside = np.setdiff1d(truth, truth[1:13, 2:19])
    np.testing.assert_array_equal(placement.unmatched, outside)
    some = QUICK.changed(generations=5)
    assert score(solve(puzzle, some, constraints=placement.constraints()), truth).perfect


def test_pieces_of_another_picture_are_listed():
    puzzle, truth = Puzzle.cut(demo_photo(), 25).shuffle(3)
    others = Puzzle.cut(data.chelsea(), 25).pieces
    strays = np.array([7, 50, 111, 200, 303])
    pieces = puzzle.pieces.copy()
    pieces[strays] = others[[40, 60, 80, 100, 120]]
    placement = place_by_reference(Puzzle(pieces, puzzle.board), scaled(demo_photo(), 0.8))
    np.testing.assert_array_equal(placement.unmatched, strays)
    expected = np.where(np.isin(truth, strays), -1, truth)
    np.testing.assert_array_equal(placement.arrangement, expected)


def test_tiles_that_match_nothing_are_called_by_their_files():
    match = np.array([0.5, 0.0, 0.9, 0.0])
    placement = Placement(
        Board(2, 2), np.full((2, 2), -1), np.zeros((2, 2), bool), match, Board(2, 2)
    )
    assert "pieces 1, 3 (counted from 0" in report_of(placement, None)
    assert report_of(placement, ("a", "b\n.png", "c", "d")).endswith(r"pieces b\n.png, d")


def test_equal_pieces_neither_explode_nor_take_the_place_of_others():
    photo = np.full((200, 300, 3), 255, np.uint8)
    photo[50:150, 50:200] = demo_photo()[100:200, 200:350]
    puzzle, _ = Puzzle.cut(photo, 10).shuffle(2)
    placement = place_by_reference(puzzle, photo)
    solution = solve(puzzle, QUICK, constraints=placement.constraints())
    np.testing.assert_array_equal(solution.image(), photo)


@pytest.mark.parametrize("size", [(300, 451), (40, 60), (3, 2), (1, 1)])
def test_another_picture_is_refused(size):
    puzzle, _ = Puzzle.cut(demo_photo(), 25).shuffle(3)
    other = np.asarray(Image.fromarray(data.chelsea()).resize(size[::-1]))
    with pytest.raises(InputError, match="nothing matches the reference"):
        place_by_reference(puzzle, other)


@pytest.mark.parametrize("reference", [np.zeros((300, 400, 3), np.uint8), data.chelsea()])
def test_a_plain_puzzle_matches_nothing(reference):
    puzzle = Puzzle(np.full((12, 9, 9, 3), 77, np.uint8), (3, 4))
    with pytest.raises(InputError, match="nothing matches the reference"):
        place_by_reference(puzzle, reference)


@pytest.mark.parametrize(
    "reference", [None, np.zeros((9, 9, 4), np.uint8), np.zeros((9, 9, 3)), np.zeros((0, 9), "u1")]
)
def test_what_is_no_picture_is_refused(reference):
    puzzle = Puzzle.cut(demo_photo(), 50)
    with pytest.raises(InputError, match=r"expected a (picture|reference)"):
        place_by_reference(puzzle, reference)


def test_a_line_of_pixels_is_no_reference():
    photo = demo_photo()
    puzzle, _ = Puzzle.cut(photo, 25).shuffle(3)
    for line in (photo[:1], photo[:, :1]):
        with pytest.raises(InputError, match="at least a pixel of it to a piece"):
            place_by_reference(puzzle, line)


def test_a_missing_piece_makes_no_other_doubtful():
    cells = np.eye(5, 12, dtype=np.float32) * 100
    rivals = _rival_cells(cells, cells[:4], np.array([0, 1, 2, 3, -1]))
    assert (rivals[:4] > 1).all()


def test_four_pieces_can_be_placed():
    photo = demo_photo()[100:200, 200:340]
    puzzle, truth = Puzzle.cut(photo, (50, 70)).shuffle(1)
    placement = place_by_reference(puzzle, scaled(photo, 0.9))
    np.testing.assert_array_equal(placement.arrangement, truth)


def test_known_neighbours_are_kept_and_checked():
    puzzle, _ = Puzzle.cut(demo_photo(), 50).shuffle(1)
    wrong = np.random.default_rng(1).permutation(len(puzzle)).reshape(puzzle.board)
    placement = place_by_reference(puzzle, demo_photo())
    odd = dataclasses.replace(placement, arrangement=wrong, sure=np.ones(puzzle.board, bool))
    found = solve(puzzle, QUICK, constraints=odd.constraints())
    np.testing.assert_array_equal(found.arrangement, wrong)


@given(st.integers(1, 9), st.integers(1, 9), st.integers(0, 2**32), st.floats(0, 0.6))
@settings(max_examples=60)
def test_what_is_held_together_is_connected_and_reaches_the_ends(rows, columns, seed, share):
    rng = np.random.default_rng(seed)
    sure = rng.random((rows, columns)) < share
    sure[rng.integers(rows), rng.integers(columns)] = True
    kept = held_together(sure, sure | (rng.random(sure.shape) < 0.5), (True, True))
    assert kept[sure].all()
    assert kept[0].any()
    assert kept[-1].any()
    assert kept[:, 0].any()
    assert kept[:, -1].any()
    seen, waiting = set(), [tuple(np.argwhere(kept)[0].tolist())]
    while waiting:
        row, column = waiting.pop()
        if (row, column) in seen or not (0 <= row < rows and 0 <= column < columns):
            continue
        if kept[row, column]:
            seen.add((row, column))
            waiting += [(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)]
    assert len(seen) == kept.sum()


@given(st.integers(1, 30), st.integers(1, 30), st.integers(1, 5), st.integers(0, 2**32))
@settings(max_examples=40)
def test_the_nearest_are_those_of_a_plain_search(asking, among, k, seed):
    rng = np.random.default_rng(seed)
    a = rng.integers(0, 256, (asking, 12)).astype(np.float32)
    b = rng.integers(0, 256, (among, 12)).astype(np.float32)
    plain = np.sqrt(((a[:, None] - b) ** 2).mean(axis=2))
    found = nearest(a, b, k)
    np.testing.assert_allclose(found.distance, np.sort(plain, axis=1)[:, :k], atol=0.1)
    np.testing.assert_allclose(
        np.take_along_axis(plain, found.which, axis=1), found.distance, atol=0.1
    )


@given(st.integers(2, 40), st.integers(0, 2**32), st.integers(1, 4))
@settings(max_examples=40)
def test_no_piece_is_given_twice_and_no_swap_would_help_few_cells(count, seed, levels):
    rng = np.random.default_rng(seed)
    cells, pieces = rng.integers(0, 20 * levels, (2, count, 3)).astype(np.float32)
    held = give_out(cells, pieces, np.full(count, 1000.0), jitter=1e-3)
    assert sorted(held) == list(range(count))
    cost = ((cells[:, None] - pieces) ** 2).mean(axis=2)
    if count <= 16:  # all pieces are choices of every cell
        for a in range(count):
            for b in range(a):
                now = cost[a, held[a]] + cost[b, held[b]]
                assert now <= cost[a, held[b]] + cost[b, held[a]] + 1.01


def test_pieces_without_a_match_are_called_by_their_files():
    puzzle, _ = Puzzle.cut(demo_photo(), 50).shuffle(4)
    pieces = puzzle.pieces.copy()
    pieces[[5, 33]] = Puzzle.cut(data.chelsea(), 50).pieces[[20, 30]]
    placement = place_by_reference(Puzzle(pieces, puzzle.board), demo_photo())
    names = [f"tile_{number}.png" for number in range(len(pieces))]
    assert report_of(placement, names).endswith("\nno match for pieces tile_5.png, tile_33.png")


def test_the_command_places_lists_and_refuses(tmp_path):
    puzzle, truth = Puzzle.cut(demo_photo(), 50).shuffle(4)
    pieces = puzzle.pieces.copy()
    pieces[[5, 33]] = Puzzle.cut(data.chelsea(), 50).pieces[[20, 30]]
    write_picture(tmp_path / "puzzle.png", Puzzle(pieces, puzzle.board).image())
    write_picture(tmp_path / "original.png", scaled(demo_photo(), 0.5))
    write_picture(tmp_path / "cat.png", data.chelsea())
    command = ("solve", "puzzle.png", "-o", "out.png", "--piece", 50, "--reference")
    done = jigsolve(*command, "original.png", "--json", "run.json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "94 of 96 pieces match it" in done.stdout
    assert "no match for pieces 5, 33 (counted" in done.stdout
    record = json.loads((tmp_path / "run.json").read_text())
    assert record["reference"]["unmatched"] == [5, 33]
    found = np.array(record["arrangement"]).reshape(puzzle.board)
    fits = ~np.isin(truth, [5, 33])
    np.testing.assert_array_equal(found[fits], truth[fits])
    (tmp_path / "out.png").unlink()
    for name, message in (("cat.png", "cat.png: nothing matches"), ("no.png", "no such file")):
        done = jigsolve(*command, name, cwd=tmp_path)
        assert (done.returncode, done.stderr.count("\n")) == (1, 1)
        assert message in done.stderr
        assert not (tmp_path / "out.png").exists()
