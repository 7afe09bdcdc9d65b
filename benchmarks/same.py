"""Compare this version with another one: the same results, bit for bit, in the same CPU time?.

    python benchmarks/same.py COMMIT DATA                       all puzzles below
    python benchmarks/same.py COMMIT DATA --only cho_432 --most 3
    python benchmarks/same.py COMMIT DATA --tree ../other       another working tree, not a commit

DATA is a folder with a folder of pictures for each set. Both versions solve each puzzle on one
thread, one after the other, each in a process of its own that has its kernels compiled: so what
else the machine does hits both. Arrangements and costs are compared by their bits. The command
ends with 1 where any differs.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from machine import describe_machine

EVERY = None
PUZZLES: tuple[tuple[str, str, tuple[str, ...] | None], ...] = (
    ("default", "cho_432", EVERY),
    ("default", "mcgill_540", EVERY),
    ("default", "pomeranz_805", EVERY),
    ("default", "sholomon_5015", ("01",)),
    ("default", "sholomon_10375", ("16",)),
    ("default", "sholomon_22755", ("05",)),
    ("paper", "cho_432", ("01", "02", "03", "04", "05")),
)
PIECE = 28

WORKER = """
import hashlib, json, sys, time
import jigsolve
from PIL import Image
import numpy as np
for line in sys.stdin:
    task = json.loads(line)
    picture = np.asarray(Image.open(task["picture"]).convert("RGB"))
    rows, columns = (length // task["piece"] * task["piece"] for length in picture.shape[:2])
    puzzle, _ = jigsolve.Puzzle.cut(picture[:rows, :columns], piece=task["piece"]).shuffle(seed=1)
    settings = jigsolve.Settings.preset(task["preset"], threads=1)
    before = time.process_time()
    solution = jigsolve.solve(puzzle, settings)
    cpu = time.process_time() - before
    found = hashlib.sha256(np.ascontiguousarray(solution.arrangement, np.int32)).hexdigest()
    print(json.dumps({"found": found, "cost": float(solution.cost).hex(), "cpu": cpu}), flush=True)
"""


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("commit", help="what to compare with")
    parser.add_argument("data", type=Path)
    parser.add_argument("--only", nargs="+", metavar="SET", help="sets, instead of all")
    parser.add_argument("--preset", help="one preset, instead of both")
    parser.add_argument("--most", type=int, metavar="N", help="so many pictures of a set at most")
    parser.add_argument("--tree", type=Path, help="a working tree to compare with")
    options = parser.parse_args()
    tasks = [
        (preset, path)
        for preset, name, wanted in PUZZLES
        if (options.only is None or name in options.only) and options.preset in (None, preset)
        for path in pictures(options.data / name, wanted)[: options.most]
    ]
    print(describe_machine())
    print(f"| preset | puzzle | same | CPU s, {options.commit} | now | ratio |")
    print("|---" * 6 + "|", flush=True)
    differing, before, now = 0, 0.0, 0.0
    with contextlib.ExitStack() as stack:
        tree = options.tree or stack.enter_context(checked_out(options.commit))
        workers = [
            stack.enter_context(worker(place)) for place in (tree, Path(__file__).parents[1])
        ]
        for index, (preset, path) in enumerate(tasks):
            task = {"picture": str(path), "preset": preset, "piece": PIECE}
            if index == 0:
                for each in workers:
                    ask(each, task)  # compiles
            answers = {
                which: ask(workers[which], task) for which in sorted((0, 1), reverse=index % 2)
            }
            old, new = answers[0], answers[1]
            same = (old["found"], old["cost"]) == (new["found"], new["cost"])
            differing += not same
            before += old["cpu"]
            now += new["cpu"]
            print(
                f"| {preset} | {path.parent.name}/{path.stem} | {'yes' if same else 'NO'} | "
                f"{old['cpu']:.2f} | {new['cpu']:.2f} | {new['cpu'] / old['cpu']:.3f} |",
                flush=True,
            )
    print(
        f"\n{len(tasks)} puzzles, {differing} differ; CPU s {before:.1f} before, {now:.1f} now, "
        f"ratio {now / before:.3f}"
    )
    return int(differing > 0)


def pictures(folder: Path, wanted: tuple[str, ...] | None) -> list[Path]:
    found = sorted(p for p in folder.iterdir() if p.suffix in (".png", ".jpg", ".jpeg"))
    return [path for path in found if wanted is None or path.stem in wanted]


@contextlib.contextmanager
def checked_out(commit: str) -> Iterator[Path]:
    """Check a commit out into a folder of its own for as long as it is needed."""
    root = Path(__file__).parents[1]
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "tree"
        git = ["git", "-C", str(root), "worktree"]
        subprocess.run(
            [*git, "add", "--detach", str(place), commit], check=True, capture_output=True
        )
        try:
            yield place
        finally:
            subprocess.run([*git, "remove", "--force", str(place)], check=True)


@contextlib.contextmanager
def worker(tree: Path) -> Iterator[subprocess.Popen[str]]:
    """Start a process that solves with the package of a tree, with a cache of kernels its own."""
    with tempfile.TemporaryDirectory() as cache:
        environment = os.environ | {
            "PYTHONPATH": str(tree.resolve() / "src"),
            "NUMBA_CACHE_DIR": cache,
            "OMP_NUM_THREADS": "1",
            "OPENBLAS_NUM_THREADS": "1",
        }
        process = subprocess.Popen(
            [sys.executable, "-c", WORKER],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            yield process
        finally:
            process.kill()
            process.wait()


def ask(process: subprocess.Popen[str], task: dict[str, Any]) -> dict[str, Any]:
    assert process.stdin
    assert process.stdout
    process.stdin.write(json.dumps(task) + "\n")
    process.stdin.flush()
    answer = process.stdout.readline()
    if not answer:
        raise SystemExit(f"a worker ended while solving {task}")
    return json.loads(answer)


if __name__ == "__main__":
    sys.exit(main())
