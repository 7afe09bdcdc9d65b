"""How often the size of the pieces of a shuffled picture is detected.

    python benchmarks/detection.py [--data DIR] [--sets A,B,...] [--sizes 5]
    python benchmarks/detection.py --screenshots 200 --photos DIR

Every image of the sets is cut several times, in sizes from 14x14 to 120x80 pixels drawn with fixed
seeds (a third of them squares), and shuffled. Right is the size of both sides and the board; an
answer below the confidence that `solve` asks for is a refusal.

Screenshots (`screenshots.py`) have the board anywhere, scaled, framed or with gaps. Right is the
board, with every cell within a pixel of where it is; and a fifth as many pages with photographs
that were never cut, of which any that is sure is wrong.
"""

import argparse
import itertools
import os
import time
from pathlib import Path

import numpy as np
import screenshots
from machine import describe_machine

from jigsolve import PieceSize, Puzzle, detect_grid
from jigsolve.detect.grid import SURE
from jigsolve.io.pictures import read_picture
from jigsolve.lab.sets import find_images

SETS = "cho_432,mcgill_540,pomeranz_805"
BINS = (0.0, 0.5, 0.9, 0.99, 1.0)


def drawn_size(rng: np.random.Generator) -> PieceSize:
    """Draw a size, small ones as often as large ones by their logarithm."""
    width, height = (round(float(np.exp(rng.uniform(np.log(14), np.log(n))))) for n in (120, 80))
    if rng.random() < 1 / 3:
        width = height
    return PieceSize(height, width)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, default=os.environ.get("JIGSOLVE_DATA"))
    parser.add_argument("--sets", default=SETS)
    parser.add_argument("--sizes", type=int, default=5, help="drawn for every image (5)")
    parser.add_argument("--screenshots", type=int, default=0, metavar="N", help="draw so many")
    parser.add_argument("--first", type=int, default=0, metavar="N", help="from this number on")
    parser.add_argument("--photos", type=Path, help="photographs for screenshots")
    options = parser.parse_args()
    print(describe_machine())
    if options.screenshots:
        numbers = range(options.first, options.first + options.screenshots)
        of_screenshots(numbers, sorted(options.photos.glob("*.jpg")))
        return
    everything: list[tuple[bool, float]] = []
    for name in options.sets.split(","):
        found, cpu = [], 0.0
        for image in find_images(name, options.data and Path(options.data)):
            rng = np.random.default_rng([image.number, *name.encode()])
            pixels = read_picture(image.path)
            for _ in range(options.sizes):
                size = drawn_size(rng)
                seed = int(rng.integers(2**31))
                puzzle, _ = Puzzle.cut(pixels, size).shuffle(seed)
                shuffled = puzzle.image()
                clock = time.process_time()
                detection = detect_grid(shuffled)
                cpu += time.process_time() - clock
                grid = detection.grid
                right = (grid.piece, grid.board) == (size, puzzle.board)
                found.append((right, detection.confidence))
                if not right or not detection.is_sure:
                    print(f"  {name} {image.path.name}, {size}: {detection.describe()}")
        everything += found
        print(f"{name}: {summary(found)}, {cpu / len(found):.3f} CPU s each")
    print(f"all: {summary(everything)}")
    for low, high in itertools.pairwise(BINS):
        within = [right for right, sure in everything if low <= sure < high]
        if within:
            print(f"confidence {low} to {high}: {np.mean(within):.2%} of {len(within)} right")


def of_screenshots(numbers: range, photos: list[Path]) -> None:
    found: dict[str, list[tuple[bool, float]]] = {kind: [] for kind in screenshots.KINDS}
    cpu = 0.0
    for index in numbers:
        shot = screenshots.draw(index, photos)
        clock = time.process_time()
        detection = detect_grid(shot.pixels)
        cpu += time.process_time() - clock
        right = shot.is_met_by(detection.grid)
        found[shot.kind].append((right, detection.confidence))
        if not right or not detection.is_sure:
            print(f"  {index} {shot.describe()}: {detection.describe()}")
    for kind, some in found.items():
        if some:
            print(f"{kind}: {summary(some)}")
    everything = [one for some in found.values() for one in some]
    print(f"all: {summary(everything)}, {cpu / len(numbers):.3f} CPU s each")
    uncut = [detect_grid(screenshots.uncut(index, photos)) for index in numbers[::5]]
    wrong = sum(detection.is_sure for detection in uncut)
    print(f"never cut: {len(uncut)} pages, {wrong} sure but wrong")


def summary(found: list[tuple[bool, float]]) -> str:
    right, sure = np.array([r for r, _ in found]), np.array([c >= SURE for _, c in found])
    return (
        f"{len(found)} puzzles, {right.mean():.2%} right ({(right & sure).mean():.2%} right and "
        f"sure), {(~right & sure).mean():.2%} sure but wrong, {(~sure).mean():.2%} refused"
    )


if __name__ == "__main__":
    main()
