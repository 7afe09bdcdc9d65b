"""How much of a QR code comes back, for versions and sizes of tiles.

    python benchmarks/qr.py [--versions 1,2,3,4,5,7,10] [--level M] [--codes 2]

Modules of 10 pixels; tiles of 3, 4, 5 and 7 modules, and of 28 pixels, which cut modules. Light
pixels are added at the right and the bottom until tiles are full. Texts are flags of random
letters: of 12, most of the code is padding; of as many as fit, none is.

Tiles are right if their pixels are, and sure if the solver says so: a sure one must be right.
"""

import argparse

import numpy as np
import segno
from machine import describe_machine

from jigsolve import Puzzle, Settings, solve
from jigsolve.qr.codewords import blocks_of
from jigsolve.solvers.kernels import load_kernels

MODULE = 10
TILES = (30, 40, 50, 70, 28)
LETTERS = list("abcdefghijklmnopqrstuvwxyz0123456789_")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--versions", default="1,2,3,4,5,7,10")
    parser.add_argument("--level", default="M")
    parser.add_argument("--codes", type=int, default=2, help="for each number (2)")
    options = parser.parse_args()
    print(describe_machine())
    print("right / sure %, CPU s; with a margin of 4 modules, then without")
    load_kernels()
    pixels = draw("flag{warm_up}", 1, options.level, 0)
    solve(Puzzle.cut(pixels, 30).shuffle(1)[0])  # loads what only codes need
    print("| version | text | " + " | ".join(f"{tile} px" for tile in TILES) + " |")
    print("|---|---|" + "---|" * len(TILES))
    for version in map(int, options.versions.split(",")):
        room = blocks_of(version, options.level).capacity - (2 if version < 10 else 3)
        for length in (12, room):
            row = [
                "; ".join(
                    cell(version, options.level, length, tile, margin, options.codes)
                    for margin in (4, 0)
                )
                for tile in TILES
            ]
            print(f"| {version}-{options.level} | {length} | {' | '.join(row)} |", flush=True)


def cell(version: int, level: str, length: int, tile: int, margin: int, codes: int) -> str:
    right, sure, seconds = [], [], 0.0
    for number in range(codes):
        rng = np.random.default_rng([version, length, number])
        text = f"flag{{{''.join(rng.choice(LETTERS, length - 6))}}}"
        pixels = draw(text, version, level, margin)
        pixels = np.pad(pixels, (0, -len(pixels) % tile), constant_values=255)
        puzzle, truth = Puzzle.cut(pixels, tile).shuffle(number)
        solution = solve(puzzle, Settings.of(threads=1))
        if solution.code is None:
            return "not found"
        pieces = puzzle.pieces
        is_right = (pieces[solution.arrangement] == pieces[truth]).all(axis=(2, 3, 4))
        assert is_right[solution.code.sure].all()
        right.append(is_right.mean())
        sure.append(solution.code.sure.mean())
        seconds += solution.timings["modules"].cpu / codes
    return f"{100 * np.mean(right):.0f} / {100 * np.mean(sure):.0f}, {seconds:.1f}"


def draw(text: str, version: int, level: str, margin: int) -> np.ndarray:
    code = segno.make(text, version=version, error=level, boost_error=False, mode="byte")
    light = np.pad(1 - np.array([list(row) for row in code.matrix]), margin, constant_values=1)
    return np.kron(light, np.ones((MODULE, MODULE), int)).astype(np.uint8) * 255


if __name__ == "__main__":
    main()
