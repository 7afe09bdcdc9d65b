"""What every room speaks of: pieces, boards, puzzles."""

from jigsolve.core.pieces import PieceSize
from jigsolve.core.puzzle import Board, Puzzle

__all__ = ["Board", "PieceSize", "Puzzle"]
