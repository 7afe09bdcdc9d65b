"""The command line, run as a user runs it."""

import contextlib
import fcntl
import json
import os
import pty
import signal
import struct
import subprocess
import sys
import termios
import time

import numpy as np
import pytest
from helpers import in_this_process, jigsolve, jigsolve_apart
from PIL import Image
from skimage import data

from jigsolve import Puzzle
from jigsolve.cli.progress import Progress
from jigsolve.io.pictures import read_picture


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Make a folder with a photograph, its puzzle and its truth."""
    place = tmp_path_factory.mktemp("cli")
    Image.fromarray(data.chelsea()).save(place / "cat.png")
    done = jigsolve(
        "cut", "cat.png", "-o", "puzzle.png", "--truth", "truth.json", "--seed", 4, cwd=place
    )
    assert done.returncode == 0, done.stderr
    assert "16 x 10 = 160 pieces of 28 x 28 pixels" in done.stdout
    return place


def test_cut_writes_the_pieces_and_the_truth(folder):
    truth = json.loads((folder / "truth.json").read_text())
    assert truth["board"] == {"rows": 10, "columns": 16}
    puzzle = Puzzle.cut(folder / "puzzle.png", 28)
    original = Puzzle.cut(data.chelsea(), 28).image()
    assert (puzzle.image() != original).any()
    np.testing.assert_array_equal(puzzle.image(np.array(truth["arrangement"])), original)


def test_cut_repeats_for_a_seed(folder, tmp_path):
    for seed, same in ((4, True), (5, False)):
        jigsolve("cut", folder / "cat.png", "-o", tmp_path / f"{seed}.png", "--seed", seed)
        found = (tmp_path / f"{seed}.png").read_bytes() == (folder / "puzzle.png").read_bytes()
        assert found == same


def test_solve_and_score(folder, tmp_path):
    done = jigsolve_apart(
        "solve", folder / "puzzle.png", "-o", tmp_path / "out.png",
        "--json", tmp_path / "run.json", "--film", tmp_path / "film.gif", "--seed", 2,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "16 x 10 pieces, cost" in done.stdout
    record = json.loads((tmp_path / "run.json").read_text())
    truth = json.loads((folder / "truth.json").read_text())
    assert record["arrangement"] == truth["arrangement"]
    assert record["seed"] == 2
    assert (tmp_path / "film.gif").read_bytes().startswith(b"GIF89a")

    scored = jigsolve_apart(
        "score", folder / "cat.png", tmp_path / "out.png", "--piece", "28", "--json"
    )
    assert json.loads(scored.stdout) == {
        "neighbour": 1.0,
        "direct": 1.0,
        "neighbour_aware": 1.0,
        "direct_aware": 1.0,
        "perfect": True,
    }
    plain = jigsolve_apart("score", folder / "cat.png", folder / "puzzle.png", "--piece", "28")
    assert "perfect         no" in plain.stdout
    assert plain.returncode == 0


@pytest.mark.parametrize("scale", [1, 0.5])
def test_score_by_a_lossy_or_scaled_original_says_so(folder, tmp_path, scale):
    cat = Image.fromarray(data.chelsea())
    cat.resize((round(451 * scale), round(300 * scale))).save(tmp_path / "o.jpg", quality=70)
    Image.fromarray(Puzzle.cut(data.chelsea(), 28).image()).save(tmp_path / "solved.png")
    command = ("score", tmp_path / "o.jpg", tmp_path / "solved.png", "--piece", 28)
    done = jigsolve(*command)
    assert done.returncode == 0, done.stderr
    assert "direct          1.0000\n" in done.stdout
    assert "perfect         yes\n" in done.stdout
    said = "by likeness     160 of 160 pieces: their pixels are not the original's\n"
    assert done.stdout.endswith(said)
    record = json.loads(jigsolve(*command, "--json").stdout)
    assert (record["by_likeness"], record["unlike"], record["perfect"]) == (160, 0, True)
    shuffled = json.loads(
        jigsolve(*command[:2], folder / "puzzle.png", "--piece", 28, "--json").stdout
    )
    assert shuffled["direct"] < 0.1


def test_solve_writes_an_overlay(folder, tmp_path):
    command = ("solve", folder / "puzzle.png", "-o", tmp_path / "out.png")
    done = jigsolve(*command, "--overlay", tmp_path / "doubts.png")
    assert done.returncode == 0, done.stderr
    assert "doubts.png" in done.stdout
    assert read_picture(tmp_path / "doubts.png").shape[1] >= 16 * 28


def test_rectangular_pieces_through_all_verbs(folder, tmp_path):
    size = ("--piece", "45x28")
    jigsolve("cut", folder / "cat.png", "-o", tmp_path / "p.png", *size)
    done = jigsolve("solve", tmp_path / "p.png", "-o", tmp_path / "s.png", *size)
    assert "10 x 10 pieces" in done.stdout
    scored = jigsolve("score", folder / "cat.png", tmp_path / "s.png", *size, "--json")
    assert json.loads(scored.stdout)["perfect"]


def test_every_setting_reaches_the_run(folder, tmp_path):
    done = jigsolve(
        "solve", folder / "puzzle.png", "-o", tmp_path / "o.png", "--json", tmp_path / "r.json",
        "--preset", "paper", "--seeding", "segments", "--population", 20, "--generations", 3,
        "--elites", 2,
        "--mutation", 0.5, "--patience", 2, "--repairs", 6, "--annealing", 7,
        "--phases", "agreed,greedy", "--boundaries", 3, "--damage", "eroded:2",
        "--weighed", 5, "--candidates", 9, "--threads", 2, "--seed", 8, "--no-traces",
        "--solver", "genetic", "--time-limit", "5m", "-q",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout == done.stderr == ""
    record = json.loads((tmp_path / "r.json").read_text())
    assert record["pricing"] == {
        "measure": "dissimilarity",
        "damage": "eroded:2",
        "traces": False,
        "candidates": 9,
    }
    assert (record["solver"], record["threads"], record["seed"]) == ("genetic", 2, 8)
    assert record["options"] == {
        "selection": "roulette",
        "seeding": "segments",
        "population": 20,
        "generations": 3,
        "elites": 2,
        "mutation": 0.5,
        "patience": 2,
        "repairs": 6,
        "annealing": 7,
        "phases": ["agreed", "greedy"],
        "boundaries": 3,
        "weighed": 5,
    }


def test_demo_writes_three_pictures(tmp_path):
    (tmp_path / "demo-solved.png").write_text("of the last time")
    done = jigsolve_apart("demo", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "neighbour 9" in done.stdout or "neighbour 100" in done.stdout
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["demo-film.gif", "demo-shuffled.png", "demo-solved.png"]


@pytest.mark.parametrize("verb", [(), ("cut",), ("solve",), ("score",), ("demo",)])
def test_help_has_examples(verb):
    done = jigsolve(*verb, "--help")
    assert done.returncode == 0
    assert "examples:\n  jigsolve" in done.stdout


def test_version():
    assert jigsolve("--version").stdout.startswith("jigsolve 0.")


SOLVE = ("solve", "puzzle.png", "-o", "x.png")

WRONG = [
    ((), "the following arguments are required: COMMAND (jigsolve --help says more)"),
    (("fold",), "invalid choice: 'fold'"),
    (("solve", "puzzle.png"), "required: -o/--output (jigsolve solve --help says more)"),
    ((*SOLVE, "--colour"), "unrecognized arguments: --colour"),
    ((*SOLVE, "--piece", "big"), "--piece: expected a number or WxH such as 35x11 or"),
    ((*SOLVE, "--piece", "0"), "piece: expected at least 1 x 1 pixels, found 0 x 0"),
    ((*SOLVE, "--piece", "-5"), "piece: expected at least 1 x 1 pixels, found -5 x -5"),
    ((*SOLVE, "--gap", "-1"), "gap: expected 0 pixels or more, found -1"),
    ((*SOLVE, "--border", "3", "--offset", "1,1"), "expected a border or an offset, found both"),
    ((*SOLVE, "--region", "1,2"), "--region: expected X,Y,W,H"),
    ((*SOLVE, "--strict", "--measure", "mgc"), "--strict: expected a measure that says"),
    ((*SOLVE, "--damage", "fire"), "damage: expected auto, none, jpeg"),
    ((*SOLVE, "--damage", "eroded:99"), "found 'eroded:99'"),
    ((*SOLVE, "--damage", "none+jpeg"), "damage: expected none alone, found 'none+jpeg'"),
    ((*SOLVE, "--piece", "-5x3"), "at least 1 x 1 pixels, found -5 x 3"),
    ((*SOLVE, "--board", "0x4"), "--board: expected COLSxROWS such as 24x18, found '0x4'"),
    ((*SOLVE, "--board", "4x00"), "--board: expected COLSxROWS such as 24x18, found '4x00'"),
    ((*SOLVE, "--board", "-3x2"), "--board: expected COLSxROWS such as 24x18, found '-3x2'"),
    ((*SOLVE, "--board"), "--board: expected one argument"),
    ((*SOLVE, "--holes", "-1"), "--holes: expected a whole number from 0"),
    ((*SOLVE, "--population", "many"), "--population: expected a whole number, found 'many'"),
    ((*SOLVE, "--population", "1"), "population: expected a whole number from 2"),
    ((*SOLVE, "--mutation", "some"), "--mutation: expected a number, found 'some'"),
    ((*SOLVE, "--mutation", "-.5"), "mutation: expected a number from 0 to 1, found -0.5"),
    ((*SOLVE, "--seed", "-1"), "seed: expected a whole number"),
    ((*SOLVE, "--threads", "0"), "threads: expected a whole number from 1"),
    ((*SOLVE, "--threads", "99999"), "threads: expected a whole number from 1"),
    ((*SOLVE, "--measure", "foo"), "measure: expected one of dissimilarity, "),
    ((*SOLVE, "--preset", "fast"), "default, paper, found 'fast'"),
    ((*SOLVE, "--phases", "magic"), "greedy, found magic"),
    ((*SOLVE, "--patience", "-1"), "whole number from 0 to"),
    ((*SOLVE, "--elites", "100"), "elites: expected fewer than the population of 100"),
    ((*SOLVE, "--every", "5"), "expected with --checkpoint FILE"),
    ((*SOLVE, "--checkpoint", "c", "--every", "-5"), "expected seconds between them, found -5"),
    (
        (*SOLVE, "--checkpoint", "c", "--solver", "son"),
        "that saves its runs, one of genetic, found",
    ),
    (
        ("lab", "run", "--sets", ".", "--out", "o", "--turned", "--solvers", "genetic,cho"),
        "solver: expected one that knows turns, such as genetic, ",
    ),
    ((*SOLVE, "--film", "f.mp4"), "name ending in .gif"),
    ((*SOLVE, "--overlay", "doubts.jpg"), "expected a name ending in .png"),
    ((*SOLVE, "--overlay", "d.png", "--measure", "mgc"), "whose costs state confidence"),
    ((*SOLVE, "--reference", "cat.png", "--resume", "run"), "expected without --resume"),
    (("solve", "puzzle.png", "-o", "s.jpg"), "expected a name ending in .png"),
    (("solve", "puzzle.png", "-o", "."), "expected a name ending in .png"),
    (("cut", "cat.png", "-o", "x.jpg"), "expected a name ending in .png"),
    (("cut", "cat.png", "-o", "x.png", "--seed", "-1"), "seed: expected a whole number"),
    (
        ("cut", "cat.png", "-o", "x.png", "--gap", "3,colourful"),
        "--gap: expected pixels and perhaps",
    ),
    (("cut", "cat.png", "-o", "x.png", "--gap", "-3,white"), "gap: expected a whole number"),
    (("cut", "cat.png", "-o", "x.png", "--border", "-3"), "border: expected a whole number"),
    (("cut", "cat.png", "-o", "x.png", "--jitter", "1"), "an archive or folder for --jitter"),
    (("cut", "cat.png", "-o", "x.zip", "--jitter", "3"), "jitter: expected a whole number"),
    (("cut", "cat.png", "-o", "x.zip", "--gap", "1"), "a picture for --gap and --border"),
    (
        ("cut", "cat.png", "-o", "x.zip", "--missing", "101%"),
        "--missing: expected a number or a share",
    ),
    (("score", "cat.png", "cat.png"), "required: --piece"),
    (("demo", "--seed", "-1"), "seed: expected a whole number"),
    (("demo", "--piece", "-1"), "--piece: expected a piece of at least"),
]


@pytest.mark.parametrize(("arguments", "words"), WRONG)
def test_wrong_usage_is_one_line_and_exits_with_2(folder, arguments, words):
    before = sorted(folder.iterdir())
    code, said = in_this_process(arguments, folder)
    assert code == 2, said
    assert said.startswith("jigsolve: ")
    assert said.count("\n") == 1
    assert words in said
    assert sorted(folder.iterdir()) == before


def test_wrong_usage_of_the_whole_command(folder):
    done = jigsolve_apart(*SOLVE, "--board", "-3x2", cwd=folder)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("jigsolve: --board: expected COLSxROWS such as 24x18, found")
    assert done.stderr.count("\n") == 1


def test_wrong_usage_is_found_before_any_file_is_looked_at(tmp_path):
    done = jigsolve("solve", "none.png", "-o", "no/x.png", "--seed", "-1", cwd=tmp_path)
    assert done.returncode == 2, done.stderr


BAD = [
    (("solve", "none.png", "-o", "x.png"), "none.png: expected a picture, found no such file"),
    (("solve", ".", "-o", "../x.png"), "expected tiles of one size, found"),
    (("solve", ".", "-o", "x.png"), "expected a place outside of folders that are read"),
    (("solve", "empty", "-o", "x.png"), "empty: expected at least two tiles, found nothing"),
    (("solve", "puzzle.png", "-o", "x.png", "--board", "4x4"), "found 4 x 4 = 16"),
    (("solve", "puzzle.png", "-o", "other.png"), "found a file; --force replaces it"),
    (
        ("solve", "puzzle.png", "-o", "x.png", "--rename-into", "."),
        "expected a new or empty folder, found",
    ),
    (("cut", "cat.png", "-o", "other.png"), "found a file; --force replaces it"),
    (("cut", "cat.png", "-o", "x.png", "--truth", "truth.json"), "--force replaces it"),
    (("cut", "cat.png", "-o", ".", "--force"), "nothing but what is written there, found"),
    (("lab", "figure", "seams", "cat.png", "-o", "other.png"), "--force replaces it"),
    (("solve", "text.png", "-o", "x.png"), "found a file of another kind"),
    (("solve", "half.png", "-o", "x.png"), "damaged or truncated"),
    (("solve", "film.gif", "-o", "x.png"), "expected one still picture, found 2 frames"),
    (("cut", "dot.png", "-o", "x.png"), "at least two pieces of 28 x 28 pixels, found"),
    (
        ("solve", "cat.png", "-o", "x.png", "--piece", "28"),
        "found 451 x 300; its whole pieces measure 448 x 280; --crop uses those",
    ),
    (("cut", "cat.png", "-o", "x.png", "--piece", "999"), "found a picture of 451 x 300"),
    (("solve", "puzzle.png", "-o", "no/x.png"), "the folder no does not exist"),
    (("solve", "puzzle.png", "-o", "puzzle.png"), "found one that is read or written already"),
    (("cut", "cat.png", "-o", "./cat.png"), "found one that is read or written already"),
    (
        ("solve", "puzzle.png", "-o", "x.png", "--json", "x.png"),
        "found one that is read or written already",
    ),
    (("solve", "puzzle.png", "-o", "x.png", "--population", "9000000"), "GB of memory"),
    (("solve", "puzzle.png", "-o", "x.png", "--resume", "empty"), "found something else"),
    (("score", "cat.png", "puzzle.png", "--piece", "20"), "expected a picture of whole 20 x 20"),
    (("score", "cat.png", "other.png", "--piece", "28"), "found too few pieces that look alike"),
    (("demo", "--into", "no"), "the folder no does not exist"),
]


@pytest.fixture(scope="module")
def messy(folder):
    """Put things into the folder that are no puzzles."""
    (folder / "text.png").write_text("hello")
    whole = (folder / "cat.png").read_bytes()
    (folder / "half.png").write_bytes(whole[: len(whole) // 2])
    frames = [Image.new("RGB", (80, 80), colour) for colour in ("red", "blue")]
    frames[0].save(folder / "film.gif", save_all=True, append_images=frames[1:])
    Image.new("RGB", (20, 20)).save(folder / "dot.png")
    (folder / "empty").mkdir()
    Image.fromarray(255 - Puzzle.cut(data.chelsea(), 28).image()).save(folder / "other.png")
    return folder


@pytest.mark.parametrize(("arguments", "words"), BAD)
def test_bad_input_is_one_line_and_writes_nothing(messy, arguments, words):
    before = {path: path.stat().st_mtime_ns for path in messy.rglob("*")}
    done = jigsolve(*arguments, cwd=messy)
    assert done.returncode == 1, done.stdout + done.stderr
    assert done.stderr.startswith("jigsolve: ")
    assert done.stderr.count("\n") == 1
    assert words in done.stderr
    assert {path: path.stat().st_mtime_ns for path in messy.rglob("*")} == before


def test_read_only_folder(messy):
    done = jigsolve("solve", messy / "puzzle.png", "-o", "/proc/x.png")  # for root, too
    assert done.returncode == 1
    assert done.stderr.startswith("jigsolve: /proc/x.png: cannot write there")


@pytest.mark.parametrize("mode", ["L", "P", "RGBA", "I;16", "CMYK"])
def test_other_kinds_of_pictures_are_solved(folder, tmp_path, mode):
    picture = Image.fromarray(read_picture(folder / "puzzle.png"))
    if mode == "I;16":
        grey = np.asarray(picture.convert("L"))
        picture = Image.fromarray(grey.astype(np.uint16) * 257)
    else:
        picture = picture.quantize(256) if mode == "P" else picture.convert(mode)
    picture.save(tmp_path / "p.tif")
    done = jigsolve("solve", tmp_path / "p.tif", "-o", tmp_path / "out.png")
    assert done.returncode == 0, done.stderr
    truth = json.loads((folder / "truth.json").read_text())["arrangement"]
    solved = read_picture(tmp_path / "out.png")
    expected = Puzzle.cut(tmp_path / "p.tif", 28).image(np.array(truth))
    same = (solved == expected).all(axis=2).mean()
    assert same > 0.9


def test_crop_uses_the_whole_pieces(folder, tmp_path):
    picture = tmp_path / "x.png"
    done = jigsolve("solve", folder / "cat.png", "-o", picture, "--piece", 28, "--crop")
    assert done.returncode == 0, done.stderr
    assert read_picture(tmp_path / "x.png").shape == (280, 448, 3)


@pytest.mark.parametrize("quiet", [False, True])
def test_compiling_is_announced_unless_quiet(capsys, monkeypatch, quiet):
    monkeypatch.setattr("jigsolve.cli.progress.PATIENCE", 0.02)
    with Progress(quiet=quiet) as progress, progress.clock().stage("kernels"):
        time.sleep(0.2)
    assert ("compiling" in capsys.readouterr().err) == (not quiet)
    with Progress(quiet=quiet) as progress:
        with progress.clock().stage("kernels"):
            pass
        time.sleep(0.1)
    assert "compiling" not in capsys.readouterr().err


def test_progress_and_ctrl_c_on_a_terminal(folder, tmp_path):
    command = [
        sys.executable, "-m", "jigsolve", "solve", str(folder / "puzzle.png"),
        "-o", str(tmp_path / "x.png"), "--generations", "1000000", "--patience", "0",
    ]  # fmt: skip
    terminal, side = pty.openpty()
    fcntl.ioctl(side, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 100, 0, 0))
    process = subprocess.Popen(
        command, stdin=side, stdout=side, stderr=side, start_new_session=True
    )
    os.close(side)
    shown = ""
    try:
        while "gen/s, cost" not in shown:
            shown += os.read(terminal, 4096).decode(errors="replace")
        process.send_signal(signal.SIGINT)
        with contextlib.suppress(OSError):  # Linux reports the other side's closing so
            while text := os.read(terminal, 4096):
                shown += text.decode(errors="replace")
        assert process.wait(timeout=60) == 130
    finally:
        process.kill()
        os.close(terminal)
    for stage in ("reading", "colours", "seams", "segments"):
        assert f"{stage}: " in shown
    assert "interrupted, best so far" in shown
    assert "Traceback" not in shown
    assert read_picture(tmp_path / "x.png").shape == (280, 448, 3)


def in_shell(command, cwd):
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONUNBUFFERED"}
    return subprocess.run(
        f"set -o pipefail; {sys.executable} -m jigsolve {command}",
        shell=True,
        executable="/bin/bash",
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
        env=environment,
    )


@pytest.mark.parametrize("reader", ["| (exec <&-)", ">&-", "2>&-"])
def test_closed_streams_are_no_error(folder, reader):
    done = in_shell(f"score cat.png puzzle.png --piece 28 {reader}", folder)
    assert done.returncode == 0
    assert done.stderr == ""


def test_the_result_is_written_when_nobody_reads_what_is_printed(folder, tmp_path):
    solve = f"solve puzzle.png --piece 28 -o {tmp_path}/x.png"
    done = in_shell(f"{solve} | (exec <&-)", folder)
    assert done.returncode == 0
    assert "jigsolve:" not in done.stderr
    assert read_picture(tmp_path / "x.png").shape == (280, 448, 3)


def test_an_interrupt_while_imports_run_is_one_line():
    code = """
import os, signal, sys

class Interrupted:
    def find_spec(name, *_where):
        if name == "numpy":
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Interrupted)
from jigsolve.cli import main
sys.exit(main(["detect", "any.png"]))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 130
    assert done.stderr == "jigsolve: interrupted before there was a result, nothing written\n"


def test_version_and_help_import_nothing_large():
    code = """
import sys
from jigsolve.cli import main
main(sys.argv[1:])
large = {"numpy", "numba", "PIL", "tqdm"} & set(sys.modules)
assert not large, large
"""
    for asked in (["--version"], ["--help"]):
        done = subprocess.run([sys.executable, "-c", code, *asked], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr


def test_scipy_is_not_imported_for_the_compiler_and_can_be_afterwards():
    code = """
import sys
from jigsolve.cli import main
assert main(["solvers"]) == 0
assert "numba" in sys.modules and "scipy" not in sys.modules
import scipy.linalg
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_a_solve_whose_kernels_are_compiled_does_not_ask_what_numba_can_compile(folder):
    code = """
import sys
from jigsolve.cli import main
assert main(["solve", "puzzle.png", "-o", sys.argv[1], "--piece", "28", "--force", "--quiet"]) == 0
print("numba.np.polynomial.polynomial_core" in sys.modules, "scipy" in sys.modules)
"""
    said = [
        subprocess.run(
            [sys.executable, "-c", code, "out.png"], cwd=folder, capture_output=True, text=True
        )
        for _ in range(2)  # the first may have to compile
    ]
    assert said[1].stdout == "False False\n", said[1].stderr


def test_the_package_offers_what_it_says_and_imports_it_late():
    code = """
import sys, jigsolve
assert "numpy" not in sys.modules
for name in jigsolve.__all__:
    assert getattr(jigsolve, name).__name__ == name
    assert name in dir(jigsolve)
assert not hasattr(jigsolve, "no_such_thing")
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_full_output_is_one_line(folder):
    done = in_shell("score cat.png puzzle.png --piece 28 >/dev/full", folder)
    assert done.returncode == 1
    assert done.stderr == "jigsolve: cannot write to standard output: No space left on device\n"


def test_odd_names_stay_on_one_line(folder):
    done = jigsolve("solve", "no\nsuch\x1b[31mfile.png", "-o", "x.png", cwd=folder)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "no\\nsuch\\x1b[31mfile.png" in done.stderr


def test_second_ctrl_c_does_not_lose_the_result(folder, tmp_path):
    program = (
        "import os, signal, sys\n"
        "from jigsolve.cli import main, solve\n"
        "write = solve.Solution.save\n"
        "def save(self, path):\n"
        "    os.kill(os.getpid(), signal.SIGINT); os.kill(os.getpid(), signal.SIGTERM)\n"
        "    write(self, path)\n"
        "solve.Solution.save = save\n"
        "sys.exit(main(sys.argv[1:]))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, "solve", "puzzle.png", "-o", str(tmp_path / "x.png")],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["x.png"]


def test_the_same_warning_is_shown_once_whatever_happens_to_the_filters():
    program = """
import warnings
from jigsolve.cli import detect, main

def run(options):
    for text in ("early", "late", "early"):
        warnings.warn(text, RuntimeWarning)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
    return True

detect.run = run
raise SystemExit(main(["detect", "any.png"]))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stderr == "jigsolve: warning: early\njigsolve: warning: late\n"
