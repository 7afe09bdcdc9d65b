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
    from jigsolve.boards import find_board
    from jigsolve.demo import demo_photo
    from jigsolve.errors import InputError
    from jigsolve.evolution.history import Generation
    from jigsolve.evolution.phases import own_phase
    from jigsolve.evolution.settings import Settings
    from jigsolve.evolution.solution import Solution
    from jigsolve.evolution.solve import solve
    from jigsolve.likeness import compare_pictures
    from jigsolve.puzzle import Board, Detection, Grid, PieceSize, Puzzle, detect_grid
    from jigsolve.scores import Scores, score, score_pictures

    __version__: str

__all__ = [
    "Board",
    "Detection",
    "Generation",
    "Grid",
    "InputError",
    "PieceSize",
    "Puzzle",
    "Scores",
    "Settings",
    "Solution",
    "compare_pictures",
    "demo_photo",
    "detect_grid",
    "find_board",
    "own_phase",
    "score",
    "score_pictures",
    "solve",
]

_PLACES = {
    "Board": "puzzle",
    "Detection": "puzzle",
    "Generation": "evolution.history",
    "Grid": "puzzle",
    "InputError": "errors",
    "PieceSize": "puzzle",
    "Puzzle": "puzzle",
    "Scores": "scores",
    "Settings": "evolution.settings",
    "Solution": "evolution.solution",
    "compare_pictures": "likeness",
    "demo_photo": "demo",
    "detect_grid": "puzzle",
    "find_board": "boards",
    "own_phase": "evolution.phases",
    "score": "scores",
    "score_pictures": "scores",
    "solve": "evolution.solve",
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
