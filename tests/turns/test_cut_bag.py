"""Cutting pictures into turned tiles, and several into one bag."""

import json

import numpy as np
import pytest
from helpers import in_this_process, jigsolve
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from jigsolve import InputError, Puzzle
from jigsolve.core.bag import Bag
from jigsolve.core.cut_bag import cut_bag
from jigsolve.core.cutting import cut_tiles
from jigsolve.io.tiles import read_tiles

RNG = np.random.default_rng(4)
PICTURES = [
    RNG.integers(0, 256, (h, w, 3)).astype(np.uint8) for h, w in ((63, 85), (40, 50), (30, 72))
]
OTHER = RNG.integers(0, 256, (100, 100, 3)).astype(np.uint8)


def laid(pieces, placement):
    """Lay tiles by their placement, cell by cell; empty cells are None."""
    return {
        cell: np.rot90(pieces[piece], -int(placement.turns[cell])) if piece >= 0 else None
        for cell, piece in np.ndenumerate(placement.pieces)
    }


@pytest.mark.parametrize("piece", [10, (10, 5)])
def test_turned_tiles_are_a_shuffled_puzzle_with_turns(piece):
    cut = cut_tiles(PICTURES[0], piece, seed=3, turned=True)
    turns = "quarter" if piece == 10 else "half"
    puzzle, truth = Puzzle.cut(PICTURES[0], piece).shuffle(3, turns)
    np.testing.assert_array_equal(cut.pieces, puzzle.pieces)
    np.testing.assert_array_equal(cut.truth, truth.pieces)
    np.testing.assert_array_equal(cut.turns, truth.turns)
    record = json.loads(json.dumps(cut.as_dict()))
    assert record["turns"] == truth.turns.ravel().tolist()
    assert "turns" not in cut_tiles(PICTURES[0], piece, seed=3).as_dict()
    there = cut.truth_by_names(cut.names)
    np.testing.assert_array_equal(puzzle.image(*there), Puzzle.cut(PICTURES[0], piece).image())


@settings(max_examples=40)
@given(
    st.integers(1, 3),
    st.integers(0, 6),
    st.integers(0, 20),
    st.integers(0, 6),
    st.booleans(),
    st.sampled_from([10, (10, 5)]),
    st.integers(0, 2**40),
)
def test_the_truth_of_a_bag_knows_every_tile(
    count, missing, strays, duplicates, turned, piece, seed
):
    pictures = PICTURES[:count]
    cut = cut_bag(
        pictures,
        piece,
        seed=seed,
        missing=missing,
        strays=[(OTHER, strays)],
        duplicates=duplicates,
        turned=turned,
    )
    pieces = cut.bag.pieces
    seen = []
    for picture, placement in zip(pictures, cut.truth, strict=True):
        whole = Puzzle.cut(picture, piece)
        assert placement.pieces.shape == whole.board
        for (row, column), tile in laid(pieces, placement).items():
            if tile is not None:
                expected = whole.pieces[row * whole.board.columns + column]
                np.testing.assert_array_equal(tile, expected)
        seen += placement.pieces[placement.pieces >= 0].tolist()
        assert turned or not placement.turns.any()
    assert sum(int((p.pieces < 0).sum()) for p in cut.truth) == missing
    copies = [copy for copy, _ in cut.duplicates]
    assert sorted([*seen, *cut.strays, *copies]) == list(range(len(pieces)))
    for copy, original in cut.duplicates:
        assert any(
            np.array_equal(np.rot90(pieces[copy], t), pieces[original]) for t in (0, 1, 2, 3)
        )
    assert len(set(cut.names)) == len(pieces)


def test_a_bag_of_one_picture_is_that_picture_cut():
    faults = {"missing": 3, "strays": [(OTHER, 4)], "duplicates": 2, "jitter": 2, "turned": True}
    bag, tiles = (
        cut_bag(PICTURES[:1], 10, seed=1, **faults),
        cut_tiles(PICTURES[0], 10, seed=1, **faults),
    )
    assert bag.names == tiles.names
    np.testing.assert_array_equal(bag.truth[0].pieces, tiles.truth)
    for one, other in zip(bag.tiles, tiles.tiles, strict=True):
        np.testing.assert_array_equal(one, other)


def test_the_pieces_of_all_pictures_are_mixed():
    cut = cut_bag([OTHER, 255 - OTHER], 10, seed=2)
    first, second = (np.sort(placement.pieces.ravel()) for placement in cut.truth)
    assert abs(first.mean() - second.mean()) < 25
    ranks = np.argsort(np.argsort(cut.names))
    assert abs(ranks[first].mean() - ranks[second].mean()) < 25


@pytest.fixture
def folder(tmp_path):
    for name, pixels in zip("abc", PICTURES, strict=True):
        Image.fromarray(pixels).save(tmp_path / f"{name}.png")
    Image.fromarray(OTHER).save(tmp_path / "other.png")
    return tmp_path


def test_the_command_cuts_a_bag(folder):
    command = ["cut", "a.png", "b.png", "c.png", "-o", "bag/", "--piece", "10", "--turned"]
    command += ["--missing", "4", "--stray", "other.png:3", "--truth", "truth.json"]
    code, said, _ = jigsolve(*command, cwd=folder)
    assert code == 0
    assert "3 pictures, 8 x 6 + 5 x 4 + 7 x 3 = 89 pieces of 10 x 10 pixels" in said
    assert "turned, 4 missing, 3 strays" in said
    truth = json.loads((folder / "truth.json").read_text())
    tiles = read_tiles(folder / "bag")
    assert len(tiles.pieces) == len(truth["tiles"]) == 88
    by_name = {f"{tile['name']}.png": tile for tile in truth["tiles"]}
    strays = 0
    for name, pixels in zip(tiles.names, tiles.pieces, strict=True):
        tile = by_name[name]
        if tile["picture"] is None:
            strays += 1
            continue
        whole = PICTURES[tile["picture"] - 1]
        top, left = 10 * tile["row"], 10 * tile["column"]
        upright = np.rot90(pixels, -tile["turn"])
        np.testing.assert_array_equal(upright, whole[top : top + 10, left : left + 10])
    assert strays == len(truth["strays"]) == 3
    assert [p["file"] for p in truth["pictures"]] == ["a.png", "b.png", "c.png"]
    assert truth["pictures"][2]["board"] == {"rows": 3, "columns": 7}


def test_the_command_turns_the_pieces_of_a_picture(folder):
    command = ["cut", "a.png", "-o", "p.png", "--piece", "5x10", "--turned", "--truth", "t.json"]
    code, said, _ = jigsolve(*command, cwd=folder)
    assert code == 0
    assert "pixels, turned" in said
    truth = json.loads((folder / "t.json").read_text())
    assert set(truth["turns"]) == {0, 2}
    shuffled = Puzzle.cut(folder / "p.png", (10, 5))
    laid_out = Puzzle(shuffled.pieces, shuffled.board, turns="half").image(
        np.array(truth["arrangement"]), np.array(truth["turns"])
    )
    np.testing.assert_array_equal(laid_out, PICTURES[0][:60, :85])


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["a.png", "b.png", "-o", "bag.png"], 2, "expected an archive or folder for the tiles of"),
        (["a.png", "b.png", "-o", "bag/", "--gap", "2"], 2, "expected a picture for --gap"),
        (["a.png", "c.png", "-o", "bag/", "--piece", "35"], 1, "c.png: expected room for at least"),
        (["a.png", "gone.png", "-o", "bag/"], 1, "gone.png: expected a picture"),
        (
            ["a.png", "b.png", "-o", "bag/", "--piece", "9", "--missing", "100%"],
            1,
            "missing: expect",
        ),
    ],
)
def test_bags_that_cannot_be_cut(folder, arguments, code, words):
    found, said = in_this_process(["cut", *arguments], folder)
    assert (found, said.count("\n")) == (code, 1)
    assert words in said


def test_rectangles_turned_by_quarters_are_named(tmp_path):
    for number, piece in enumerate(Puzzle.cut(OTHER, (10, 20)).pieces):
        Image.fromarray(np.rot90(piece, number % 2)).save(tmp_path / f"{number}.png")
    with pytest.raises(InputError, match=r"25 of 20 x 10, 25 of 10 x 20.*turned by a quarter\?"):
        read_tiles(tmp_path)


@pytest.mark.parametrize(
    ("pieces", "options", "words"),
    [
        (np.zeros((1, 4, 4, 3), np.uint8), {}, "expected at least two pieces, found 1"),
        (np.zeros((0, 4, 4, 3), np.uint8), {}, "expected pieces with pixels"),
        (np.zeros((3, 4, 4, 3)), {}, "found float64"),
        (np.zeros((3, 4, 0, 3), np.uint8), {}, "expected pieces with pixels"),
        (np.zeros((3, 4, 5, 3), np.uint8), {"turns": "quarter"}, "expected square pieces"),
        (np.zeros((3, 4, 4, 3), np.uint8), {"names": ["a"]}, "expected 3 names, found 1"),
    ],
)
def test_bags_that_are_none(pieces, options, words):
    with pytest.raises(InputError, match=words):
        Bag(pieces, **options)
