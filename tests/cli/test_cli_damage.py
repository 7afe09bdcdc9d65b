"""Damaged pictures on the command line: what is said, written and returned."""

import json

import numpy as np
import pytest
from helpers import jigsolve
from PIL import Image

from jigsolve import Puzzle
from jigsolve.io.demo import demo_photo


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("damage")
    puzzle, _ = Puzzle.cut(np.asarray(demo_photo()), 40).shuffle(seed=4)
    Image.fromarray(puzzle.image()).save(folder / "puzzle.jpg", quality=80)
    noise = np.random.default_rng(5).integers(90, 110, (120, 160, 3), dtype=np.uint8)
    Image.fromarray(noise).save(folder / "noise.png")
    Image.fromarray(Puzzle.cut(np.asarray(demo_photo()), 40).image()).save(folder / "photo.png")
    return folder


def test_a_jpeg_is_taken_for_one_and_solved(folder):
    out = jigsolve("solve", "puzzle.jpg", "-o", "s.png", "--json", "s.json", cwd=folder)
    assert "the pieces seem compressed as JPEG (steps of 2" in out.stdout
    assert "careful" not in out.stdout
    record = json.loads((folder / "s.json").read_text())
    assert record["damage"]["codec"] == "jpeg"
    assert record["believed"] > 0.95
    scored = jigsolve("score", "photo.png", "s.png", "--piece", "40", "--json", cwd=folder)
    assert json.loads(scored.stdout)["neighbour"] > 0.95


def test_much_doubt_is_said_and_strict_makes_it_an_error(folder):
    command = ("solve", "noise.png", "--piece", "20", "-o", "n.png", "--json", "n.json", "--force")
    command += ("--annealing", 10)
    out = jigsolve(*command, cwd=folder)
    assert out.returncode == 0
    assert "careful: only about" in out.stdout
    assert "--damage" in out.stdout
    assert json.loads((folder / "n.json").read_text())["believed"] < 0.6
    strict = jigsolve(*command, "--strict", "-q", cwd=folder)  # quiet: the machine may be busy
    assert strict.returncode == 1
    assert strict.stderr.count("\n") == 1
    assert "--strict: expected a result that is believed" in strict.stderr
    assert (folder / "n.png").exists()


def test_a_measure_without_confidence_says_that_it_has_none(folder):
    command = ("solve", "noise.png", "--piece", "20", "-o", "m.png", "--force")
    out = jigsolve(*command, "--solver", "gallagher", cwd=folder)
    assert "how much of it is right mgc cannot say; --measure learned can" in out.stdout
    doubted = jigsolve(*command, "--solver", "gallagher", "--measure", "learned", cwd=folder)
    assert "careful: only about" in doubted.stdout
    assert "cannot say" not in doubted.stdout


def test_other_damage_is_tried_unless_one_is_asked_for(folder):
    command = ("solve", "noise.png", "--piece", "20", "-o", "n.png", "--force")
    command += ("--annealing", 10)
    assert "trying pieces scaled" in jigsolve(*command, cwd=folder).stdout
    assert "trying" not in jigsolve(*command, "--damage", "none", cwd=folder).stdout
