"""Tiles on the command line: cut to files, solved, listed and renamed."""

import csv
import errno
import json
import os
import re
from dataclasses import replace

import numpy as np
import pytest
from helpers import in_this_process, jigsolve
from PIL import Image
from skimage import data

from jigsolve import Board, InputError, Puzzle, Settings, solve
from jigsolve.cli import solve as solve_verb
from jigsolve.cli.command import parser
from jigsolve.cli.repeats import name_repeats, repeats
from jigsolve.detect.sources import read_source
from jigsolve.io.files import write_text
from jigsolve.io.pictures import read_picture, write_picture
from jigsolve.io.tiles import read_tiles
from jigsolve.render.listing import as_csv
from jigsolve.render.renaming import rename_into


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Make a folder with a photograph of 8 x 5 tiles, as files and as an archive."""
    place = tmp_path_factory.mktemp("tiles")
    Image.fromarray(data.chelsea()).save(place / "cat.png")
    Image.fromarray(data.coffee()).save(place / "cup.png")
    for output in ("tiles/", "tiles.tar.gz"):
        done = jigsolve(
            "cut", "cat.png", "-o", output, "--piece", 56, "--truth", "truth.json", "--force",
            cwd=place,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
    return place


@pytest.mark.parametrize("source", [["tiles"], ["tiles.tar.gz"], "expanded"])
def test_every_kind_of_source_is_solved_alike(folder, tmp_path, source):
    if source == "expanded":
        source = sorted((folder / "tiles").iterdir())
    done = jigsolve(
        "solve", *source, "-o", tmp_path / "o.png", "--board", "8x5", "--csv", tmp_path / "o.csv",
        "--json", tmp_path / "o.json", "--rename-into", tmp_path / "sorted", cwd=folder,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    original = Puzzle.cut(folder / "cat.png", 56)
    np.testing.assert_array_equal(read_picture(tmp_path / "o.png"), original.image())

    truth = json.loads((folder / "truth.json").read_text())
    right = [f"{truth['names'][piece]}.png" for piece in truth["arrangement"]]
    record = json.loads((tmp_path / "o.json").read_text())
    assert [record["names"][piece] for piece in record["arrangement"]] == right

    lines = list(csv.DictReader((tmp_path / "o.csv").read_text().splitlines()))
    assert [line["file"] for line in lines] == right
    assert [(int(line["row"]), int(line["column"])) for line in lines] == [
        (row, column) for row in range(5) for column in range(8)
    ]
    assert [int(line["piece"]) for line in lines] == record["arrangement"]
    assert [float(line["confidence"]) for line in lines] == record["confidence"]["pieces"]
    assert [line["confidence_right"] == "" for line in lines] == [*[False] * 7, True] * 5
    assert [line["confidence_below"] == "" for line in lines] == [False] * 32 + [True] * 8

    renamed = sorted((tmp_path / "sorted").iterdir())
    assert [path.name for path in renamed] == [
        f"00{r}_00{c}.png" for r in range(5) for c in range(8)
    ]
    assert [path.read_bytes() for path in renamed] == [
        (folder / "tiles" / name).read_bytes() for name in right
    ]


@pytest.mark.parametrize("source", ["tiles", "tiles.tar.gz", "tiles/*.png"])
def test_detect_of_tiles_points_to_solve(folder, source):
    code, said = in_this_process(["detect", source], folder)
    assert code == 1
    assert said.startswith(f"jigsolve: {source}: expected one shuffled picture, found tiles; ")
    assert "`jigsolve solve` finds their board" in said
    assert said.count("\n") == 1


def test_force_neither_replaces_what_is_read_only_nor_changes_modes(folder, tmp_path):
    picture = tmp_path / "p.png"
    command = ["cut", folder / "cat.png", "-o", picture, "-q", "--force"]
    picture.write_text("before")
    picture.chmod(0o444)
    code, said = in_this_process(command, folder)
    assert (code, picture.read_text()) == (1, "before")
    assert "expected a file that may be replaced, found it read-only" in said
    picture.chmod(0o600)
    assert in_this_process(command, folder)[0] == 0
    assert picture.stat().st_mode & 0o777 == 0o600


@pytest.fixture(scope="module")
def named(folder):
    """Name tiles by row and column, by numbers, and by numbers that lie."""
    pieces = Puzzle.cut(folder / "cat.png", 56).pieces
    lies = np.random.default_rng(3).permutation(40)
    for number, piece in enumerate(pieces):
        row, column = divmod(number, 8)
        names = (
            f"places/r{row}_c{column}.png",
            f"xy/{column}-{row}.png",
            f"numbers/{number:04}.png",
        )
        for name in (*names, f"lies/{lies[number]:04}.png"):
            (folder / name).parent.mkdir(exist_ok=True)
            write_picture(folder / name, piece)
    return folder


@pytest.mark.parametrize(
    ("source", "options"),
    [("places", ()), ("xy", ("--column-first",)), ("numbers", ()), ("numbers", ("--board", "8x5"))],
)
def test_tiles_are_placed_by_name_when_asked(named, tmp_path, source, options):
    done = jigsolve(
        "solve", source, "-o", tmp_path / "o.png", "--by-name", *options,
        "--csv", tmp_path / "o.csv", "--json", tmp_path / "o.json", "--overlay", tmp_path / "d.png",
        "--rename-into", tmp_path / "sorted", cwd=named,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "placed by names: " in done.stdout
    assert "nothing was searched" in done.stdout
    original = Puzzle.cut(named / "cat.png", 56)
    np.testing.assert_array_equal(read_picture(tmp_path / "o.png"), original.image())
    lines = list(csv.DictReader((tmp_path / "o.csv").read_text().splitlines()))
    assert [line["file"] for line in lines][:2] == {
        "places": ["r0_c0.png", "r0_c1.png"], "xy": ["0-0.png", "1-0.png"],
        "numbers": ["0000.png", "0001.png"],
    }[source]  # fmt: skip
    assert min(float(line["confidence"]) for line in lines) > 0.5
    assert json.loads((tmp_path / "o.json").read_text())["stopped"] == "given"
    assert (
        read_picture(tmp_path / "sorted" / "004_007.png").tolist() == original.pieces[39].tolist()
    )


def test_names_are_told_of_but_have_no_part_in_a_solution(named, tmp_path):
    done = jigsolve("solve", "lies", "-o", tmp_path / "o.png", cwd=named)
    assert done.returncode == 0, done.stderr
    told = "names of files are numbers from 0 to 39, such as 0000.png, and have no part in what"
    assert f"{told} follows; --by-name believes them\n" in done.stdout
    original = Puzzle.cut(named / "cat.png", 56).image()
    np.testing.assert_array_equal(read_picture(tmp_path / "o.png"), original)
    believed = jigsolve(
        "solve", "lies", "-o", tmp_path / "b.png", "--by-name", "--board", "8x5", cwd=named
    )
    assert believed.returncode == 0, believed.stderr
    pieces = Puzzle.cut(tmp_path / "b.png", 56)
    lies = np.random.default_rng(3).permutation(40)
    np.testing.assert_array_equal(pieces.image(lies), original)


def test_missing_tiles_leave_holes_by_name(named, tmp_path):
    (tmp_path / "tiles").mkdir()
    for path in sorted((named / "places").iterdir())[1:]:
        os.link(path, tmp_path / "tiles" / path.name)
    done = jigsolve("solve", "tiles", "-o", "o.png", "--by-name", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "1 cell is empty" in done.stdout
    assert (read_picture(tmp_path / "o.png")[:56, :56] == 128).all()


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (
            ("tiles", "--by-name"),
            1,
            "--by-name: expected names of tiles that are a number or a row",
        ),
        (("cat.png", "--by-name", "--piece", "11x10"), 1, "found a picture, which has none"),
        (
            ("places", "--by-name", "--board", "5x8"),
            1,
            "within a board of 5 x 8, found rows and co",
        ),
        (("places", "--column-first"), 2, "--column-first: expected with --by-name"),
        (("places", "--by-name", "--film", "f.gif"), 2, "--film: expected without --by-name"),
        (
            ("places", "--by-name", "--reference", "cat.png"),
            2,
            "--reference: expected without --by-",
        ),
        (("places", "--by-name", "--resume", "c"), 2, "--resume: expected without --by-name"),
        (("places", "--by-name", "--checkpoint", "c"), 2, "--checkpoint: expected without --by-"),
    ],
)
def test_names_that_cannot_be_believed(named, tmp_path, arguments, code, message):
    found, said = in_this_process(["solve", *arguments, "-q", "-o", tmp_path / "o.png"], named)
    assert found == code, said
    assert message in said
    assert said.count("\n") == 1
    assert not (tmp_path / "o.png").exists()


def test_pieces_of_a_picture_are_renamed_as_png(folder, tmp_path):
    done = jigsolve("cut", "cat.png", "-o", tmp_path / "p.png", "--piece", 56, cwd=folder)
    done = jigsolve(
        "solve", "p.png", "-o", "o.png", "--piece", 56, "--rename-into", "new", "--csv", "o.csv",
        cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    np.testing.assert_array_equal(
        read_picture(tmp_path / "new" / "002_007.png"),
        Puzzle.cut(folder / "cat.png", 56).pieces[2 * 8 + 7],
    )
    assert {
        line["file"] for line in csv.DictReader((tmp_path / "o.csv").read_text().splitlines())
    } == {""}


def test_notes_are_printed_unless_quiet(folder, tmp_path):
    for path in (folder / "tiles").iterdir():
        os.link(path, tmp_path / path.name)
    (tmp_path / "read\x1bme.txt").write_text("hello")
    for quiet in ((), ("-q",)):
        done = jigsolve(
            "solve", tmp_path, "-o", folder / f"n{len(quiet)}.png", "--board", "8x5", *quiet
        )
        assert done.returncode == 0, done.stderr
        said = "1 file skipped (no picture): read\\x1bme.txt\n" in done.stdout
        assert said == (not quiet)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--board", "40x40"), "expected a board of about 40 cells"),
        (("--board", "2x2"), "expected a board of about 40 cells"),
        (("--holes", "3"), "--holes: expected with --board"),
        (("--piece", "28"), "and --region with a shuffled picture only"),
    ],
)
def test_boards_that_do_not_fit(folder, tmp_path, options, message):
    done = jigsolve("solve", "tiles", "-o", tmp_path / "o.png", *options, cwd=folder)
    assert done.returncode == 1
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "o.png").exists()


def test_the_board_is_found_and_its_runners_up_are_named(folder, tmp_path):
    done = jigsolve(
        "solve", "tiles", "-o", tmp_path / "o.png", "--json", tmp_path / "o.json", cwd=folder
    )
    assert done.returncode == 0, done.stderr
    assert "found a board of 8 x 5 pieces" in done.stdout
    timings = json.loads((tmp_path / "o.json").read_text())["timings"]
    assert {"reading", "boards", "seams"} < set(timings)


def test_copies_of_tiles_are_named_where_no_board_comes_out(folder, tmp_path):
    (tmp_path / "tiles").mkdir()
    names = sorted(path.name for path in (folder / "tiles").iterdir())
    for name in names:
        os.link(folder / "tiles" / name, tmp_path / "tiles" / name)
    picture = Image.open(folder / "tiles" / names[5])
    picture.save(tmp_path / "tiles" / "zz.bmp")  # other bytes, equal pixels
    # Quiet: where the machine is busy, loading kernels takes so long that a line says so.
    done = jigsolve("solve", "tiles", "-o", "o.png", "-q", cwd=tmp_path)
    assert done.returncode == 1
    said = f"; 1 tile is a copy of another ({names[5]} = zz.bmp), without it there are 40\n"
    assert done.stderr.endswith(said)
    assert done.stderr.count("\n") == 1
    for name in ("zy", "zx"):
        picture.save(tmp_path / "tiles" / f"{name}.png")
    done = jigsolve("solve", "tiles", "-o", "o.png", "-q", cwd=tmp_path)
    assert f"; 3 tiles are copies of others ({names[5]} = zx.png = zy.png = zz.bmp)" in done.stderr
    (tmp_path / "tiles" / "zx.png").unlink()
    (tmp_path / "tiles" / "zy.png").unlink()
    solved = jigsolve("solve", "tiles", "-o", "o.png", "--board", "8x5", cwd=tmp_path)
    assert solved.returncode == 0, solved.stderr
    assert "left over: " in solved.stdout


def test_plain_tiles_are_no_copies():
    pieces = np.zeros((6, 4, 4, 3), np.uint8)
    pieces[4:, 0, 0] = 9
    assert repeats(pieces) == [[4, 5]]
    assert name_repeats(pieces[:4], "abcd") == ""


def test_holes_and_strays_through_all_outputs(tmp_path):
    write_picture(tmp_path / "cat.png", data.chelsea()[:280, :448])
    write_picture(tmp_path / "cup.png", data.coffee())
    cut = jigsolve(
        "cut", "cat.png", "-o", "tiles/", "--missing", "8", "--stray", "cup.png:5",
        "--truth", "truth.json", cwd=tmp_path,
    )  # fmt: skip
    assert cut.returncode == 0, cut.stderr
    refused = jigsolve("solve", "tiles", "-o", "x.png", cwd=tmp_path)
    assert refused.returncode == 1
    assert "surely belong together" in refused.stderr
    done = jigsolve(
        "solve", "tiles", "-o", "o.png", "--board", "16x10", "--holes", "8", "--csv", "o.csv",
        "--json", "o.json", "--overlay", "doubts.png", "--film", "f.gif", "--rename-into", "sorted",
        cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "8 cells are empty" in done.stdout
    assert "left over: " in done.stdout
    truth = json.loads((tmp_path / "truth.json").read_text())
    record = json.loads((tmp_path / "o.json").read_text())
    stems = [name.removesuffix(".png") for name in record["names"]]
    found = [stems[piece] if piece >= 0 else "" for piece in record["arrangement"]]
    right = [truth["names"][piece] if piece >= 0 else "" for piece in truth["arrangement"]]
    assert found == right
    assert {stems[piece] for piece in record["strays"]} == {
        truth["names"][piece] for piece in truth["strays"]
    }
    empty = found.index("")
    assert record["confidence"]["pieces"][empty] is None
    files = sorted(path.name for path in (tmp_path / "sorted").iterdir())
    assert len(files) == 157
    assert sum(name.startswith("stray-") for name in files) == 5
    assert (tmp_path / "o.csv").read_text().count("\n") == 1 + 160 + 5


def check(*arguments):
    """Check the outputs of a command, as it does before anything else."""
    solve_verb.check_all_outputs(parser().parse_args(["solve", *map(str, arguments)]))


def test_nothing_is_replaced_without_force(folder, tmp_path):
    command = [
        folder / "tiles", "-o", tmp_path / "o.png", "--board", "8x5", "--csv", tmp_path / "o.csv",
        "--json", tmp_path / "o.json", "--film", tmp_path / "o.gif",
        "--checkpoint", tmp_path / "o.ckpt", "--rename-into", tmp_path / "sorted",
    ]  # fmt: skip
    check(*command)
    for name in ("o.png", "o.csv", "o.json", "o.gif", "o.ckpt"):
        (tmp_path / name).write_text("precious")
        with pytest.raises(InputError, match=f"{name}: expected a new name, found a file; --force"):
            check(*command)
        check(*command, "--force")
        (tmp_path / name).unlink()
    (tmp_path / "sorted").mkdir()
    check(*command)
    (tmp_path / "sorted" / "000_000.png").write_text("a tile")
    with pytest.raises(InputError, match="sorted: expected a new or empty folder, found 000_"):
        check(*command)
    check(*command, "--force")
    (tmp_path / "sorted" / "thesis.tex").write_text("precious")
    with pytest.raises(
        InputError, match=r"nothing but what is written there, found thesis\.tex in it"
    ):
        check(*command, "--force")


@pytest.mark.parametrize("places", ["files", "pattern", "folder"])
def test_a_folder_that_tiles_are_read_from_is_never_replaced(tmp_path, places):
    read = tmp_path / "all" / "read"
    read.mkdir(parents=True)
    names = ["0123abcd.png", "4567abcd.png"]
    for name in names:
        write_picture(read / name, np.zeros((8, 8, 3), np.uint8))
    given = {"files": [read / n for n in names], "pattern": [read / "*.png"], "folder": [read]}
    for folder in (read, read.parent):
        with pytest.raises(InputError, match="of its own to write, found"):
            check(
                *given[places], "-o", tmp_path / "o.png", "--rename-into", folder, "--force"
            )  # fmt: skip
    with pytest.raises(InputError, match=r"of its own|outside of folders"):
        check(*given[places], "-o", read / names[0], "--force")


def test_no_output_lies_in_a_folder_that_is_written(folder, tmp_path):
    (tmp_path / "sorted").mkdir()
    with pytest.raises(InputError, match=r"sorted: expected a folder of its own .*o\.csv in it"):
        check(
            folder / "tiles", "-o", tmp_path / "o.png", "--csv", tmp_path / "sorted" / "o.csv",
            "--rename-into", tmp_path / "sorted",
        )  # fmt: skip


def test_names_the_system_refuses_are_no_files(tmp_path):
    check("z" * 300, "-o", tmp_path / "o.png")
    with pytest.raises(InputError, match="found none given"):
        read_source([])
    for names in (["z" * 300], ["z" * 300, "y" * 300]):
        with pytest.raises(InputError, match="zzz: "):
            read_source(names)
    (tmp_path / "gone.png").symlink_to("nowhere")
    with pytest.raises(InputError, match=r"found no picture; 1 file skipped \(no regular file\)"):
        read_source([tmp_path / "*.png"])


def test_a_checkpoint_is_its_own_to_go_on_with(folder, tmp_path):
    kept = tmp_path / "c.ckpt"
    kept.write_text("a run")
    check(folder / "tiles", "-o", tmp_path / "o.png", "--checkpoint", kept, "--resume", kept)
    with pytest.raises(InputError, match="read or written already"):
        check(folder / "tiles", "-o", tmp_path / "o.png", "--json", kept, "--resume", kept)


def test_cut_with_every_fault(folder, tmp_path):
    done = jigsolve(
        "cut", "cat.png", "-o", tmp_path / "t.zip", "--piece", 56, "--missing", "5%",
        "--stray", "cup.png:3", "--duplicates", 1, "--jitter", 2, "--truth", tmp_path / "t.json",
        "--save-pieces", tmp_path / "same", cwd=folder,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "8 x 5 = 40 pieces of 56 x 56 pixels, 2 missing, 3 strays, 1 twice" in done.stdout
    truth = json.loads((tmp_path / "t.json").read_text())
    assert truth["arrangement"].count(-1) == 2
    assert len(truth["strays"]) == 3
    tiles = read_tiles(tmp_path / "t.zip")
    assert set(tiles.names) == {f"{name}.png" for name in truth["names"]}
    assert any("pixels: lines in" in note for note in tiles.notes)
    assert read_tiles(tmp_path / "same").names == tiles.names
    assert all(re.fullmatch(r"[0-9a-f]{8}\.png", name) for name in tiles.names)


def test_cut_with_gaps(folder, tmp_path):
    jigsolve(
        "cut", folder / "cat.png", "-o", tmp_path / "g.png", "--piece", 56, "--gap", "3,#102030",
        "--border", 7,
    )  # fmt: skip
    picture = read_picture(tmp_path / "g.png")
    assert picture.shape == (5 * 59 - 3 + 14, 8 * 59 - 3 + 14, 3)
    assert (picture[:7] == (0x10, 0x20, 0x30)).all()
    assert (picture[:, 7 + 56 : 7 + 59] == (0x10, 0x20, 0x30)).all()


def incomplete():
    """Return a solution with a hole and a stray, its confidence known but for one seam."""
    ramp = np.add.outer(np.arange(0, 120, 2), np.arange(80)).astype(np.uint8)
    puzzle, _ = Puzzle.cut(ramp, 20).shuffle(1)
    named = Puzzle(puzzle.pieces, Board(3, 4), tuple(f"f/{n}.png" for n in range(12)))
    solution = solve(named, Settings.of(population=10, generations=2))
    solution.arrangement[1, 2] = -1
    return solution


def test_holes_and_strays_are_listed_and_renamed(tmp_path):
    solution = incomplete()
    (stray,) = set(range(12)) - set(solution.arrangement.ravel().tolist())
    lines = list(csv.DictReader(as_csv(solution).splitlines()))
    assert len(lines) == 13
    assert lines[6] == dict.fromkeys(lines[6], "") | {"row": "1", "column": "2"}
    assert lines[12] == dict.fromkeys(lines[6], "") | {
        "piece": str(stray),
        "file": f"f/{stray}.png",
    }
    (tmp_path / "f").mkdir()
    for number in range(12):
        Image.fromarray(solution.puzzle.pieces[number]).save(tmp_path / "f" / f"{number}.png")
    (tmp_path / "other.png").write_bytes((tmp_path / "f" / "0.png").read_bytes())
    rename_into(tmp_path / "new", solution, [tmp_path])
    names = {path.name for path in (tmp_path / "new").iterdir()}
    assert len(names) == 12
    assert "001_002.png" not in names
    assert f"stray-{stray}-{stray}.png" in names
    rename_into(tmp_path / "new", solution, [tmp_path / "f", tmp_path / "other.png"], force=True)
    with pytest.raises(InputError, match="found it gone"):
        rename_into(tmp_path / "newer", solution)


def test_any_name_is_listed_and_renamed(tmp_path):
    """Among them one that is not UTF-8, one as long as names can be, and odd endings."""
    solution = incomplete()
    odd = ["a,b.png", 'q"u.png', "l\nf.png", "c\rr.png", "x\udcff.png", "e.p ng", "end.", "-"]
    names = tuple(odd + [f"{n}{'y' * 249}.png" for n in range(4)])
    solution = replace(solution, puzzle=replace(solution.puzzle, names=names))
    (tmp_path / "old").mkdir()
    for name, piece in zip(names, solution.puzzle.pieces, strict=True):
        with (tmp_path / "old" / name).open("wb") as file:
            Image.fromarray(piece).save(file, "PNG")
    write_text(tmp_path / "o.csv", as_csv(solution))
    with (tmp_path / "o.csv").open(newline="", encoding="utf-8") as file:
        listed = {line["file"] for line in csv.DictReader(file)}
    escaped = {name.replace("\r", r"\r").replace("\udcff", r"\udcff") for name in names}
    assert listed - {""} == escaped
    for stray in range(12):  # whichever is left over
        solution.arrangement.ravel()[:] = [*range(stray), -1, *range(stray + 1, 12)]
        rename_into(tmp_path / "new", solution, [tmp_path / "old"], force=True)
        assert len(list((tmp_path / "new").iterdir())) == 12


def test_a_full_disk_is_told_by_the_folder_that_was_asked_for(tmp_path, monkeypatch):
    solution = incomplete()
    solution = replace(solution, puzzle=replace(solution.puzzle, names=None))

    def full(*_arguments, **_options):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Image.Image, "save", full)
    with pytest.raises(InputError, match=r"new: cannot write there: No space left on device"):
        rename_into(tmp_path / "new", solution)
    assert list(tmp_path.iterdir()) == []
