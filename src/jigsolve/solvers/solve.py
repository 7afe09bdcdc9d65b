"""The loop: from a puzzle to a solution."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from jigsolve._kernels.costs import SIDES
from jigsolve.assembly.joining import Segment
from jigsolve.assembly.population import ANNEALING, RENUMBERING, Nursery
from jigsolve.assembly.segments import Segments
from jigsolve.core import Puzzle
from jigsolve.damage.words import resolved
from jigsolve.errors import InputError
from jigsolve.execution.crew import Progress, crew
from jigsolve.measures import MEASURES, QR
from jigsolve.pricing.pricing import seam_table
from jigsolve.qr.finding import find_code
from jigsolve.solvers.genetic.annealing import Annealing
from jigsolve.solvers.genetic.checkpoint import USUAL_SECONDS, Checkpoint, read_checkpoint
from jigsolve.solvers.genetic.foresight import foresee
from jigsolve.solvers.genetic.rolling import rolled_back
from jigsolve.solvers.genetic.run import OnGeneration, Run
from jigsolve.solvers.genetic.settings import Settings
from jigsolve.solvers.kernels import prepare_kernels
from jigsolve.solvers.solution import Solution, Timing

OnStage = Callable[[str, int, int], object]


def solve(
    puzzle: Puzzle,
    settings: Settings | None = None,
    *,
    on_generation: OnGeneration | None = None,
    on_stage: OnStage | None = None,
    keep_arrangements: bool = False,
    checkpoint: str | Path | None = None,
    checkpoint_every: float = USUAL_SECONDS,
    resume: str | Path | None = None,
    start: np.ndarray | None = None,
) -> Solution:
    """Reassemble a puzzle.

    Ctrl-C ends the run and returns the best arrangement so far, `solution.stopped` saying so;
    while there is none yet, KeyboardInterrupt is raised as usual.

    Parameters
    ----------
    puzzle
        The pieces, in any order, and the board.
    settings
        How to evolve; without it the `default` preset.
    on_generation
        Called after every generation; when it returns True, the run ends.
    on_stage
        Called with a stage, steps done and steps in all, at the beginning of every stage
        ("modules", "kernels", "colours", "seams", "gradients" or "means", "traces", "network",
        "segments", "evolution", "annealing") and while all but the first two and the evolution go
        on.
    keep_arrangements
        Record the best arrangement of every generation, for a film.
    checkpoint
        Save the run to this file on the way, and on Ctrl-C.
    checkpoint_every
        Seconds between two checkpoints; one is written at the end of a generation.
    resume
        Go on from this checkpoint, to the same result as if the run had not stopped. Without
        `settings` those of the checkpoint are used; given ones must be the same, threads aside.
    start
        Neighbours known beforehand: for each piece its left, right, top and bottom one, -1 where
        not known, (n, 4). All arrangements of the first generation complete them, from a piece
        that has some; with `generations` 0 the cheapest of these is the solution.

    Examples
    --------
    >>> import numpy as np
    >>> ramp = np.add.outer(np.arange(0, 120, 2), np.arange(80)).astype(np.uint8)
    >>> puzzle, truth = Puzzle.cut(ramp, piece=20).shuffle(seed=3)
    >>> solution = solve(puzzle, Settings(population=20, generations=10))
    >>> bool((solution.image()[:, :, 0] == ramp).all())
    True
    """
    if settings is not None and not isinstance(settings, Settings):
        raise InputError(f"settings: expected jigsolve.Settings, found {settings!r}")
    snapshot = None
    if resume is not None and start is not None:
        raise InputError("start: expected none with a checkpoint to resume, which has its own")
    if resume is not None:
        snapshot = read_checkpoint(Path(resume), puzzle)
        settings = _agreed_settings(settings, snapshot.settings)
    settings = (settings or Settings()).with_threads()
    given = puzzle  # what a checkpoint is of: settings say what damage was asked for
    puzzle = dataclasses.replace(given, damage=resolved(settings.damage, given.damage))
    clock = Clock(on_stage)
    # Pieces get new numbers first: where costs tie, the lower number wins, and the order in which
    # pieces are given may be the truth.
    order = np.random.default_rng([settings.seed, RENUMBERING]).permutation(len(puzzle))
    code = None
    if start is None and snapshot is None:
        code = find_code(puzzle, MEASURES[settings.measure], order, clock.stage)
    if code:
        start = code.neighbours()
        settings = _for_a_code(settings)
    if start is not None:
        # What is known is not taken apart.
        settings = dataclasses.replace(settings, repairs=0, annealing=0)
    foresee(puzzle, settings)
    saving = Checkpoint(Path(checkpoint), checkpoint_every, given) if checkpoint else None
    with clock.stage("kernels"):
        prepare_kernels()
    with crew(settings.threads or 1) as hands:
        measure = MEASURES[settings.measure]
        table = seam_table(puzzle, order, measure, settings.candidates, hands, clock.stage)
        segments = None
        if start is not None:
            segments = _known_beforehand(start, order)
        elif settings.seeding == "segments" and snapshot is None:
            with clock.stage("segments") as tell:
                segments = Segments.assemble(table, puzzle.board, hands, progress=tell)

        run = Run(puzzle.board, settings, order, on_generation, keep_arrangements, saving)

        def refine(arrangement: np.ndarray, round_number: int) -> tuple[np.ndarray, float]:
            with clock.stage("annealing") as tell:
                annealing = Annealing(table, arrangement)
                rng = np.random.default_rng([settings.seed, ANNEALING, round_number])
                try:
                    annealing.run(settings.annealing, rng, hands, progress=tell)
                except KeyboardInterrupt:
                    run.consider(*annealing.cheapest())
                    raise
                return annealing.cheapest()

        def reassemble(arrangement: np.ndarray, cautious: bool) -> Segments | None:
            return Segments.reassemble(table, puzzle.board, hands, arrangement, cautious=cautious)

        with clock.stage("evolution"):
            nursery = Nursery(table, puzzle.board, settings, hands, puzzle.holes)
            anneals = settings.annealing > 0 and measure.reranked
            try:
                run.evolve(nursery, segments, snapshot, refine if anneals else None, reassemble)
            except KeyboardInterrupt:
                if run.best is None:
                    raise
                run.stopped = "interrupted"
    arrangement = run.best_arrangement()
    if settings.repairs:
        arrangement = rolled_back(table, arrangement, is_damaged=not puzzle.damage.is_none)
    changed = not np.array_equal(arrangement, run.best_arrangement())
    return Solution(
        puzzle=puzzle,
        arrangement=np.append(order, -1)[arrangement].astype(np.int32),
        cost=table.cost_of(arrangement) if changed else run.lowest,
        seam_costs=without_holes(table.board_costs(arrangement), arrangement < 0),
        history=run.history,
        timings=clock.timings,
        settings=settings,
        stopped=run.stopped,
        code=code,
        _seams=table,
        _own_numbers=np.argsort(order),
    )


def without_holes(
    costs: tuple[np.ndarray, np.ndarray], empty: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return costs of seams with NaN for those of empty cells, which are none."""
    across, down = costs
    across[empty[:, 1:] | empty[:, :-1]] = np.nan
    down[empty[1:] | empty[:-1]] = np.nan
    return across, down


def _for_a_code(settings: Settings) -> Settings:
    """Return settings that leave a code as it was put together: cheaper seams mean nothing."""
    return dataclasses.replace(
        settings, measure=QR.name, population=2, elites=1, generations=0, mutation=0.0
    )


def _known_beforehand(start: np.ndarray, order: np.ndarray) -> Segments:
    """Return known neighbours as one moment of segments, in the run's own numbers."""
    table = np.asarray(start)
    if table.shape != (len(order), SIDES) or table.dtype.kind not in "iu":
        raise InputError(
            f"start: expected neighbours as whole numbers of shape ({len(order)}, {SIDES}), "
            f"found {table.dtype} of shape {table.shape}"
        )
    if table.min() < -1 or table.max() >= len(order):
        raise InputError(
            f"start: expected pieces from -1 to {len(order) - 1}, found {table.min()} to "
            f"{table.max()}"
        )
    own = np.append(np.argsort(order), -1).astype(np.int32)  # so that -1 stays -1
    neighbours = own[table[order]]
    joined = np.flatnonzero((neighbours >= 0).any(axis=1))
    if not len(joined):
        joined = np.arange(len(order))
    return Segments(neighbours[None], [Segment(joined, None)])


def _agreed_settings(asked: Settings | None, saved: Settings) -> Settings:
    """Return the settings of a checkpoint; raise if others are asked for, threads aside."""
    if asked is None:
        return dataclasses.replace(saved, threads=None)
    wanted = asked.with_threads()
    for name, value in dataclasses.asdict(wanted).items():
        if name != "threads" and value != getattr(saved, name):
            raise InputError(
                f"{name}: expected {getattr(saved, name)!r} as in the checkpoint, found {value!r}"
            )
    return wanted


class Clock:
    """Wall and CPU time of each stage, and who is told how far it is."""

    def __init__(self, on_stage: OnStage | None) -> None:
        self.timings: dict[str, Timing] = {}
        self.on_stage = on_stage
        self._within = Timing(0.0, 0.0)

    @contextmanager
    def stage(self, name: str) -> Iterator[Progress]:
        """Time a stage; yields what it reports its progress to.

        A stage may come several times, and within another: the time it takes is its own only.
        """

        def tell(done: int, total: int) -> None:
            if self.on_stage:
                self.on_stage(name, done, total)

        around, self._within = self._within, Timing(0.0, 0.0)
        wall, cpu = time.perf_counter(), time.process_time()
        try:
            tell(0, 1)
            yield tell
        finally:
            wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
            before = self.timings.get(name, Timing(0.0, 0.0))
            self.timings[name] = Timing(
                before.wall + wall - self._within.wall, before.cpu + cpu - self._within.cpu
            )
            self._within = Timing(around.wall + wall, around.cpu + cpu)
