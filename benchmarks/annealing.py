"""What annealing costs and brings, by the number of moves.

    python benchmarks/annealing.py PICTURE [--piece 28] [--moves 6000 12000] [--seeds 3]

The picture is cut, shuffled, priced and evolved until it would be annealed for the first time. From
there it is annealed with each number of moves for each piece in doubt. CPU time is that of trying
moves and that of looking for parts that hold together, which is done four times.
"""

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from machine import describe_machine

from jigsolve import Puzzle, Settings, solve
from jigsolve.execution.crew import crew
from jigsolve.pricing.prepared import Prepared
from jigsolve.scores.scores import score_arrangement
from jigsolve.solvers.genetic.annealing import Annealing


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("picture", type=Path)
    parser.add_argument("--piece", type=int, default=28)
    parser.add_argument("--moves", type=int, nargs="+", default=[12000], help="for each piece")
    parser.add_argument("--seeds", type=int, default=1)
    options = parser.parse_args()
    puzzle, truth = Puzzle.cut(options.picture, piece=options.piece).shuffle(seed=1)
    prepared, start = first_start(puzzle)
    table = prepared.table
    print(describe_machine())
    print(f"{len(puzzle):,} pieces; before, cost {table.cost_of(start):,.0f}, ", end="")
    print(f"neighbours, strict {right(prepared, start, truth):.2f} %\n")
    print("| moves | seed | CPU s, moves | CPU s, parts | us a move | cost | right |")
    print("|---" * 7 + "|", flush=True)
    spent: dict[str, float] = {}
    Annealing._try = timed(spent, "moves", Annealing._try)  # type: ignore[method-assign]
    Annealing._parts = timed(spent, "parts", Annealing._parts)  # type: ignore[method-assign]
    for moves in options.moves:
        for seed in range(options.seeds):
            spent.clear()
            work = Annealing(table, start)
            with crew(1) as hands:
                work.run(moves, np.random.default_rng(seed), hands)
            found = work.arrangement()
            print(
                f"| {work.moves(moves):,} | {seed} | {spent['moves']:.1f} | {spent['parts']:.1f} | "
                f"{1e6 * spent['moves'] / work.moves(moves):.2f} | {table.cost_of(found):,.0f} | "
                f"{right(prepared, found, truth):.2f} % |",
                flush=True,
            )


def first_start(puzzle: Puzzle) -> tuple[Prepared, np.ndarray]:
    """Return a puzzle that is priced, and what its first annealing begins with."""
    starts = []

    def keep(self: Annealing, *_: object, **__: object) -> None:
        starts.append(self._before)
        raise KeyboardInterrupt

    solve(Puzzle.cut(np.zeros((56, 56, 3), np.uint8), piece=28))  # loads the kernels
    run, Annealing.run = Annealing.run, keep  # type: ignore[method-assign]
    prepared = solve(puzzle, Settings()).prepared
    Annealing.run = run  # type: ignore[method-assign]
    if not starts:
        raise SystemExit("nothing was annealed")
    return prepared, starts[0]


def right(prepared: Prepared, poses: np.ndarray, truth: np.ndarray) -> float:
    """Return the share of neighbours that are right, strictly, in per cent."""
    return 100 * score_arrangement(prepared.puzzle, prepared.given(poses).pieces, truth).neighbour


def timed(spent: dict[str, float], name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that adds the CPU seconds it takes."""

    def run(*given: Any) -> Any:
        began = time.process_time()
        result = function(*given)
        spent[name] = spent.get(name, 0.0) + time.process_time() - began
        return result

    return run


if __name__ == "__main__":
    main()
