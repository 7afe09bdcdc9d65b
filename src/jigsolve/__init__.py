"""Reassemble pictures that were cut into equal rectangular pieces and shuffled.

>>> import jigsolve
>>> photo = jigsolve.demo_photo()
>>> puzzle, truth = jigsolve.Puzzle.cut(photo, piece=64).shuffle(seed=1)
>>> solution = jigsolve.solve(puzzle)
>>> jigsolve.score(solution, truth).perfect
True
"""

from importlib.metadata import version

from jigsolve.boards import find_board
from jigsolve.demo import demo_photo
from jigsolve.errors import InputError
from jigsolve.evolution.history import Generation
from jigsolve.evolution.phases import own_phase
from jigsolve.evolution.settings import Settings
from jigsolve.evolution.solution import Solution
from jigsolve.evolution.solve import solve
from jigsolve.puzzle import Board, Detection, Grid, PieceSize, Puzzle, detect_grid
from jigsolve.scores import Scores, score, score_pictures

__version__ = version("jigsolve")
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
    "demo_photo",
    "detect_grid",
    "find_board",
    "own_phase",
    "score",
    "score_pictures",
    "solve",
]
