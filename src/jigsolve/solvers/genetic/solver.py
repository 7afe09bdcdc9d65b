"""The genetic algorithm as a solver."""

from __future__ import annotations

import math

import numpy as np

from jigsolve.assembly.gaps import filled
from jigsolve.assembly.joining import Assembly
from jigsolve.assembly.population import Growing, Nursery, Population
from jigsolve.assembly.segments import Segments
from jigsolve.core.randomness import ANNEALING, stream
from jigsolve.core.turns import NONE
from jigsolve.execution.crew import Executor, Progress, crew
from jigsolve.execution.events import Estimated
from jigsolve.execution.stop import INTERRUPTED, Stopped
from jigsolve.execution.work import Work
from jigsolve.pricing.prepared import Prepared
from jigsolve.solvers.genetic.annealing import Annealing
from jigsolve.solvers.genetic.checkpoint import Snapshot
from jigsolve.solvers.genetic.foresight import SECONDS_PER_MOVE, memory_of, seconds_of
from jigsolve.solvers.genetic.patience import IN_VAIN
from jigsolve.solvers.genetic.rolling import cheaper_rolls, rolled_back
from jigsolve.solvers.genetic.run import Run
from jigsolve.solvers.genetic.settings import Genetic
from jigsolve.solvers.protocol import Found, Keeping

HEATS_OF_TURNED = (1.0, 0.7)
"""Pieces that may be turned can be wrong in four times as many ways. Some pictures then melt at
temperatures that others need: rounds take turns."""

SHARE_OF_A_ROUND = 0.5
"""Where time is limited, an annealing takes so much of what is left: others may follow."""


class GeneticSolver:
    """Evolves arrangements, anneals them, takes them apart and joins them anew."""

    name = "genetic"
    summary = "Sholomon, David and Netanyahu, CVPR 2013; with repair and annealing"
    options = Genetic
    measure = "learned"
    goes_on = True
    saves = True
    memory = staticmethod(memory_of)
    seconds = staticmethod(seconds_of)

    def solve(
        self, prepared: Prepared, options: Genetic, seed: int, work: Work, keeping: Keeping
    ) -> Found:
        """Find an arrangement; see `protocol.Solver`."""
        evolution = Evolution(prepared, options, seed, work, keeping)
        try:
            evolution.run_through()
        except KeyboardInterrupt:
            evolution.stop(INTERRUPTED)
        except Stopped as stop:
            evolution.stop(stop.reason)
        run, arrangement = evolution.run, evolution.run.best_arrangement()
        if options.repairs and not prepared.has_fixed_cells:
            is_damaged = not prepared.puzzle.damage.is_none
            rolled = rolled_back(prepared.table, arrangement, is_damaged=is_damaged)
            layout = prepared.layout
            is_kept = layout is None or not layout.violated_by(rolled)
            if keeping.start is not None:
                is_kept = is_kept and prepared.table.cost_of(rolled) <= run.lowest
            if is_kept and not np.array_equal(rolled, arrangement):
                return Found(rolled, run.stopped, run.history)
        return Found(arrangement, run.stopped, run.history, run.lowest)


def heat_of(turns: str, round_number: int) -> float:
    """Return by how much the temperatures of a round's annealing are multiplied."""
    return 1.0 if turns == NONE else HEATS_OF_TURNED[round_number % len(HEATS_OF_TURNED)]


def growing_of(options: Genetic) -> Growing:
    """Return how arrangements grow."""
    return Growing(options.phases, options.mutation, options.boundaries, options.weighed)


class Evolution:
    """One run, with what its stages need."""

    def __init__(
        self, prepared: Prepared, options: Genetic, seed: int, work: Work, keeping: Keeping
    ) -> None:
        self._prepared, self._options, self._work = prepared, options, work
        self._seed = seed
        self._resumed: Snapshot | None = keeping.resumed
        self._segments: Segments | None = None
        self._start = None if keeping.resumed else keeping.start
        self._completed = self._completed_start()
        self._moves = 0  # of all annealings so far
        self.run = Run(
            prepared.puzzle.board,
            options,
            seed,
            prepared.order,
            prepared.puzzle.turns,
            work.events,
            work.stop,
            keeping.arrangements,
            keeping.checkpoint,
            prepared.layout,
        )

    def run_through(self) -> None:
        """Join segments, evolve, anneal and repair."""
        work, options = self._work, self._options
        if options.seeding == "segments" and self._resumed is None:
            with work.clock.stage("segments") as tell:
                self._segments = self._begun_with(tell)
        with work.clock.stage("evolution"):
            anneals = options.annealing > 0 and self._prepared.measure.reranked
            nursery = self._nursery()
            self.run.evolve(
                nursery,
                self._segments,
                self._resumed,
                self._refine if anneals else None,
                self._reassemble,
                self._first_members(nursery),
            )

    def _begun_with(self, tell: Progress) -> Segments:
        """Join pieces, or what is kept of the start, to segments."""
        prepared = self._prepared
        where = prepared.table, prepared.puzzle.board, self._work.crew
        if self._start is not None:
            return Segments.going_on(*where, self._start, prepared.layout, progress=tell)
        assembly = Assembly(*where, prepared.layout)
        try:
            return Segments.assembled(assembly, progress=tell)
        except (KeyboardInterrupt, Stopped):
            self._segments = Segments.so_far(assembly)
            raise

    def _completed_start(self) -> np.ndarray | None:
        """Return the start without empty cells, but holes."""
        if self._start is None:
            return None
        prepared = self._prepared
        return filled(prepared.table, self._start, prepared.puzzle.holes, hurried=True)

    def _first_members(self, nursery: Nursery) -> list[np.ndarray]:
        """Return what the first generation has of the start: itself, and rolled if that is cheaper.

        Where constraints are broken it is what becomes of it under them.
        """
        if self._completed is None:
            return []
        prepared = self._prepared
        every = [self._completed]
        if not prepared.has_fixed_cells:
            every += cheaper_rolls(prepared.table, self._completed)
        layout = prepared.layout
        return [
            nursery.made_to_keep(each) if layout and layout.violated_by(each) else each
            for each in every
        ]

    def stop(self, reason: str) -> None:
        """Stop with the best so far; where there is none yet, complete the segments there are."""
        self.run.stopped = reason
        if self.run.best is not None:
            return
        puzzle = self._prepared.puzzle
        one = Population.empty(1, len(puzzle), puzzle.holes)
        with crew(1) as hands:
            nursery = self._nursery(hands)
            if self._completed is not None:
                nursery.enter(self._first_members(nursery)[0], 0, one)
            elif self._segments:
                nursery.complete(self._segments, 0, one)
            else:
                nursery.random_population(one)
        self.run.take(one)

    def _nursery(self, hands: Executor | None = None) -> Nursery:
        options, puzzle = self._options, self._prepared.puzzle
        return Nursery(
            self._prepared.table,
            puzzle.board,
            growing_of(options),
            hands or self._work.crew,
            seed=self._seed,
            threads=1 if hands else self._work.threads,
            holes=puzzle.holes,
            layout=self._prepared.layout,
        )

    def _refine(self, arrangement: np.ndarray, round_number: int) -> tuple[np.ndarray, float]:
        """Anneal what a round has found."""
        left = self._work.stop.left()
        with self._work.clock.stage("annealing") as tell:
            annealing = Annealing(self._prepared.table, arrangement, self._prepared.layout)
            self._tell_what_is_left(annealing.moves(self._options.annealing))
            try:
                annealing.run(
                    self._options.annealing,
                    stream(self._seed, ANNEALING, round_number),
                    self._work.crew,
                    heat=heat_of(self._prepared.puzzle.turns, round_number),
                    seconds=SHARE_OF_A_ROUND * left if left < math.inf else math.inf,
                    progress=tell,
                )
            except (KeyboardInterrupt, Stopped):
                self.run.consider(*annealing.cheapest())
                raise
            return annealing.cheapest()

    def _tell_what_is_left(self, moves: int) -> None:
        """Correct the estimate, now that it is known how much is in doubt.

        As much again for each round that may still follow without gain: few have as much to do.
        """
        if not self._work.events.are_heard:
            return
        rounds = 1 + max(IN_VAIN - self.run.patience.in_vain, 0)
        spent = self._work.clock.timings.get("annealing")
        rate = SECONDS_PER_MOVE
        if spent and self._moves:
            rate = spent.wall / self._moves
        self._moves += moves
        self._work.events.tell(Estimated(min(rounds * moves * rate, self._work.stop.left())))

    def _reassemble(self, arrangement: np.ndarray, cautious: bool) -> Segments | None:
        return Segments.reassemble(
            self._prepared.table,
            self._prepared.puzzle.board,
            self._work.crew,
            arrangement,
            self._prepared.layout,
            cautious=cautious,
        )
