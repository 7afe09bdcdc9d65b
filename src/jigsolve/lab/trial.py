"""One run: cut, shuffle, solve, then score."""

from __future__ import annotations

import datetime
import platform
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import psutil

from jigsolve.core import Puzzle
from jigsolve.core.provenance import provenance
from jigsolve.lab.experiment import Task, settings_record
from jigsolve.lab.records import FORMAT, Record
from jigsolve.scores.scores import score, strict_ceiling
from jigsolve.solvers.genetic.history import Generation
from jigsolve.solvers.solution import Solution
from jigsolve.solvers.solve import solve


def carry_out(task: Task, threads: int | None, command: str) -> Record:
    """Solve an image as a task says and return the record of it."""
    # Every image has a shuffle of its own, the same in every run; what a run draws, the numbers
    # its pieces get included, comes from its seed.
    puzzle, truth = Puzzle.cut(task.image.path, task.image.piece).shuffle(task.image.number)
    _forget_peak()
    settings = task.settings.changed(threads=threads)
    solution = solve(puzzle, settings)
    memory = _peak_memory()
    stages = {name: timing for name, timing in solution.timings.items() if name != "kernels"}
    ceiling = strict_ceiling(puzzle, truth)
    return {
        "format": FORMAT,
        "key": task.key,
        "set": task.image.set_name,
        "image": task.image.number,
        "file": task.image.path.name,
        "pieces": len(puzzle),
        "board": {"rows": puzzle.board.rows, "columns": puzzle.board.columns},
        "piece": {"width": task.image.piece.width, "height": task.image.piece.height},
        "preset": task.preset,
        "maker": task.maker,
        "solver": task.settings.solver,
        "changes": task.changes,
        "run": task.run,
        "settings": settings_record(solution.settings),
        "scores": _rounded(score(solution, truth).as_dict()),
        "ceiling": _rounded({"neighbour": ceiling.neighbour, "direct": ceiling.direct}),
        "cost": solution.cost,
        "true_cost": solution.cost_of(truth),
        "shift": _shift(solution, truth),
        "generations": len(solution.history) - 1,
        "stopped": solution.stopped,
        "history": _history(solution.history),
        "cpu": round(sum(timing.cpu for timing in stages.values()), 3),
        "wall": round(sum(timing.wall for timing in stages.values()), 3),
        "stages": {name: round(timing.cpu, 3) for name, timing in stages.items()},
        "threads": solution.settings.threads,
        "memory": memory,
        "command": command,
        "finished": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "machine": processor(),
        "cores": psutil.cpu_count(),
        **provenance(),
    }


def _history(history: list[Generation]) -> dict[str, list[float]]:
    """Return the costs of every generation; of the best enough digits to see it improve."""
    return {
        "best": [float(f"{generation.best:.9g}") for generation in history],
        "mean": [float(f"{generation.mean:.5g}") for generation in history],
        "worst": [float(f"{generation.worst:.5g}") for generation in history],
    }


def _rounded(scores: dict[str, Any]) -> dict[str, Any]:
    return {n: v if isinstance(v, bool) else round(v, 6) for n, v in scores.items()}


def _shift(solution: Solution, truth: np.ndarray) -> dict[str, float]:
    """Return the displacement most pieces share, on a board without ends, and their share."""
    rows, columns = truth.shape
    there, true = np.empty(truth.size, np.int64), np.empty(truth.size, np.int64)
    there[solution.arrangement.ravel()] = np.arange(truth.size)
    true[truth.ravel()] = np.arange(truth.size)
    down = (there // columns - true // columns) % rows
    right = (there % columns - true % columns) % columns
    (row, column), count = Counter(zip(down.tolist(), right.tolist(), strict=True)).most_common(1)[
        0
    ]
    return {"rows": row, "columns": column, "share": round(count / truth.size, 6)}


_STATUS = Path("/proc/self/status")


def _forget_peak() -> None:
    """Let the system count the peak of memory from here, where it can."""
    try:
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:  # then the peak is that of all runs of this process
        return


def _peak_memory() -> int:
    """Return the most bytes of memory this process held."""
    try:
        lines = _STATUS.read_text().splitlines()
        return 1024 * next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))
    except (OSError, StopIteration):
        info = psutil.Process().memory_info()
        return int(getattr(info, "peak_wset", info.rss))  # no peak on other systems


def processor() -> str:
    """Return the name of the processor."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        return next(line.split(":")[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()
