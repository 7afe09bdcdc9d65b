"""All pictures of the benchmark sets in one bag: 999,890 pieces, boards unknown.

    python benchmarks/million.py DATA shelf/ --out million.json
    python benchmarks/million.py DATA shelf/ --sets cho_432,mcgill_540 --annealing 0

DATA holds a folder per set. The seams that are priced are kept in shelf/: where it was killed, the
same command goes on. The number of pictures is told, their boards are not. Accuracy is that of each
picture's own seams, wherever they were found, strict and aware.
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
import time
from pathlib import Path

import numpy as np
from machine import describe_machine

from jigsolve import Puzzle, Settings
from jigsolve.core.bag import Bag
from jigsolve.core.turns import NONE, Placement
from jigsolve.execution.events import Event, Message, Progressed, StageBegan, StageEnded
from jigsolve.lab.sets import KNOWN_SETS
from jigsolve.scores.looks import Looks, pixel_looks, strict_looks
from jigsolve.scores.touching import shared, touching
from jigsolve.solvers.bags import solve_bag
from jigsolve.solvers.helped import kept_on

PIECE = 28


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("shelf", type=Path)
    parser.add_argument("--sets", default=",".join(KNOWN_SETS), help="which sets (all)")
    parser.add_argument("--annealing", type=int, help="moves for each piece in doubt (default)")
    parser.add_argument("--threads", type=int)
    parser.add_argument("--out", type=Path, help="write what came out as JSON")
    options = parser.parse_args()
    paths = [p for name in options.sets.split(",") for p in sorted((options.data / name).iterdir())]
    bag, truth = mixed(paths)
    print(f"{describe_machine()}\n{len(bag):,} pieces of {len(paths)} pictures", flush=True)
    changes = {"annealing": options.annealing, "threads": options.threads}
    settings = Settings.of(**{name: value for name, value in changes.items() if value is not None})
    stages = Stages()
    begun = time.perf_counter(), time.process_time()
    solution = solve_bag(
        bag, settings, pictures=len(paths), on_event=stages.hear, helped=kept_on(options.shelf)
    )
    wall, cpu = time.perf_counter() - begun[0], time.process_time() - begun[1]
    print(f"wall {wall:,.0f} s, CPU {cpu:,.0f} s, peak {peak():,.0f} MiB", flush=True)
    placements = [picture.placement for picture in solution.pictures]
    looks = strict_looks(len(bag)), pixel_looks(bag.pieces, NONE)
    shares = accuracy(placements, truth, looks)
    for path, (strict, aware) in zip(paths, shares, strict=True):
        print(f"{path.parent.name}/{path.stem}: {strict:.2%} strict, {aware:.2%} aware")
    seams = np.array([seams_in(true) for true in truth])
    means = seams @ np.array(shares) / seams.sum()
    print(f"all: neighbour {means[0]:.2%} strict, {means[1]:.2%} aware")
    if options.out:
        record = {
            "machine": describe_machine(),
            "pieces": len(bag),
            "pictures": [f"{path.parent.name}/{path.stem}" for path in paths],
            "found": [list(placement.pieces.shape) for placement in placements],
            "neighbour": shares,
            "all": means.tolist(),
            "stages": stages.took,
            "wall": wall,
            "cpu": cpu,
            "peak_mib": peak(),
            "settings": settings.as_record(),
        }
        options.out.write_text(json.dumps(record) + "\n")
    return 0


def mixed(paths: list[Path]) -> tuple[Bag, list[Placement]]:
    """Cut pictures into one bag, and return the truth about it."""
    puzzles = [Puzzle.cut(path, PIECE) for path in paths]
    total = sum(map(len, puzzles))
    ids = np.random.default_rng(1).permutation(total).astype(np.int32)
    pieces = np.empty((total, PIECE, PIECE, 3), np.uint8)
    truth, first = [], 0
    while puzzles:
        puzzle = puzzles.pop(0)
        own = ids[first : first + len(puzzle)]
        pieces[own] = puzzle.pieces
        truth.append(Placement(own.reshape(puzzle.board), np.zeros(puzzle.board, np.int8)))
        first += len(puzzle)
    return Bag(pieces), truth


class Stages:
    """Prints what stages take, and how much memory there was at most when they ended."""

    def __init__(self) -> None:
        self.took: dict[str, list[float]] = {}
        self._said = 0.0

    def hear(self, event: Event) -> None:
        now = time.monotonic()
        if isinstance(event, StageEnded):
            before = self.took.get(event.stage, [0.0, 0.0])
            timing = event.timing
            self.took[event.stage] = [before[0] + timing.wall, before[1] + timing.cpu, peak()]
            if timing.wall > 5:
                print(f"{event.stage}: wall {timing.wall:,.0f} s, CPU {timing.cpu:,.0f} s, "
                      f"peak so far {peak():,.0f} MiB", flush=True)  # fmt: skip
        elif isinstance(event, Message):
            print(event.text, flush=True)
        elif isinstance(event, Progressed) and now > self._said + 60:
            self._said = now
            print(f"  {event.stage}: {event.done:,} of {event.total:,}", flush=True)
        elif isinstance(event, StageBegan):
            self._said = now


def peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def seams_in(placement: Placement) -> int:
    rows, columns = placement.pieces.shape
    return rows * (columns - 1) + columns * (rows - 1)


def accuracy(
    found: list[Placement], truth: list[Placement], looks: tuple[Looks, Looks]
) -> list[tuple[float, float]]:
    """Return which share of each true picture's seams was found, strict and aware."""
    shares = []
    for which in looks:
        mine = touching(map(which.of, found), which, NONE)
        shares.append(
            [shared(mine, touching([which.of(t)], which, NONE)) / seams_in(t) for t in truth]
        )
    return list(zip(*shares, strict=True))


if __name__ == "__main__":
    sys.exit(main())
