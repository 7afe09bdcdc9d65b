"""Solve every picture of a folder once and print how right and how costly it was.

    python benchmarks/accuracy.py FOLDER --preset paper
    python benchmarks/accuracy.py FOLDER --preset default --json results.json

Pictures are cut into 28-pixel pieces and shuffled with a seed of their own; strict and
identical-aware scores are shown beside each other. CPU time is that of all stages after reading,
summed over threads, without loading or compiling kernels.
"""

import argparse
import json
from pathlib import Path

import numpy as np
from machine import describe_machine

from jigsolve import Puzzle, Settings, score, solve


def solve_picture(path: Path, settings: Settings, shuffle_seed: int) -> dict[str, object]:
    puzzle, truth = Puzzle.cut(path, piece=28).shuffle(shuffle_seed)
    solution = solve(puzzle, settings)
    stages = [timing for stage, timing in solution.timings.items() if stage != "kernels"]
    return {
        "image": path.name,
        "pieces": len(puzzle),
        **score(solution, truth).as_dict(),
        "generations": len(solution.history) - 1,
        "cpu": sum(timing.cpu for timing in stages),
        "wall": sum(timing.wall for timing in stages),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--preset", default="default")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    endings = (".png", ".jpg", ".jpeg", ".tif", ".webp")
    paths = sorted(p for p in options.folder.glob("*") if p.suffix.lower() in endings)
    if not paths:
        parser.error(f"{options.folder}: expected a folder with pictures ({', '.join(endings)})")
    settings = Settings.preset(options.preset, seed=options.seed)

    print(f"{options.folder.name}, preset {options.preset}, seed {options.seed}")
    print(describe_machine())
    columns = ("neighbour", "neighbour_aware", "direct", "direct_aware")
    print(f"{'image':<10}" + "".join(f"{name:>17}" for name in columns) + "   gen   CPU s")
    rows = []
    for number, path in enumerate(paths, 1):
        row = solve_picture(path, settings, shuffle_seed=number)
        rows.append(row)
        shares = "".join(f"{100 * row[name]:>16.2f}%" for name in columns)
        print(f"{path.name:<10}{shares}{row['generations']:>6}{row['cpu']:>8.2f}", flush=True)
    means = "".join(f"{100 * np.mean([row[name] for row in rows]):>16.2f}%" for name in columns)
    cpu = np.mean([row["cpu"] for row in rows])
    print(f"{'mean':<10}{means}{np.mean([r['generations'] for r in rows]):>6.0f}{cpu:>8.2f}")
    print(f"perfect: {sum(row['perfect'] for row in rows)} of {len(rows)}")
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
