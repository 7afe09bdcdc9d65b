"""Thousands of tiles in a folder and nothing else: `jigsolve cut`, then `jigsolve solve`.

    python benchmarks/tiles.py PICTURE... [--piece 51x27] [--board 80x80]

Each picture is scaled and cropped to a whole board, cut into PNG files and solved by the command
line, which finds the board. Stages are from its record; whatever is not in one of them (starting
Python, loading kernels, writing) is the rest. Accuracy is by the names in the truth's file.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from machine import describe_machine
from PIL import Image, ImageOps

from jigsolve import Board, Puzzle
from jigsolve.cli.options import board_size, piece_size
from jigsolve.io.pictures import read_picture, write_picture
from jigsolve.io.tiles import read_tiles
from jigsolve.scores import Scores, score_arrangement

COLUMNS = (
    "| picture | tiles | making | reading | board | solving | rest | wall s | CPU s | peak MiB"
)
STAGES = {"reading", "boards", "kernels"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("pictures", nargs="+", type=Path, metavar="PICTURE")
    parser.add_argument("--piece", type=piece_size, default=(27, 51), metavar="WxH")
    parser.add_argument("--board", type=board_size, default=Board(80, 80), metavar="COLSxROWS")
    options = parser.parse_args()
    print(describe_machine())
    print(f"{COLUMNS} | board found | neighbour strict / aware | direct |")
    print("|---" * 13 + "|", flush=True)
    for path in options.pictures:
        with tempfile.TemporaryDirectory() as folder:
            print(measure(path, Path(folder), options.piece, options.board), flush=True)


def measure(path: Path, folder: Path, piece: tuple[int, int], board: Board) -> str:
    """Make and solve one puzzle; return its row of the table."""
    size = board.columns * piece[1], board.rows * piece[0]
    whole = ImageOps.fit(Image.fromarray(read_picture(path)), size, Image.Resampling.LANCZOS)
    write_picture(folder / "picture.png", np.asarray(whole))
    width_height = f"{piece[1]}x{piece[0]}"
    cut = ["picture.png", "-o", "tiles/", "--piece", width_height, "--truth", "truth.json"]
    making, *_ = jigsolve(folder, "cut", *cut)
    wall, cpu, peak, said = jigsolve(
        folder, "solve", "tiles/", "-o", "solved.png", "--json", "run.json"
    )
    row = f"| {path.parent.name}/{path.stem} | {board.columns * board.rows:,} | {making:.1f}"
    if not (folder / "run.json").exists():
        return f"{row} | {wall:.1f} s: {said.strip().splitlines()[-1]}"
    record = json.loads((folder / "run.json").read_text())
    seconds = {name: timing["wall"] for name, timing in record["timings"].items()}
    solving = sum(wall for name, wall in seconds.items() if name not in STAGES)
    rest = wall - seconds["reading"] - seconds["boards"] - solving
    found = Board(**record["board"])
    columns = [seconds["reading"], seconds["boards"], solving, rest, wall, cpu]
    row += "".join(f" | {value:.1f}" for value in columns)
    row += f" | {peak:.0f} | {found.columns} x {found.rows}"
    if found != board:
        return f"{row} | - | - |"
    scores = by_names(folder, record)
    return f"{row} | {scores.neighbour:.2%} / {scores.neighbour_aware:.2%} | {scores.direct:.2%} |"


def jigsolve(folder: Path, *arguments: str) -> tuple[float, float, float, str]:
    """Run a command; return wall and CPU seconds, the peak of memory in MiB, and what it said."""
    start = time.perf_counter()
    with (folder / "said").open("w+") as said:
        process = subprocess.Popen(
            [sys.executable, "-m", "jigsolve", *arguments],
            cwd=folder,
            stdout=said,
            stderr=subprocess.STDOUT,
        )
        _, _, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        said.seek(0)
        return wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, said.read()


def by_names(folder: Path, record: dict[str, list[str]]) -> Scores:
    """Score the record's arrangement; a tile is what its file is called."""
    truth = json.loads((folder / "truth.json").read_text())
    board = Board(**truth["board"])
    numbers = {Path(name).stem: number for number, name in enumerate(record["names"])}
    right = [numbers[truth["names"][tile]] for tile in truth["arrangement"]]
    puzzle = Puzzle(read_tiles(folder / "tiles").pieces, board, tuple(record["names"]))
    return score_arrangement(
        puzzle, np.array(record["arrangement"]), np.array(right, dtype=np.int32)
    )


if __name__ == "__main__":
    main()
