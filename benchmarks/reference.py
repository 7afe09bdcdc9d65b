"""How well pieces of the demo's photograph are placed by references of several kinds.

Prints a table: the share of all pieces that the reference alone puts in the right place, and
the neighbour accuracy, strict, once seams have placed the rest.
"""

import argparse
import io
import time

import numpy as np
from PIL import Image

from jigsolve import InputError, Puzzle, Settings, demo_photo, score, solve
from jigsolve.reference import place_by_reference


def scaled(pixels, factor):
    picture = Image.fromarray(pixels)
    return np.asarray(picture.resize([round(side * factor) for side in picture.size], 1))


def as_jpeg(pixels, quality):
    written = io.BytesIO()
    Image.fromarray(pixels).save(written, "JPEG", quality=quality)
    return np.asarray(Image.open(written))


KINDS = {
    "the same": lambda photo: photo,
    "scaled by 1.6": lambda photo: scaled(photo, 1.6),
    "scaled by 0.37": lambda photo: scaled(photo, 0.37),
    "JPEG, quality 60": lambda photo: as_jpeg(photo, 60),
    "scaled by 0.67, JPEG 60": lambda photo: as_jpeg(scaled(photo, 0.67), 60),
    "brighter, gamma 0.7": lambda photo: ((photo / 255) ** 0.7 * 215 + 30).astype(np.uint8),
    "15 % cropped each way": lambda photo: photo[30:370, 45:555],
    "upside down": lambda photo: photo[::-1],
}


def found_right(placement, truth):
    """Return the share of pieces that are right, wherever on the board the part belongs."""
    rows, columns = placement.covered
    part = placement.arrangement[:rows, :columns]
    most = 0
    for top in range(truth.shape[0] - rows + 1):
        for left in range(truth.shape[1] - columns + 1):
            there = truth[top : top + rows, left : left + columns]
            most = max(most, int((part == there).sum()))
    return most / truth.size


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pieces", type=int, nargs="+", default=[28, 14, 10])
    options = parser.parse_args()
    print("| piece | reference | right by it alone | neighbour in the end | s to place |")
    print("|---|---|---|---|---|")
    for size in options.pieces:
        puzzle, truth = Puzzle.cut(demo_photo(), size).shuffle(1)
        for kind, change in KINDS.items():
            began = time.perf_counter()
            try:
                placement = place_by_reference(puzzle, change(demo_photo()))
            except InputError:
                print(f"| {size} | {kind} | refused | | {time.perf_counter() - began:.1f} |")
                continue
            seconds = time.perf_counter() - began
            settings = Settings.of(seed=1)
            solution = solve(puzzle, settings, constraints=placement.constraints())
            right, neighbour = found_right(placement, truth), score(solution, truth).neighbour
            print(
                f"| {size} | {kind} | {right:.1%} | {neighbour:.1%} | {seconds:.1f} |", flush=True
            )


if __name__ == "__main__":
    main()
