"""The options of the genetic algorithm, and its presets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from jigsolve.assembly.phases import OWN_PHASES, PHASES
from jigsolve.core.options import Options, choice, names, share, whole
from jigsolve.errors import InputError
from jigsolve.pricing.settings import MOST_CANDIDATES
from jigsolve.solvers.genetic.selection import SELECTIONS

SEEDINGS = ("segments", "random")
MOST_POPULATION = 10_000_000
MOST_GENERATIONS = 10_000_000
MOST_MOVES = 1_000_000
MOST_BOUNDARIES = 10_000


def _known_phases(found: Any) -> tuple[str, ...]:
    """Return phases; raise unless they are known, and one of them a user's own at most."""
    known = (*PHASES, *OWN_PHASES)
    if not isinstance(found, tuple | list) or not all(
        isinstance(phase, str) and phase in known for phase in found
    ):
        shown = ", ".join(map(str, found)) if isinstance(found, tuple | list) else repr(found)
        raise InputError(f"phases: expected some of {', '.join(known)}, found {shown}")
    if len(own := set(found) & set(OWN_PHASES)) > 1:
        raise InputError(f"phases: expected one of your own at most, found {sorted(own)}")
    return tuple(found)


@dataclass(frozen=True, kw_only=True)
class Genetic(Options):
    """The parameters of the genetic algorithm; the defaults are the `default` preset.

    Examples
    --------
    >>> Genetic(population=50).population
    50
    """

    selection: str = choice(
        "rank", SELECTIONS, "who becomes a parent; roulette, 1 / cost, is the paper's"
    )
    seeding: str = choice(
        "segments",
        SEEDINGS,
        "where the first generation comes from: segments that sure seams hold together, each time "
        "completed in another way, or chance",
    )
    population: int = whole(100, 2, MOST_POPULATION, "arrangements in a generation")
    generations: int = whole(
        400,
        0,
        MOST_GENERATIONS,
        "the most generations to evolve; with 0 the best of the first population is the solution",
    )
    elites: int = whole(
        4, 0, MOST_POPULATION - 1, "best arrangements of a generation that live on unchanged"
    )
    mutation: float = share(
        0.05, "share of children with a mutation: one placement takes a random piece"
    )
    patience: int | None = whole(
        4,
        1,
        MOST_GENERATIONS,
        "end a round after N generations in which the cost did not fall by 0.2 %%, 0 never does",
        none=0,
    )
    repairs: int = whole(
        20,
        0,
        MOST_GENERATIONS,
        "most rounds that take apart what was found, join it anew and evolve again; with any, a "
        "picture that came out rolled is rolled back",
    )
    annealing: int = whole(
        12000,
        0,
        MOST_MOVES,
        "moves tried in a round for each piece in doubt, for 5,000 pieces at most; for learned",
    )
    phases: tuple[str, ...] = names(
        PHASES,
        _known_phases,
        "A,B,...",
        f"phases of the crossover to use, of {','.join(PHASES)} (none: random only)",
    )
    boundaries: int = whole(
        16,
        1,
        MOST_BOUNDARIES,
        "random boundaries the greedy phase looks at, to fill the surest",
    )
    weighed: int = whole(
        4,
        1,
        MOST_CANDIDATES,
        "candidates the greedy phase weighs by all seams of a cell",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.elites >= self.population:
            raise InputError(
                f"elites: expected fewer than the population of {self.population}, "
                f"found {self.elites}"
            )


PAPER = Genetic(
    selection="roulette",
    seeding="random",
    population=1000,
    generations=100,
    patience=None,
    repairs=0,
    annealing=0,
    boundaries=1,
    weighed=1,
)
"""Sholomon, David and Netanyahu; docs/paper.md says how the places the paper leaves open are
read."""
