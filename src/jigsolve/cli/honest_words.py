"""What the command says of its result: what was taken for granted, and how far it is believed."""

from __future__ import annotations

from collections.abc import Iterator

from jigsolve.cli.printing import say
from jigsolve.damage import Damage
from jigsolve.damage.words import AUTO, described
from jigsolve.solvers.solution import Solution

DOUBTFUL = 0.8
"""Where fewer seams than this are probably right, the command warns."""

GUIDE = "docs/howto-failed.md"


def tell_of_damage(damage: Damage) -> None:
    """Say what pieces are taken for, where that is not as they were cut."""
    if not damage.is_none:
        say(f"the pieces seem {described(damage)} (if not, say so with --damage)")


def tell_of_opinion(damage: Damage, believed: float) -> None:
    """Say that another kind of damage is tried."""
    say(f"only about {believed:.0%} of the seams seem right; trying pieces {described(damage)}")


def is_doubtful(solution: Solution) -> bool:
    """Say whether much is probably wrong."""
    believed = solution.believed()
    return believed is not None and believed < DOUBTFUL


def states_confidence(solution: Solution) -> bool:
    """Say whether it is known how far the result is to be believed."""
    return solution.code is not None or solution.prepared.measure.states_confidence


def words_on(solution: Solution, kept_damage: Damage | None) -> Iterator[str]:
    """Say which opinion was kept where there were several, and warn where much is wrong.

    Also where it is not known how much is.
    """
    if kept_damage is not None:
        yield f"kept: pieces {described(kept_damage)}"
    if is_doubtful(solution):
        yield f"careful: {words_of_doubt(solution)}"
    elif not states_confidence(solution):
        measure = solution.settings.pricing.measure
        yield f"how much of it is right {measure} cannot say; --measure learned can"


def words_of_doubt(solution: Solution) -> str:
    """Say how much is probably right, and what to try next."""
    tries = ["--overlay to see where"]
    if solution.settings.pricing.damage == AUTO and not solution.code:
        tries.append(f"--damage ({GUIDE} says which)")
    tries.append("--reference if there is a picture of it")
    return (
        f"only about {solution.believed() or 0:.0%} of the seams are probably right; "
        f"try {', '.join(tries)}"
    )
