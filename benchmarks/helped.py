"""A large puzzle solved with help: on a local cluster, and with a shelf, killed and started again.

    python benchmarks/helped.py DATA/sholomon_22755/05.jpg [--workers 3] [--kill-after 100]

The picture is cut into pieces of 28 pixels, shuffled and solved by `default`:

* without help;
* on a local cluster;
* the same, one of its workers killed (-9) while the network scores seams;
* with a shelf, killed (-9) when so many shards are kept, and started again.

Says whether arrangement and cost are the same, what each took, and how many shards were done by the
run that was killed and by the one after it. CPU time includes that of workers; kernels are loaded
before time is taken.
"""

from __future__ import annotations

import argparse
import hashlib
import multiprocessing
import os
import signal
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import psutil
from machine import describe_machine

from jigsolve import Puzzle, Settings, demo_photo, solve
from jigsolve.cluster.connection import connected
from jigsolve.cluster.hands import spread_over
from jigsolve.execution.events import Event, Progressed
from jigsolve.solvers.helped import kept_on
from jigsolve.solvers.kernels import load_kernels

PIECE = 28


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("picture", type=Path)
    parser.add_argument("--workers", type=int, default=3)
    parser.add_argument("--kill-after", type=int, default=100, help="shards that are kept (100)")
    options = parser.parse_args()
    print(describe_machine(), flush=True)
    load_kernels()
    puzzle = shuffled(options.picture)
    alone = told("without help", solved(puzzle))
    with connected("local", options.workers) as cluster:
        helped = spread_over(cluster)
        solved(Puzzle.cut(demo_photo()[: 6 * PIECE, : 8 * PIECE], PIECE), helped=helped)
        spread = told(f"{options.workers} workers", solved(puzzle, helped=helped))
        dying = solved(puzzle, helped=helped, on_event=Killer(cluster))
        told("one of them killed", {**dying, "cpu": None})  # its own CPU time went with it
    with tempfile.TemporaryDirectory() as place:
        shelf = Path(place, "shelf")
        kept = killed(options.picture, shelf, options.kill_after)
        again = told("shelf, second run", solved(puzzle, helped=kept_on(shelf)))
        values = shards(shelf)
        size = sum(path.stat().st_size for path in values)
        same = sum(values[path] == when for path, when in kept.items())
        print(f"killed with {len(kept)} shards, then {len(values) - len(kept)} were done", end="")
        print(f", {same} stayed as they were; {size / 1e6:,.0f} MB in all")
        whole = told("shelf, third run", solved(puzzle, helped=kept_on(shelf)))
    for what, one in (("cluster", spread), ("worker killed", dying), ("shelf", again),
                      ("whole shelf", whole)):  # fmt: skip
        is_same = (one["found"], one["cost"]) == (alone["found"], alone["cost"])
        print(f"{what}: {'the same arrangement and cost' if is_same else 'ANOTHER RESULT'}")
    return 0


def shuffled(picture: Path) -> Puzzle:
    return Puzzle.cut(picture, PIECE).shuffle(seed=1)[0]


def solved(puzzle: Puzzle, **help: Any) -> dict[str, Any]:
    wall, cpu = time.perf_counter(), all_cpu()
    solution = solve(puzzle, Settings.of(), **help)
    return {
        "found": hashlib.sha256(solution.arrangement.tobytes()).hexdigest(),
        "cost": solution.cost,
        "wall": time.perf_counter() - wall,
        "cpu": all_cpu() - cpu,
        "stages": {name: timing.wall for name, timing in solution.timings.items()},
    }


def told(what: str, run: dict[str, Any]) -> dict[str, Any]:
    stages = ", ".join(f"{name} {wall:.1f}" for name, wall in run["stages"].items() if wall > 0.5)
    cpu = "" if run["cpu"] is None else f", CPU {run['cpu']:.1f} s"
    print(f"{what}: {run['wall']:.1f} s{cpu}; wall of {stages}", flush=True)
    return run


def all_cpu() -> float:
    """Return the CPU seconds of this process and of all it has started and that are alive."""
    total = time.process_time()
    for child in psutil.Process().children(recursive=True):
        try:
            times = child.cpu_times()
        except psutil.NoSuchProcess:
            continue
        total += times.user + times.system
    return total


class Killer:
    """Kills a worker that is at work, once, when the network has begun."""

    def __init__(self, cluster: Any) -> None:
        self._cluster = cluster
        self._is_done = False

    def __call__(self, event: Event) -> None:
        if not self._is_done and isinstance(event, Progressed) and event.stage == "network":
            self._is_done = True
            client = self._cluster.client
            busy = [address for address, keys in client.processing().items() if keys]
            processes = client.run(os.getpid, workers=busy or None)
            os.kill(next(iter(processes.values())), signal.SIGKILL)


def killed(picture: Path, shelf: Path, after: int) -> dict[Path, int]:
    """Begin a run with a shelf, kill it, and return what is kept and when it was written."""
    process = multiprocessing.get_context("spawn").Process(target=begun, args=(picture, shelf))
    process.start()
    while process.is_alive() and len(shards(shelf)) < after:
        time.sleep(0.01)
    process.kill()
    process.join()
    return shards(shelf)


def begun(picture: Path, shelf: Path) -> None:
    solve(shuffled(picture), Settings.of(), helped=kept_on(shelf))


def shards(shelf: Path) -> dict[Path, int]:
    return {path: path.stat().st_mtime_ns for path in shelf.glob("*/[0-9]*.npz")}


if __name__ == "__main__":
    sys.exit(main())
