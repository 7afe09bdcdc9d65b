"""Solving in a process of its own, by what the library has; the result is left in files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from jigsolve._kernels.geometry import turn_of
from jigsolve.advice import TOUCHING_UP, assessed, implied
from jigsolve.assembly.chains import are_single_lines, chained
from jigsolve.core import Board, Puzzle
from jigsolve.core.constraints import Constraints
from jigsolve.core.layout import laid_out
from jigsolve.core.poses import pieces_of, poses_of
from jigsolve.core.turns import NONE, Placement
from jigsolve.damage import Damage
from jigsolve.damage.words import described
from jigsolve.detect.sources import Source
from jigsolve.errors import InputError
from jigsolve.execution.events import Message
from jigsolve.execution.stop import Stop
from jigsolve.execution.work import working
from jigsolve.measures import MEASURES
from jigsolve.pricing.prepared import Prepared, numbering
from jigsolve.qr.finding import find_code
from jigsolve.solvers.bags import BagSolution, solve_bag
from jigsolve.solvers.genetic.checkpoint import read_checkpoint
from jigsolve.solvers.given import price, price_code
from jigsolve.solvers.opinions import best_opinion
from jigsolve.solvers.settings import Settings
from jigsolve.solvers.solution import Solution
from jigsolve.solvers.solve import solve
from jigsolve.studio.desk import Picture, unpacked
from jigsolve.studio.films import keep_evolution
from jigsolve.studio.kept import bag_of, decide, kept_source, puzzle_of, record_path, write_json
from jigsolve.studio.priced import MOST_KEPT, keep_priced, price_or_load, priced_path, renumbered

if TYPE_CHECKING:
    from jigsolve.studio.engine import Teller

RESULT, CHECKPOINT = "result.json", "checkpoint.npz"
SECONDS_BETWEEN_CHECKPOINTS = 3.0
SECONDS_A_PIECE = 1e-3
"""Those of a large puzzle take a while to write, and are further apart."""


def solve_puzzle(job: Mapping[str, Any], teller: Teller, stop: Stop) -> Callable[[], None]:
    """Solve as a job says; return what leaves the result to the server."""
    folder = Path(job["folder"])
    settings = Settings.of().changed(seed=job["seed"], **(TOUCHING_UP if job.get("isNear") else {}))
    stop = stop.within(job["timeLimit"])
    source = kept_source(folder)
    if "board" not in job:
        found = solve_bag(
            bag_of(source), settings, pictures=job["pictures"], on_event=teller.hear, stop=stop
        )
        return lambda: _leave_bag(folder, source, found)
    solution = _Solve(job, source, settings, teller, stop).solution()
    return lambda: _leave(folder, solution, job)


def price_pictures(job: Mapping[str, Any], teller: Teller, stop: Stop) -> Callable[[], None]:
    """Price the seams of pictures whose seams nobody has priced; what lies there stays."""
    folder, settings = Path(job["folder"]), Settings.of().changed(seed=job["seed"])
    source = kept_source(folder)
    with working(settings.threads, teller.hear, stop.within(job["timeLimit"])) as work:
        for each in job["puzzles"]:
            puzzle = puzzle_of(source, each["ids"], Board(*each["board"]))
            path = priced_path(folder, each["ids"], each["board"])
            price_or_load(path, puzzle, settings, work, MOST_KEPT + len(job["puzzles"]))
    return lambda: write_json(folder / RESULT, {"stopped": None})


@dataclass(frozen=True)
class _Solve:
    """One solve, with what its steps need."""

    job: Mapping[str, Any]
    source: Source
    settings: Settings
    teller: Teller
    stop: Stop

    def solution(self) -> Solution:
        """Recognise what needs no search, or price what is not priced yet and search."""
        job, settings = self.job, self.settings
        puzzle = puzzle_of(self.source, job["ids"], Board(*job["board"]))
        constraints = Constraints.from_record(job["constraints"]) if job["constraints"] else None
        is_first = not constraints and job["start"] is None
        with working(settings.threads, self.teller.hear, self.stop) as work:
            if is_first and puzzle.turns == NONE:
                if are_single_lines(puzzle):
                    return price(
                        puzzle,
                        chained(puzzle),
                        settings,
                        on_event=self.teller.hear,
                        stop=self.stop,
                    )
                measure = MEASURES[settings.pricing.measure]
                order = numbering(len(puzzle), settings.seed)
                if code := find_code(puzzle, measure, order, work.clock.stage):
                    return price_code(puzzle, code, settings, work)
            path = priced_path(Path(job["folder"]), job["ids"], job["board"])
            prepared = price_or_load(path, puzzle, settings, work)
        start = self._start(puzzle)
        if constraints and start:
            constraints = _with_what_follows(prepared, start, constraints)
        checkpoint = Path(job["folder"], CHECKPOINT)
        is_begun = _can_go_on(checkpoint, prepared.puzzle, constraints)
        first = solve(
            prepared,
            settings,
            constraints=constraints,
            start=None if is_begun else start,
            on_event=self.teller.hear,
            stop=self.stop,
            keep_arrangements=True,
            checkpoint=checkpoint,
            checkpoint_every=max(SECONDS_BETWEEN_CHECKPOINTS, SECONDS_A_PIECE * len(puzzle)),
            resume=checkpoint if is_begun else None,
        )
        return self._second_opinion(first, path) if is_first else first

    def _start(self, puzzle: Puzzle) -> Placement | None:
        """Return what lies on the board, by the numbers of the puzzle."""
        if self.job["start"] is None:
            return None
        poses = unpacked(self.job["start"]).reshape(puzzle.board)
        pieces, turns = pieces_of(poses), np.where(poses < 0, 0, turn_of(poses)).astype(np.int8)
        if self.job["ids"] is not None:
            numbers = np.full(len(self.source.pieces) + 1, -1, np.int32)
            numbers[self.job["ids"]] = np.arange(len(puzzle))
            pieces = numbers[pieces]
        return Placement(pieces, turns)

    def _second_opinion(self, first: Solution, path: Path) -> Solution:
        """Try other kinds of damage where the result is not believed, as the command does."""

        def solve_as(puzzle: Puzzle) -> Solution:
            return solve(
                puzzle,
                self.settings,
                on_event=self.teller.hear,
                stop=self.stop,
                keep_arrangements=True,
            )

        def tell(damage: Damage, believed: float) -> None:
            said = f"only about {believed:.0%} of the seams seem right; trying pieces "
            self.teller.hear(Message(said + described(damage)))

        best = best_opinion(first, solve_as, tell)
        if best.prepared is not first.prepared:
            keep_priced(path, best.prepared)
            decide(Path(self.job["folder"]), damage=best.puzzle.damage)
        return best


def _with_what_follows(prepared: Prepared, start: Placement, said: Constraints) -> Constraints:
    """Return what a person said with what follows from it, if all can be kept together."""
    try:
        more = implied(assessed(prepared, start), said)
        laid_out(more, prepared.puzzle)
    except InputError:
        return said
    return more


def _can_go_on(path: Path, puzzle: Puzzle, constraints: Constraints | None) -> bool:
    """Whether there is a checkpoint to go on from; one of another version is none."""
    try:
        read_checkpoint(path, puzzle, constraints)
    except InputError:
        return False
    return True


def _leave(folder: Path, solution: Solution, job: Mapping[str, Any]) -> None:
    """Leave a solution: its record and its evolution for exports, then the result itself."""
    ids, number = job["ids"], job["picture"]
    keep_evolution(folder, number, ids, solution)
    write_json(record_path(folder, number), solution.as_dict() | {"ids": ids})
    pieces = solution.arrangement
    if ids is not None:
        pieces = np.array([*ids, -1], np.int32)[pieces]
    result = {
        "pictures": [_picture(pieces, solution.placement.turns)],
        "cost": solution.cost,
        "believed": solution.believed(),
        "stopped": solution.stopped,
    }
    write_json(folder / RESULT, result)


def _leave_bag(folder: Path, source: Source, found: BagSolution) -> None:
    """Leave the pictures of a bag, and their seams as far as they are those of their pieces."""
    believed = []
    for each in found.pictures:
        solution, pieces = each.solution, each.placement.pieces
        if solution is None:
            continue
        believed.append(solution.believed())
        placed = np.sort(pieces[pieces >= 0])
        if len(placed) == len(solution.puzzle):
            ids = np.empty(len(placed), np.int64)
            ids[solution.arrangement[solution.arrangement >= 0]] = pieces[pieces >= 0]
            puzzle = puzzle_of(source, placed.tolist(), Board(*pieces.shape))
            puzzle = replace(puzzle, damage=solution.puzzle.damage)
            own = renumbered(solution.prepared, puzzle, np.searchsorted(placed, ids))
            most, every = MOST_KEPT + len(found.pictures), placed.tolist()
            path = priced_path(folder, every if len(found.pictures) > 1 else None, pieces.shape)
            keep_priced(path, own, most)
    costs = [each.solution.cost for each in found.pictures if each.solution]
    shares = [share for share in believed if share is not None]
    result = {
        "pictures": [_picture(*each.placement) for each in found.pictures],
        "cost": sum(costs) if costs else None,
        "believed": float(np.mean(shares)) if shares else None,
        "stopped": found.stopped,
    }
    write_json(folder / RESULT, result)


def _picture(pieces: np.ndarray, turns: np.ndarray) -> dict[str, Any]:
    rows, columns = pieces.shape
    return Picture(rows, columns, poses_of(pieces, turns).ravel()).as_record()
