"""One run: cut, shuffle, solve, then score."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from jigsolve.core import Puzzle
from jigsolve.core.turns import NONE, Placement, widest_turns
from jigsolve.execution.stop import Stop
from jigsolve.lab.bag_trial import carry_out_bag
from jigsolve.lab.bags import SetBag
from jigsolve.lab.experiment import Task, settings_record
from jigsolve.lab.machine import forget_peak, peak_memory, rounded, where_and_when
from jigsolve.lab.records import FORMAT, TURNED_FORMAT, Record
from jigsolve.scores.scores import score, strict_ceiling
from jigsolve.solvers.genetic.history import Generation
from jigsolve.solvers.kernels import load_kernels
from jigsolve.solvers.solution import Solution
from jigsolve.solvers.solve import solve


def carry_out(task: Task, threads: int | None, command: str, stop: Stop | None = None) -> Record:
    """Solve an image, or a bag of images, as a task says and return the record of it.

    If it is stopped, of what was found until then.
    """
    if isinstance(task.image, SetBag):
        return carry_out_bag(task, threads, command, stop)
    # Every image has a shuffle of its own, the same in every run; what a run draws, the numbers
    # its pieces get included, comes from its seed.
    cut = Puzzle.cut(task.image.path, task.image.piece)
    turns = widest_turns(*task.image.piece) if task.turned else NONE
    puzzle, truth = cut.shuffle(task.image.number, turns)
    load_kernels(task.settings.solver, task.settings.pricing.measure)
    forget_peak()
    settings = task.settings.changed(threads=threads)
    solution = solve(puzzle, settings, stop=stop)
    memory = peak_memory()
    stages = {name: timing for name, timing in solution.timings.items() if name != "kernels"}
    ceiling = strict_ceiling(puzzle, truth)
    return {
        "format": TURNED_FORMAT if task.turned else FORMAT,
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
        "scores": rounded(score(solution, truth).as_dict()),
        "ceiling": rounded({"neighbour": ceiling.neighbour, "direct": ceiling.direct}),
        "cost": solution.cost,
        **({} if isinstance(truth, Placement) else _beside_truth(solution, truth)),
        "stopped": solution.stopped,
        **_evolution(solution.history),
        "cpu": round(sum(timing.cpu for timing in stages.values()), 3),
        "wall": round(sum(timing.wall for timing in stages.values()), 3),
        "stages": {name: round(timing.cpu, 3) for name, timing in stages.items()},
        "threads": solution.settings.threads,
        "memory": memory,
        **where_and_when(command),
    }


def _evolution(history: list[Generation]) -> dict[str, Any]:
    """Return the costs of every generation, of the best enough digits to see it improve.

    Nothing, if the solver has none.
    """
    if not history:
        return {}
    costs = {
        "best": [float(f"{generation.best:.9g}") for generation in history],
        "mean": [float(f"{generation.mean:.5g}") for generation in history],
        "worst": [float(f"{generation.worst:.5g}") for generation in history],
    }
    return {"generations": len(history) - 1, "history": costs}


def _beside_truth(solution: Solution, truth: np.ndarray) -> dict[str, Any]:
    return {"true_cost": solution.cost_of(truth), "shift": _shift(solution, truth)}


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
