"""Time, memory and accuracy against the number of pieces, on the literature's images.

    python benchmarks/sizes.py run DATA results.jsonl --preset default
    python benchmarks/sizes.py run DATA results.jsonl --measure extrapolation
    python benchmarks/sizes.py run DATA results.jsonl --preset paper --sets cho_432,pomeranz_805
    python benchmarks/sizes.py report results.jsonl docs/images

`run` solves fixed images of each set, each in a process of its own (for its peak memory), and
appends a line per image; `report` prints tables and writes plots (needs matplotlib).
DATA holds a folder per set, as the sets are listed in SETS.
"""

import argparse
import json
import resource
import subprocess
import sys
import time
from pathlib import Path

SETS = {
    "cho_432": ("01 02 03", 28),
    "pomeranz_805": ("01 02 03", 28),
    "pomeranz_3300": ("01 02 03", 28),
    "sholomon_5015": ("01 09 15", 28),
    "sholomon_10375": ("01 05 09", 28),
    "sholomon_22755": ("05 12 18", 28),
    "photos_30745": ("01 02 03 04 05 06", 28),
    "photos_122980": ("01", 14),  # photos_30745/01 in smaller pieces
}
# Pieces: seconds on one thread (30,745: four threads), neighbour accuracy of a single run.
PAPER = {
    432: (48.73, 95.70),
    805: (116.18, 95.85),
    3300: (30.24 * 60, 92.37),
    5015: (61.06 * 60, 95.06),
    10375: (3.21 * 3600, 98.36),
    22755: (13.19 * 3600, 96.19),
    30745: (6.51 * 3600, None),  # other images than ours
}


def picture_of(data: Path, name: str, number: str) -> Path:
    folder = data / ("photos_30745" if name == "photos_122980" else name)
    return next(folder.glob(f"{number}.*"))


def solve_one(path: Path, piece: int, preset: str, measure: str) -> dict[str, object]:
    from jigsolve import Puzzle, Settings, score, solve
    from jigsolve.solvers.kernels import load_kernels

    load_kernels()
    wall, cpu = time.perf_counter(), time.process_time()
    puzzle, truth = Puzzle.cut(path, piece).shuffle(seed=1)
    reading = time.process_time() - cpu
    changes = {"measure": measure} if measure else {}
    solution = solve(puzzle, Settings.preset(preset, **changes))
    total_wall, total_cpu = time.perf_counter() - wall, time.process_time() - cpu
    settings, generations = solution.settings.options, len(solution.history) - 1
    children = generations * (settings.population - settings.elites)
    if settings.seeding == "segments":
        children += settings.population  # the first generation, completed from segments
    return {
        "pieces": len(puzzle),
        "population": settings.population,
        "generations": generations,
        "cpu_reading": reading,
        **{f"cpu_{stage}": timing.cpu for stage, timing in solution.timings.items()},
        "cpu": total_cpu,
        "wall": total_wall,
        "ns_per_placement": 1e9 * solution.timings["evolution"].cpu / (children * len(puzzle)),
        "peak_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        **score(solution, truth).as_dict(),
    }


def run(options: argparse.Namespace) -> None:
    from machine import describe_machine

    machine = describe_machine()
    print(machine)
    for name in options.sets.split(",") if options.sets else SETS:
        numbers, piece = SETS[name]
        for number in numbers.split()[: options.images]:
            path = picture_of(options.data, name, number)
            command = [sys.executable, __file__, "one", str(path), str(piece), options.preset]
            command += ["--measure", options.measure]
            label = f"{options.preset} {options.measure}".strip()
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            row = json.loads(done.stdout)
            row |= {"set": name, "image": number, "preset": label, "machine": machine}
            with options.results.open("a") as lines:
                lines.write(json.dumps(row) + "\n")
            print(
                f"{name} {number} {label}: {row['cpu']:.1f} CPU s, {row['wall']:.1f} s, "
                f"{row['ns_per_placement']:.0f} ns/placement, {row['peak_mib']:.0f} MiB, "
                f"neighbour {100 * row['neighbour']:.2f} % strict, "
                f"{100 * row['neighbour_aware']:.2f} % aware, {row['generations']} generations",
                flush=True,
            )


def report(options: argparse.Namespace) -> None:
    import numpy as np

    rows = [json.loads(line) for line in options.results.read_text().splitlines()]
    for preset in sorted({row["preset"] for row in rows}):
        mine = [row for row in rows if row["preset"] == preset]
        print(f"\n### `{preset}`\n")
        print(
            "| set | images | reading | colours | seams | network | segments | evolution | CPU s "
            "| wall s | generations | ns/placement | peak MiB | strict | aware | paper's time "
            "| paper's accuracy |"
        )
        print("|---" * 17 + "|")
        sizes, cpus, peaks = [], [], []
        for name in SETS:
            of_set = [row for row in mine if row["set"] == name]
            if not of_set:
                continue

            def mean(key: str, of_set: list[dict] = of_set) -> float:
                return float(np.mean([row.get(key, 0.0) for row in of_set]))

            pieces = of_set[0]["pieces"]
            seconds, accuracy = PAPER.get(pieces, (None, None))
            print(
                f"| {name} | {len(of_set)} | {mean('cpu_reading'):.2f} | {mean('cpu_colours'):.2f} "
                f"| {mean('cpu_seams') + mean('cpu_gradients'):.2f} | {mean('cpu_network'):.2f} "
                f"| {mean('cpu_segments'):.2f} "
                f"| {mean('cpu_evolution'):.2f} | {mean('cpu'):.1f} | {mean('wall'):.1f} "
                f"| {mean('generations'):.0f} | {mean('ns_per_placement'):.0f} "
                f"| {mean('peak_mib'):.0f} | {100 * mean('neighbour'):.2f} "
                f"| {100 * mean('neighbour_aware'):.2f} "
                f"| {f'{seconds:,.0f} s' if seconds else '-'} | {accuracy or '-'} |"
            )
            sizes.append(pieces)
            cpus.append(mean("cpu"))
            peaks.append(mean("peak_mib"))
        if len(sizes) > 1:
            logs = np.log(sizes)
            print(
                f"\nGrowth: CPU time ~ pieces^{np.polyfit(logs, np.log(cpus), 1)[0]:.2f}, "
                f"memory ~ pieces^{np.polyfit(logs, np.log(peaks), 1)[0]:.2f}"
            )
            if options.plots:
                plot(options.plots, preset, sizes, cpus, peaks)
    print("\n" + "; ".join(sorted({row["machine"] for row in rows})))


def plot(folder: Path, preset: str, sizes: list, cpus: list, peaks: list) -> None:
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.6), constrained_layout=True)
    paper = sorted((n, s[0]) for n, s in PAPER.items())
    left.loglog(*zip(*paper, strict=True), "s--", color="grey", label="the paper (wall)")
    left.loglog(sizes, cpus, "o-", label=f"jigsolve, {preset} (CPU)")
    left.set(xlabel="pieces", ylabel="seconds")
    left.legend()
    right.loglog(sizes, peaks, "o-")
    right.set(xlabel="pieces", ylabel="peak memory, MiB")
    for axes in (left, right):
        axes.grid(alpha=0.3)
    figure.savefig(folder / f"sizes-{preset.replace(' ', '-')}.png", dpi=110)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    verbs = parser.add_subparsers(required=True)
    verb = verbs.add_parser("run")
    verb.add_argument("data", type=Path)
    verb.add_argument("results", type=Path)
    verb.add_argument("--preset", default="default")
    verb.add_argument("--measure", default="", help="another than the preset's")
    verb.add_argument("--sets", help="comma-separated; all without")
    verb.add_argument("--images", type=int, help="so many images of each set; all without")
    verb.set_defaults(run=run)
    verb = verbs.add_parser("report")
    verb.add_argument("results", type=Path)
    verb.add_argument("plots", type=Path, nargs="?", help="folder for plots")
    verb.set_defaults(run=report)
    verb = verbs.add_parser("one")
    verb.add_argument("picture", type=Path)
    verb.add_argument("piece", type=int)
    verb.add_argument("preset")
    verb.add_argument("--measure", default="")
    verb.set_defaults(
        run=lambda o: print(json.dumps(solve_one(o.picture, o.piece, o.preset, o.measure)))
    )
    options = parser.parse_args()
    options.run(options)


if __name__ == "__main__":
    main()
