"""Codes put together, from the pieces to the solution."""

import json

import numpy as np
import pytest
from helpers import jigsolve
from PIL import Image
from qr_codes import code_picture, random_text

from jigsolve import InputError, Puzzle, Settings, demo_photo, find_board, solve
from jigsolve.io.pictures import write_picture
from jigsolve.render import write_overlay
from jigsolve.render.listing import as_csv


def solved(pixels, piece, seed=0, **settings):
    puzzle, truth = Puzzle.cut(pixels, piece).shuffle(seed)
    return solve(puzzle, Settings.of(seed=seed, **settings)), truth


def right_cells(solution, truth):
    pieces = solution.puzzle.pieces
    return (pieces[solution.arrangement] == pieces[truth]).all(axis=(2, 3, 4))


@pytest.mark.parametrize(
    ("version", "level", "piece", "margin"),
    [
        (1, "H", 12, 0),  # whole modules: patterns, then check sums
        (1, "L", 28, 0),
        (2, "M", 20, 0),
        (3, "M", 20, 4),
        (4, "Q", 16, 4),
        (5, "L", 20, 4),
        (3, "M", 14, 4),  # modules are cut
        (7, "M", 22, 4),
        (10, "M", (20, 28), 4),
    ],
)
def test_codes_come_back_whole(version, level, piece, margin):
    pixels = code_picture("flag{}", version, level, margin=margin)
    solution, truth = solved(pixels, piece, seed=version)
    rows, columns = truth.shape
    height, width = solution.puzzle.piece_size
    assert (solution.image()[:, :, 0] == pixels[: rows * height, : columns * width]).all()
    assert solution.code.confirmed
    assert solution.code.sure.all()
    assert solution.code.format.level == level
    assert solution.settings.pricing.measure == "qr"


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(("piece", "margin"), [(12, 4), (16, 0), (20, 4), (28, 0), (14, 4)])
def test_what_is_sure_is_right(seed, piece, margin):
    rng = np.random.default_rng([seed, piece])
    version, level = int(rng.integers(1, 6)), str(rng.choice(list("LMQH")))
    room = {"L": 17, "M": 14, "Q": 11, "H": 7}[level]  # of version 1, and more of others
    text = random_text(rng, int(rng.integers(7, room + 1)))
    solution, truth = solved(code_picture(text, version, level, margin=margin), piece, seed)
    right = right_cells(solution, truth)
    assert right[solution.code.sure].all()
    assert solution.code.by_patterns <= solution.code.sure.sum()
    assert sorted(solution.arrangement.ravel()) == list(range(truth.size))


def test_a_code_with_modules_cut_off_is_not_said_to_be_readable():
    pixels = code_picture("flag{}", 1, "L", margin=0)  # 84 pixels, of which 80 fill pieces
    solution, truth = solved(pixels, 10)
    assert truth.shape == (8, 8)
    assert not solution.code.confirmed
    assert right_cells(solution, truth)[solution.code.sure].all()


def full_code():
    """Version 3-L without padding, in tiles of 3 x 3 modules: more than check sums can tell."""
    return code_picture(random_text(np.random.default_rng(2), 53), 3, "L", margin=2)


def test_what_stays_unsure_is_said():
    solution, truth = solved(full_code(), 12)
    code = solution.code
    assert not code.confirmed
    assert 0 < code.by_patterns == code.sure.sum() < truth.size
    unsure = truth.size - code.by_patterns
    assert f"{code.by_patterns} of {truth.size} tiles placed by its fixed patterns, " in str(code)
    assert f", {unsure} unsure" in str(code)
    assert right_cells(solution, truth)[code.sure].all()
    confidence = solution.confidence()
    assert (confidence.pieces == code.sure).all()
    assert 0 < confidence.right.mean() < 1


def test_the_order_of_the_pieces_says_nothing():
    pixels = full_code()
    ordered = Puzzle.cut(pixels, 12)
    solution = solve(ordered)
    truth = np.arange(len(ordered)).reshape(ordered.board)
    wrong = ~right_cells(solution, truth)
    assert wrong.sum() > 0.5 * (~solution.code.sure).sum()


def test_the_same_seed_gives_the_same_and_modes_are_told_apart():
    for text in ("31415926", "FLAG 3141", "flag{}"):
        pixels = code_picture(text, 2, "M")
        one, truth = solved(pixels, 20, seed=3)
        other, _ = solved(pixels, 20, seed=3, threads=2)
        assert (one.arrangement == other.arrangement).all()
        assert right_cells(one, truth).all()


def test_the_board_of_tiles_is_found():
    puzzle, _ = Puzzle.cut(code_picture("flag{}", 2, "M", margin=0), 20).shuffle(1)
    assert find_board(puzzle.pieces)[0].board == puzzle.board
    assert len(find_board(puzzle.pieces, Settings.of(measure="qr"))) == 1


def test_the_measure_wants_a_code():
    puzzle = Puzzle.cut(demo_photo(), 100)
    with pytest.raises(InputError, match="measure qr: expected the pieces of one QR code"):
        solve(puzzle, Settings.of(measure="qr"))
    with pytest.raises(InputError, match="measure qr: expected the pieces of one QR code"):
        find_board(puzzle.pieces, Settings.of(measure="qr"))
    pieces = Puzzle.cut(code_picture("flag{}", 2, "M", margin=0), 20).pieces
    missing = Puzzle(pieces[1:], (5, 5), holes=1)
    with pytest.raises(InputError, match="expected as many pieces as cells, found 24 for 5 x 5"):
        solve(missing, Settings.of(measure="qr"))
    assert solve(missing, Settings.of(generations=1, population=10)).code is None


def test_other_measures_do_not_look():
    puzzle, _ = Puzzle.cut(code_picture("flag{}", 1, "M", margin=0), 28).shuffle(1)
    solution = solve(puzzle, Settings.of(measure="mgc", generations=1, population=10))
    assert solution.code is None
    assert "qr" not in solution.as_dict()


def test_record_list_and_overlay(tmp_path):
    solution, _ = solved(full_code(), 12, measure="qr")
    record = json.loads(solution.as_json())
    assert record["qr"]["version"] == 3
    assert record["qr"]["sure"] == solution.code.sure.ravel().tolist()
    lines = as_csv(solution).splitlines()
    confidences = [float(line.split(",")[4]) for line in lines[1:]]
    assert confidences == solution.code.sure.ravel().tolist()
    write_overlay(tmp_path / "doubts.png", solution)
    assert (tmp_path / "doubts.png").stat().st_size


@pytest.mark.parametrize("measure", [(), ("--measure", "qr")])
def test_command_line(tmp_path, measure):
    pixels = code_picture("flag{}", 2, "M", margin=0)
    write_picture(tmp_path / "code.png", np.repeat(pixels[..., None], 3, axis=2))
    assert jigsolve("cut", "code.png", "-o", "tiles", "--piece", "20", cwd=tmp_path).returncode == 0
    run = jigsolve("solve", "tiles", "-o", "out.png", "--overlay", "d.png", *measure, cwd=tmp_path)
    assert run.returncode == 0, run.stderr
    assert "found a board of 5 x 5 pieces\n" in run.stdout
    assert "QR code version 2-M, 25 x 25 modules of 4 pixels; " in run.stdout
    assert "it can be read\n" in run.stdout
    with Image.open(tmp_path / "out.png") as image:
        assert (np.asarray(image.convert("L")) == pixels).all()
