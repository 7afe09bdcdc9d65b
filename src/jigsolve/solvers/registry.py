"""The solvers there are, by their names."""

from __future__ import annotations

from typing import Any

from jigsolve.errors import InputError
from jigsolve.solvers.genetic.solver import GeneticSolver
from jigsolve.solvers.protocol import Solver

SOLVERS: dict[str, Solver] = {}


def register(solver: Solver) -> Solver:
    """Make a solver known by its name; its options must be of a type of their own."""
    others = [known for known in SOLVERS.values() if known.name != solver.name]
    if taken := next((known for known in others if known.options is solver.options), None):
        raise InputError(
            f"solver {solver.name}: expected options of its own, found those of {taken.name}"
        )
    SOLVERS[solver.name] = solver
    return solver


def solver_of(options: Any) -> Solver:
    """Return the solver that options belong to; raise if they are nobody's."""
    for solver in SOLVERS.values():
        if type(options) is solver.options:
            return solver
    raise InputError(f"options: expected those of {', '.join(SOLVERS)}, found {options!r}")


def check_goes_on(solver: Solver) -> None:
    """Raise unless a solver can go on from an arrangement: those that can say so."""
    if not getattr(solver, "goes_on", False):
        able = [name for name, known in SOLVERS.items() if getattr(known, "goes_on", False)]
        raise InputError(
            f"start: expected a solver that goes on from an arrangement, one of "
            f"{', '.join(able)}, found {solver.name}"
        )


register(GeneticSolver())
