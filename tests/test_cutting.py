"""Puzzles made with the faults that found ones have."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jigsolve import InputError, Puzzle
from jigsolve.core.cutting import cut_tiles, lay_out
from jigsolve.io.tile_writing import write_tiles
from jigsolve.io.tiles import read_tiles

RNG = np.random.default_rng(2)
PICTURE = RNG.integers(0, 256, (63, 85, 3)).astype(np.uint8)  # 6 x 8 pieces of 10, and a strip
OTHER = RNG.integers(0, 256, (100, 100, 3)).astype(np.uint8)
CELLS = Puzzle.cut(PICTURE, 10).pieces


def test_without_faults_it_is_a_shuffled_puzzle():
    cut = cut_tiles(PICTURE, 10, seed=3)
    puzzle, truth = Puzzle.cut(PICTURE, 10).shuffle(3)
    np.testing.assert_array_equal(cut.pieces, puzzle.pieces)
    np.testing.assert_array_equal(cut.truth, truth)
    assert cut.strays == cut.duplicates == ()
    assert cut.board == puzzle.board


@settings(max_examples=40)
@given(st.integers(0, 46), st.integers(0, 100), st.integers(0, 48), st.integers(0, 2**40))
def test_the_truth_knows_every_tile(missing, strays, duplicates, seed):
    if duplicates > 48 - missing:
        return
    cut = cut_tiles(
        PICTURE, 10, seed=seed, missing=missing, strays=[(OTHER, strays)], duplicates=duplicates
    )
    pieces, truth = cut.pieces, cut.truth.ravel()
    assert len(pieces) == 48 - missing + strays + duplicates
    assert (truth < 0).sum() == missing
    for cell, piece in enumerate(truth):
        if piece >= 0:
            np.testing.assert_array_equal(pieces[piece], CELLS[cell])
    copies = [copy for copy, _ in cut.duplicates]
    everything = [*truth[truth >= 0], *cut.strays, *copies]
    assert sorted(everything) == list(range(len(pieces)))
    for copy, original in cut.duplicates:
        np.testing.assert_array_equal(pieces[copy], pieces[original])
        assert original in truth
    others = {tile.tobytes() for tile in Puzzle.cut(OTHER, 10).pieces}
    assert all(pieces[stray].tobytes() in others for stray in cut.strays)
    assert len({pieces[stray].tobytes() for stray in cut.strays}) == strays
    assert len(set(cut.names)) == len(pieces)


def test_shares_are_of_the_board():
    cut = cut_tiles(PICTURE, 10, missing=0.25, strays=[(OTHER, 0.5), (255 - OTHER, 0.001)])
    assert (cut.truth < 0).sum() == 12
    assert len(cut.strays) == 24 + 1


def test_a_seed_repeats_everything():
    faults = {"missing": 3, "strays": [(OTHER, 4)], "duplicates": 2, "jitter": 2}
    first, again, other = (cut_tiles(PICTURE, 10, seed=s, **faults) for s in (1, 1, 2))
    assert first.as_dict() == again.as_dict()
    for tile, same in zip(first.tiles, again.tiles, strict=True):
        np.testing.assert_array_equal(tile, same)
    assert first.names != other.names
    assert (first.truth != other.truth).any()


def test_names_say_nothing_about_the_order():
    cut = cut_tiles(RNG.integers(0, 256, (200, 200, 3)).astype(np.uint8), 4, seed=5)
    ranks = np.argsort(np.argsort([cut.names[piece] for piece in cut.truth.ravel()]))
    correlation = np.corrcoef(ranks, np.arange(len(ranks)))[0, 1]
    assert abs(correlation) < 0.1


def test_jittered_tiles_are_parts_of_the_picture_around_their_cells():
    cut = cut_tiles(PICTURE, 10, seed=1, jitter=2)
    sizes = {tile.shape[:2] for tile in cut.tiles}
    assert sizes == {(h, w) for h in (10, 11, 12) for w in (10, 11, 12)}
    whole = PICTURE[:60, :80]
    shifts = set()
    for (row, column), piece in np.ndenumerate(cut.truth):
        tile = cut.tiles[piece]
        height, width = tile.shape[:2]
        places = [
            (top, left)
            for top in range(row * 10 - 2, row * 10 + 1)
            for left in range(column * 10 - 2, column * 10 + 1)
            if top >= 0 and left >= 0 and np.array_equal(whole[top:, left:][:height, :width], tile)
        ]
        assert len(places) == 1
        shifts.add((row * 10 - places[0][0], column * 10 - places[0][1]))
    assert {0, 1, 2} == {down for down, _ in shifts} == {across for _, across in shifts}


@pytest.mark.parametrize("name", ["tiles", "t.zip", "t.tar", "t.tar.gz", "t.tgz", "t.tar.xz"])
def test_written_tiles_are_read_again(tmp_path, name):
    cut = cut_tiles(PICTURE, 10, seed=1, missing=5, strays=[(OTHER, 3)])
    write_tiles(tmp_path / name, cut.tiles, cut.names)
    assert [path.name for path in tmp_path.iterdir()] == [name]
    tiles = read_tiles(tmp_path / name)
    truth = cut.truth_by_names(tiles.names)
    np.testing.assert_array_equal(truth < 0, cut.truth < 0)
    for place, piece in np.ndenumerate(truth):
        if piece >= 0:
            np.testing.assert_array_equal(tiles.pieces[piece], cut.tiles[cut.truth[place]])


def test_the_same_tiles_make_the_same_archive(tmp_path):
    cut = cut_tiles(PICTURE, 10)
    for ending in (".zip", ".tar"):
        for name in "ab":
            write_tiles(tmp_path / f"{name}{ending}", cut.tiles, cut.names)
        a, b = ((tmp_path / f"{name}{ending}").read_bytes() for name in "ab")
        assert a == b


def test_folders_are_replaced_only_if_they_hold_nothing_but_tiles(tmp_path):
    cut = cut_tiles(PICTURE, 10)
    few = cut.tiles[:2], cut.names[:2]
    (tmp_path / "t").mkdir()
    write_tiles(tmp_path / "t", cut.tiles, cut.names)  # an empty one is as good as none
    with pytest.raises(InputError, match=r"new or empty folder, found \w+.png in it; `force`"):
        write_tiles(tmp_path / "t", *few)
    write_tiles(tmp_path / "t", *few, force=True)
    assert len(list((tmp_path / "t").iterdir())) == 2
    (tmp_path / "t" / "thesis.tex").write_text("years of work")
    with pytest.raises(
        InputError, match=r"nothing but what is written there, found thesis.tex in it"
    ):
        write_tiles(tmp_path / "t", *few, force=True)
    assert (tmp_path / "t" / "thesis.tex").read_text() == "years of work"
    assert [path.name for path in tmp_path.iterdir()] == ["t"]


def test_nothing_is_left_of_a_folder_that_could_not_be_finished(tmp_path):
    with pytest.raises(ValueError, match="shorter"):
        write_tiles(tmp_path / "t", cut_tiles(PICTURE, 10).tiles, ["one"])
    assert list(tmp_path.iterdir()) == []


def test_laid_out_with_gaps_and_a_border():
    tiles = cut_tiles(PICTURE, 10, missing=3).tiles
    picture = lay_out(tiles, 8, gap=3, border=5, colour=(1, 2, 3))
    assert picture.shape == (2 * 5 + 6 * 13 - 3, 2 * 5 + 8 * 13 - 3, 3)
    covered = np.zeros(picture.shape[:2], bool)
    for number, tile in enumerate(tiles):
        top, left = 5 + 13 * (number // 8), 5 + 13 * (number % 8)
        np.testing.assert_array_equal(picture[top : top + 10, left : left + 10], tile)
        covered[top : top + 10, left : left + 10] = True
    assert (picture[~covered] == (1, 2, 3)).all()
    np.testing.assert_array_equal(lay_out(CELLS, 8), PICTURE[:60, :80])


def test_the_record_is_json():
    cut = cut_tiles(PICTURE, 10, missing=2, strays=[(OTHER, 1)], duplicates=1)
    record = json.loads(json.dumps(cut.as_dict()))
    assert record["arrangement"].count(-1) == 2
    assert len(record["names"]) == 48
    assert record["strays"] == list(cut.strays)
    assert record["duplicates"] == [list(cut.duplicates[0])]


@pytest.mark.parametrize(
    ("faults", "words"),
    [
        ({"missing": 47}, "missing: expected a whole number from 0 to 46"),
        ({"missing": -1}, "missing: expected a whole number"),
        ({"missing": 1.5}, r"missing: expected a share from 0 to 1, found 1.5"),
        ({"missing": 40, "duplicates": 9}, "duplicates: expected a whole number from 0 to 8"),
        ({"strays": [(OTHER, 101)]}, "the strays' picture: expected 101 tiles or more, found 100"),
        ({"jitter": 3}, "jitter: expected a whole number from 0 to 2"),
        ({"seed": -1}, "seed: expected"),
    ],
)
def test_faults_that_cannot_be(faults, words):
    with pytest.raises(InputError, match=words):
        cut_tiles(PICTURE, 10, **faults)
