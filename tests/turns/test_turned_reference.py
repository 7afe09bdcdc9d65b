"""Placing turned pieces by a picture of the original."""

import json

import numpy as np
import pytest
import turning
from helpers import jigsolve
from PIL import Image

from jigsolve import Constraints, InputError, Puzzle, Settings, demo_photo, score, solve
from jigsolve.core.layout import laid_out
from jigsolve.core.poses import as_most_lie, poses_of
from jigsolve.core.turns import Placement
from jigsolve.io.pictures import write_picture
from jigsolve.reference import place_by_reference
from jigsolve.reference.matching import give_out
from jigsolve.reference.sampling import sample_poses

QUICK = Settings.of(population=20, generations=5, mutation=0.0, annealing=20, threads=1)


def scaled(pixels, factor):
    picture = Image.fromarray(pixels)
    size = [round(side * factor) for side in picture.size]
    return np.asarray(picture.resize(size, Image.Resampling.LANCZOS))


def upside_down(pixels):
    return np.ascontiguousarray(np.rot90(pixels, 2))


@pytest.mark.parametrize(
    ("turns", "piece", "change"),
    [
        ("quarter", 25, lambda photo: photo),
        ("quarter", 25, lambda photo: scaled(photo, 0.45)),
        ("half", 25, lambda photo: scaled(photo, 0.6)),
        ("half", (20, 30), lambda photo: scaled(photo, 1.4)),
    ],
)
def test_every_piece_finds_its_cell_and_its_turn(turns, piece, change):
    photo = demo_photo()[:300, :450]
    puzzle, truth = Puzzle.cut(photo, piece).shuffle(3, turns=turns)
    for reference, wanted in ((photo, truth), (upside_down(photo), truth.turned(2))):
        if wanted is not truth and (photo.shape[0] % 25 or photo.shape[1] % 25):
            continue  # its cells would begin elsewhere
        placement = place_by_reference(puzzle, change(reference))
        assert placement.complete
        assert placement.unmatched.size == 0
        np.testing.assert_array_equal(placement.arrangement, wanted.pieces)
        np.testing.assert_array_equal(placement.turns, wanted.turns)
        known = placement.constraints()
        assert laid_out(known, puzzle).violated(wanted.pieces, wanted.turns) == 0
        solution = solve(puzzle, QUICK.changed(generations=0), constraints=known)
        np.testing.assert_array_equal(solution.arrangement, wanted.pieces)
        np.testing.assert_array_equal(solution.turns, wanted.turns)


def test_a_crop_says_which_way_up_the_whole_is():
    photo = demo_photo()[:336, :336]
    puzzle, truth = Puzzle.cut(photo, 28).shuffle(5, turns="quarter")
    for turn in range(4):
        wanted = truth.turned(turn)
        shown = np.ascontiguousarray(np.rot90(photo[40:-70, 60:-50], -turn))
        placement = place_by_reference(puzzle, scaled(shown, 0.8))
        assert not placement.complete
        known = placement.constraints()
        assert known.turned
        solution = solve(puzzle, QUICK, constraints=known)
        np.testing.assert_array_equal(solution.arrangement, wanted.pieces)
        np.testing.assert_array_equal(solution.turns, wanted.turns)


def test_what_is_said_of_turns_decides_which_way_up_and_nothing_else():
    rng = np.random.default_rng(4)
    poses = turning.random_board(rng, 4, 4, "quarter")
    placement = Placement(poses // 4, (poses % 4).astype(np.int8))
    for turn in range(4):
        wanted = placement.turned(turn)
        said = np.full(16, -1)
        said[wanted.pieces[0, :3]] = wanted.turns[0, :3]
        said[wanted.pieces[3, 3]] = (wanted.turns[3, 3] + 1) % 4  # one of four is mistaken
        found = as_most_lie(placement, "quarter", said)
        np.testing.assert_array_equal(found.pieces, wanted.pieces)
        np.testing.assert_array_equal(found.turns, wanted.turns)
    photo = demo_photo()[:196, :196]
    puzzle, truth = Puzzle.cut(photo, 28).shuffle(5, turns="quarter")
    for turn in range(4):
        wanted = truth.turned(turn)
        known = Constraints(turned=[(int(wanted.pieces[2, 3]), int(wanted.turns[2, 3]))])
        solution = solve(puzzle, QUICK, constraints=known)
        np.testing.assert_array_equal(solution.arrangement, wanted.pieces)
    with pytest.raises(InputError, match=r"turned: expected \[piece, turn\] with a turn of 0"):
        Constraints(turned=[(0, 4)])
    with pytest.raises(InputError, match="turned: expected pieces from 0 to 48"):
        solve(puzzle, QUICK, constraints=Constraints(turned=[(49, 0)]))


@pytest.mark.parametrize("turns", ["half", "quarter"])
def test_poses_are_sampled_as_turned_pieces_are(turns):
    pieces = Puzzle.cut(demo_photo()[:84, :84], 28).pieces
    ways = turning.WAYS[turns]
    found = sample_poses(pieces, (5, 4), turns).reshape(len(pieces), len(ways), 5, 4, 3)
    for index, turn in enumerate(ways):
        turned = np.ascontiguousarray(np.rot90(pieces, -turn, axes=(1, 2)))
        expected = sample_poses(turned, (5, 4), "none")
        np.testing.assert_allclose(found[:, index], expected, atol=1e-3)


def test_no_piece_is_given_out_twice_in_two_turns():
    rng = np.random.default_rng(0)
    rows = rng.normal(100, 40, (4 * 12, 27)).astype(np.float32)
    rows[4 * 3 + 1] = rows[4 * 5 + 2]  # two pieces that look alike in one turn each
    cells = rows[4 * np.arange(12) + rng.integers(4, size=12)] + 1
    given = give_out(cells, rows, np.full(12, 1000.0), 1e-3, 4)
    assert sorted(given // 4) == list(range(12))
    away = np.abs(cells - rows[given]).max(axis=1)
    assert (away < 2).sum() >= 10


def test_tiles_whose_board_stands_are_placed_as_the_reference_shows_it(tmp_path):
    photo = np.ascontiguousarray(np.rot90(demo_photo()[:140, :224]))
    write_picture(tmp_path / "photo.png", photo)
    write_picture(tmp_path / "small.png", scaled(photo, 0.7))
    made = jigsolve("cut", tmp_path / "photo.png", "-o", tmp_path / "tiles", "--turned")
    assert made.returncode == 0, made.stderr
    done = jigsolve(
        "solve",
        tmp_path / "tiles",
        "-o",
        tmp_path / "solved.png",
        "--reference",
        tmp_path / "small.png",
        "--json",
        tmp_path / "run.json",
    )
    assert done.returncode == 0, done.stderr
    record = json.loads((tmp_path / "run.json").read_text())
    assert record["board"] == {"rows": 8, "columns": 5}
    np.testing.assert_array_equal(np.asarray(Image.open(tmp_path / "solved.png")), photo)


def test_a_file_of_constraints_turns_the_whole(tmp_path):
    photo = demo_photo()[:140, :224]
    puzzle, truth = Puzzle.cut(photo, 28).shuffle(1, turns="quarter")
    write_picture(tmp_path / "turned.png", puzzle.image())
    wanted = truth.turned(2)
    known = {"fixed": [[int(wanted.pieces[0, 0]), 0, 0, int(wanted.turns[0, 0])]]}
    (tmp_path / "known.json").write_text(json.dumps(known))
    done = jigsolve(
        "solve",
        tmp_path / "turned.png",
        "-o",
        tmp_path / "solved.png",
        "--piece",
        "28",
        "--constraints",
        tmp_path / "known.json",
    )
    assert done.returncode == 0, done.stderr
    found = np.asarray(Image.open(tmp_path / "solved.png"))
    np.testing.assert_array_equal(found, upside_down(photo))
    (tmp_path / "known.json").write_text('{"joined": [[0, "right", 1]]}')
    done = jigsolve(
        "solve",
        tmp_path / "turned.png",
        "-o",
        tmp_path / "again.png",
        "--piece",
        "28",
        "--constraints",
        tmp_path / "known.json",
        "--turns",
        "quarter",
    )
    assert done.returncode == 1
    assert "expected [piece, side, piece, side] where pieces may be turned" in done.stderr


def test_cells_of_a_board_that_was_found_need_it_said(tmp_path):
    photo = demo_photo()[:140, :224]
    write_picture(tmp_path / "photo.png", photo)
    jigsolve("cut", tmp_path / "photo.png", "-o", tmp_path / "tiles", "--turned")
    (tmp_path / "known.json").write_text('{"fixed": [[0, 0, 0, 1]]}')
    options = ["--constraints", tmp_path / "known.json", "--turns", "quarter"]
    done = jigsolve("solve", tmp_path / "tiles", "-o", tmp_path / "solved.png", *options)
    assert done.returncode == 1
    assert "expected --board COLSxROWS where pieces may be turned" in done.stderr
    done = jigsolve(
        "solve", tmp_path / "tiles", "-o", tmp_path / "solved.png", *options, "--board", "8x5"
    )
    assert done.returncode == 0, done.stderr


def test_scores_know_what_a_reference_placed():
    puzzle, truth = Puzzle.cut(demo_photo(), 28).shuffle(5, turns="quarter")
    placement = place_by_reference(puzzle, scaled(demo_photo(), 0.5))
    solution = solve(puzzle, QUICK, constraints=placement.constraints())
    found = score(solution, truth)
    assert found.perfect
    assert found.turn == 0
    assert poses_of(solution.arrangement, solution.turns)[0, 0] == poses_of(*truth)[0, 0]
