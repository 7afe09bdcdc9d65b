"""How each stage of a solve gets faster with more threads.

    python benchmarks/scaling.py run PICTURE... --keep runs.jsonl
    python benchmarks/scaling.py run PICTURE --tree ../other --threads 2 16 --keep runs.jsonl
    python benchmarks/scaling.py report runs.jsonl [--plot scaling.png]
    python benchmarks/scaling.py limit PICTURE

`run` cuts each picture into pieces of 28 pixels, shuffles and solves it, with one number of threads
after the other, in one process that has its kernels compiled; with `--tree`, by the package of
another working tree. Annealing is left out unless `--annealing` says how many moves a piece is
worth. `report` prints the wall seconds of each stage, and how much of each thread was used: the
time with the fewest threads over the time with n, by as many times as n is more. It says whether
the results were the same.

`limit` measures the machine: copies of a run with one thread, each a process that waits for no
other. They share nothing but memory and processors, so that no number of threads can do better.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from subprocess import DEVNULL, Popen
from typing import Any

ROOT = Path(__file__).parents[1]
PIECE = 28
SMALL = 0.05
"""Stages that take a smaller share, with any number of threads, are reported together."""

THREADS = (1, 2, 4, 8, 16, 32, 64)
SECONDS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)

Runs = dict[tuple[str, str], dict[int, dict[str, Any]]]
"""By picture and version, then by threads."""


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    verbs = parser.add_subparsers(dest="verb", required=True)
    running = verbs.add_parser("run")
    running.add_argument("pictures", type=Path, nargs="+")
    running.add_argument("--keep", type=Path, required=True, help="runs are added to this file")
    running.add_argument("--threads", type=int, nargs="+", default=[1, 2, 4, 8, 16])
    running.add_argument("--annealing", type=int, default=0, help="moves for each piece (0)")
    running.add_argument("--tree", type=Path, default=ROOT, help="the package of this tree")
    running.add_argument("--name", default="now", help="what its runs are called (now)")
    reporting = verbs.add_parser("report")
    reporting.add_argument("runs", type=Path)
    reporting.add_argument("--plot", type=Path)
    limiting = verbs.add_parser("limit")
    limiting.add_argument("picture", type=Path)
    limiting.add_argument("--copies", type=int, nargs="+", default=[1, 2, 4, 8, 16])
    options = parser.parse_args()
    if options.verb == "report":
        return report(options.runs, options.plot)
    if options.verb == "limit":
        return limit(options.picture, options.copies)
    sys.path.insert(0, str(options.tree / "src"))
    return run(options)


def run(options: argparse.Namespace) -> int:
    from machine import describe_machine

    import jigsolve
    from jigsolve.solvers.kernels import load_kernels

    load_kernels()
    machine = describe_machine()
    print(machine, Path(jigsolve.__file__).parent, flush=True)
    available = len(os.sched_getaffinity(0))
    for picture in options.pictures:
        puzzle, truth = jigsolve.Puzzle.cut(picture, piece=PIECE).shuffle(seed=1)
        for threads in (n for n in options.threads if n <= available):
            settings = jigsolve.Settings.of(threads=threads, annealing=options.annealing)
            solution = jigsolve.solve(puzzle, settings)
            kept = {
                "machine": machine,
                "version": options.name,
                "picture": f"{picture.parent.name}/{picture.stem}",
                "pieces": len(puzzle),
                "threads": threads,
                "annealing": options.annealing,
                "stages": {name: t._asdict() for name, t in solution.timings.items()},
                "found": hashlib.sha256(solution.arrangement.tobytes()).hexdigest(),
                "neighbour": jigsolve.score(solution, truth).neighbour,
            }
            with options.keep.open("a") as file:
                file.write(json.dumps(kept) + "\n")
            wall = sum(t.wall for t in solution.timings.values())
            cpu = sum(t.cpu for t in solution.timings.values())
            print(
                f"{kept['picture']}, {threads} threads: {wall:.1f} s, {cpu:.1f} CPU s, "
                f"neighbour {kept['neighbour']:.2%}",
                flush=True,
            )
            del solution
    return 0


def limit(picture: Path, copies: list[int]) -> int:
    available = len(os.sched_getaffinity(0))
    stages_of: dict[int, dict[str, float]] = {}
    for many in (n for n in copies if n <= available):
        with tempfile.TemporaryDirectory() as folder:
            keeps = [Path(folder, f"{number}.jsonl") for number in range(many)]
            command = [sys.executable, __file__, "run", str(picture), "--threads", "1", "--keep"]
            running = [Popen([*command, str(keep)], stdout=DEVNULL) for keep in keeps]
            codes = [one.wait() for one in running]
            if any(codes):
                return 1
            runs = [json.loads(keep.read_text()) for keep in keeps]
        names = runs[0]["stages"]
        stages_of[many] = {
            name: sum(one["stages"][name]["wall"] for one in runs) / many for name in names
        }
        stages_of[many]["all"] = sum(stages_of[many].values())
        print(f"{many} copies: {stages_of[many]['all']:.1f} s each", flush=True)
    print("\n| stage | " + " | ".join(map(str, stages_of)) + " |")
    print("|---" * (1 + len(stages_of)) + "|")
    alone = stages_of[min(stages_of)]
    for name, seconds in alone.items():
        if seconds >= SMALL * alone["all"]:
            shares = (seconds / of[name] for of in stages_of.values())
            print(f"| {name} | " + " | ".join(f"{share:.0%}" for share in shares) + " |")
    return 0


def report(kept: Path, plot: Path | None) -> int:
    runs: Runs = defaultdict(dict)
    machines = {}
    for line in kept.read_text().splitlines():
        one = json.loads(line)
        runs[one["picture"], one["version"]][one["threads"]] = one
        machines[one["machine"]] = None
    print("\n".join(machines))
    for (picture, version), by_threads in runs.items():
        numbers = sorted(by_threads)
        first = by_threads[numbers[0]]
        print(
            f"\n{picture}, {first['pieces']:,} pieces, {version}, annealing {first['annealing']}; "
            f"{'the same result' if same(by_threads) else 'RESULTS DIFFER'} with each number of "
            "threads. Wall s, and share of the threads used:\n"
        )
        print("| stage | " + " | ".join(map(str, numbers)) + " |")
        print("|---" * (1 + len(numbers)) + "|")
        for name, seconds in stages(by_threads).items():
            cells = [
                f"{seconds[n]:.2f} ({seconds[numbers[0]] * numbers[0] / seconds[n] / n:.0%})"
                if seconds[n]
                else "0"
                for n in numbers
            ]
            print(f"| {name} | " + " | ".join(cells) + " |")
    if plot:
        draw(runs, plot)
    return 0


def same(by_threads: dict[int, dict[str, Any]]) -> bool:
    return len({one["found"] for one in by_threads.values()}) == 1


def stages(by_threads: dict[int, dict[str, Any]]) -> dict[str, dict[int, float]]:
    """Return the wall seconds of all stages that take some time, of the others, and of all."""
    seconds: dict[str, dict[int, float]] = defaultdict(lambda: dict.fromkeys(by_threads, 0.0))
    for threads, one in by_threads.items():
        for name, timing in one["stages"].items():
            seconds[name][threads] = timing["wall"]
    total = {n: sum(of[n] for of in seconds.values()) for n in by_threads}
    large = {
        name: of
        for name, of in seconds.items()
        if any(of[n] >= SMALL * total[n] for n in by_threads)
    }
    rest = {n: total[n] - sum(of[n] for of in large.values()) for n in by_threads}
    return {**large, "others": rest, "all": total}


def draw(runs: Runs, path: Path) -> None:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(6, 4.5), layout="constrained")
    most, slowest = 1, 1.0
    for (picture, version), by_threads in runs.items():
        numbers = sorted(by_threads)
        total = stages(by_threads)["all"]
        (line,) = axes.plot(
            numbers, [total[n] for n in numbers], marker="o", label=f"{picture}, {version}"
        )
        ideal = [total[numbers[0]] * numbers[0] / n for n in numbers]
        axes.plot(numbers, ideal, color=line.get_color(), linestyle=":")
        most = max(most, *numbers)
        slowest = max(slowest, *total.values())
    axes.set(xscale="log", yscale="log", xlabel="threads", ylabel="wall seconds without annealing")
    for ticks, put, end in ((THREADS, axes.set_xticks, most), (SECONDS, axes.set_yticks, slowest)):
        shown = [tick for tick in ticks if tick <= end]
        put(shown, map(str, shown))
    axes.minorticks_off()
    axes.legend()
    figure.savefig(path, dpi=120)


if __name__ == "__main__":
    sys.exit(main())
