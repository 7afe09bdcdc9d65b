"""Solving with a shelf by the command line: what it goes with, and what is refused in a line."""

import json
import sys

import numpy as np
import pytest
from helpers import in_this_process, jigsolve
from PIL import Image
from skimage import data

from jigsolve import Puzzle
from jigsolve.core.cutting import cut_tiles
from jigsolve.io.tile_writing import write_tiles


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return a folder with a picture, shuffled, tiles of it, and tiles of two pictures."""
    photo = data.chelsea()[:112, :168]
    Image.fromarray(photo).save(tmp_path / "photo.png")
    puzzle, _ = Puzzle.cut(photo, 14).shuffle(1)
    Image.fromarray(puzzle.image(np.arange(96))).save(tmp_path / "puzzle.png")
    cut = cut_tiles(photo, 28, seed=1)
    write_tiles(tmp_path / "tiles", cut.tiles, cut.names)
    others = cut_tiles(data.coffee()[100:184, 200:312], 28, seed=2)
    names = [f"other-{name}" for name in others.names]
    write_tiles(tmp_path / "bag", [*cut.tiles, *others.tiles], [*cut.names, *names])
    for module in ("seams.all_pairs", "seams.blocks", "seams.rows"):
        monkeypatch.setattr(f"jigsolve.{module}.TILE", 32)
    return tmp_path


def pixels(folder, name):
    return np.asarray(Image.open(folder / name))


def kept(folder):
    return {path: path.stat().st_mtime_ns for path in folder.glob("shelf/*/0*.npz")}


PICTURE = ["solve", "puzzle.png", "--piece", 14, "--seed", 2]


@pytest.mark.parametrize(
    "more",
    [
        [],
        ["--checkpoint", "run.ckpt"],
        ["--time-limit", "5m"],
        ["--constraints", "known.json"],
    ],
    ids=lambda more: more[0] if more else "plain",
)
def test_results_are_those_without_a_shelf(folder, more):
    (folder / "known.json").write_text(json.dumps({"parted": [[0, "right", 1]]}))
    again = [str(word).replace("run.ckpt", "other.ckpt") for word in more]
    code, said = in_this_process([*PICTURE, *more, "-o", "alone.png"], folder)
    assert code == 0, said
    for name in ("first.png", "second.png"):
        before = kept(folder)
        command = [*PICTURE, *again, "-o", name, "--shelf", "shelf", "--force"]
        code, said = in_this_process(command, folder)
        assert code == 0, said
        assert (pixels(folder, name) == pixels(folder, "alone.png")).all()
    assert kept(folder) == before  # all of it was there
    assert before


def test_tiles_without_a_board_and_pictures_in_a_bag(folder):
    found = []
    for name in ("one.png", "two.png"):
        command = ["solve", "tiles", "-o", name, "--shelf", "shelf"]
        code, said = in_this_process(command, folder)
        assert code == 0, said
        found.append(kept(folder))
    assert (pixels(folder, "one.png") == pixels(folder, "photo.png")).all()
    assert found[0] == found[1]
    command = ["solve", "bag", "--pictures", 2, "--shelf", "shelf"]
    for name in ("alone", "helped"):
        given = command[:-2] if name == "alone" else command
        code, said = in_this_process([*given, "-o", name], folder)
        assert code == 0, said
    assert len(kept(folder)) > len(found[0])
    for picture in ("picture-1.png", "picture-2.png"):
        assert (pixels(folder, f"alone/{picture}") == pixels(folder, f"helped/{picture}")).all()


def test_what_the_shelf_has_room_for_is_said(folder):
    done = jigsolve(*PICTURE, "-o", "solved.png", "--shelf", "shelf", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert "GB on the shelf" in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("command", "complaint"),
    [
        (["tiles", "--shelf", "tiles/shelf"], "tiles/shelf: expected a place outside of folders"),
        (["tiles", "--shelf", "tiles"], "tiles: expected a folder of its own, found what is read"),
        (["puzzle.png", "--shelf", "puzzle.png"], "puzzle.png: expected a folder of its own"),
        (["puzzle.png", "--shelf", "photo.png"], "photo.png: expected a folder, found a file"),
        (["puzzle.png", "--shelf", "tiles"], "tiles: expected an empty folder or a shelf, found"),
        (["puzzle.png", "--shelf", "a/shelf"], "a/shelf: cannot write there, a does not exist"),
        (["puzzle.png", "--shelf", "kept", "--json", "kept/run.json"], "kept/run.json: expected"),
        (["puzzle.png", "--shelf", "kept", "--checkpoint", "kept/c"], "kept/c: expected a place"),
    ],
)
def test_shelves_that_cannot_be_are_refused_before_work_begins(folder, command, complaint):
    (folder / "kept").mkdir()
    code, said = in_this_process(["solve", *command, "-o", "out.png"], folder)
    assert code == 1, said
    assert said.startswith(f"jigsolve: {complaint}"), said
    assert said.count("\n") == 1, said
    assert not (folder / "out.png").exists()


def test_a_cluster_needs_dask(folder, monkeypatch):
    monkeypatch.delitem(sys.modules, "jigsolve.cluster.connection", raising=False)
    monkeypatch.setitem(sys.modules, "distributed", None)
    code, said = in_this_process([*PICTURE, "-o", "out.png", "--cluster", "local"], folder)
    assert code == 1, said
    assert said == (
        "jigsolve: cluster: expected the extra `cluster` (pip install 'jigsolve[cluster]'), found "
        "no distributed\n"
    )


@pytest.mark.parametrize(
    ("address", "code", "complaint"),
    [
        ("node-1", 2, "jigsolve: cluster: expected local, HOST:PORT"),
        ("127.0.0.1:1", 1, "jigsolve: cluster: expected a Dask scheduler at 127.0.0.1:1, found n"),
    ],
)
def test_addresses_that_lead_nowhere(folder, monkeypatch, address, code, complaint):
    connection = pytest.importorskip("jigsolve.cluster.connection")
    monkeypatch.setattr(connection, "LONGEST_CONNECTING", 0.3)
    found, said = in_this_process([*PICTURE, "-o", "out.png", "--cluster", address], folder)
    assert (found, said[: len(complaint)]) == (code, complaint)
    assert said.count("\n") == 1, said
