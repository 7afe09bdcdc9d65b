"""Thousands of tiles in a folder and nothing else: `jigsolve cut`, then `jigsolve solve`.

    python benchmarks/tiles.py PICTURE... [--piece 51x27] [--board 80x80]
    python benchmarks/tiles.py PICTURE... --against ../other --times 3

Each picture is scaled and cropped to a whole board, cut into PNG files and solved by the command
line, which finds the board. Stages are from its record; whatever is not in one of them (starting
Python, loading kernels, writing) is the rest. Accuracy is by the names in the truth's file.
With another working tree, its version and this one solve the same tiles in turn, and the last line
has the ratios of their medians: so what else the machine does hits both.
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
    parser.add_argument("--against", type=Path, metavar="TREE", help="another working tree")
    parser.add_argument("--times", type=int, default=1, metavar="N", help="solve so often (1)")
    options = parser.parse_args()
    here = Path(__file__).parents[1]
    trees = {tree.name: tree.resolve() for tree in (options.against, here) if tree}
    print(describe_machine())
    print(f"{COLUMNS} | board found | neighbour strict / aware | direct |")
    print("|---" * 13 + "|", flush=True)
    for path in options.pictures:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            making = make(path, folder, options.piece, options.board)
            took: dict[str, list[tuple[float, float]]] = {tree: [] for tree in trees}
            for place in trees.values() if options.against else ():
                jigsolve(place, folder, "demo", "-q")  # compiles
            for turn in range(options.times):
                for tree, place in sorted(trees.items(), reverse=bool(turn % 2)):
                    row, wall, cpu = measure(place, folder, options.board)
                    took[tree].append((wall, cpu))
                    who = f"{path.parent.name}/{path.stem}" + f", {tree}" * (len(trees) > 1)
                    print(f"| {who} {making}{row}", flush=True)
            if options.against:
                print(compared(took[here.name], took[options.against.name]), flush=True)


def compared(now: list[tuple[float, float]], before: list[tuple[float, float]]) -> str:
    """Return the medians of wall and CPU seconds of two versions, and their ratios."""
    medians = zip(np.median(now, axis=0), np.median(before, axis=0), strict=True)
    parts = [
        f"{name} {new:.1f} where it was {old:.1f}, ratio {new / old:.3f}"
        for name, (new, old) in zip(("wall s", "CPU s"), medians, strict=True)
    ]
    return f"\nMedians: {'; '.join(parts)}"


def make(path: Path, folder: Path, piece: tuple[int, int], board: Board) -> str:
    """Make the tiles of one puzzle; return the columns that say so."""
    size = board.columns * piece[1], board.rows * piece[0]
    whole = ImageOps.fit(Image.fromarray(read_picture(path)), size, Image.Resampling.LANCZOS)
    write_picture(folder / "picture.png", np.asarray(whole))
    width_height = f"{piece[1]}x{piece[0]}"
    cut = ["picture.png", "-o", "tiles/", "--piece", width_height, "--truth", "truth.json"]
    making, *_ = jigsolve(Path(__file__).parents[1], folder, "cut", *cut)
    return f"| {board.columns * board.rows:,} | {making:.1f}"


def measure(tree: Path, folder: Path, board: Board) -> tuple[str, float, float]:
    """Solve the tiles; return the columns that say how, wall and CPU seconds."""
    (folder / "run.json").unlink(missing_ok=True)
    solve = ("solve", "tiles/", "-o", "solved.png", "--json", "run.json", "--force")
    wall, cpu, peak, said = jigsolve(tree, folder, *solve)
    if not (folder / "run.json").exists():
        return f" | {wall:.1f} s: {said.strip().splitlines()[-1]}", wall, cpu
    record = json.loads((folder / "run.json").read_text())
    seconds = {name: timing["wall"] for name, timing in record["timings"].items()}
    solving = sum(wall for name, wall in seconds.items() if name not in STAGES)
    rest = wall - seconds["reading"] - seconds["boards"] - solving
    found = Board(**record["board"])
    columns = [seconds["reading"], seconds["boards"], solving, rest, wall, cpu]
    row = "".join(f" | {value:.1f}" for value in columns)
    row += f" | {peak:.0f} | {found.columns} x {found.rows}"
    if found != board:
        return f"{row} | - | - |", wall, cpu
    scores = by_names(folder, record)
    both = f"{scores.neighbour:.2%} / {scores.neighbour_aware:.2%}"
    return f"{row} | {both} | {scores.direct:.2%} |", wall, cpu


def jigsolve(tree: Path, folder: Path, *arguments: str) -> tuple[float, float, float, str]:
    """Run a command; return wall and CPU seconds, the peak of memory in MiB, and what it said."""
    start = time.perf_counter()
    with (folder / "said").open("w+") as said:
        process = subprocess.Popen(
            [sys.executable, "-m", "jigsolve", *arguments],
            cwd=folder,
            env=os.environ | {"PYTHONPATH": str(tree / "src")},
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
