"""What a run will need, before it begins."""

from __future__ import annotations

from dataclasses import dataclass, replace

from jigsolve._kernels.greedy import MOST_PIECES
from jigsolve._kernels.growing import MOST_CELLS_ACROSS
from jigsolve.core import Puzzle
from jigsolve.errors import InputError
from jigsolve.execution.clock import time_in_words
from jigsolve.execution.crew import ALONE, Executor
from jigsolve.execution.memory import Room, free_memory, in_words, require_memory
from jigsolve.measures import MEASURES
from jigsolve.pricing.foresight import pricing_bytes, pricing_seconds, shelf_bytes
from jigsolve.solvers.registry import solver_of
from jigsolve.solvers.settings import Settings

CHEAPER = "extrapolation"
"""The best measure that needs no network."""
MOST_FOR_PRICING = 0.5
"""Share of the time there is that pricing may take: what has to be found needs the rest."""


@dataclass(frozen=True)
class Foresight:
    """About how much memory and time a run will take."""

    pieces: int
    memory: int
    """Bytes."""
    seconds: float
    """Wall time with the threads of the settings."""
    disk: int = 0
    """Bytes on a shelf, besides what it has."""
    room: Room | None = None
    """What the shelf has room for."""

    def __str__(self) -> str:
        memory = f"about {in_words(self.memory)} of the {in_words(free_memory())} free"
        if self.room:
            memory += f", {in_words(self.disk)} of the {in_words(self.room.free)} on the shelf"
        return f"{self.pieces:,} pieces: {memory} and {time_in_words(self.seconds)}"


def foresee(puzzle: Puzzle, settings: Settings, crew: Executor = ALONE) -> Foresight:
    """Estimate a run; raise where it cannot be made on this machine."""
    solver, given = solver_of(settings.options), (puzzle, settings.pricing)
    options, threads = settings.options, settings.threads
    pricing = _of_pricing(puzzle, settings, crew)
    whole = replace(
        pricing,
        memory=pricing.memory + solver.memory(*given, options, threads),
        seconds=pricing.seconds + solver.seconds(*given, options, threads),
    )
    require_memory(whole.memory, f"solving {len(puzzle):,} pieces{_of_how_many(settings)}")
    return whole


def foresee_pricing(puzzle: Puzzle, settings: Settings, crew: Executor = ALONE) -> Foresight:
    """Estimate pricing a puzzle's seams; raise where this machine cannot."""
    pricing = _of_pricing(puzzle, settings, crew)
    require_memory(pricing.memory, f"pricing the seams of {len(puzzle):,} pieces")
    return pricing


def _of_pricing(puzzle: Puzzle, settings: Settings, crew: Executor) -> Foresight:
    """Estimate pricing; raise where there are too many pieces, or a shelf has no room for them."""
    if len(puzzle) > MOST_PIECES or max(puzzle.board) > MOST_CELLS_ACROSS:
        raise InputError(
            f"expected at most {MOST_PIECES:,} pieces and {MOST_CELLS_ACROSS:,} in a row or "
            f"column, found {puzzle.board.columns:,} x {puzzle.board.rows:,}"
        )
    given = puzzle, settings.pricing
    room, disk = crew.room(), 0
    if room:
        needed = shelf_bytes(*given)
        disk = needed.arrays + max(0, needed.values - room.taken)
        room.require(disk)
    memory = pricing_bytes(*given, settings.threads, on_disk=room is not None)
    seconds = pricing_seconds(*given, settings.threads, by_rows=not crew.is_local)
    return Foresight(len(puzzle), memory, seconds, disk, room)


def _of_how_many(settings: Settings) -> str:
    population = getattr(settings.options, "population", None)
    return f" with a population of {population:,}" if population else ""


def planned_within(puzzle: Puzzle, settings: Settings, seconds: float) -> Settings:
    """Return settings whose pricing leaves time to solve, where so many seconds are left in all."""
    if not MEASURES[settings.pricing.measure].reranked:
        return settings
    needed = pricing_seconds(puzzle, settings.pricing, settings.threads)
    if needed <= MOST_FOR_PRICING * seconds:
        return settings
    return settings.changed(measure=CHEAPER)
