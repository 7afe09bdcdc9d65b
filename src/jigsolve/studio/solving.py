"""Solving in a process of its own, by what the library has; the result is left in a file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from jigsolve.assembly.chains import are_single_lines, chained
from jigsolve.core import Board, Puzzle
from jigsolve.core.constraints import Constraints
from jigsolve.core.poses import poses_of
from jigsolve.execution.stop import Stop
from jigsolve.solvers.bags import solve_bag
from jigsolve.solvers.given import price
from jigsolve.solvers.settings import Settings
from jigsolve.solvers.solution import Solution
from jigsolve.solvers.solve import solve
from jigsolve.studio.desk import Picture
from jigsolve.studio.kept import bag_of, kept_source, puzzle_of, write_json

if TYPE_CHECKING:
    from jigsolve.studio.engine import Teller

RESULT, CHECKPOINT = "result.json", "checkpoint.npz"
SECONDS_BETWEEN_CHECKPOINTS = 3.0


def solve_puzzle(job: Mapping[str, Any], teller: Teller, stop: Stop) -> Callable[[], None]:
    """Solve as a job says; return what leaves the result to the server."""
    folder = Path(job["folder"])
    settings = Settings.of(seed=job["seed"])
    stop = stop.within(job["timeLimit"])
    if job["pictures"] != 1:
        result = _solved_bag(folder, job["pictures"], settings, teller, stop)
        return lambda: write_json(folder / RESULT, result)
    source = kept_source(folder)
    rows, columns = job["board"]
    puzzle = puzzle_of(source, job["ids"], Board(rows, columns))
    solution = _solved(job, puzzle, settings, teller, stop)
    result = _result(solution, job["ids"])
    return lambda: write_json(folder / RESULT, result)


def _solved(
    job: Mapping[str, Any], puzzle: Puzzle, settings: Settings, teller: Teller, stop: Stop
) -> Solution:
    constraints = Constraints.from_record(job["constraints"]) if job["constraints"] else None
    if are_single_lines(puzzle) and not constraints:
        return price(puzzle, chained(puzzle), settings, on_event=teller.hear, stop=stop)
    checkpoint = Path(job["folder"], CHECKPOINT)
    return solve(
        puzzle,
        settings,
        constraints=constraints,
        on_event=teller.hear,
        stop=stop,
        keep_arrangements=True,
        checkpoint=checkpoint,
        checkpoint_every=SECONDS_BETWEEN_CHECKPOINTS,
        resume=checkpoint if checkpoint.exists() else None,
    )


def _solved_bag(
    folder: Path, number: int | None, settings: Settings, teller: Teller, stop: Stop
) -> dict[str, Any]:
    """Solve tiles of several pictures."""
    bag = bag_of(kept_source(folder))
    found = solve_bag(bag, settings, pictures=number, on_event=teller.hear, stop=stop)
    pictures = [_picture(*each.placement) for each in found.pictures]
    return {"pictures": pictures, "cost": None, "believed": None, "stopped": found.stopped}


def _result(solution: Solution, ids: list[int] | None) -> dict[str, Any]:
    pieces = solution.arrangement
    if ids is not None:
        pieces = np.array([*ids, -1], np.int32)[pieces]
    return {
        "pictures": [_picture(pieces, solution.placement.turns)],
        "cost": solution.cost,
        "believed": solution.believed(),
        "stopped": solution.stopped,
    }


def _picture(pieces: np.ndarray, turns: np.ndarray) -> dict[str, Any]:
    rows, columns = pieces.shape
    return Picture(rows, columns, poses_of(pieces, turns).ravel()).as_record()
