"""All that decides a run, stage by stage."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from jigsolve.core.checks import MOST_SEED
from jigsolve.core.options import Options, options_of, whole
from jigsolve.errors import InputError
from jigsolve.execution.crew import available_threads
from jigsolve.pricing.settings import Pricing
from jigsolve.solvers.genetic.settings import PAPER, Genetic
from jigsolve.solvers.registry import SOLVERS, solver_of

MOST_THREADS = 1024


@dataclass(frozen=True, kw_only=True)
class Running(Options):
    """How a run is carried out."""

    seed: int = whole(0, 0, MOST_SEED, "of all random choices")
    threads: int | None = whole(
        None, 1, MOST_THREADS, "by default all cores; the result does not depend on it"
    )


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How seams are priced, who solves and with what options, and how it is carried out.

    Parameters
    ----------
    pricing
        What seams cost.
    options
        Those of a solver; their type says which.
    running
        Seed and threads.

    Examples
    --------
    >>> Settings(options=Genetic(population=50)) == Settings.of(population=50)
    True
    >>> Settings.preset("paper").options.population
    1000
    >>> Settings.of(measure="mgc", seed=7).pricing.measure
    'mgc'
    """

    pricing: Pricing = field(default_factory=Pricing)
    options: Any = field(default_factory=Genetic)
    running: Running = field(default_factory=Running)

    def __post_init__(self) -> None:
        for name, kind in (("pricing", Pricing), ("running", Running)):
            if not isinstance(getattr(self, name), kind):
                raise InputError(
                    f"{name}: expected jigsolve's {kind.__name__}, found {getattr(self, name)!r}"
                )
        solver_of(self.options)

    @classmethod
    def of(cls, solver: str = "genetic", **options: Any) -> Settings:
        """Return the usual settings of a solver with some options, of whichever stage, changed.

        Its measure is the one it was published with, unless another is among the options.
        """
        if solver not in SOLVERS:
            raise InputError(f"solver: expected one of {', '.join(SOLVERS)}, found {solver!r}")
        usual = Pricing(measure=SOLVERS[solver].measure)
        return cls(pricing=usual, options=SOLVERS[solver].options()).changed(**options)

    @classmethod
    def preset(cls, name: str, **options: Any) -> Settings:
        """Return a preset, "default" or "paper", with some options changed."""
        if name not in PRESETS:
            raise InputError(f"preset: expected one of {', '.join(PRESETS)}, found {name!r}")
        return PRESETS[name].changed(**options)

    def changed(self, **options: Any) -> Settings:
        """Return the settings with some options, of whichever stage, changed."""
        stages: dict[str, dict[str, Any]] = {"pricing": {}, "options": {}, "running": {}}
        for name, value in options.items():
            stages[self._stage_of(name)][name] = value
        return dataclasses.replace(
            self,
            **{
                stage: dataclasses.replace(getattr(self, stage), **changes)
                for stage, changes in stages.items()
            },
        )

    def _stage_of(self, option: str) -> str:
        for stage in ("pricing", "options", "running"):
            if option in options_of(type(getattr(self, stage))):
                return stage
        raise InputError(
            f"{option}: expected an option of {self.solver}, one of {', '.join(self.flat())}"
        )

    @property
    def solver(self) -> str:
        """The name of the solver."""
        return solver_of(self.options).name

    @property
    def seed(self) -> int:
        """The number all random choices derive from."""
        return self.running.seed

    @property
    def threads(self) -> int:
        """How many threads to use."""
        return self.running.threads or min(available_threads(), MOST_THREADS)

    def flat(self) -> dict[str, Any]:
        """Return all options by their names."""
        stages = (self.pricing, self.options, self.running)
        return {name: value for stage in stages for name, value in vars(stage).items()}

    def as_record(self) -> dict[str, Any]:
        """Return what a record says of them, all that can change a result."""
        return {
            "solver": self.solver,
            "options": dataclasses.asdict(self.options),
            "pricing": dataclasses.asdict(self.pricing),
            "seed": self.seed,
        }

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Settings:
        """Return the settings of a record."""
        return cls(
            pricing=Pricing(**record["pricing"]),
            options=SOLVERS[record["solver"]].options(**record["options"]),
            running=Running(seed=record["seed"]),
        )


PRESETS = {
    "default": Settings(),
    "paper": Settings(pricing=Pricing(measure="dissimilarity"), options=PAPER),
}
"""`default` is what a user should get, `paper` the genetic algorithm as it was published."""
