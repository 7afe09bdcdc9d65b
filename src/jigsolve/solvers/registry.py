"""The solvers there are, by their names."""

from __future__ import annotations

from typing import Any

from jigsolve.core import Puzzle
from jigsolve.core.turns import NONE
from jigsolve.errors import InputError
from jigsolve.solvers.cho import ChoSolver
from jigsolve.solvers.gallagher import GallagherSolver
from jigsolve.solvers.genetic.solver import GeneticSolver
from jigsolve.solvers.paikin_tal import PaikinTalSolver
from jigsolve.solvers.pomeranz import PomeranzSolver
from jigsolve.solvers.protocol import Solver
from jigsolve.solvers.son.solver import SonSolver
from jigsolve.solvers.yang import YangSolver
from jigsolve.solvers.yu.solver import YuSolver

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


def check_saves(solver: Solver) -> None:
    """Raise unless a solver can save its run and take it up again: those that can say so."""
    if not getattr(solver, "saves", False):
        able = [name for name, known in SOLVERS.items() if getattr(known, "saves", False)]
        raise InputError(
            f"checkpoint: expected a solver that saves its runs, one of {', '.join(able)}, found "
            f"{solver.name}"
        )


def check_is_able(solver: Solver, puzzle: Puzzle, *, constrained: bool = False) -> None:
    """Raise if a solver refuses what it is asked for: turns, holes or constraints."""
    asked = {
        "turns": puzzle.turns != NONE,
        "holes": bool(puzzle.holes or puzzle.strays),
        "constraints": constrained,
    }
    for what, is_asked in asked.items():
        if is_asked:
            check_knows(solver, what)


def check_knows(solver: Solver, what: str) -> None:
    """Raise if a solver refuses turns, holes or constraints."""
    if what in refused_by(solver):
        able = [name for name, other in SOLVERS.items() if what not in refused_by(other)]
        raise InputError(
            f"solver: expected one that knows {what}, such as {', '.join(able)}, found "
            f"{solver.name}"
        )


def refused_by(solver: Solver) -> tuple[str, ...]:
    """Return what a solver cannot do with."""
    return tuple(getattr(solver, "refuses", ()))


for _solver in (
    GeneticSolver(),
    GallagherSolver(),
    PomeranzSolver(),
    PaikinTalSolver(),
    SonSolver(),
    YuSolver(),
    ChoSolver(),
    YangSolver(),
):
    register(_solver)
