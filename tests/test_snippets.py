"""What README and how-tos tell people to type works.

Snippets of a page run one after another in a folder of its own, which has small pictures of the
names they use. Those that cannot run have a comment `<!-- not run: REASON -->` before them; their
commands must at least be such as the parser takes. What is printed is not compared.
"""

import contextlib
import json
import re
import runpy
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from helpers import a_run, in_this_process, laid_out
from PIL import Image, ImageDraw

from jigsolve import Puzzle, demo_photo
from jigsolve.cli.command import parser
from jigsolve.core.cutting import cut_tiles
from jigsolve.io.tile_writing import write_tiles
from jigsolve.solvers.registry import SOLVERS

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted(ROOT.glob("docs/howto-*.md"))]

PHOTO = demo_photo()
SMALL = PHOTO[:160, :240]
SMALLER = {
    r"\b(30x25|24x18)\b": "12x10",  # the board of SMALL in tiles of 20 x 16
    r"\b24x20\b": "4x3",  # and that of the page of text
    r"--piece 8\b": "--piece 16",
    r"--holes 100\b": "--holes 16",
    r"(lab figure \w+) photo.jpg": r"\1 little.jpg",
    r"--population 1000\b": "--population 50",
    r"--preset paper --seed": "--preset paper --population 50 --seed",
}
"""What is said of large pictures, and what is true of the small ones here."""


class Snippet(NamedTuple):
    line: int
    language: str
    text: str
    not_run: str | None
    saved_as: str | None


class Command(NamedTuple):
    words: list[str]
    may_fail: bool


def snippets(page):
    """Return the Python and shell snippets of a page."""
    text = page.read_text()
    fence = r"^(?P<indent> *)```(?P<language>python|console)\n(?P<body>.*?)^ *```$"
    for match in re.finditer(fence, text, re.MULTILINE | re.DOTALL):
        before = text[: match.start()]
        told = re.search(r"<!-- not run: (.+?) -->\s*\Z", before, re.DOTALL)
        paragraph = before.rstrip().rpartition("\n\n")[2]
        saved = re.search(r"save\s+this\s+as\s+`([\w.]+)`", paragraph)
        body = re.sub(rf"^{match['indent']}", "", match["body"], flags=re.MULTILINE)
        yield Snippet(
            before.count("\n") + 2,
            match["language"],
            body,
            told and told[1],
            saved and saved[1],
        )


def commands(snippet):
    """Return what is typed after a `$`, and whether what is printed then is an error."""
    text = re.sub(r"\\\n", "", snippet.text)
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        typed, _, printed = part.partition("\n")
        for pattern, small in SMALLER.items():
            typed = re.sub(pattern, small, typed)
        may_fail = bool(re.search(r"^jigsolve: ", printed, re.MULTILINE))
        words = shlex.split(typed, comments=True)
        while words:
            end = words.index("&&") if "&&" in words else len(words)
            yield Command(words[:end], may_fail)
            words = words[end + 1 :]


def run_command(command, folder, monkeypatch):
    program, *arguments = command.words
    if program == "jigsolve":
        options = parser().parse_args(arguments)
        force = ["--force"] if hasattr(options, "force") else []  # pages name outputs again
        code, said = in_this_process([*arguments, *force], folder)
        assert code == 0 or (command.may_fail and code == 1), said
    elif program == "python" and arguments[0] == "-c":
        exec(arguments[1], {"__name__": "__main__"})
    elif program == "python" and not arguments[1:]:
        runpy.run_path(str(folder / arguments[0]), run_name="__main__")  # of a small photograph
    elif program == "python":
        done = subprocess.run([sys.executable, *arguments], cwd=folder, check=False)
        assert done.returncode == 0
    elif program == "export":
        monkeypatch.setenv(*arguments[0].split("=", 1))
    elif program == "head":
        assert (folder / arguments[-1]).read_text()
    else:
        assert program == "pip", f"no way to run {program}"  # all extras are installed for tests


def make_pictures(folder):
    """Make a small picture, or tiles, of every name that snippets use."""

    def save(name, pixels):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        Image.fromarray(pixels).save(path, quality=95)

    def shuffled(pixels, piece, **around):
        return laid_out(Puzzle.cut(pixels, piece).shuffle(seed=1)[0], **around)

    save("photo.jpg", PHOTO[:280, :560])  # whole pieces of 28 and of 40 pixels
    save("photos/1.png", PHOTO[:112, :140])
    save("little.jpg", PHOTO[:84, :112])
    save("other.jpg", PHOTO[::-1][:280, :560])
    save("thumbnail.jpg", PHOTO)
    save("src/jigsolve/data/coffee.jpg", SMALL)
    (folder / "docs" / "images").mkdir(parents=True)
    save("shuffled.png", shuffled(PHOTO[:176, :280], (11, 35)))
    for ending in ("png", "jpg"):
        save(f"puzzle.{ending}", shuffled(PHOTO[:280, :560], 28))
    scaled = Image.fromarray(shuffled(PHOTO[:252, :336], 28))
    save("scaled.png", pixels_of(scaled.resize((scaled.width * 7 // 10, scaled.height * 7 // 10))))
    screenshot = Image.new("RGB", (700, 620), "lightgrey")
    screenshot.paste(Image.fromarray(shuffled(PHOTO[:280, :400], 40, gap=3)), (90, 160))
    save("screenshot.png", pixels_of(screenshot))
    page = Image.new("RGB", (100, 60), "white")
    ImageDraw.Draw(page).multiline_text((10, 10), "\n".join(["flag{one_side_at_a_time}"] * 9), 0)
    save("page.png", pixels_of(page))
    for name, pixels, piece in (
        ("tiles", SMALL, (16, 20)),
        ("tiles.zip", SMALL, (16, 20)),
        ("page", pixels_of(page), (20, 25)),
    ):
        cut = cut_tiles(pixels, piece, seed=1)
        write_tiles(folder / name, cut.tiles, cut.names)
    (folder / "known.json").write_text('{"parted": [[0, "right", 1]]}')
    (folder / "known-turned.json").write_text(
        '{"joined": [[17, "right", 4, "top"]], "parted": [[17, "bottom", 30, "bottom"]], '
        '"fixed": [[0, 0, 0, 3]], "turned": [[61, 1]]}'
    )
    (folder / "results").mkdir()
    runs = [a_run(image, run, 0.9) for image in (1, 2) for run in (0, 1)]
    (folder / "results" / "runs.jsonl").write_text("".join(json.dumps(r) + "\n" for r in runs))


def pixels_of(picture):
    return np.asarray(picture.convert("RGB"))


@pytest.fixture(scope="module")
def pictures(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pictures")
    make_pictures(folder)
    return folder


@pytest.fixture(autouse=True)
def no_solver_stays_registered():
    before = dict(SOLVERS)
    yield
    SOLVERS.clear()
    SOLVERS.update(before)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_snippets_run(page, pictures, tmp_path, monkeypatch):
    folder = tmp_path / "here"
    shutil.copytree(pictures, folder)
    monkeypatch.setattr("jigsolve.io.demo.demo_photo", lambda: SMALL.copy())
    names = {"reference": PHOTO}
    for snippet in snippets(page):
        where = f"{page.name}, line {snippet.line}"
        if snippet.language == "python" and not snippet.not_run:
            code = compile("\n" * (snippet.line - 1) + snippet.text, str(page), "exec")
            if snippet.saved_as:
                (folder / snippet.saved_as).write_text(snippet.text)
                continue
            with contextlib.chdir(folder):
                exec(code, names)
        for command in commands(snippet) if snippet.language == "console" else ():
            if snippet.not_run:
                if command.words[0] == "jigsolve":
                    parser().parse_args(command.words[1:])
                continue
            print(f"{where}: {shlex.join(command.words)}")  # shown with what fails
            with contextlib.chdir(folder):
                run_command(command, folder, monkeypatch)


def test_there_are_snippets_and_few_are_not_run():
    found = [snippet for page in PAGES for snippet in snippets(page)]
    fences = sum(len(re.findall(r"^ *```[a-z]", p.read_text(), re.MULTILINE)) for p in PAGES)
    assert len(found) == fences > 30, "other languages than python and console are not known here"
    assert sum(snippet.not_run is not None for snippet in found) <= 7
