"""How well puzzles with missing pieces and with pieces of another picture are solved.

    python benchmarks/faults.py [--data DIR] [--images 1-10] [--share 0.05]

Images of mcgill_540, with a share of the tiles missing, with as many tiles of the next image mixed
in, and with both. The board is given, and with both the number of holes. Accuracy is the strict
share of seams between tiles that are there, as `score` counts them; a hole is found if its cell is
empty, a stray if it is left over.
"""

import argparse
import os
import time
from pathlib import Path

import numpy as np
from machine import describe_machine

from jigsolve import Puzzle, Settings, score, solve
from jigsolve.core.cutting import cut_tiles
from jigsolve.lab.sets import count_images, find_images

SET = "mcgill_540"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, default=os.environ.get("JIGSOLVE_DATA"))
    parser.add_argument("--images", default="1-10", help="of mcgill_540 (1-10)")
    parser.add_argument("--share", type=float, default=0.05, help="missing, and strays (0.05)")
    options = parser.parse_args()
    paths = {i.number: i.path for i in find_images(SET, options.data and Path(options.data))}
    print(describe_machine())
    print("| image | fault | neighbour | aware | holes found | strays found | CPU s |")
    print("|---|---|---|---|---|---|---|", flush=True)
    found: dict[str, list[np.ndarray]] = {}
    for image in find_images(SET, options.data and Path(options.data), options.images):
        following = paths[image.number % count_images(SET) + 1]
        missing = {"missing": options.share}
        strays = {"strays": [(following, options.share)]}
        for fault, made in {
            "none": {},
            "missing": missing,
            "strays": strays,
            "both": missing | strays,
        }.items():
            row = measure(image.path, seed=image.number, **made)
            found.setdefault(fault, []).append(row)
            print(f"| {image.path.stem} | {fault} | {cells(row)} |", flush=True)
    for fault, rows in found.items():
        print(f"| mean | {fault} | {cells(np.mean(rows, axis=0))} |")


def measure(path: Path, seed: int, **faults: object) -> np.ndarray:
    """Return accuracy, strict and aware, shares of holes and strays found, and CPU seconds."""
    cut = cut_tiles(path, 28, seed=seed, **faults)
    true_holes, true_strays = cut.truth < 0, set(cut.strays)
    puzzle = Puzzle(cut.pieces, cut.board, holes=int(true_holes.sum()), strays=len(true_strays))
    clock = time.process_time()
    solution = solve(puzzle, Settings.of(threads=1))
    cpu = time.process_time() - clock
    scores = score(solution, cut.truth)
    empty = solution.arrangement < 0
    holes = (empty & true_holes).sum() / true_holes.sum() if true_holes.any() else np.nan
    strays = len(true_strays & set(solution.strays)) / len(true_strays) if true_strays else np.nan
    return np.array([scores.neighbour, scores.neighbour_aware, holes, strays, cpu])


def cells(row: np.ndarray) -> str:
    *shares, cpu = row
    words = ["-" if np.isnan(share) else f"{share:.2%}" for share in shares]
    return " | ".join([*words, f"{cpu:.1f}"])


if __name__ == "__main__":
    main()
