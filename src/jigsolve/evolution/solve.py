"""The loop: from a puzzle to a solution."""

from __future__ import annotations

import functools
import pickle
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from jigsolve._kernels.crossover import MOST_CELLS_ACROSS, PHASE_NAMES
from jigsolve._kernels.greedy import MOST_PIECES
from jigsolve.errors import InputError
from jigsolve.evolution.history import Generation
from jigsolve.evolution.population import (
    Nursery,
    Population,
    arrangement_of,
    population_bytes,
)
from jigsolve.evolution.selection import SELECTIONS
from jigsolve.evolution.settings import Settings
from jigsolve.evolution.solution import Solution, Timing
from jigsolve.measures import MEASURES
from jigsolve.memory import require_memory
from jigsolve.parallel import crew
from jigsolve.puzzle import Board, Puzzle
from jigsolve.seams import SeamTable, table_bytes

SELECTION, RENUMBERING = range(2)
"""What a random generator of the loop is for; with the seed and a number it makes its key."""

OnGeneration = Callable[[Generation], object]
OnProgress = Callable[[int, int], object]


def solve(
    puzzle: Puzzle,
    settings: Settings | None = None,
    *,
    on_generation: OnGeneration | None = None,
    on_seams: OnProgress | None = None,
    keep_arrangements: bool = False,
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
    on_seams
        Called before and while the seam table is built, with steps done and steps in all.
    keep_arrangements
        Record the best arrangement of every generation, for a film.

    Examples
    --------
    >>> import numpy as np
    >>> ramp = np.add.outer(np.arange(0, 120, 2), np.arange(80)).astype(np.uint8)
    >>> puzzle, truth = Puzzle.cut(ramp, piece=20).shuffle(seed=3)
    >>> solution = solve(puzzle, Settings(population=20, generations=10))
    >>> bool((solution.image()[:, :, 0] == ramp).all())
    True
    """
    settings = (settings or Settings()).for_pieces(len(puzzle))
    check_fits(puzzle, settings)
    clock = _Clock()
    with clock.stage("kernels"):
        prepare_kernels()
    if on_seams:
        on_seams(0, 1)
    with crew(settings.threads or 1) as hands:
        # Pieces get new numbers first: where costs tie, the lower number wins, and the order
        # in which pieces are given may be the truth.
        order = np.random.default_rng([settings.seed, RENUMBERING]).permutation(len(puzzle))
        with clock.stage("seams"):
            measure = MEASURES[settings.measure]
            sides = measure.borders(puzzle.pieces).reshape(len(puzzle), -1)[order]
            table = SeamTable.build(
                sides.reshape(4 * len(puzzle), -1),
                settings.candidates,
                hands,
                power=measure.power,
                progress=on_seams,
            )
        with clock.stage("evolution"):
            nursery = Nursery(table, puzzle.board, settings, hands)
            run = _Run(puzzle, settings, order, on_generation, keep_arrangements)
            try:
                run.evolve(nursery)
            except KeyboardInterrupt:
                if run.best is None:
                    raise
                run.stopped = "interrupted"
    arrangement = run.best_arrangement()
    return Solution(
        puzzle=puzzle,
        arrangement=order[arrangement].astype(np.int32),
        cost=run.lowest,
        seam_costs=table.board_costs(arrangement),
        history=run.history,
        timings=clock.timings,
        settings=settings,
        stopped=run.stopped,
    )


@functools.cache
def prepare_kernels() -> None:
    """Load every kernel, compiling it if this is the first run, by solving four pieces."""
    pieces = np.arange(12, dtype=np.uint8).reshape(4, 1, 1, 3)
    puzzle = Puzzle(pieces, Board(2, 2))
    try:
        with crew(1) as hands:
            for name, measure in MEASURES.items():
                settings = Settings(measure=name, population=6, generations=1, threads=1)
                sides = measure.borders(pieces)
                table = SeamTable.build(sides, 1, hands, power=measure.power)
                run = _Run(puzzle, settings, np.arange(4), None, keep_arrangements=False)
                run.evolve(Nursery(table, puzzle.board, settings, hands))
                table.board_costs(run.best_arrangement())
    except (OSError, EOFError, ValueError, pickle.PickleError) as error:
        # Nothing else here touches files: it is Numba's cache that is damaged or full.
        raise InputError(
            f"the cache of compiled kernels cannot be used ({error}); delete the __pycache__ "
            "folders beside the package, or set NUMBA_CACHE_DIR to another folder"
        ) from error


def check_fits(puzzle: Puzzle, settings: Settings) -> None:
    """Raise unless a puzzle can be solved with these settings on this machine."""
    if len(puzzle) > MOST_PIECES or max(puzzle.board) > MOST_CELLS_ACROSS:
        raise InputError(
            f"expected at most {MOST_PIECES:,} pieces and {MOST_CELLS_ACROSS:,} in a row or "
            f"column, found {puzzle.board.columns:,} x {puzzle.board.rows:,}"
        )
    settings = settings.for_pieces(len(puzzle))
    threads = settings.threads or 1
    needed = table_bytes(len(puzzle), max(puzzle.piece_size), settings.candidates, threads)
    needed += population_bytes(settings.population or 0, len(puzzle), threads)
    require_memory(
        needed, f"solving {len(puzzle):,} pieces with a population of {settings.population:,}"
    )


@dataclass
class _Run:
    """One run of the genetic algorithm, and what it records."""

    puzzle: Puzzle
    settings: Settings
    order: np.ndarray
    on_generation: OnGeneration | None
    keep_arrangements: bool

    def __post_init__(self) -> None:
        self.history: list[Generation] = []
        self.stopped = "generations"
        self.best: np.ndarray | None = None  # neighbour table of the cheapest ever seen
        self.lowest = np.inf
        self._improved_in = 0
        self._began = time.perf_counter()

    def best_arrangement(self) -> np.ndarray:
        """Return the cheapest arrangement seen, in the run's own numbers."""
        assert self.best is not None, "no population was made"
        return arrangement_of(self.best, self.puzzle.board)

    def evolve(self, nursery: Nursery) -> None:
        """Run all generations, or until something stops them."""
        size = self.settings.population or 0
        elites = self.settings.elites
        choose_parents = SELECTIONS[self.settings.selection]
        population = Population.empty(size, len(self.puzzle))
        offspring = Population.empty(size, len(self.puzzle))
        nursery.random_population(population)
        self._record(0, population, dict.fromkeys(PHASE_NAMES, 0.0))
        for number in range(1, self.settings.generations + 1):
            rng = np.random.default_rng([self.settings.seed, SELECTION, number])
            parents = choose_parents(population.costs, size - elites, rng)
            placements = nursery.breed(parents, number, population, offspring)
            elite = np.argsort(population.costs, kind="stable")[:elites]
            offspring.neighbours[size - elites :] = population.neighbours[elite]
            offspring.costs[size - elites :] = population.costs[elite]
            population, offspring = offspring, population
            if self._record(number, population, placements):
                self.stopped = "callback"
                break
            patience = self.settings.patience
            if patience is not None and number - self._improved_in >= patience:
                self.stopped = "patience"
                break

    def _record(self, number: int, population: Population, placements: dict[str, float]) -> bool:
        """Record a generation; return whether the callback wants to stop."""
        costs = population.costs
        cheapest = int(costs.argmin())
        if costs[cheapest] < self.lowest:
            self.lowest = float(costs[cheapest])
            self.best = population.neighbours[cheapest].copy()
            self._improved_in = number
        arrangement = None
        if self.keep_arrangements:
            own = arrangement_of(population.neighbours[cheapest], self.puzzle.board)
            arrangement = self.order[own].astype(np.int32)
            arrangement.flags.writeable = False
        generation = Generation(
            number=number,
            best=float(costs[cheapest]),
            mean=float(costs.mean()),
            worst=float(costs.max()),
            placements=placements,
            seconds=time.perf_counter() - self._began,
            arrangement=arrangement,
        )
        self.history.append(generation)
        if self.on_generation is None:
            return False
        wish = self.on_generation(generation)
        return isinstance(wish, bool | np.bool_) and bool(wish)


class _Clock:
    """Wall and CPU time of each stage."""

    def __init__(self) -> None:
        self.timings: dict[str, Timing] = {}

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        wall, cpu = time.perf_counter(), time.process_time()
        yield
        self.timings[name] = Timing(time.perf_counter() - wall, time.process_time() - cpu)
