"""What a run of the genetic algorithm will need."""

from __future__ import annotations

from jigsolve.assembly.cuts import cuts_bytes
from jigsolve.assembly.joining import joining_bytes
from jigsolve.assembly.population import population_bytes
from jigsolve.core import Puzzle
from jigsolve.measures import MEASURES
from jigsolve.pricing.settings import Pricing
from jigsolve.solvers.genetic.annealing import MOST_PIECES
from jigsolve.solvers.genetic.settings import Genetic
from jigsolve.solvers.genetic.site import annealing_bytes

# CPU seconds on a server core of 2023; other machines differ by a factor of two either way.
SECONDS_PER_PLACEMENT = 2e-7
SECONDS_PER_MOVE = 6e-7
USUAL_GENERATIONS = 30
"""A run that stops when it no longer improves takes about so many on average, easy ones four."""
USUAL_DOUBT = 0.1
"""Share of pieces that are in doubt after a round: none of an easy one, a third of a hard one."""
USUAL_ANNEALINGS = 3
"""One for each round, on average."""


def memory_of(puzzle: Puzzle, pricing: Pricing, options: Genetic, threads: int) -> int:
    """Return about how many bytes a run takes beside the seam table."""
    pieces, cells = len(puzzle), len(puzzle) + puzzle.holes
    reranked = MEASURES[pricing.measure].reranked
    memory = population_bytes(options.population, cells, threads)
    if options.seeding == "segments" and not reranked:  # which joins anyway
        memory += joining_bytes(pieces, pricing.candidates)
    if reranked and options.annealing > 0:
        memory += annealing_bytes(pieces, cells, pricing.candidates) + cuts_bytes(cells)
    return memory


def seconds_of(puzzle: Puzzle, pricing: Pricing, options: Genetic, threads: int) -> float:
    """Return about how long a run takes once seams are priced."""
    pieces, generations = len(puzzle), options.generations
    if options.patience is not None:
        generations = min(generations, USUAL_GENERATIONS)
    seconds = pieces * options.population * generations * SECONDS_PER_PLACEMENT / threads
    if MEASURES[pricing.measure].reranked and options.annealing > 0:  # on one thread
        moves = min(pieces * USUAL_DOUBT, MOST_PIECES) * options.annealing
        rounds = 1 if options.patience is None else 1 + options.repairs
        seconds += min(USUAL_ANNEALINGS, rounds) * moves * SECONDS_PER_MOVE
    return seconds
