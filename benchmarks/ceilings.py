"""About what a search that fails nowhere could reach with the measure as it is.

    python benchmarks/ceilings.py sholomon_10375 [--data DIR] [--images 15-17]

The true arrangement itself is annealed at a low temperature. Where the measure tells right from
wrong nothing changes; where it does not, pieces change places, and what is left of the truth is
about what a search can find by these costs. Only here, after the fact, is the truth known; `solve`
never sees it.
"""

import argparse
import os
import time
from pathlib import Path
from unittest.mock import patch

import numpy as np
from machine import describe_machine

from jigsolve import Puzzle, Settings
from jigsolve.core.poses import pieces_of, poses_of
from jigsolve.execution.crew import crew
from jigsolve.lab.sets import find_images
from jigsolve.pricing.pricing import priced
from jigsolve.scores.scores import score_arrangement
from jigsolve.solvers.genetic import annealing
from jigsolve.solvers.kernels import load_kernels

COOL = {"HOT": 1.0, "COLD": 1.0, "STILL": 0.5}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("set")
    parser.add_argument("--data", type=Path, default=os.environ.get("JIGSOLVE_DATA"))
    parser.add_argument("--images", default="", help="such as 1-10,15; all without it")
    options = parser.parse_args()
    load_kernels()
    print(describe_machine())
    print("| image | neighbour aware | cost, truth 1 | CPU s |")
    print("|---|---|---|---|", flush=True)
    rows = []
    for image in find_images(options.set, options.data and Path(options.data), options.images):
        rows.append(ceiling(image.path))
        print(f"| {image.path.stem} | {cells(rows[-1])} |", flush=True)
    print(f"| mean | {cells(np.mean(rows, axis=0))} |")


def ceiling(path: Path) -> np.ndarray:
    """Return the aware neighbour accuracy, the relative cost and CPU seconds.

    Identical pieces stay as they are where they make no difference: a strict score would be theirs.
    """
    puzzle, truth = Puzzle.cut(path, 28).shuffle(seed=1)
    settings = Settings()
    clock = time.process_time()
    with crew(1) as hands, patch.multiple(annealing, **COOL):
        table = priced(puzzle, np.arange(len(puzzle)), settings.pricing, hands).table
        process = annealing.Annealing(table, poses_of(truth))
        process.run(settings.options.annealing, np.random.default_rng(0), hands)
        poses = process.arrangement()
    aware = score_arrangement(puzzle, pieces_of(poses), truth).neighbour_aware
    cost = table.cost_of(poses) / table.cost_of(poses_of(truth))
    return np.array([aware, cost, time.process_time() - clock])


def cells(row: np.ndarray) -> str:
    aware, cost, cpu = row
    return f"{aware:.2%} | {cost:.3f} | {cpu:.1f}"


if __name__ == "__main__":
    main()
