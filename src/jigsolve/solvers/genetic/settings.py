"""How to evolve: every parameter, and the presets."""

from __future__ import annotations

import dataclasses
import numbers
from dataclasses import dataclass

from jigsolve.core.checks import check_seed, whole_number
from jigsolve.damage.words import AUTO, check_damage
from jigsolve.errors import InputError
from jigsolve.execution.crew import available_threads
from jigsolve.measures import MEASURES
from jigsolve.solvers.genetic.phases import OWN_PHASES, PHASES
from jigsolve.solvers.genetic.selection import SELECTIONS

SEEDINGS = ("segments", "random")
MOST_THREADS = 1024
MOST_POPULATION = 10_000_000
MOST_GENERATIONS = 10_000_000
MOST_MOVES = 1_000_000
MOST_BOUNDARIES = 10_000
MOST_CANDIDATES = 1024


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The parameters of the genetic algorithm.

    The defaults are the `default` preset; `Settings.preset("paper")` is the other one.

    Parameters
    ----------
    measure
        What gives a seam its cost: "learned", a small network that reranks what cheaper measures
        propose; "extrapolation"; the paper's "dissimilarity" or "mgc"; or "qr", which places the
        pieces of a QR code by what is known of it ("learned" does so, too, where it finds one).
    damage
        What happened to the pieces after the picture was cut, for "learned": "auto" is what files
        and pixels say (the command line tries others where it does not believe it); or "none",
        "jpeg", "webp", "scaled", "eroded" (lines of pixels lost at every side), "eroded:2", or
        several such as "scaled+jpeg".
    selection
        Who becomes a parent: by "rank", or by the paper's "roulette", 1 / cost.
    seeding
        Where the first generation comes from: "segments" that sure seams hold together, each
        time completed in another way, or the paper's "random" arrangements.
    population
        Arrangements in a generation.
    generations
        The most generations to evolve; with 0 the best of the first population is the solution.
    elites
        The best arrangements of a generation that live on unchanged.
    mutation
        The probability that a child carries a mutation: one placement of its agreed or greedy
        phase takes a random available piece instead.
    patience
        Generations after which a round ends if the cost did not fall by 0.2 %; None never ends it.
    repairs
        The most rounds after the first. Each takes what was found apart along its doubtful seams,
        joins the parts anew and evolves again; two that bring nothing are the last. With any,
        a picture that came out rolled is rolled back. 0 is the paper.
    annealing
        Moves of parts that are tried for each piece in doubt at the end of a round, thirty million
        in all at most; 0 tries none, as the paper. Only where costs are negative logarithms: with
        the measure "learned".
    phases
        The crossover's phases to use, of "agreed", "best-buddy" and "greedy". Without
        "greedy", a random piece is placed where no other phase has one. One may be a phase of
        your own: see `own_phase`.
    boundaries
        The greedy phase draws so many random boundaries and fills the one whose best free
        candidate is cheapest relative to its next one. 1 is the paper: just a random one.
    weighed
        The greedy phase weighs so many free candidates of the boundary by the seams with all
        pieces around the cell. 1 is the paper: the best candidate by one seam.
    candidates
        Partners kept per side, at least two. It changes speed and memory; with more than one
        boundary or another measure than dissimilarity also, slightly, the choices made.
    threads
        Threads to use; None takes every core. Results do not depend on it.
    seed
        Whole number that all random choices derive from.

    Examples
    --------
    >>> Settings.preset("paper").population
    1000
    >>> Settings(population=50, seed=7).with_threads().threads > 0
    True
    """

    measure: str = "learned"
    damage: str = AUTO
    selection: str = "rank"
    seeding: str = "segments"
    population: int = 100
    generations: int = 400
    elites: int = 4
    mutation: float = 0.05
    patience: int | None = 4
    repairs: int = 20
    annealing: int = 6000
    phases: tuple[str, ...] = PHASES
    boundaries: int = 16
    weighed: int = 4
    candidates: int = 64
    threads: int | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        known_phases = (*PHASES, *OWN_PHASES)
        if not isinstance(self.phases, tuple | list) or not all(
            isinstance(phase, str) and phase in known_phases for phase in self.phases
        ):
            found = self.phases
            shown = ", ".join(map(str, found)) if isinstance(found, tuple | list) else repr(found)
            raise InputError(f"phases: expected some of {', '.join(known_phases)}, found {shown}")
        object.__setattr__(self, "phases", tuple(self.phases))
        if len(own := set(self.phases) & set(OWN_PHASES)) > 1:
            raise InputError(f"phases: expected one of your own at most, found {sorted(own)}")
        for name, known in (
            ("measure", MEASURES),
            ("selection", SELECTIONS),
            ("seeding", SEEDINGS),
        ):
            value = getattr(self, name)
            if not isinstance(value, str) or value not in known:
                raise InputError(f"{name}: expected one of {', '.join(known)}, found {value!r}")
        check_damage(self.damage)
        self._settle("generations", 0, MOST_GENERATIONS)
        self._settle("elites", 0, MOST_POPULATION - 1)
        self._settle("repairs", 0, MOST_GENERATIONS)
        self._settle("annealing", 0, MOST_MOVES)
        self._settle("boundaries", 1, MOST_BOUNDARIES)
        self._settle("weighed", 1, MOST_CANDIDATES)
        self._settle("candidates", 1, MOST_CANDIDATES)
        object.__setattr__(self, "seed", check_seed(self.seed))
        self._settle("population", 2, MOST_POPULATION)
        if self.elites >= self.population:
            raise InputError(
                f"elites: expected fewer than the population of {self.population}, "
                f"found {self.elites}"
            )
        if self.patience is not None:
            self._settle("patience", 1, MOST_GENERATIONS)
        if self.threads is not None:
            self._settle("threads", 1, MOST_THREADS)
        if not (isinstance(self.mutation, numbers.Real) and 0 <= self.mutation <= 1):
            raise InputError(f"mutation: expected a number from 0 to 1, found {self.mutation!r}")
        object.__setattr__(self, "mutation", float(self.mutation))

    def _settle(self, name: str, lowest: int, highest: int) -> None:
        """Make a parameter a Python int within its limits."""
        object.__setattr__(self, name, whole_number(name, getattr(self, name), lowest, highest))

    @classmethod
    def preset(cls, name: str, **changes: object) -> Settings:
        """Return a preset, "default" or "paper", with some parameters changed."""
        if name not in PRESETS:
            raise InputError(f"preset: expected one of {', '.join(PRESETS)}, found {name!r}")
        return dataclasses.replace(PRESETS[name], **changes)  # type: ignore[arg-type]

    def with_threads(self) -> Settings:
        """Return the settings with the number of threads decided."""
        threads = self.threads or min(available_threads(), MOST_THREADS)
        return dataclasses.replace(self, threads=threads)


PRESETS = {
    "default": Settings(),
    "paper": Settings(
        measure="dissimilarity",
        selection="roulette",
        seeding="random",
        population=1000,
        generations=100,
        patience=None,
        repairs=0,
        annealing=0,
        boundaries=1,
        weighed=1,
    ),
}
"""`default` is what a user should get. `paper` is Sholomon, David and Netanyahu; docs/paper.md
says how the places the paper leaves open are read."""
