"""How often the board of shuffled tiles is found, given nothing but the tiles.

    python benchmarks/boards.py [--data DIR] [--sets A,B,...] [--piece 28]

Every image of the sets is cut and shuffled with a fixed seed. Right is rows and columns; a board
that is not clear is refused by `solve`.
"""

import argparse
import os
import time
from pathlib import Path

import numpy as np
from machine import describe_machine

from jigsolve import InputError, Puzzle, Settings
from jigsolve.lab.sets import find_images
from jigsolve.solvers.boards import BoardGuess, find_board, is_clear
from jigsolve.solvers.kernels import load_kernels

SETS = "cho_432,mcgill_540,pomeranz_805"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, default=os.environ.get("JIGSOLVE_DATA"))
    parser.add_argument("--sets", default=SETS)
    parser.add_argument("--piece", type=int, default=28, help="pixels (28)")
    options = parser.parse_args()
    print(describe_machine())
    load_kernels()
    everything: list[tuple[bool, bool]] = []
    for name in options.sets.split(","):
        found, cpu = [], 0.0
        for image in find_images(name, options.data and Path(options.data)):
            seed = int(np.random.default_rng([image.number, *name.encode()]).integers(2**31))
            puzzle, _ = Puzzle.cut(image.path, options.piece).shuffle(seed)
            clock = time.process_time()
            try:
                guesses = find_board(puzzle.pieces, Settings.of(threads=1))
            except InputError:  # tiles that fit in no board
                guesses = []
            cpu += time.process_time() - clock
            right = bool(guesses) and guesses[0].board == puzzle.board
            clear = bool(guesses) and is_clear(guesses)
            found.append((right, clear))
            if not right or not clear:
                rows, columns = puzzle.board
                case = f"{name} {image.path.name}, {columns}x{rows}"
                verdict = "clear" if clear else "not clear"
                print(f"  {case}: {verdict}, found {likeliest(guesses)}", flush=True)
        everything += found
        print(f"{name}: {summary(found)}, {cpu / len(found):.2f} CPU s each", flush=True)
    print(f"all: {summary(everything)}")


def likeliest(guesses: list[BoardGuess]) -> str:
    return ", ".join(f"{b.columns}x{b.rows} ({e:,.0f})" for b, e in guesses[:3]) or "none"


def summary(found: list[tuple[bool, bool]]) -> str:
    right, clear = np.array(found).T
    return (
        f"{len(found)} puzzles, {right.mean():.1%} right ({(right & clear).mean():.1%} right and "
        f"clear), {(~clear).mean():.1%} not clear, {(~right & clear).mean():.1%} clear but wrong"
    )


if __name__ == "__main__":
    main()
