"""How well puzzles with missing pieces and with pieces of another picture are solved.

    python benchmarks/faults.py [--data DIR] [--images 1-10] [--share 0.05]
    python benchmarks/faults.py --together

With --together all is wrong at once: tiles are missing, others do not belong, all are turned, and
neither board nor number of holes is given (up to a tenth of the cells may stay empty).

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

from jigsolve import Bag, Placement, Puzzle, Settings, score, score_bag, solve, solve_bag
from jigsolve.core.cutting import cut_tiles
from jigsolve.lab.sets import count_images, find_images

SET = "mcgill_540"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, default=os.environ.get("JIGSOLVE_DATA"))
    parser.add_argument("--images", default="1-10", help="of mcgill_540 (1-10)")
    parser.add_argument("--share", type=float, default=0.05, help="missing, and strays (0.05)")
    parser.add_argument("--together", action="store_true", help="turned, and no board given, too")
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
        faults = {"none": {}, "missing": missing, "strays": strays, "both": missing | strays}
        if options.together:
            faults = {"together": missing | strays}
        for fault, made in faults.items():
            ask = measure_together if options.together else measure
            row = ask(image.path, seed=image.number, **made)
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


def measure_together(path: Path, seed: int, **faults: object) -> np.ndarray:
    """Return the same of tiles that are turned, too, their board unknown."""
    cut = cut_tiles(path, 28, seed=seed, turned=True, **faults)
    bag = Bag(cut.pieces, turns="quarter")
    clock = time.process_time()
    found = solve_bag(bag, Settings.of(threads=1), pictures=1, holes=len(bag) // 10)
    cpu = time.process_time() - clock
    truth = Placement(cut.truth, cut.turns)
    scores = score_bag([found.pictures[0].placement], [truth], bag)
    placement = found.pictures[0].placement.turned(scores.turns[0] or 0)
    true_holes, true_strays = cut.truth < 0, set(cut.strays)
    holes = 0.0
    if placement.pieces.shape == cut.truth.shape:
        holes = ((placement.pieces < 0) & true_holes).sum() / true_holes.sum()
    strays = len(true_strays & set(found.strays)) / len(true_strays)
    return np.array([scores.neighbour, scores.neighbour_aware, holes, strays, cpu])


def cells(row: np.ndarray) -> str:
    *shares, cpu = row
    words = ["-" if np.isnan(share) else f"{share:.2%}" for share in shares]
    return " | ".join([*words, f"{cpu:.1f}"])


if __name__ == "__main__":
    main()
