"""From pixels to a puzzle: reading pictures, detecting how they were cut, cutting and shuffling."""

from jigsolve.puzzle.detecting import detect_grid
from jigsolve.puzzle.grid import Detection, Grid
from jigsolve.puzzle.puzzle import Board, PieceSize, Puzzle

__all__ = ["Board", "Detection", "Grid", "PieceSize", "Puzzle", "detect_grid"]
