"""How a child grows from two parents: the kernel at several moments."""

from __future__ import annotations

import numpy as np
from PIL import ImageColor

from jigsolve._kernels.growing import PHASE_NAMES
from jigsolve.assembly.population import Growth, Nursery, Population, arrangement_of
from jigsolve.core import Puzzle
from jigsolve.core.poses import pieces_of
from jigsolve.core.randomness import SELECTION, stream
from jigsolve.execution.crew import Progress
from jigsolve.execution.work import working
from jigsolve.lab.figures.panels import Panel, lay_out
from jigsolve.pricing.prepared import prepare
from jigsolve.solvers.genetic.selection import select
from jigsolve.solvers.genetic.settings import Genetic
from jigsolve.solvers.genetic.solver import growing_of
from jigsolve.solvers.settings import Settings

MOMENTS = (0.025, 0.16, 0.42, 0.6, 0.8)
"""How much of the child has grown, at each stage shown."""

EMPTY = 225
COLOURS = {
    "agreed": "green",
    "best-buddy": "blue",
    "own": "cyan",
    "greedy": "orange",
    "random": "purple",
    "mutation": "red",
    "first": "black",
}


def draw_crossover(
    puzzle: Puzzle, settings: Settings, generation: int, *, progress: Progress | None = None
) -> np.ndarray:
    """Draw two parents of a generation, stages of their child, and which phase placed what."""
    options, seed = settings.options, settings.seed
    assert isinstance(options, Genetic), "only these have parents"
    with working(settings.threads) as work:
        prepared = prepare(puzzle, settings.pricing, seed, work)
        nursery = Nursery(
            prepared.table,
            puzzle.board,
            growing_of(options),
            work.crew,
            seed=seed,
            threads=work.threads,
        )
        population = _evolved(nursery, options, seed, len(puzzle), generation, progress)
        rng = stream(seed, SELECTION, generation + 1)
        mother, father = _different_parents(population, options, rng)
        growth = nursery.witness((mother, father), generation + 1, population)
    renumbered = Puzzle(puzzle.pieces[prepared.order], puzzle.board)
    return _draw(renumbered, population, (mother, father), growth, generation)


def _evolved(
    nursery: Nursery,
    options: Genetic,
    seed: int,
    pieces: int,
    generations: int,
    progress: Progress | None,
) -> Population:
    """Return the population after some generations, from chance, without elites."""
    size = options.population
    population, offspring = Population.empty(size, pieces), Population.empty(size, pieces)
    nursery.random_population(population)
    if progress:
        progress(0, max(generations, 1))
    for number in range(1, generations + 1):
        rng = stream(seed, SELECTION, number)
        parents = select(options.selection, population.costs, size, rng)
        nursery.breed(parents, number, population, offspring)
        population, offspring = offspring, population
        if progress:
            progress(number, generations)
    return population


def _different_parents(
    population: Population, options: Genetic, rng: np.random.Generator
) -> tuple[int, int]:
    pairs = select(options.selection, population.costs, 100, rng)
    for mother, father in pairs:
        if not np.array_equal(population.neighbours[mother], population.neighbours[father]):
            return int(mother), int(father)
    return int(pairs[0, 0]), int(pairs[0, 1])


def _draw(
    puzzle: Puzzle,
    population: Population,
    parents: tuple[int, int],
    growth: Growth,
    generation: int,
) -> np.ndarray:
    panels = [
        Panel(
            puzzle.image(_arrangement(population.neighbours[parent], puzzle)),
            f"parent {number} (generation {generation})",
        )
        for number, parent in enumerate(parents, 1)
    ]
    child = _arrangement(growth.neighbours, puzzle)
    moment = np.empty(len(puzzle), np.int64)
    moment[growth.placed] = np.arange(len(puzzle))
    for share in MOMENTS:
        count = max(2, round(share * len(puzzle)))
        shown = puzzle.image(child)
        shown[_spread(moment[child] >= count, puzzle)] = EMPTY
        panels.append(Panel(shown, f"{count} pieces"))
    panels.append(Panel(puzzle.image(child), "child"))
    phase = growth.phases[moment[child]]
    counts = np.bincount(phase.ravel(), minlength=len(PHASE_NAMES))
    named = {name: int(count) for name, count in zip(PHASE_NAMES, counts, strict=True)}
    tints = np.array([ImageColor.getrgb(COLOURS[name]) for name in PHASE_NAMES], np.float64)
    tinted = 0.45 * puzzle.image(child) + 0.55 * _spread(tints[phase], puzzle)
    said = ", ".join(f"{n} {c} ({COLOURS[n]})" for n, c in named.items() if c and n != "first")
    panels.append(Panel(tinted.astype(np.uint8), said))
    return lay_out(panels, columns=3)


def _arrangement(neighbours: np.ndarray, puzzle: Puzzle) -> np.ndarray:
    return pieces_of(arrangement_of(neighbours, puzzle.board, len(puzzle)))


def _spread(cells: np.ndarray, puzzle: Puzzle) -> np.ndarray:
    """Give every pixel what its cell has."""
    height, width = puzzle.piece_size
    return np.repeat(np.repeat(cells, height, axis=0), width, axis=1)
