"""A population, and how the next one is made on all cores."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from queue import SimpleQueue

import numpy as np

from jigsolve._kernels.arrangements import (
    arrangement_cost,
    grid_from_neighbours,
    neighbours_from_grid,
)
from jigsolve._kernels.crossover import ALL_AT_RANDOM, OPEN, Rules, grow_children
from jigsolve._kernels.geometry import SIDES, TURNS, pose_of, posed_piece
from jigsolve._kernels.growing import PHASE_NAMES, Workspace, workspace
from jigsolve._kernels.phases import NO_PHASE
from jigsolve.assembly.keeping import kept_by
from jigsolve.assembly.phases import OWN_PHASES, PHASES
from jigsolve.assembly.segments import Segments
from jigsolve.core import Board
from jigsolve.core.layout import Layout
from jigsolve.core.randomness import STARTS, stream
from jigsolve.execution.crew import Executor, spans
from jigsolve.seams.table import SeamTable

PLACEMENTS_PER_JOB = 500_000
"""A job of a thread is some tenths of a second: short enough to stop soon after Ctrl-C."""


@dataclass(frozen=True)
class Population:
    """Arrangements as neighbour tables: for each side of each piece the side that it touches.

    Empty cells have numbers past the last piece, in the order of the rows.
    """

    neighbours: np.ndarray  # (size, n, 4) int32, BEYOND the board or, of strays, NOWHERE
    costs: np.ndarray  # (size,) float64
    holes: int = 0
    """How many of the numbers are those of empty cells."""

    @classmethod
    def empty(cls, size: int, pieces: int, holes: int = 0) -> Population:
        """Allocate room for a population of so many pieces and empty cells."""
        neighbours = np.empty((size, pieces + holes, SIDES), np.int32)
        return cls(neighbours, np.empty(size, np.float64), holes)

    def set_arrangement(self, index: int, arrangement: np.ndarray) -> np.ndarray:
        """Make one member an arrangement of poses, (rows, columns), -1 where a cell is empty.

        Returns its neighbour table.
        """
        grid = np.array(arrangement, np.int32)
        empty = np.count_nonzero(grid < 0)
        last = self.neighbours.shape[1]
        grid[grid < 0] = pose_of(np.arange(last - self.holes, last - self.holes + empty), 0)
        neighbours_from_grid(grid.ravel(), *grid.shape, 0, 0, self.neighbours[index])
        table: np.ndarray = self.neighbours[index]
        return table


def arrangement_of(neighbours: np.ndarray, board: Board, pieces: int, poses: int = 1) -> np.ndarray:
    """Return the arrangement of poses, (rows, columns), of a neighbour table.

    -1 where a cell is empty. Pieces may lie in one, two or four ways.
    """
    grid = np.empty(board.rows * board.columns, np.int32)
    grid_from_neighbours(neighbours, *board, poses, pieces, grid)
    return np.where(posed_piece(grid) < pieces, grid, np.int32(-1)).reshape(board)


@dataclass(frozen=True)
class Growing:
    """How arrangements grow; `solvers.genetic.settings` says what each of these is."""

    phases: tuple[str, ...] = PHASES
    mutation: float = 0.05
    boundaries: int = 16
    weighed: int = 4


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

    def __init__(
        self,
        table: SeamTable,
        board: Board,
        growing: Growing,
        crew: Executor,
        *,
        seed: int = 0,
        threads: int = 1,
        holes: int = 0,
        layout: Layout | None = None,
    ) -> None:
        self.pieces = table.pieces
        self.holes = holes
        pieces = self.pieces + holes
        self._seams = table.arrays
        self._poses = table.arrays.poses
        self._crew = crew
        self._seed = seed
        self._board = board
        self._per_job = max(1, PLACEMENTS_PER_JOB // pieces)
        own = next((OWN_PHASES[name] for name in growing.phases if name in OWN_PHASES), None)
        self._rules = Rules(
            rows=board.rows,
            columns=board.columns,
            agreed="agreed" in growing.phases,
            buddy="best-buddy" in growing.phases,
            greedy="greedy" in growing.phases,
            mutation=float(growing.mutation),
            boundaries=growing.boundaries,
            weighed=growing.weighed,
            has_own=own is not None,
            own=own or NO_PHASE,
            kept=kept_by(layout, board),
        )
        searched = table.arrays.order.shape
        self._workspaces = [workspace(pieces, searched) for _ in range(threads)]
        self._idle: SimpleQueue[Workspace] = SimpleQueue()
        for work in self._workspaces:
            self._idle.put(work)

    def random_population(self, population: Population) -> None:
        """Fill a population with random arrangements."""
        size = len(population.costs)
        nobody = np.zeros((size, 2), np.int64)
        starts = np.full((size, 3), ALL_AT_RANDOM, np.int64)
        self._grow(self._rules, 0, population.neighbours, nobody, starts, population)

    def complete(self, segments: Segments, generation: int, population: Population) -> None:
        """Fill a population with segments completed to arrangements, each in another way.

        The moments of the segments take turns; each arrangement grows from a random piece of
        the largest segment. For half of them it is decided at random where on the board that
        segment lies: growth alone may go too far on one side and leave no room on the other.
        """
        rules = self._rules._replace(agreed=True)  # or else no segment would stay together
        rng = stream(self._seed, STARTS, generation)
        no_neighbours = ((0, 0), (0, self.holes), (0, 0))
        moments = np.pad(segments.neighbours, no_neighbours, constant_values=-1)
        starts = _open_starts(len(population.costs))
        for i, start in enumerate(starts):
            largest = segments.largest[i % len(segments.largest)]
            index = int(rng.integers(len(largest.pieces)))
            if self._poses == TURNS:
                largest = largest.turned_onto(self._board, rng)
            start[0] = pose_of(largest.pieces[index], largest.turns[index])
            if i // len(segments.largest) % 2:
                room = np.subtract(self._board, largest.extent)
                start[1:] = largest.places[index] + rng.integers(room, endpoint=True)
        own = np.arange(len(starts)) % len(moments)
        parents = np.stack([own, own], axis=1)  # that agree on all that is in a segment
        self._grow(rules, generation, moments, parents, starts, population)

    def enter(self, arrangement: np.ndarray, index: int, population: Population) -> None:
        """Make one member of a population an arrangement of poses that is given."""
        neighbours = population.set_arrangement(index, arrangement)
        population.costs[index] = arrangement_cost(self._seams, neighbours)

    def made_to_keep(self, arrangement: np.ndarray) -> np.ndarray:
        """Return what becomes of an arrangement of poses if it must keep what is known.

        It is its own mother and father: all that can be as in both is.
        """
        parent, child = (Population.empty(1, self.pieces, self.holes) for _ in range(2))
        self.enter(arrangement, 0, parent)
        self.breed(np.zeros((1, 2), np.int64), 0, parent, child)
        return arrangement_of(child.neighbours[0], self._board, self.pieces, self._poses)

    def breed(
        self, parents: np.ndarray, generation: int, population: Population, children: Population
    ) -> dict[str, float]:
        """Fill `children` with one child for each pair of parents.

        Later entries of `children` are left alone. Returns the share of placements per phase.
        """
        for work in self._workspaces:
            work.tally[:] = 0
        starts = _open_starts(len(parents))
        self._grow(self._rules, generation, population.neighbours, parents, starts, children)
        tally = sum(work.tally for work in self._workspaces)
        total = max(int(np.sum(tally)), 1)
        return {
            name: int(count) / total
            for name, count in zip(PHASE_NAMES, np.asarray(tally), strict=True)
        }

    def witness(self, parents: tuple[int, int], generation: int, population: Population) -> Growth:
        """Grow one child, and say how it grew."""
        child = Population.empty(1, self.pieces, self.holes)
        work = self._idle.get()
        try:
            grow_children(
                self._seams,
                self._rules,
                work,
                self._seed,
                generation,
                population.neighbours,
                np.array([parents], np.int64),
                _open_starts(1),
                0,
                1,
                child.neighbours,
                child.costs,
            )
            return Growth(child.neighbours[0], work.placed.copy(), work.phases.copy())
        finally:
            self._idle.put(work)

    def _grow(
        self,
        rules: Rules,
        generation: int,
        known: np.ndarray,
        parents: np.ndarray,
        starts: np.ndarray,
        children: Population,
    ) -> None:
        """Grow a child of each pair of known neighbour tables, from where each starts."""

        def grow(work: Workspace, first: int, last: int) -> None:
            grow_children(
                self._seams,
                rules,
                work,
                self._seed,
                generation,
                known,
                parents,
                starts,
                first,
                last,
                children.neighbours,
                children.costs,
            )

        self._share_out(len(parents), grow)

    def _share_out(self, count: int, work_on: Callable[[Workspace, int, int], None]) -> None:
        def job(span: tuple[int, int]) -> None:
            work = self._idle.get()
            try:
                work_on(work, *span)
            finally:
                self._idle.put(work)

        per_job = min(self._per_job, -(-count // len(self._workspaces)))
        self._crew.map(job, spans(count, max(per_job, 1)))


def _open_starts(count: int) -> np.ndarray:
    """Return starts that leave open which pose is the first, and where on the board it lies."""
    return np.full((count, 3), OPEN, np.int64)


def population_bytes(size: int, pieces: int, threads: int) -> int:
    """Return the memory two generations and the threads' workspaces take."""
    few = 8
    one_workspace = sum(array.nbytes for array in workspace(few)) * pieces // few
    return 2 * size * (pieces * SIDES * 4 + 8) + threads * one_workspace
