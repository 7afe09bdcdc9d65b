"""How soon is a stop heeded? A run is stopped in the middle of each of its stages.

    python benchmarks/stops.py DATA/sholomon_22755/05.jpg

Reading is that of a folder of the same tiles. For every stage a run is begun (its seams are priced
once for the stages after pricing) and another thread asks it to stop when the stage is a third
through, at some moment between two reports of its progress. Seconds from asking to the result, and
what the result is.
"""

from __future__ import annotations

import argparse
import math
import tempfile
import threading
import time
from pathlib import Path

from machine import describe_machine

from jigsolve import InputError, Puzzle, Settings, Stop, solve
from jigsolve.detect.sources import read_source
from jigsolve.execution.events import Progressed
from jigsolve.execution.stop import Stopped
from jigsolve.execution.work import working
from jigsolve.io.tile_writing import write_tiles
from jigsolve.solvers.genetic.history import Generation
from jigsolve.solvers.kernels import load_kernels

PRICING = ("colours", "seams", "gradients", "traces", "network")
SOLVING = ("segments", "evolution", "annealing")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("picture", type=Path)
    parser.add_argument("--piece", type=int, default=28)
    options = parser.parse_args()
    puzzle, _ = Puzzle.cut(options.picture, options.piece).shuffle(seed=1)
    load_kernels()
    print(describe_machine())
    print(
        f"{len(puzzle):,} pieces\n\n| stage | s from asking to the result | result |\n|---|---|---|"
    )
    print(f"| reading | {reading(puzzle):.2f} | nothing yet: an error |", flush=True)
    for stage in PRICING:
        row(stage, puzzle)
    prepared = solve(puzzle, Settings.of(generations=0, annealing=0)).prepared
    for stage in SOLVING:
        row(stage, prepared)


def row(stage: str, given: object) -> None:
    asked = Asking(stage)
    try:
        solution = solve(given, on_event=asked.hear, stop=asked.stop)
        result = f"{solution.stopped}, cost {solution.cost:,.0f}"
    except InputError:
        result = "nothing yet: an error"
    took = f"{time.perf_counter() - asked.at:.2f}" if 0 < asked.at < math.inf else "not reached"
    print(f"| {stage} | {took} | {result} |", flush=True)


class Asking:
    """Asks a run to stop in the middle of a stage."""

    def __init__(self, stage: str) -> None:
        self.stop, self.at = Stop(), 0.0
        self._stage = stage

    def hear(self, event: object) -> None:
        if self.at:
            return
        is_on = isinstance(event, Progressed) and event.stage == self._stage
        grows = isinstance(event, Generation) and self._stage == "evolution" and event.number == 1
        if grows or (is_on and event.done >= event.total / 3):
            self.at = math.inf
            threading.Timer(0.07, self._ask).start()

    def _ask(self) -> None:
        self.at = time.perf_counter()
        self.stop.ask()


def reading(puzzle: Puzzle) -> float:
    """Return how long it takes to stop while a folder of tiles is read."""
    asked = Asking("reading")
    with tempfile.TemporaryDirectory() as folder:
        names = [f"{number:06}.png" for number in range(len(puzzle))]
        write_tiles(Path(folder) / "tiles", puzzle.pieces, names)
        try:
            with working(2, asked.hear, asked.stop) as work, work.clock.stage("reading") as tell:
                read_source([Path(folder) / "tiles"], progress=tell)
        except Stopped:
            return time.perf_counter() - asked.at
    raise SystemExit("reading was not stopped")


if __name__ == "__main__":
    main()
