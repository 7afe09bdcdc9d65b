"""One run of the genetic algorithm: generation after generation."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from jigsolve._kernels.growing import PHASE_NAMES
from jigsolve.assembly.population import Nursery, Population, arrangement_of
from jigsolve.assembly.segments import Segments
from jigsolve.core import Board
from jigsolve.core.layout import Layout, way_up
from jigsolve.core.randomness import SELECTION, stream
from jigsolve.core.turns import NONE, POSES, Placement
from jigsolve.execution.events import Arranged, Events
from jigsolve.execution.stop import Stop, Stopped
from jigsolve.solvers.genetic.checkpoint import Checkpoint, Snapshot
from jigsolve.solvers.genetic.history import Generation
from jigsolve.solvers.genetic.patience import Patience
from jigsolve.solvers.genetic.selection import select
from jigsolve.solvers.genetic.settings import Genetic

Refine = Callable[[np.ndarray, int], tuple[np.ndarray, float]]
Reassemble = Callable[[np.ndarray, bool], Segments | None]


@dataclass
class Run:
    """What a run is given, and what it records on the way."""

    board: Board
    options: Genetic
    seed: int
    order: np.ndarray  # the given number of each of the run's own piece numbers
    turns: str = NONE
    events: Events = field(default_factory=Events)
    stop: Stop = field(default_factory=Stop)
    keep_arrangements: bool = False
    checkpoint: Checkpoint | None = None
    layout: Layout | None = None

    history: list[Generation] = field(default_factory=list)
    stopped: str = "generations"
    best: np.ndarray | None = None  # neighbour table of the cheapest arrangement seen
    lowest: float = np.inf

    def __post_init__(self) -> None:
        self.patience = Patience(self.options.patience, self.options.repairs)

    def best_arrangement(self) -> np.ndarray:
        """Return the cheapest arrangement seen, as poses by the run's own numbers."""
        assert self.best is not None, "no population was made"
        return self._arrangement(self.best)

    def _arrangement(self, neighbours: np.ndarray) -> np.ndarray:
        found = arrangement_of(neighbours, self.board, len(self.order), POSES[self.turns])
        return self.layout.upright(found) if self.layout else found

    def evolve(
        self,
        nursery: Nursery,
        segments: Segments | None = None,
        resumed: Snapshot | None = None,
        refine: Refine | None = None,
        reassemble: Reassemble | None = None,
        members: Sequence[np.ndarray] = (),
    ) -> None:
        """Run all generations, or until something stops them.

        The first one comes from segments if there are some, or else from chance; `members`,
        arrangements of poses, are part of it. When a round is
        over, `refine` makes another arrangement of the one it found and says what that costs; the
        next round begins with what `reassemble` makes of the cheapest one so far, with caution or
        without.
        """
        room = (self.options.population, nursery.pieces, nursery.holes)
        population, offspring = Population.empty(*room), Population.empty(*room)
        self._began = time.perf_counter()
        if resumed is None:
            if segments is None:
                nursery.random_population(population)
            else:
                nursery.complete(segments, 0, population)
            for index, arrangement in enumerate(members[: self.options.population]):
                nursery.enter(arrangement, index, population)
            self._record(0, population, dict.fromkeys(PHASE_NAMES, 0.0))
        else:
            self._take_up(resumed, population)
        number = self.history[-1].number
        self._keep_in_mind(number, population)
        try:
            self.stop.check()
            while number < self.options.generations:
                if not self.patience.is_out(number):
                    placements = self._next_generation(nursery, number + 1, population, offspring)
                elif segments := self._taken_apart(number, population, refine, reassemble):
                    nursery.complete(segments, number + 1, offspring)
                    placements = dict.fromkeys(PHASE_NAMES, 0.0)
                else:
                    self.stopped = "patience"
                    return
                population, offspring = offspring, population
                number += 1
                self._record(number, population, placements)
                self._keep_in_mind(number, population)
                if self.checkpoint and self.checkpoint.is_due():
                    self.write_checkpoint()
                self.stop.check()
            self._refine(number, population, refine)
        except (KeyboardInterrupt, Stopped):
            self.write_checkpoint()
            raise

    def write_checkpoint(self) -> None:
        """Write the last generation that is complete, if checkpoints are wanted."""
        if self.checkpoint:
            self.checkpoint.write(self._last())

    def _next_generation(
        self, nursery: Nursery, number: int, population: Population, offspring: Population
    ) -> dict[str, float]:
        """Fill `offspring`; return the share of placements per phase."""
        elites = self.options.elites
        children = len(population.costs) - elites
        rng = stream(self.seed, SELECTION, number)
        parents = select(self.options.selection, population.costs, children, rng)
        placements = nursery.breed(parents, number, population, offspring)
        elite = np.argsort(population.costs, kind="stable")[:elites]
        offspring.neighbours[children:] = population.neighbours[elite]
        offspring.costs[children:] = population.costs[elite]
        return placements

    def _taken_apart(
        self,
        number: int,
        population: Population,
        refine: Refine | None,
        reassemble: Reassemble | None,
    ) -> Segments | None:
        """Return the segments that another round begins with; None if there is none."""
        self._refine(number, population, refine)
        if reassemble is None or not self.patience.allows_another_round():
            return None
        return reassemble(self.best_arrangement(), self.patience.in_vain > 0)

    def _refine(self, number: int, population: Population, refine: Refine | None) -> None:
        """Refine what a round has found."""
        if refine is not None:
            cheapest = population.neighbours[int(population.costs.argmin())]
            arrangement, cost = refine(self._arrangement(cheapest), self.patience.rounds)
            self.consider(arrangement, cost)
            self.patience.note(number, cost)

    def consider(self, arrangement: np.ndarray, cost: float) -> None:
        """Keep an arrangement in mind if it is the cheapest seen."""
        if cost < self.lowest:
            room = Population.empty(1, len(self.order), int(np.count_nonzero(arrangement < 0)))
            self.best, self.lowest = room.set_arrangement(0, arrangement), cost
            self._tell_of_the_best()

    def _tell_of_the_best(self) -> None:
        if self.events.are_heard:
            found = self._given(self.best_arrangement())
            self.events.tell(Arranged(found.pieces, self.lowest, self._told(found.turns)))

    def _given(self, poses: np.ndarray) -> Placement:
        return way_up(poses, self.order, self.turns, self.layout)

    def _told(self, turns: np.ndarray) -> np.ndarray | None:
        return None if self.turns == NONE else turns

    def take(self, population: Population) -> None:
        """Record the population that a run begins with where it ends before it has one."""
        self._began = time.perf_counter()
        self._record(0, population, dict.fromkeys(PHASE_NAMES, 0.0))

    def _record(self, number: int, population: Population, placements: dict[str, float]) -> None:
        """Record a generation, and tell of it."""
        costs = population.costs
        cheapest = int(costs.argmin())
        if costs[cheapest] < self.lowest:
            self.lowest = float(costs[cheapest])
            self.best = population.neighbours[cheapest].copy()
            self._tell_of_the_best()
        self.patience.note(number, float(costs[cheapest]))
        arrangement = turns = None
        if self.keep_arrangements:
            found = self._given(self._arrangement(population.neighbours[cheapest]))
            arrangement, turns = found.pieces, self._told(found.turns)
            arrangement.flags.writeable = False
        generation = Generation(
            number=number,
            best=float(costs[cheapest]),
            mean=float(costs.mean()),
            worst=float(costs.max()),
            placements=placements,
            seconds=time.perf_counter() - self._began,
            arrangement=arrangement,
            turns=turns,
        )
        self.history.append(generation)
        self.events.tell(generation)

    def _keep_in_mind(self, number: int, population: Population) -> None:
        """Keep what a snapshot needs; making the next generation does not touch it."""
        patience, best, lowest = dataclasses.replace(self.patience), self.best, self.lowest

        def snapshot() -> Snapshot:
            assert best is not None
            return Snapshot(
                arrangements=np.stack([self._arrangement(n) for n in population.neighbours]),
                costs=population.costs.copy(),
                best=self._arrangement(best),
                lowest=lowest,
                patience=patience,
                history=self.history[: number + 1],
            )

        self._last = snapshot

    def _take_up(self, snapshot: Snapshot, population: Population) -> None:
        """Go on where a snapshot was taken."""
        for index, arrangement in enumerate(snapshot.arrangements):
            population.set_arrangement(index, arrangement)
        population.costs[:] = snapshot.costs
        room = Population.empty(1, len(self.order), population.holes)
        self.best = room.set_arrangement(0, snapshot.best)
        self.lowest = snapshot.lowest
        self.patience = dataclasses.replace(snapshot.patience)
        self.history = list(snapshot.history)
        self._began -= self.history[-1].seconds
