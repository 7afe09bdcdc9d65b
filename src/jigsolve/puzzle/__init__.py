"""From pixels to a puzzle: reading pictures, cutting and shuffling."""

from jigsolve.puzzle.puzzle import Board, PieceSize, Puzzle

__all__ = ["Board", "PieceSize", "Puzzle"]
