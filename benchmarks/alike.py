"""How often the cheapest partner is found where only sides that look alike are compared.

    python benchmarks/alike.py DATA/sholomon_22755/05.jpg [--tile 32]

That is done with more than 200,000 sides of a class, in blocks of 1,024; here with fewer sides and
smaller blocks, in the same proportion. For both measures that propose partners, and for sides
beside each other and above each other: how many sides one is compared with, of how many it has the
same cheapest partner as of all, and what share of the eight cheapest costs is the same.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np
from machine import describe_machine

from jigsolve import Puzzle
from jigsolve._kernels.facing import FACING, Facing
from jigsolve.execution.crew import available_threads, crew
from jigsolve.measures import EXTRAPOLATION, MGC, Measure
from jigsolve.seams import all_pairs, blocks, rows

KEPT = 8


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("picture", type=Path)
    parser.add_argument("--tile", type=int, default=32, help="sides to a block (32)")
    options = parser.parse_args()
    print(describe_machine())
    looked_at = blocks.LOOKED_AT // all_pairs.TILE * options.tile
    for module in (all_pairs, blocks, rows):
        module.TILE = options.tile
    puzzle = Puzzle.cut(options.picture, 28).shuffle(seed=1)[0]
    for measure in (EXTRAPOLATION, MGC):
        with crew(available_threads()) as hands:
            borders = measure.borders(puzzle.pieces, crew=hands)
        for facing, name in zip(FACING[1], ("beside", "above"), strict=True):
            blocks.LOOKED_AT = looked_at
            rows.MOST_FOR_ALL_PAIRS = 0
            found = costs(rows.fill_rows, borders, measure, facing)
            every = costs(all_pairs.fill_candidates, borders, measure, facing)
            first, all_eight = (found[:, 0] == every[:, 0]).mean(), (found == every).mean()
            print(f"{measure.name}, {name}: compared with {looked_at:,} of {len(puzzle):,}, "
                  f"cheapest {first:.2%}, of the {KEPT} cheapest {all_eight:.2%}")  # fmt: skip
    return 0


def costs(fill: object, borders: np.ndarray, measure: Measure, facing: Facing) -> np.ndarray:
    """Return what the cheapest partners of the sides of a class cost."""
    sides = np.sort(np.concatenate([reading.sides(len(borders) // 4) for reading in facing]))
    partners = np.empty((len(borders), KEPT), np.int32)
    found = np.empty((len(borders), KEPT), np.float32)
    with crew(available_threads()) as hands:
        for _ in fill(borders, measure.rule, facing, partners, found, hands):
            pass
    return found[sides]


if __name__ == "__main__":
    sys.exit(main())
