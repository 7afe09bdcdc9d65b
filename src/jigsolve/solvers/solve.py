"""From a puzzle to a solution, in one call."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from jigsolve.core import Puzzle
from jigsolve.core.constraints import Constraints
from jigsolve.core.layout import Layout, laid_out
from jigsolve.core.placing import checked_placement
from jigsolve.core.turns import NONE, Placement
from jigsolve.errors import InputError
from jigsolve.execution.events import Message, OnEvent
from jigsolve.execution.stop import Stop, Stopped
from jigsolve.execution.work import Helped, Work, working
from jigsolve.measures import MEASURES
from jigsolve.pricing.prepared import Prepared, numbering, prepare
from jigsolve.qr.finding import find_code
from jigsolve.solvers.foresight import foresee, planned_within
from jigsolve.solvers.genetic.checkpoint import USUAL_SECONDS, Checkpoint, Saved, read_checkpoint
from jigsolve.solvers.given import price_code
from jigsolve.solvers.kernels import prepare_kernels
from jigsolve.solvers.protocol import Found, Keeping
from jigsolve.solvers.registry import check_goes_on, check_is_able, check_saves, solver_of
from jigsolve.solvers.settings import Settings
from jigsolve.solvers.solution import Solution, solution_of


def solve(
    puzzle: Puzzle | Prepared,
    settings: Settings | None = None,
    *,
    constraints: Constraints | None = None,
    start: Placement | np.ndarray | None = None,
    on_event: OnEvent | None = None,
    stop: Stop | None = None,
    time_limit: float | None = None,
    keep_arrangements: bool = False,
    checkpoint: str | Path | None = None,
    checkpoint_every: float = USUAL_SECONDS,
    resume: str | Path | None = None,
    helped: Helped | None = None,
) -> Solution:
    """Reassemble a puzzle.

    Ctrl-C ends the run and returns the best arrangement so far, `solution.stopped` saying so, and
    so does a stop or the end of the time. While seams are priced there is none: then
    KeyboardInterrupt is raised as usual, or InputError.

    Parameters
    ----------
    puzzle
        The pieces, in any order, and the board; or the same with its seams priced.
    settings
        How seams are priced and who solves; without it the `default` preset.
    constraints
        What is known: seams that hold, seams that do not, pieces whose cell is fixed.
    start
        An arrangement to go on from, with turns or without; -1 where a cell is empty. The result
        does not cost more, unless constraints forbid the start.
    on_event
        Told what happens, in order: see `jigsolve.execution.events`.
    stop
        Something to stop the run by, from another thread or process.
    time_limit
        Seconds after which the best so far is the result. What would take longer is left out.
        Compiling, on the first run only, is not counted.
    keep_arrangements
        Record the best arrangement of every generation, for a film.
    checkpoint
        Save the run to this file on the way, and when it is stopped; refused for solvers that do
        not save their runs.
    checkpoint_every
        Seconds between two checkpoints; one is written at the end of a generation.
    resume
        Go on from this checkpoint, to the same result as if the run had not stopped. Without
        `settings` those of the checkpoint are used; given ones must be the same, threads aside.
    helped
        Who helps with its largest pieces of work, such as `solvers.helped.kept_on(folder)`.

    Examples
    --------
    >>> import numpy as np
    >>> ramp = np.add.outer(np.arange(0, 120, 2), np.arange(80)).astype(np.uint8)
    >>> puzzle, truth = Puzzle.cut(ramp, piece=20).shuffle(seed=3)
    >>> solution = solve(puzzle, Settings.of(population=20, generations=10))
    >>> bool((solution.image()[:, :, 0] == ramp).all())
    True
    """
    if settings is not None and not isinstance(settings, Settings):
        raise InputError(f"settings: expected jigsolve.Settings, found {settings!r}")
    stop = (stop or Stop()).within(checked_limit(time_limit))
    bag = puzzle.puzzle if isinstance(puzzle, Prepared) else puzzle
    layout = laid_out(constraints, bag) if constraints else None
    saved: Saved | None = None
    if resume is not None:
        saved = read_checkpoint(Path(resume), bag, constraints)
        settings = _agreed_settings(settings, Settings.from_record(saved.settings))
    settings = settings or Settings()
    check_is_able(solver_of(settings.options), bag, constrained=layout is not None)
    if checkpoint or resume:
        check_saves(solver_of(settings.options))
    begun = None if start is None else _begun(start, bag, settings, resume)
    saving = None
    if checkpoint:
        saving = Checkpoint(
            Path(checkpoint), checkpoint_every, bag, settings.as_record(), constraints
        )
    keeping = Keeping(keep_arrangements, saving, saved.snapshot if saved else None)
    with working(settings.threads, on_event, stop, helped) as work:
        try:
            return _solved(puzzle, settings, layout, work, keeping, begun)
        except Stopped as early:
            why = "its time was up" if early.reason == "time" else "it was stopped"
            raise InputError(
                f"expected time to price the seams of {len(bag):,} pieces, found that {why} before "
                "there was any arrangement"
            ) from None


def _solved(
    given: Puzzle | Prepared,
    settings: Settings,
    layout: Layout | None,
    work: Work,
    keeping: Keeping,
    begun: Placement | None,
) -> Solution:
    if isinstance(given, Prepared):
        prepared = given
        settings = replace(settings, pricing=given.pricing)
        foresee(given.puzzle, settings, work.crew)
        if work.stop.reason is None:  # otherwise there is a result all the same
            prepare_kernels(work.clock, settings.solver, settings.pricing.measure)
    else:
        is_open = (
            keeping.resumed is None and begun is None and layout is None and given.turns == NONE
        )
        if is_open and (solution := _placed_as_code(given, settings, work)):
            return solution
        if work.stop.left() < np.inf and keeping.resumed is None:  # costs go on as they were
            planned = planned_within(given, settings, work.stop.left())
            if planned != settings:
                measure = planned.pricing.measure
                work.events.tell(Message(f"short of time: seams are priced by {measure}"))
                settings = planned
        foresee(given, settings, work.crew)
        prepare_kernels(work.clock, settings.solver, settings.pricing.measure)
        prepared = prepare(given, settings.pricing, settings.seed, work)
    if layout:
        prepared = prepared.ruled(layout)
    if begun:
        keeping = replace(keeping, start=prepared.poses(*begun))
    solver = solver_of(settings.options)
    found: Found = solver.solve(prepared, settings.options, settings.seed, work, keeping)
    if prepared.layout and (violated := prepared.layout.violated_by(found.arrangement)):
        raise InputError(
            f"constraints: expected ones that can be kept on this board together, found {violated} "
            "that cannot: blocks leave no room for each other, or no piece may lie beside some"
        )
    return solution_of(prepared, found, settings, work.clock.timings)


def _begun(
    start: Placement | np.ndarray, puzzle: Puzzle, settings: Settings, resume: str | Path | None
) -> Placement:
    """Return the arrangement to go on from; raise where that cannot be."""
    check_goes_on(solver_of(settings.options))
    if resume is not None:
        raise InputError("start: expected none beside resume, which goes on from a checkpoint")
    begun = checked_placement("start", start, puzzle)
    empty = int(np.count_nonzero(begun.pieces < 0))
    if empty < puzzle.holes:
        raise InputError(f"start: expected {puzzle.holes} empty cells or more, found {empty}")
    return begun


def _placed_as_code(puzzle: Puzzle, settings: Settings, work: Work) -> Solution | None:
    """Return the QR code that pieces make, placed by what is known of it, if they make one."""
    order = numbering(len(puzzle), settings.seed)
    code = find_code(puzzle, MEASURES[settings.pricing.measure], order, work.clock.stage)
    return price_code(puzzle, code, settings, work) if code else None


def _agreed_settings(asked: Settings | None, saved: Settings) -> Settings:
    """Return the settings of a checkpoint; raise if others are asked for, threads aside."""
    if asked is None:
        return saved
    kept = saved.flat()
    for name, value in asked.flat().items():
        if name != "threads" and value != kept.get(name):
            raise InputError(
                f"{name}: expected {kept.get(name)!r} as in the checkpoint, found {value!r}"
            )
    return asked


def checked_limit(seconds: float | None) -> float | None:
    """Return a time limit; raise unless it is a positive number of seconds."""
    if seconds is None:
        return None
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not seconds > 0:
        raise InputError(f"time_limit: expected seconds, more than 0, found {seconds!r}")
    return float(seconds)
