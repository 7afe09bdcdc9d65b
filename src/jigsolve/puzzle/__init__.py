"""From pixels to a puzzle: reading pictures, detecting how they were cut, cutting and shuffling."""

from jigsolve.puzzle.grid import Detection, Grid, detect_grid
from jigsolve.puzzle.puzzle import Board, PieceSize, Puzzle

__all__ = ["Board", "Detection", "Grid", "PieceSize", "Puzzle", "detect_grid"]
