"""A population, and how the next one is made on all cores."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from queue import SimpleQueue

import numpy as np

from jigsolve._kernels.costs import SIDES, grid_from_neighbours, neighbours_from_grid
from jigsolve._kernels.crossover import (
    Rules,
    complete_segments,
    grow_children,
    random_arrangements,
)
from jigsolve._kernels.growing import PHASE_NAMES, Workspace, workspace
from jigsolve._kernels.phases import NO_PHASE
from jigsolve.evolution.phases import OWN_PHASES
from jigsolve.evolution.settings import Settings
from jigsolve.parallel import Crew, spans
from jigsolve.puzzle import Board
from jigsolve.seams import SeamTable
from jigsolve.segments import Segments

SELECTION, RENUMBERING, STARTS = range(3)
"""What a random generator is for; with the seed (and a generation's number) it makes its key."""

PLACEMENTS_PER_JOB = 500_000
"""A job of a thread is some tenths of a second: short enough to stop soon after Ctrl-C."""


@dataclass(frozen=True)
class Population:
    """Arrangements as neighbour tables: for each piece its left, right, top and bottom."""

    neighbours: np.ndarray  # (size, n, 4) int32, -1 beyond the board
    costs: np.ndarray  # (size,) float64

    @classmethod
    def empty(cls, size: int, pieces: int) -> Population:
        """Allocate room for a population."""
        return cls(np.empty((size, pieces, SIDES), np.int32), np.empty(size, np.float64))

    def set_arrangement(self, index: int, arrangement: np.ndarray) -> np.ndarray:
        """Make one member an arrangement, (rows, columns); return its neighbour table."""
        grid = np.ascontiguousarray(arrangement, np.int32)
        neighbours_from_grid(grid.ravel(), *grid.shape, 0, 0, self.neighbours[index])
        table: np.ndarray = self.neighbours[index]
        return table


def arrangement_of(neighbours: np.ndarray, board: Board) -> np.ndarray:
    """Return the arrangement, (rows, columns), that a neighbour table describes."""
    grid = np.empty(board.rows * board.columns, np.int32)
    grid_from_neighbours(neighbours, *board, grid)
    return grid.reshape(board)


@dataclass(frozen=True)
class Growth:
    """How a child grew."""

    neighbours: np.ndarray
    """The child's neighbour table."""
    placed: np.ndarray
    """Its pieces in the order they were placed."""
    phases: np.ndarray
    """By which of PHASE_NAMES each was."""


class Nursery:
    """Where arrangements come into being: threads, their workspaces and the rules."""

    def __init__(self, table: SeamTable, board: Board, settings: Settings, crew: Crew) -> None:
        pieces = board.rows * board.columns
        self._seams = table.arrays
        self._crew = crew
        self._seed = settings.seed
        self._per_job = max(1, PLACEMENTS_PER_JOB // pieces)
        own = next((OWN_PHASES[name] for name in settings.phases if name in OWN_PHASES), None)
        self._rules = Rules(
            rows=board.rows,
            columns=board.columns,
            agreed="agreed" in settings.phases,
            buddy="best-buddy" in settings.phases,
            greedy="greedy" in settings.phases,
            mutation=float(settings.mutation),
            boundaries=settings.boundaries,
            weighed=settings.weighed,
            has_own=own is not None,
            own=own or NO_PHASE,
        )
        self._workspaces = [workspace(pieces) for _ in range(settings.threads or 1)]
        self._idle: SimpleQueue[Workspace] = SimpleQueue()
        for work in self._workspaces:
            self._idle.put(work)

    def random_population(self, population: Population) -> None:
        """Fill a population with random arrangements."""

        def fill(work: Workspace, first: int, last: int) -> None:
            random_arrangements(
                self._seams,
                self._rules,
                work,
                self._seed,
                first,
                last,
                population.neighbours,
                population.costs,
            )

        self._share_out(len(population.costs), fill)

    def complete(self, segments: Segments, generation: int, population: Population) -> None:
        """Fill a population with segments completed to arrangements, each in another way.

        The moments of the segments take turns; each arrangement grows from a random piece of
        the largest segment.
        """
        rules = self._rules._replace(agreed=True)  # or else no segment would stay together
        rng = np.random.default_rng([self._seed, STARTS, generation])
        moments = len(segments.largest)
        starts = np.array(
            [rng.choice(segments.largest[i % moments]) for i in range(len(population.costs))]
        )

        def fill(work: Workspace, first: int, last: int) -> None:
            complete_segments(
                self._seams,
                rules,
                work,
                self._seed,
                generation,
                segments.neighbours,
                starts,
                first,
                last,
                population.neighbours,
                population.costs,
            )

        self._share_out(len(population.costs), fill)

    def breed(
        self, parents: np.ndarray, generation: int, population: Population, children: Population
    ) -> dict[str, float]:
        """Fill `children` with one child for each pair of parents.

        Later entries of `children` are left alone. Returns the share of placements per phase.
        """

        def grow(work: Workspace, first: int, last: int) -> None:
            grow_children(
                self._seams,
                self._rules,
                work,
                self._seed,
                generation,
                parents,
                population.neighbours,
                first,
                last,
                children.neighbours,
                children.costs,
            )

        for work in self._workspaces:
            work.tally[:] = 0
        self._share_out(len(parents), grow)
        tally = sum(work.tally for work in self._workspaces)
        total = max(int(np.sum(tally)), 1)
        return {
            name: int(count) / total
            for name, count in zip(PHASE_NAMES, np.asarray(tally), strict=True)
        }

    def witness(self, parents: tuple[int, int], generation: int, population: Population) -> Growth:
        """Grow one child, and say how it grew."""
        pieces = population.neighbours.shape[1]
        child = Population.empty(1, pieces)
        work = self._idle.get()
        try:
            grow_children(
                self._seams,
                self._rules,
                work,
                self._seed,
                generation,
                np.array([parents], np.int64),
                population.neighbours,
                0,
                1,
                child.neighbours,
                child.costs,
            )
            return Growth(child.neighbours[0], work.placed.copy(), work.phases.copy())
        finally:
            self._idle.put(work)

    def _share_out(self, count: int, work_on: Callable[[Workspace, int, int], None]) -> None:
        def job(span: tuple[int, int]) -> None:
            work = self._idle.get()
            try:
                work_on(work, *span)
            finally:
                self._idle.put(work)

        per_job = min(self._per_job, -(-count // len(self._workspaces)))
        self._crew.all(job, spans(count, max(per_job, 1)))


def population_bytes(size: int, pieces: int, threads: int) -> int:
    """Return the memory two generations and the threads' workspaces take."""
    few = 8
    one_workspace = sum(array.nbytes for array in workspace(few)) * pieces // few
    return 2 * size * (pieces * SIDES * 4 + 8) + threads * one_workspace
