"""Few large pieces, and strips: what solving them takes.

Run it as `python benchmarks/shapes.py`.
"""

from __future__ import annotations

import time

import numpy as np
from machine import describe_machine

from jigsolve import Puzzle, Settings, demo_photo, score, solve
from jigsolve.solvers.kernels import load_kernels

SHAPES = (
    ("9 pieces of 640 x 400", 3, 3, 640, 400),
    ("9 pieces of 1400 x 100", 9, 1, 1400, 100),
    ("100 strips of 10 x 1400", 1, 100, 10, 1400),
    ("400 pieces of 96 x 96", 20, 20, 96, 96),
)


def scaled(rows: int, columns: int, width: int, height: int) -> np.ndarray:
    """Return the demo's photograph in the size of a puzzle."""
    from PIL import Image

    wanted = (columns * width, rows * height)
    return np.asarray(Image.fromarray(demo_photo()).resize(wanted, Image.Resampling.BICUBIC))


def main() -> None:
    """Solve each, and print a row."""
    load_kernels()
    print(describe_machine())
    print("| pieces | wall s | CPU s | neighbour strict |\n|---|---|---|---|")
    for name, rows, columns, width, height in SHAPES:
        picture = scaled(rows, columns, width, height)
        puzzle, truth = Puzzle.cut(picture, (height, width)).shuffle(seed=1)
        wall, cpu = time.perf_counter(), time.process_time()
        solution = solve(puzzle, Settings.of(seed=1))
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        print(f"| {name} | {wall:.1f} | {cpu:.1f} | {score(solution, truth).neighbour:.1%} |")


if __name__ == "__main__":
    main()
