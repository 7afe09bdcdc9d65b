"""Puzzles whose pieces are turned: shuffling, pictures, tables, files and films."""

import csv
import dataclasses
import io

import numpy as np
import pytest
from helpers import random_pieces
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from jigsolve import Board, InputError, Puzzle, Settings, solve
from jigsolve.core.bag import Bag
from jigsolve.core.turns import POSES, Placement, possible_turns, random_turns, turned_pieces
from jigsolve.io.turning import turned_file
from jigsolve.render import draw_overlay, write_film
from jigsolve.render.listing import COLUMNS, as_csv, bag_as_csv
from jigsolve.render.renaming import rename_bag_into, rename_into

BOARDS = st.tuples(st.integers(1, 5), st.integers(2, 5))


@settings(max_examples=60)
@given(BOARDS, st.integers(1, 4), st.integers(1, 4), st.integers(0, 2**40), st.booleans())
def test_laying_the_truth_restores_the_picture(board, height, width, seed, half):
    if not half:
        width = height
    turns = "half" if half else "quarter"
    rng = np.random.default_rng(seed)
    picture = rng.integers(0, 256, (board[0] * height, board[1] * width, 3)).astype(np.uint8)
    cut = Puzzle.cut(picture, (height, width))
    shuffled, truth = cut.shuffle(seed, turns)
    assert shuffled.turns == turns
    np.testing.assert_array_equal(shuffled.image(*truth), picture)
    assert set(np.unique(truth.turns)) <= set(possible_turns(turns))
    plain, plain_truth = cut.shuffle(seed)
    np.testing.assert_array_equal(truth.pieces, plain_truth)
    for piece, as_it_was in zip(shuffled.pieces, plain.pieces, strict=True):
        assert any(np.array_equal(np.rot90(piece, t), as_it_was) for t in possible_turns(turns))


def test_what_may_be_turned_stays_so():
    pieces = random_pieces(np.random.default_rng(0), 6)
    turned = Puzzle(pieces, Board(2, 3), turns="quarter")
    assert turned.shuffle(1)[0].turns == turned.shuffle(1, "half")[0].turns == "quarter"
    assert Puzzle(pieces, Board(2, 3)).shuffle(1)[0].turns == "none"


@pytest.mark.parametrize("turns", ["half", "quarter"])
def test_all_turns_are_about_as_frequent(turns):
    drawn = random_turns(4000, turns, 3)
    counts = np.bincount(drawn, minlength=4)[[*possible_turns(turns)]]
    assert counts.sum() == 4000
    assert (abs(counts - 4000 / POSES[turns]) < 150).all()
    np.testing.assert_array_equal(drawn, random_turns(4000, turns, 3))
    assert (drawn != random_turns(4000, turns, 4)).any()


@settings(max_examples=40)
@given(BOARDS, st.integers(0, 10**6), st.integers(0, 3), st.integers(0, 3))
def test_turning_the_whole_turns_the_picture(board, seed, turn, more):
    rng = np.random.default_rng(seed)
    pieces = random_pieces(rng, board[0] * board[1])
    ids = rng.permutation(len(pieces)).reshape(board)
    placement = Placement(ids, rng.integers(0, 4, board).astype(np.int8))
    picture = Puzzle(pieces, board, turns="quarter").image(*placement)
    turned = placement.turned(turn)
    there = Puzzle(pieces, turned.pieces.shape, turns="quarter").image(*turned)
    np.testing.assert_array_equal(there, np.rot90(picture, -turn))
    for one, other in zip(turned.turned(more), placement.turned(turn + more), strict=True):
        np.testing.assert_array_equal(one, other)


def test_empty_cells_are_never_turned():
    placement = Placement(np.array([[0, -1, 1]]), np.array([[1, 0, 3]], np.int8))
    turned = placement.turned(1)
    assert turned.turns.ravel().tolist() == [2, 0, 0]
    puzzle = Puzzle(random_pieces(np.random.default_rng(0), 2), Board(1, 3), holes=1, turns="half")
    picture = puzzle.image(placement.pieces, np.array([[2, 2, 0]]))
    assert (picture[:, 3:6] == 128).all()
    np.testing.assert_array_equal(picture[:, :3], puzzle.pieces[0][::-1, ::-1])


@pytest.mark.parametrize(
    ("turns", "words"),
    [
        (np.full((2, 3), 1), "turns: expected 0, 2, as pieces with turns 'half' have, found 1"),
        (np.full((2, 3), 4), "found 4"),
        (np.zeros((2, 2), int), r"turns: expected whole numbers of shape \(6,\), found int64"),
        (np.zeros((2, 3)), "found float64"),
    ],
)
def test_turns_that_cannot_be(turns, words):
    puzzle = Puzzle(random_pieces(np.random.default_rng(0), 6), Board(2, 3), turns="half")
    with pytest.raises(InputError, match=words):
        puzzle.image(np.arange(6), turns)


def test_rectangles_have_no_quarter_turns():
    puzzle = Puzzle(random_pieces(np.random.default_rng(0), 6, 2, 3), Board(2, 3))
    with pytest.raises(InputError, match="expected square pieces for quarter turns, found 3 x 2"):
        puzzle.shuffle(1, "quarter")
    with pytest.raises(InputError, match="turns: expected one of none, half, quarter, found 'up'"):
        puzzle.shuffle(1, "up")


@pytest.fixture(scope="module")
def solved():
    """Make a solution of noise with turns and a hole that nobody searched for."""
    pieces = random_pieces(np.random.default_rng(1), 8, 4, 4)
    puzzle = Puzzle(pieces, Board(3, 3), [f"{n}.png" for n in range(8)], holes=1)
    found = solve(puzzle, Settings.of(population=10, generations=1), keep_arrangements=True)
    turned = dataclasses.replace(puzzle, turns="quarter")
    turns = np.where(found.arrangement >= 0, np.arange(9).reshape(3, 3) % 4, 0).astype(np.int8)
    return dataclasses.replace(found, puzzle=turned, turns=turns)


def test_the_picture_and_the_record_have_turns(solved):
    picture = solved.image()
    for (row, column), piece in np.ndenumerate(solved.arrangement):
        cell = picture[4 * row : 4 * row + 4, 4 * column : 4 * column + 4]
        if piece >= 0:
            expected = np.rot90(solved.puzzle.pieces[piece], -int(solved.turns[row, column]))
            np.testing.assert_array_equal(cell, expected)
    assert solved.as_dict()["turns"] == solved.turns.ravel().tolist()
    assert "turns" not in dataclasses.replace(solved, turns=None).as_dict()


def test_the_table_has_a_column_of_turns(solved):
    lines = list(csv.DictReader(as_csv(solved).splitlines()))
    assert list(lines[0])[:4] == ["row", "column", "turn", "piece"]
    for line in lines:
        row, column = int(line["row"]), int(line["column"])
        piece = solved.arrangement[row, column]
        turn = "" if piece < 0 else str(solved.turns[row, column])
        assert line["turn"] == turn
        assert line["file"] == ("" if piece < 0 else f"{piece}.png")
    plain = as_csv(dataclasses.replace(solved, turns=None)).splitlines()
    assert plain[0].split(",") == list(COLUMNS)


def test_the_table_of_a_bag_has_a_column_of_pictures(solved):
    names = [f"{n}.png" for n in range(10)]
    text = bag_as_csv([solved, solved], [9, 8], names, turned=True)
    lines = list(csv.DictReader(text.splitlines()))
    assert list(lines[0])[:5] == ["picture", "row", "column", "turn", "piece"]
    assert [line["picture"] for line in lines] == ["1"] * 9 + ["2"] * 9 + ["", ""]
    assert [line["file"] for line in lines[-2:]] == ["9.png", "8.png"]
    plain = bag_as_csv([solved], [])
    assert plain.splitlines()[0].split(",") == ["picture", *COLUMNS]


def test_copies_are_upright(solved, tmp_path):
    (tmp_path / "old").mkdir()
    for piece, name in zip(solved.puzzle.pieces, solved.puzzle.names, strict=True):
        Image.fromarray(piece).save(tmp_path / "old" / name)
    rename_into(tmp_path / "new", solved, [tmp_path / "old"])
    rename_into(tmp_path / "of-picture", _unnamed(solved))
    for (row, column), piece in np.ndenumerate(solved.arrangement):
        for folder in ("new", "of-picture"):
            copy = tmp_path / folder / f"{row:03}_{column:03}.png"
            assert copy.exists() == (piece >= 0)
            if piece >= 0:
                upright = np.rot90(solved.puzzle.pieces[piece], -int(solved.turns[row, column]))
                np.testing.assert_array_equal(np.asarray(Image.open(copy)), upright)


def _unnamed(solved):
    return dataclasses.replace(solved, puzzle=dataclasses.replace(solved.puzzle, names=None))


def test_copies_of_a_bag_have_the_number_of_their_picture(tmp_path):
    names = [f"{n}.png" for n in range(6)]
    bag = Bag(random_pieces(np.random.default_rng(5), 6, 4, 4), names, turns="quarter")
    for piece, name in zip(bag.pieces, names, strict=True):
        Image.fromarray(piece).save(tmp_path / name)
    pictures = [
        Placement(np.array([[3, 0]]), np.array([[1, 0]])),
        Placement(np.array([[5], [-1], [1]]), np.array([[2], [0], [3]])),
    ]
    for force in (False, True):  # what it wrote it may replace
        rename_bag_into(tmp_path / "new", bag, pictures, [2, 4], [tmp_path / "*.png"], force=force)
    expected = {
        "1_000_000.png": (3, 1),
        "1_000_001.png": (0, 0),
        "2_000_000.png": (5, 2),
        "2_002_000.png": (1, 3),
        "stray-2-2.png": (2, 0),
        "stray-4-4.png": (4, 0),
    }
    assert {path.name for path in (tmp_path / "new").iterdir()} == set(expected)
    for name, (piece, turn) in expected.items():
        upright = np.rot90(bag.pieces[piece], -turn)
        np.testing.assert_array_equal(np.asarray(Image.open(tmp_path / "new" / name)), upright)


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "I;16", "CMYK"])
def test_a_turned_file_keeps_its_pixels(mode):
    noise = np.random.default_rng(2).integers(0, 256, (5, 7, 4)).astype(np.uint8)
    if mode == "I;16":
        picture = Image.fromarray(noise[..., 0].astype(np.uint16) * 257)
    else:
        picture = Image.fromarray(noise).convert("RGBA" if mode == "LA" else "RGB").convert(mode)
    content = io.BytesIO()
    picture.save(content, "TIFF" if mode == "CMYK" else "PNG")
    expected = picture.convert("RGB") if mode == "CMYK" else picture
    for turn in range(4):
        turned = Image.open(io.BytesIO(turned_file(content.getvalue(), turn, "a tile")))
        assert turned.mode == expected.mode
        np.testing.assert_array_equal(np.asarray(turned), np.rot90(np.asarray(expected), -turn))


def test_films_show_pieces_as_they_are_turned(solved, tmp_path):
    history = [dataclasses.replace(g, turns=solved.turns) for g in solved.history]
    write_film(tmp_path / "film.gif", dataclasses.replace(solved, history=history))
    with Image.open(tmp_path / "film.gif") as film:
        film.seek(film.n_frames - 1)
        last = np.asarray(film.convert("RGB"), int)
    assert abs(last - solved.image()).mean() < 20  # few colours
    assert abs(last - solved.puzzle.image(solved.arrangement)).mean() > 40
    assert history[0].as_dict()["turns"] == solved.turns.ravel().tolist()


def test_only_turns_that_change_are_a_change(solved, tmp_path):
    first = dataclasses.replace(
        solved.history[0], arrangement=solved.arrangement, turns=solved.turns
    )
    other = dataclasses.replace(first, turns=(solved.turns + 1) % 4 * (solved.arrangement >= 0))
    write_film(tmp_path / "a.gif", dataclasses.replace(solved, history=[first, first]))
    write_film(tmp_path / "b.gif", dataclasses.replace(solved, history=[first, other]))
    for name, frames in (("a.gif", 2), ("b.gif", 4)):
        with Image.open(tmp_path / name) as film:
            assert film.n_frames == frames


def test_an_overlay_shows_pieces_as_they_are_turned():
    pieces = random_pieces(np.random.default_rng(3), 6, 5, 5)
    ids, turns = np.arange(6).reshape(2, 3), np.array([[0, 1, 2], [3, 0, 1]])
    sure = np.ones((2, 2)), np.ones((1, 3))
    upright = turned_pieces(pieces, turns.ravel())
    np.testing.assert_array_equal(
        draw_overlay(pieces, ids, *sure, turns), draw_overlay(upright, ids, *sure)
    )
