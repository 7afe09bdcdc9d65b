"""Finding boards that are a part of a picture or were scaled, and cutting by what is known."""

import json

import numpy as np
import pytest
from helpers import grid_places, jigsolve, laid_out, texture
from hypothesis import assume, example, given
from hypothesis import strategies as st
from PIL import Image, ImageDraw

from jigsolve import InputError, Puzzle, demo_photo, detect_grid
from jigsolve._kernels.combs import PHASE_STEP, best_runs
from jigsolve.assembly.chains import are_single_lines, chained, shortest_way
from jigsolve.detect.combs import Run, find_runs, refined
from jigsolve.detect.known import Known, Region
from jigsolve.detect.lattice import Lattice
from jigsolve.detect.single_lines import are_shuffled
from jigsolve.detect.sources import read_source
from jigsolve.io.pictures import read_picture

PHOTO = demo_photo()


def shuffled(piece, seed=1, picture=PHOTO):
    return Puzzle.cut(picture, piece).shuffle(seed)[0]


def scaled(pixels, width, height, how=Image.Resampling.BICUBIC):
    return np.asarray(Image.fromarray(pixels).resize((width, height), how))


def on_page(board, left, top, right, bottom):
    """Paste a board on a page with a ramp and a bar, and a word in it."""
    height, width = board.shape[0] + top + bottom, board.shape[1] + left + right
    ramp = np.linspace(180, 250, height).astype(np.uint8)[:, None, None]
    page = Image.fromarray(np.tile(ramp, (1, width, 3)))
    ImageDraw.Draw(page).rectangle((0, 0, width, top // 2), fill=(30, 60, 120))
    ImageDraw.Draw(page).text((5, 3), "a picture to put together", "white")
    page.paste(Image.fromarray(board), (left, top))
    return np.asarray(page)


class TestLattice:
    """Cells and the windows that stand for them."""

    @given(st.floats(7, 90), st.integers(1, 40), st.floats(0, 9), st.data())
    def test_windows_cover_cells_and_stay_inside(self, cell, count, start, data):
        gap = data.draw(st.one_of(st.just(0.0), st.floats(1, 6)))
        lattice = Lattice(start, cell, gap, count)
        windows, cells = lattice.windows(), lattice.cells()
        assert abs(lattice.size - cell) <= (1 if gap else 0.5)
        assert windows.min() >= 0
        assert windows[-1] + lattice.size <= np.ceil(cells[-1] + cell - 1e-6)
        assert np.abs(windows + lattice.size / 2 - cells - cell / 2).max() <= 0.5 + 1e-5
        if gap:  # nothing of it in a window, but for what rounding takes
            assert (cells - windows).max() <= 0.5 + 1e-5
        assert len(lattice.pixels()) == count * lattice.size

    def test_whole_cells_are_cut_as_ever(self):
        lattice = Lattice.over(3, 100, 20, 2)
        assert (lattice.count, lattice.strip, lattice.size) == (4, 9, 20)
        assert lattice.windows().tolist() == [3, 25, 47, 69]
        assert lattice.is_whole

    def test_a_page_of_four_by_four(self):
        across = Lattice.over(0, 507, 126.75)
        assert (across.count, across.size, across.strip) == (4, 127, 0)
        assert across.windows().tolist() == [0, 127, 253, 380]
        assert across.cells().tolist() == [0, 126.75, 253.5, 380.25]

    @given(st.integers(2, 60), st.floats(8, 60))
    def test_rounded_pitches_fill_what_they_nearly_fill(self, count, pitch):
        assume(pitch % 1 > 0.11 and pitch % 1 < 0.89)
        extent = round(count * pitch)
        lattice = Lattice.over(0, extent, round(pitch, 1))
        assert (lattice.count, lattice.strip) == (count, 0)
        assert lattice.pitch * count == pytest.approx(extent)


class TestCombs:
    """Lines that are equally far apart."""

    def test_kernel_as_written_out(self):
        rng = np.random.default_rng(3)
        heights = rng.normal(0, 2, 60)
        pitches = np.array([7.0, 8.3, 11.5, 20.0])
        scores, starts = np.zeros(4), np.zeros(4)
        counts = np.zeros(4, np.int64)
        best_runs(heights, pitches, 0.7, 3, scores, starts, counts)
        for index, pitch in enumerate(pitches):
            best = 0.0
            for phase in np.arange(0, pitch, PHASE_STEP):
                lines = np.arange(phase, 59 + 1e-9, pitch)
                above = np.interp(lines, np.arange(60), heights) - 0.7
                for first in range(len(lines)):
                    for stop in range(first + 3, len(lines) + 1):
                        best = max(best, above[first:stop].sum())
            assert scores[index] == pytest.approx(best)
            if counts[index]:
                lines = starts[index] + pitch * np.arange(counts[index])
                total = (np.interp(lines, np.arange(60), heights) - 0.7).sum()
                assert total == pytest.approx(scores[index])

    @given(st.floats(9, 50), st.floats(20, 70), st.integers(6, 14))
    @example(36.1015625, 25.75, 11)
    def test_pitch_and_place_come_back(self, pitch, start, count):
        heights = np.zeros(int(start + pitch * count) + 60)
        for line in start + pitch * np.arange(count):
            low = int(line)
            heights[low] += 12 * (1 - line + low)
            heights[low + 1] += 12 * (line - low)
        run = find_runs(heights, (pitch * 0.9, pitch * 1.1))[0]
        found = refined(run, heights)
        assert count - 2 <= found.count <= count  # those at the ends may be between two lines
        assert abs(found.pitch - pitch) * (count - 1) < 1
        cells = (found.start - start) / pitch
        assert abs(cells - round(cells)) * pitch < 1

    def test_nothing_in_flat_lines(self):
        assert find_runs(np.zeros(300)) == []

    def test_whole_pitches_are_taken_for_whole(self):
        heights = np.zeros(400)
        heights[13:390:29] = 9.0
        assert refined(Run(13.3, 28.98, 13, 1.0), heights) == Run(13.0, 29.0, 13, 1.0)


@pytest.mark.parametrize(
    "how", [Image.Resampling.BILINEAR, Image.Resampling.BICUBIC, Image.Resampling.LANCZOS]
)
@pytest.mark.parametrize("factor", [0.7, 1.37])
def test_scaled_after_shuffling(how, factor):
    puzzle = shuffled(40)
    board = puzzle.image()
    size = [round(side * factor) for side in board.shape[1::-1]]
    found = detect_grid(scaled(board, *size, how))
    assert found.is_sure
    assert found.grid.board == puzzle.board
    assert found.grid.across.pitch == pytest.approx(size[0] / puzzle.board.columns, abs=0.1)
    assert found.grid.across.start == pytest.approx(0, abs=1)
    assert found.grid.piece == (round(40 * factor), round(40 * factor))


def test_few_pieces_fill_a_scaled_picture():
    picture = scaled(shuffled((100, 150)).image(), 507, 731)
    found = detect_grid(picture)
    assert found.is_sure
    assert found.grid.board == (4, 4)
    assert (found.grid.across.cell, found.grid.down.cell) == (
        pytest.approx(126.75),
        pytest.approx(182.75),
    )
    assert (found.grid.across.start, found.grid.down.start) == (0, 0)


@pytest.mark.parametrize("piece", [27, 29, (28, 29)])
def test_a_size_that_is_nearly_right_is_refused(piece):
    shuffled = Puzzle.cut(demo_photo(), 28).shuffle(seed=1)[0].image()
    height, width = (piece, piece) if isinstance(piece, int) else piece
    with pytest.raises(InputError, match=f"a picture of whole {width} x {height} pieces, found"):
        detect_grid(shuffled, Known(piece=(height, width)))


def test_a_multiple_of_the_pitch_is_not_the_pitch():
    found = detect_grid(scaled(shuffled(40).image(), 390, 265, Image.Resampling.BILINEAR))
    assert found.is_sure
    assert found.grid.board == (10, 15)  # of 26 x 26.5 pixels; twice as high would be whole


@pytest.mark.parametrize(("gap", "factor"), [(0, 1), (5, 1), (0, 1.3)])
def test_a_board_in_a_page(gap, factor):
    puzzle = shuffled((40, 50))
    board = laid_out(puzzle, gap, colour=(255, 0, 80))
    if factor != 1:
        board = scaled(board, *(round(side * factor) for side in board.shape[1::-1]))
    page = on_page(board, 61, 83, 97, 45)
    found = detect_grid(page)
    assert found.is_sure
    grid = found.grid
    assert grid.board == puzzle.board
    assert (grid.across.start, grid.down.start) == (
        pytest.approx(61, abs=0.5),
        pytest.approx(83, abs=0.5),
    )
    assert grid.across.gap == gap
    if factor == 1:
        assert grid.is_whole
        np.testing.assert_array_equal(grid.cut(page).pieces, puzzle.pieces)


def test_rounded_tiles():
    puzzle = shuffled(40)
    mask = Image.new("L", (40, 40), 0)
    ImageDraw.Draw(mask).rounded_rectangle((0, 0, 39, 39), 7, 255)
    corners = np.asarray(mask)[None, :, :, None] == 0
    rounded = Puzzle(np.where(corners, np.uint8(20), puzzle.pieces), puzzle.board)
    found = detect_grid(on_page(laid_out(rounded, 4, colour=(20, 20, 20)), 40, 60, 30, 50))
    assert found.is_sure
    assert (found.grid.piece, found.grid.board) == ((40, 40), puzzle.board)
    assert found.grid.colour == (20, 20, 20)


def test_a_page_without_a_board_is_refused():
    assert not detect_grid(on_page(PHOTO, 50, 60, 70, 80)).is_sure


class TestKnown:
    """What is given, alone and together with what is detected."""

    @pytest.fixture(scope="class")
    @classmethod
    def page(cls):
        puzzle = shuffled((40, 50))
        board = laid_out(puzzle, gap=3, border=8)
        return puzzle, on_page(board, 61, 83, 97, 45), Region(61, 83, *board.shape[1::-1])

    @pytest.mark.parametrize(
        "known",
        [
            {"piece": (40, 50), "gap": 3, "border": 8},
            {"piece": (40, 50), "gap": 3},
            {"piece": (40, 50)},
            {"gap": 3},
            {"border": 8},
            {"border": 8, "gap": 3},
            {"offset": (8, 8)},
            {},
        ],
    )
    def test_within_a_region(self, page, known):
        puzzle, picture, region = page
        found = detect_grid(picture, Known(region=region, **known))
        assert found.is_sure
        cut = found.grid.cut(picture)
        np.testing.assert_array_equal(cut.pieces, puzzle.pieces)
        np.testing.assert_array_equal(cut.places.windows[0], (69, 91))
        np.testing.assert_array_equal(cut.places.windows[1], (69 + 53, 91))
        left, top, right, bottom = cut.places.cells[-1]
        assert (right - left, bottom - top) == (50, 40)

    def test_a_known_piece_is_found_in_a_page(self, page):
        puzzle, picture, _ = page
        found = detect_grid(picture, Known(piece=(40, 50)))
        np.testing.assert_array_equal(found.grid.cut(picture).pieces, puzzle.pieces)

    def test_an_offset_says_nothing_of_the_other_end(self):
        picture = np.pad(shuffled(40).image(), ((5, 11), (7, 13), (0, 0)))
        known = Known(piece=(40.0, 40.0), offset=(7, 5), crop=True)
        assert detect_grid(picture, known).grid.board == (10, 15)

    @pytest.mark.parametrize(
        ("known", "error"),
        [
            ({"gap": -1}, "gap: expected 0 pixels or more, found -1"),
            ({"border": -2.5}, "border: expected 0 pixels or more, found -2.5"),
            ({"offset": (3, -1)}, "offset: expected 0 pixels or more, found -1"),
            ({"piece": (0, 5)}, "at least 1 x 1 pixels, found 5 x 0"),
            ({"border": 3, "offset": (1, 1)}, "expected a border or an offset, found both"),
        ],
    )
    def test_nonsense(self, known, error):
        with pytest.raises(InputError, match=error):
            Known(**known)

    @pytest.mark.parametrize(
        ("known", "error"),
        [
            ({"region": Region(500, 0, 200, 100)}, "which is 600 x 400 pixels, found 500,0,200,1"),
            ({"region": Region(-1, 0, 20, 20)}, "found -1,0,20,20"),
            ({"region": Region(0, 0, 0, 20)}, "found 0,0,0,20"),
            ({"region": Region(10, 10, 50, 50), "piece": (60, 60)}, "found a picture of 50 x 50"),
            ({"border": 250}, "expected pieces within 600 x 400 pixels, found a border or offset"),
            ({"piece": (31.3, 33.3)}, "whole 33.3 x 31.3 pieces, found 600 x 400"),
            ({"piece": (37, 40)}, "whole 40 x 37 pieces, found 600 x 400; its whole pieces meas"),
        ],
    )
    def test_what_does_not_fit(self, known, error):
        with pytest.raises(InputError, match=error):
            detect_grid(PHOTO, Known(**known))


def test_places_are_never_those_of_a_shuffled_puzzle():
    assert Puzzle.cut(PHOTO, 40).places is None
    cut = detect_grid(PHOTO, Known(piece=(40.0, 40.0))).grid.cut(PHOTO)
    assert cut.places.windows.shape == (150, 2)
    again, _ = cut.shuffle(1)
    assert again.places is None


def test_places_of_other_pieces():
    pieces = np.zeros((4, 5, 5, 3), np.uint8)
    with pytest.raises(InputError, match="expected 4 places, found 2"):
        Puzzle(pieces, (2, 2), places=grid_places(1, 2, 5, 5))


def test_a_source_hands_places_on(tmp_path):
    Image.fromarray(scaled(shuffled(40).image(), 420, 280)).save(tmp_path / "x.png")
    source = read_source([tmp_path / "x.png"], known=Known(piece=(28.0, 28.0)))
    puzzle = source.puzzle(source.board)
    assert puzzle.places.windows[1].tolist() == [28, 0]
    source = read_source([tmp_path / "x.png"], known=Known(piece=(27.9, 28.1)))
    assert source.puzzle(source.board).places.cells[1].tolist() == pytest.approx([28, 0, 56, 28])


class TestSingleLines:
    """Columns and rows of one pixel."""

    PICTURE = texture(np.random.default_rng(1), 60, 80)

    def shuffle(self, rows, columns):
        rng = np.random.default_rng(4)
        picture = self.PICTURE[rng.permutation(60)] if rows else self.PICTURE
        return picture[:, rng.permutation(80)] if columns else picture

    @pytest.mark.parametrize("rows", [False, True])
    @pytest.mark.parametrize("columns", [False, True])
    def test_seen_for_what_they_are(self, rows, columns):
        picture = self.shuffle(rows, columns)
        assert are_shuffled(picture) == columns
        assert are_shuffled(picture.swapaxes(0, 1)) == rows
        if rows or columns:
            found = detect_grid(picture)
            assert found.is_sure
            assert found.grid.piece == ((60, 1) if columns else (1, 80))

    def test_noise_has_no_order(self):
        noise = np.random.default_rng(1).integers(0, 256, (60, 80, 3)).astype(np.uint8)
        assert not are_shuffled(noise)
        assert not are_shuffled(np.zeros((60, 80, 3), np.uint8))

    def test_the_shortest_way(self):
        order = np.random.default_rng(4).permutation(80)
        way = shortest_way(self.PICTURE[:, order].swapaxes(0, 1))
        assert (np.abs(np.diff(order[way])) == 1).all()

    def test_lines_lie_along_the_board(self):
        columns = Puzzle.cut(self.PICTURE, (60, 1))
        rows = Puzzle.cut(self.PICTURE, (1, 80))
        assert are_single_lines(columns)
        assert are_single_lines(rows)
        assert not are_single_lines(Puzzle.cut(self.PICTURE, (60, 2)))
        assert sorted(chained(columns)[0]) == list(range(80))
        assert sorted(chained(rows)[:, 0]) == list(range(60))

    def test_solved_by_the_command(self, tmp_path):
        Image.fromarray(self.shuffle(rows=True, columns=True)).save(tmp_path / "x.png")
        done = jigsolve("solve", "x.png", "-o", "y.png", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        assert "rows are shuffled as well" in done.stdout
        assert "may be mirrored" in done.stdout
        solved = read_picture(tmp_path / "y.png")
        turns = [solved[::down, ::across] for down in (1, -1) for across in (1, -1)]
        assert any(np.array_equal(turned, self.PICTURE) for turned in turns)


class TestCommandLine:
    """The options, as a user gives them."""

    @pytest.fixture(scope="class")
    @classmethod
    def folder(cls, tmp_path_factory):
        place = tmp_path_factory.mktemp("anywhere")
        board = laid_out(shuffled((40, 50)), gap=3, border=8)
        Image.fromarray(on_page(board, 61, 83, 97, 45)).save(place / "page.png")
        Image.fromarray(scaled(shuffled(40).image(), 410, 270)).save(place / "scaled.png")
        return place

    def test_detect_in_a_region(self, folder):
        done = jigsolve(
            "detect", "page.png", "--region", "61,83,649,443", "--border", 8, "--gap", "3,white",
            "--json", cwd=folder,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        found = json.loads(done.stdout)
        assert found["board"] == {"rows": 10, "columns": 12}
        assert found["origin"] == {"x": 69, "y": 91}
        assert found["gap"] == {"x": 3, "y": 3}

    def test_solve_in_a_page(self, folder, tmp_path):
        done = jigsolve("solve", "page.png", "-o", tmp_path / "x.png", cwd=folder)
        assert done.returncode == 0, done.stderr
        assert "found 12 x 10 pieces of 50 x 40 pixels, gaps of 3" in done.stdout
        assert (read_picture(tmp_path / "x.png") == PHOTO[:400, :600]).all(axis=2).mean() > 0.95

    def test_solve_pieces_of_no_whole_pixels(self, folder, tmp_path):
        picture = tmp_path / "x.png"
        done = jigsolve("solve", "scaled.png", "-o", picture, "--piece", "27.3x27", cwd=folder)
        assert done.returncode == 0, done.stderr
        assert "found 15 x 10 pieces of 27.33 x 27 pixels, cut as 27 x 27" in done.stdout
        solved = read_picture(picture)
        assert solved.shape == (270, 405, 3)
        original = scaled(PHOTO, 405, 270).astype(int)
        assert np.abs(solved - original).mean() < 12

    @pytest.mark.parametrize(
        ("option", "error"),
        [
            (("--piece", "19,6"), "expected a number or WxH such as 35x11 or 126.75x182.75, found"),
            (("--gap", "3,nocolour"), "expected pixels and perhaps a colour, such as 3,white"),
            (("--gap", "wide"), "expected pixels and perhaps a colour"),
            (("--border", "x"), "expected pixels such as 8, found 'x'"),
            (("--offset", "12"), "expected X,Y such as 12,40, found '12'"),
            (("--region", "1,2,3"), "expected X,Y,W,H such as 40,120,640,480, found '1,2,3'"),
            (("--gap=-1",), "gap: expected 0 pixels or more, found -1"),
        ],
    )
    def test_nonsense(self, folder, option, error):
        done = jigsolve("detect", "page.png", *option, cwd=folder)
        assert done.returncode == 2
        assert error in done.stderr

    @pytest.mark.parametrize(
        ("option", "error"),
        [
            (("--region", "0,0,5000,10"), "region: expected a part of the picture, which is 807 x"),
            (
                ("--piece", "500", "--region", "0,0,400,400"),
                "two pieces of 500 x 500 pixels, found",
            ),
        ],
    )
    def test_values_that_do_not_fit(self, folder, option, error):
        done = jigsolve("detect", "page.png", *option, cwd=folder)
        assert done.returncode == 1
        assert done.stderr.count("\n") == 1
        assert error in done.stderr

    def test_tiles_have_no_region(self, folder):
        done = jigsolve("solve", ".", "-o", "/tmp/x.png", "--region", "0,0,9,9", cwd=folder)
        assert done.returncode == 1
        assert "--region with a shuffled picture only, found tiles" in done.stderr
