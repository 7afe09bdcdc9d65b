"""The seam table against the matrix products it is made of.

    python benchmarks/seams.py PICTURE

Prints CPU seconds of colours, of the table, and of the products of all pairs alone in single
precision with the same BLAS.
"""

import argparse
import time
from pathlib import Path

import numpy as np
from machine import describe_machine

from jigsolve import Puzzle
from jigsolve.execution.crew import available_threads, crew
from jigsolve.measures import MEASURES
from jigsolve.seams.table import TILE, SeamTable
from jigsolve.solvers.kernels import load_kernels


def products_alone(borders: np.ndarray) -> None:
    by_side = borders.reshape(-1, 4, borders.shape[1])
    for side in (1, 3):
        a, b = (by_side[:, s].astype(np.float32) for s in (side, side ^ 1))
        filled = a.any(axis=0)
        a, b = np.ascontiguousarray(a[:, filled]), np.ascontiguousarray(b[:, filled])
        out = np.empty((TILE, len(b)), np.float32)
        for first in range(0, len(a), TILE):
            rows = a[first : first + TILE]
            np.matmul(rows, b.T, out=out[: len(rows)])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("picture", type=Path)
    options = parser.parse_args()
    load_kernels()
    puzzle, _ = Puzzle.cut(options.picture, 28).shuffle(seed=1)
    print(describe_machine())
    print(f"{len(puzzle):,} pieces, CPU seconds")
    for name, measure in MEASURES.items():
        clock = [time.process_time()]
        borders = measure.borders(puzzle.pieces)
        clock.append(time.process_time())
        with crew(available_threads()) as hands:
            SeamTable.build(borders, 64, hands, rule=measure.rule)
        clock.append(time.process_time())
        products_alone(borders)
        clock.append(time.process_time())
        colours, table, products = np.diff(clock)
        print(
            f"{name}: colours {colours:.2f}, table {table:.2f}, products alone {products:.2f}: "
            f"{table / products:.1f} x"
        )


if __name__ == "__main__":
    main()
