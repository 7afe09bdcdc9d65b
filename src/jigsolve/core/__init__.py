"""What every room speaks of: pieces, boards, puzzles."""

from jigsolve.core.puzzle import Board, PieceSize, Puzzle

__all__ = ["Board", "PieceSize", "Puzzle"]
