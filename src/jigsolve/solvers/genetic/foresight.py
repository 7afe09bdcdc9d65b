"""What a run will need, before it begins."""

from __future__ import annotations

from dataclasses import dataclass

from jigsolve._kernels.costs import GRADIENTS
from jigsolve._kernels.greedy import MOST_PIECES
from jigsolve._kernels.growing import MOST_CELLS_ACROSS
from jigsolve.assembly.cuts import cuts_bytes
from jigsolve.assembly.joining import joining_bytes
from jigsolve.assembly.population import population_bytes
from jigsolve.core import Puzzle
from jigsolve.damage.words import resolved
from jigsolve.errors import InputError
from jigsolve.execution.memory import free_memory, in_words, require_memory
from jigsolve.measures import MEASURES
from jigsolve.measures.judges import damaged_bytes
from jigsolve.measures.learned import rerank_bytes, usual_seams
from jigsolve.measures.proposals import listed
from jigsolve.measures.traces import traces_bytes
from jigsolve.seams.table import table_bytes
from jigsolve.solvers.genetic.annealing import MOST_MOVES_A_ROUND, annealing_bytes
from jigsolve.solvers.genetic.settings import Settings

# CPU seconds on a server core of 2023; other machines differ by a factor of two either way.
SECONDS_PER_PAIR_AND_VALUE = 1.6e-10
SECONDS_PER_PLACEMENT = 2e-7
SECONDS_PER_SEAM_AND_PIXEL = 0.65e-6
DAMAGED_TIMES = 6
"""Of damaged pieces no side is sure, twice as many candidates are scored, by more layers."""
SECONDS_PER_MOVE = 1.5e-6
USUAL_GENERATIONS = 30
"""A run that stops when it no longer improves takes about so many on average, easy ones four."""
USUAL_DOUBT = 0.1
"""Share of pieces that are in doubt after a round: none of an easy one, a third of a hard one."""
USUAL_ANNEALINGS = 3
"""One for each round, on average."""


@dataclass(frozen=True)
class Foresight:
    """About how much memory and time a run will take."""

    pieces: int
    memory: int
    """Bytes."""
    seconds: float
    """Wall time with the threads of the settings."""

    def __str__(self) -> str:
        return (
            f"{self.pieces:,} pieces: about {in_words(self.memory)} of the "
            f"{in_words(free_memory())} free and {time_in_words(self.seconds)}"
        )


def foresee(puzzle: Puzzle, settings: Settings) -> Foresight:
    """Estimate a run; raise where it cannot be made on this machine."""
    if len(puzzle) > MOST_PIECES or max(puzzle.board) > MOST_CELLS_ACROSS:
        raise InputError(
            f"expected at most {MOST_PIECES:,} pieces and {MOST_CELLS_ACROSS:,} in a row or "
            f"column, found {puzzle.board.columns:,} x {puzzle.board.rows:,}"
        )
    pieces = len(puzzle)
    settings = settings.with_threads()
    threads, population = settings.threads or 1, settings.population
    measure = MEASURES[settings.measure]
    is_damaged = measure.reranked and not resolved(settings.damage, puzzle.damage).is_none
    longest = max(puzzle.piece_size)
    memory = table_bytes(pieces, longest, settings.candidates, threads, measure.rule)
    if measure.reranked:
        kept = max(settings.candidates, listed(pieces))
        memory += table_bytes(pieces, longest, kept, threads, GRADIENTS)
        memory += rerank_bytes(pieces, longest)
        if is_damaged:
            memory += damaged_bytes(pieces, longest)
    if measure.traced:
        memory += traces_bytes(pieces, longest)
    is_annealed = measure.reranked and settings.annealing > 0
    if settings.seeding == "segments" or measure.reranked:
        memory += joining_bytes(pieces, settings.candidates)
    if is_annealed:
        cells = pieces + puzzle.holes
        memory += annealing_bytes(pieces, cells, settings.candidates) + cuts_bytes(cells)
    memory += population_bytes(population, pieces + puzzle.holes, threads)
    require_memory(memory, f"solving {pieces:,} pieces with a population of {population:,}")
    generations = settings.generations
    if settings.patience is not None:
        generations = min(generations, USUAL_GENERATIONS)
    parts = 6 if measure.rule == GRADIENTS else 9 if measure.reranked else 3
    cpu = pieces**2 * parts * sum(puzzle.piece_size) * SECONDS_PER_PAIR_AND_VALUE
    if measure.reranked:
        work = usual_seams(pieces) * sum(puzzle.piece_size) * SECONDS_PER_SEAM_AND_PIXEL
        cpu += work * DAMAGED_TIMES if is_damaged else work
    cpu += pieces * population * generations * SECONDS_PER_PLACEMENT
    seconds = cpu / threads
    if is_annealed:  # on one thread
        moves = min(pieces * USUAL_DOUBT * settings.annealing, MOST_MOVES_A_ROUND)
        rounds = 1 if settings.patience is None else 1 + settings.repairs
        seconds += min(USUAL_ANNEALINGS, rounds) * moves * SECONDS_PER_MOVE
    return Foresight(pieces=pieces, memory=memory, seconds=seconds)


def time_in_words(seconds: float) -> str:
    """Return a length of time for people, such as 5 minutes."""
    if seconds < 1.5:
        return "a second"
    for unit, length in (("seconds", 1), ("minutes", 60), ("hours", 3600)):
        if seconds < 100 * length:
            return f"{seconds / length:.0f} {unit}"
    return f"{seconds / 86400:.0f} days"
