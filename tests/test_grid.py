"""Finding out how a picture was cut."""

import json

import numpy as np
import pytest
from helpers import jigsolve, laid_out, texture
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from PIL import Image

from jigsolve import Board, InputError, PieceSize, Puzzle, demo_photo, detect_grid
from jigsolve.detect.filling import frame_around
from jigsolve.detect.frame import find_frame, gap_lattice
from jigsolve.detect.lattice import Lattice
from jigsolve.detect.lines import periods
from jigsolve.io.pictures import read_picture

PHOTO = demo_photo()


def shuffled_texture(seed, rows, columns, height, width):
    rng = np.random.default_rng(seed)
    return Puzzle.cut(texture(rng, rows * height, columns * width), (height, width)).shuffle(seed)[
        0
    ]


sizes = st.integers(7, 45)
counts = st.integers(5, 9)


@settings(max_examples=25)
@given(st.integers(0, 10**6), counts, counts, sizes, sizes)
def test_sizes_of_textures(seed, rows, columns, height, width):
    puzzle = shuffled_texture(seed, rows, columns, height, width)
    found = detect_grid(puzzle.image())
    assert (found.grid.piece, found.grid.board) == ((height, width), (rows, columns))
    assert found.is_sure
    np.testing.assert_array_equal(found.grid.cut(puzzle.image()).pieces, puzzle.pieces)
    ranks = [found.confidence, *(other.confidence for other in found.runners_up)]
    assert ranks == sorted(ranks, reverse=True)
    assert sum(ranks) < 1.001


@settings(max_examples=25)
@given(st.integers(14, 80), st.integers(14, 120), st.integers(0, 10**6))
def test_sizes_of_the_photograph(height, width, seed):
    puzzle, _ = Puzzle.cut(PHOTO, (height, width)).shuffle(seed)
    found = detect_grid(puzzle.image())
    assert found.grid.piece == (height, width)
    assert found.grid.board == puzzle.board
    assert found.is_sure


@settings(max_examples=25)
@given(
    st.integers(0, 10**6),
    st.tuples(counts, counts, sizes, sizes),
    st.integers(0, 9),
    st.integers(0, 50),
    st.sampled_from([(255, 255, 255), (0, 0, 0), (255, 0, 80)]),
)
def test_borders_and_gaps(seed, shape, gap, border, colour):
    assume(gap or border)
    puzzle = shuffled_texture(seed, *shape)
    picture = laid_out(puzzle, gap, border, colour)
    found = detect_grid(picture)
    assert found.is_sure
    assert found.grid.colour == colour
    assert (found.grid.down.gap, found.grid.across.gap) == (gap, gap)
    assert (found.grid.down.start, found.grid.across.start) == (border, border)
    assert (found.grid.piece, found.grid.board) == (puzzle.piece_size, puzzle.board)
    np.testing.assert_array_equal(found.grid.cut(picture).pieces, puzzle.pieces)
    whole = not gap and 2 * border % shape[2] == 2 * border % shape[3] == 0
    assert frame_around(picture, puzzle.piece_size) == (None if whole else found.grid)


@settings(max_examples=25)
@given(st.integers(0, 10**6), st.tuples(counts, counts, sizes, sizes), st.data())
def test_odd_strips(seed, shape, data):
    puzzle = shuffled_texture(seed, *shape)
    strip = (data.draw(st.integers(0, shape[2] - 1)), data.draw(st.integers(0, shape[3] - 1)))
    found = detect_grid(laid_out(puzzle, strip=strip))
    assert (found.grid.piece, found.grid.board) == (puzzle.piece_size, puzzle.board)
    assert (found.grid.down.strip, found.grid.across.strip) == strip
    assert found.is_sure


@pytest.mark.parametrize("board", [(1, 12), (12, 1)])
def test_one_row_or_column(board):
    pieces = Puzzle.cut(PHOTO, (40, 36)).shuffle(3)[0].pieces[:12]
    found = detect_grid(Puzzle(pieces, Board(*board)).image())
    assert (found.grid.piece, found.grid.board) == ((40, 36), board)


@pytest.mark.parametrize("change", ["grey", "dark", "noisy", "scaled"])
def test_other_sources(change):
    rng = np.random.default_rng(5)
    picture = {
        "grey": PHOTO.mean(axis=2).astype(np.uint8),
        "dark": PHOTO // 6,
        "noisy": (PHOTO + rng.normal(0, 10, PHOTO.shape)).clip(0, 255).astype(np.uint8),
        "scaled": np.asarray(Image.fromarray(PHOTO[:200, :300]).resize((600, 400))),
    }[change]
    puzzle, _ = Puzzle.cut(picture, (32, 24)).shuffle(1)
    found = detect_grid(puzzle.image())
    assert found.grid.piece == (32, 24)
    assert found.is_sure


def checkers():
    squares = np.kron(np.random.default_rng(2).integers(0, 2, (30, 30)), np.ones((10, 10)))
    return (squares * 255).astype(np.uint8)


@pytest.mark.parametrize(
    "picture",
    [
        np.full((120, 90, 3), 77, np.uint8),
        np.zeros((14, 1, 3), np.uint8),
        np.random.default_rng(1).integers(0, 256, (200, 300, 3)).astype(np.uint8),
        np.linspace(0, 255, 300).astype(np.uint8)[None].repeat(200, 0),
        texture(np.random.default_rng(4), 300, 400),
        PHOTO,
        checkers(),  # squares of one colour may be parts of larger pieces
    ],
    ids=["flat", "thin", "noise", "ramp", "waves", "photograph", "checkers"],
)
def test_where_nothing_is_cut_it_is_not_sure(picture):
    assert not detect_grid(picture).is_sure


@pytest.mark.parametrize("quality", [40, 90])
def test_blocks_of_jpeg_are_no_pieces(tmp_path, quality):
    Image.fromarray(PHOTO).save(tmp_path / "x.jpg", quality=quality)
    blocks = read_picture(tmp_path / "x.jpg")
    assert not detect_grid(blocks).is_sure
    for size in ((8, 8), (16, 40), (24, 24), (30, 20)):
        assert detect_grid(Puzzle.cut(blocks, size).shuffle(2)[0].image()).grid.piece == size


def test_black_pieces_at_the_edge_are_no_border():
    puzzle = shuffled_texture(1, 6, 8, 30, 20)
    puzzle.pieces[::8, :, :3] = 0
    found = detect_grid(puzzle.image())
    assert (found.grid.piece, found.grid.board) == ((30, 20), (6, 8))
    assert found.grid.across.start == 0


def test_mirrored_pictures_have_the_same_sizes():
    picture = Puzzle.cut(PHOTO, (25, 40)).shuffle(8)[0].image()
    for turned in (picture[::-1], picture[:, ::-1]):
        assert detect_grid(turned).grid.piece == (25, 40)
    assert detect_grid(picture.swapaxes(0, 1)).grid.piece == (40, 25)


@pytest.mark.parametrize("shape", [(13, 13, 3), (5, 5), (20, 0, 3)])
def test_too_small(shape):
    with pytest.raises(InputError, match="room for two pieces of at least 7 pixels, found a pic"):
        detect_grid(np.zeros(shape, np.uint8))


def test_probabilities_add_up():
    found = periods(Puzzle.cut(PHOTO, 20).shuffle(1)[0].image())
    assert sum(period.probability for period in found) == pytest.approx(1.0)
    assert found[0].size == 20
    assert found[0].evidence > 100


def test_gaps_as_laid_out():
    lines = np.array([c == "#" for c in "########.......##.......##.......##...###"])
    assert gap_lattice(lines, 8, len(lines) - 3) == Lattice(8, 7, 2, 3, 3)
    assert gap_lattice(lines, 8, 34) == Lattice(8, 7, 2, 3, 0)
    assert gap_lattice(np.zeros(50, bool), 0, 50) is None


def test_frame_of_the_commonest_colour():
    picture = texture(np.random.default_rng(0), 40, 50)
    assert find_frame(picture) is None
    picture[:3], picture[-2:], picture[20] = 9, 9, 200
    frame = find_frame(picture)
    assert frame.colour == (9, 9, 9)
    assert np.flatnonzero(frame.rows).tolist() == [0, 1, 2, 38, 39]
    assert not frame.columns.any()


def test_no_frame_for_pieces_that_do_not_fit():
    puzzle = shuffled_texture(1, 4, 5, 20, 30)
    picture = laid_out(puzzle, gap=3, border=5)
    assert frame_around(picture, PieceSize(21, 30)) is None
    assert frame_around(puzzle.image(), PieceSize(19, 30)) is None


class TestCommandLine:
    """The verbs, run as a user runs them."""

    @pytest.fixture(scope="class")
    @classmethod
    def folder(cls, tmp_path_factory):
        place = tmp_path_factory.mktemp("grid")
        puzzle, _ = Puzzle.cut(PHOTO, (40, 50)).shuffle(7)
        Image.fromarray(laid_out(puzzle, gap=4, border=6)).save(place / "gaps.png")
        Image.fromarray(puzzle.image()).save(place / "puzzle.png")
        Image.fromarray(PHOTO).save(place / "photo.png")
        Image.new("RGB", (9, 9)).save(place / "dot.png")
        return place

    @pytest.mark.parametrize("name", ["puzzle.png", "gaps.png"])
    def test_solve_detects(self, folder, tmp_path, name):
        done = jigsolve(
            "solve", folder / name, "-o", tmp_path / "x.png", "--json", tmp_path / "x.json"
        )
        assert done.returncode == 0, done.stderr
        assert "found 12 x 10 pieces of 50 x 40 pixels" in done.stdout
        assert "(confidence 0.99" in done.stdout
        record = json.loads((tmp_path / "x.json").read_text())
        assert record["detection"]["piece"] == {"width": 50, "height": 40}
        assert record["detection"]["confidence"] > 0.9
        solved = read_picture(tmp_path / "x.png")
        assert (solved == PHOTO[:400, :600]).all(axis=2).mean() > 0.95

    def test_a_known_size_finds_border_and_gaps(self, folder, tmp_path):
        picture = tmp_path / "x.png"
        done = jigsolve("solve", folder / "gaps.png", "-o", picture, "--piece", "50x40", "-q")
        assert done.returncode == 0, done.stderr
        assert done.stdout == ""
        assert read_picture(picture).shape == (400, 600, 3)

    def test_a_known_size_of_whole_pieces_is_taken(self, folder, tmp_path):
        framed = np.pad(PHOTO[:350, :550], ((25, 25), (25, 25), (0, 0)))
        Image.fromarray(framed).save(tmp_path / "black.png")
        for piece, shape in (("50", (400, 600, 3)), ("55x35", (350, 550, 3))):
            picture = tmp_path / f"{piece}.png"
            done = jigsolve("solve", tmp_path / "black.png", "-o", picture, "--piece", piece)
            assert done.returncode == 0, done.stderr
            assert read_picture(picture).shape == shape
        assert "found 10 x 10 pieces of 55 x 35 pixels, from (25, 25) on" in done.stdout

    def test_detect_prints_the_grid(self, folder):
        done = jigsolve("detect", folder / "gaps.png")
        assert done.stdout.startswith(
            "12 x 10 pieces of 50 x 40 pixels, gaps of 4 in colour (255, 255, 255), "
            "from (6, 6) on, confidence 0.99"
        )
        found = json.loads(jigsolve("detect", folder / "puzzle.png", "--json").stdout)
        assert found["board"] == {"rows": 10, "columns": 12}
        assert found["gap"] == {"x": 0, "y": 0}
        assert found["runners_up"]

    def test_unclear_pictures_ask_for_the_size(self, folder, tmp_path):
        done = jigsolve("solve", folder / "photo.png", "-o", tmp_path / "x.png")
        assert done.returncode == 1
        assert done.stderr.count("\n") == 1
        assert (
            "photo.png: expected cuts that show the size of the pieces, found none" in done.stderr
        )
        assert "give --piece WxH (likeliest, with confidence: " in done.stderr
        assert not list(tmp_path.iterdir())

    @pytest.mark.parametrize("verb", [("solve", "-o", "x.png"), ("detect",)])
    def test_dots(self, folder, verb):
        done = jigsolve(verb[0], "dot.png", *verb[1:], cwd=folder)
        assert done.returncode == 1
        assert done.stderr == (
            "jigsolve: dot.png: expected room for two pieces of at least 7 pixels, found a "
            "picture of 9 x 9\n"
        )
