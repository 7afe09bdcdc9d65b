"""Reassemble pictures that were cut into equal rectangular pieces and shuffled.

>>> import jigsolve
>>> photo = jigsolve.demo_photo()
>>> puzzle, truth = jigsolve.Puzzle.cut(photo, piece=64).shuffle(seed=1)
>>> solution = jigsolve.solve(puzzle)
>>> jigsolve.score(solution, truth).perfect
True
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jigsolve.assembly.phases import own_phase
    from jigsolve.core import Board, PieceSize, Puzzle
    from jigsolve.core.bag import Bag
    from jigsolve.core.constraints import Constraints
    from jigsolve.core.turns import Placement
    from jigsolve.detect import Detection, Grid, detect_grid
    from jigsolve.errors import InputError
    from jigsolve.execution.stop import Stop
    from jigsolve.io.demo import demo_photo
    from jigsolve.pricing.settings import Pricing
    from jigsolve.scores.bags import BagScores, score_bag
    from jigsolve.scores.likeness import compare_pictures
    from jigsolve.scores.result import Scores
    from jigsolve.scores.scores import score, score_pictures
    from jigsolve.solvers.bags import BagSolution, solve_bag
    from jigsolve.solvers.boards import find_board
    from jigsolve.solvers.genetic.history import Generation
    from jigsolve.solvers.genetic.settings import Genetic
    from jigsolve.solvers.settings import Running, Settings
    from jigsolve.solvers.solution import Solution
    from jigsolve.solvers.solve import solve

    __version__: str

__all__ = [
    "Bag",
    "BagScores",
    "BagSolution",
    "Board",
    "Constraints",
    "Detection",
    "Generation",
    "Genetic",
    "Grid",
    "InputError",
    "PieceSize",
    "Placement",
    "Pricing",
    "Puzzle",
    "Running",
    "Scores",
    "Settings",
    "Solution",
    "Stop",
    "compare_pictures",
    "demo_photo",
    "detect_grid",
    "find_board",
    "own_phase",
    "score",
    "score_bag",
    "score_pictures",
    "solve",
    "solve_bag",
]

_PLACES = {
    "Bag": "core.bag",
    "BagScores": "scores.bags",
    "Constraints": "core.constraints",
    "Genetic": "solvers.genetic.settings",
    "Pricing": "pricing.settings",
    "Running": "solvers.settings",
    "Stop": "execution.stop",
    "Board": "core",
    "Detection": "detect",
    "Generation": "solvers.genetic.history",
    "Grid": "detect",
    "InputError": "errors",
    "PieceSize": "core",
    "Placement": "core.turns",
    "Puzzle": "core",
    "Scores": "scores",
    "Settings": "solvers.settings",
    "Solution": "solvers.solution",
    "compare_pictures": "scores.likeness",
    "demo_photo": "io.demo",
    "detect_grid": "detect",
    "find_board": "solvers.boards",
    "own_phase": "assembly.phases",
    "score": "scores",
    "score_bag": "scores.bags",
    "score_pictures": "scores",
    "solve": "solvers.solve",
    "solve_bag": "solvers.bags",
    "BagSolution": "solvers.bags",
}

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """Import what is asked for, when it is.

        All of it takes a second, and the command must answer Ctrl-C before.
        """
        if name == "__version__":
            return import_module("importlib.metadata").version("jigsolve")
        if name not in _PLACES:
            raise AttributeError(f"module 'jigsolve' has no attribute {name!r}")
        return getattr(import_module(f"jigsolve.{_PLACES[name]}"), name)

    def __dir__() -> list[str]:
        return sorted({*globals(), *_PLACES})
