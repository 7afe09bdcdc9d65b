"""Second opinions: other kinds of damage are tried where a result is not believed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from jigsolve.core import Puzzle
from jigsolve.damage import Damage
from jigsolve.damage.words import AUTO
from jigsolve.errors import InputError
from jigsolve.execution.stop import EARLY, INTERRUPTED
from jigsolve.solvers.solution import Solution

NOT_BELIEVED = 0.6
"""Where fewer seams than this are probably right, something else is tried."""

MOST_PIECES = 3000
"""Larger puzzles take minutes; whoever has one may ask for another damage."""

Solve = Callable[[Puzzle], Solution]
OnOpinion = Callable[[Damage, float], object]
"""Told what is tried next, and how much of the best so far is probably right."""


def best_opinion(first: Solution, solve: Solve, on_opinion: OnOpinion | None = None) -> Solution:
    """Return a solution, or a better explained one that takes the pieces for otherwise damaged.

    Parameters
    ----------
    first
        What was found.
    solve
        Solves a puzzle with the same settings.
    on_opinion
        Called before each further solve.
    """
    best, believed = first, first.believed()
    if (
        believed is None
        or believed >= NOT_BELIEVED
        or first.settings.pricing.damage != AUTO
        or first.code is not None
        or first.stopped in EARLY
        or len(first.puzzle) > MOST_PIECES
    ):
        return first
    for damage in _others(first.puzzle.damage):
        if on_opinion:
            on_opinion(damage, believed)
        try:
            found = solve(replace(first.puzzle, damage=damage))
        except KeyboardInterrupt:  # before it had found anything
            return replace(best, stopped=INTERRUPTED)
        except InputError:  # it would not fit into memory, say
            break
        if (share := found.believed() or 0.0) > believed:
            best, believed = found, share
        if found.stopped in EARLY:
            return replace(best, stopped=found.stopped)
    return best


def _others(damage: Damage) -> Iterator[Damage]:
    """Return what else may have happened, likeliest first."""
    if not damage.soft:
        yield replace(damage, soft=True)
    if not damage.eroded:
        yield replace(damage, eroded=True)
