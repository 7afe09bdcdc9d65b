"""Placements that are given: checked before anything trusts them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from jigsolve.core.puzzle import Puzzle
from jigsolve.core.turns import Placement, checked_turns
from jigsolve.errors import InputError


def checked_placement(name: str, given: Placement | np.ndarray, puzzle: Puzzle) -> Placement:
    """Return a placement of some of a puzzle's pieces; raise unless it is one.

    An array of ids says that no piece is turned. Any cell may be empty, -1.
    """
    pieces, turns = given if isinstance(given, Placement) else (given, None)
    pieces = np.asarray(pieces)
    board = tuple(puzzle.board)
    cells = board[0] * board[1]
    if pieces.shape not in (board, (cells,)) or pieces.dtype.kind not in "iu":
        raise InputError(
            f"{name}: expected whole numbers of shape {board} or ({cells},), found {pieces.dtype} "
            f"of shape {pieces.shape}"
        )
    if pieces.min() < -1 or pieces.max() >= len(puzzle):
        raise InputError(
            f"{name}: expected pieces from 0 to {len(puzzle) - 1}, or -1 for an empty cell, found "
            f"{pieces.min()} to {pieces.max()}"
        )
    pieces = pieces.astype(np.int32).reshape(board)
    numbers, counts = np.unique(pieces[pieces >= 0], return_counts=True)
    if (counts > 1).any():
        twice = int(numbers[counts > 1][0])
        raise InputError(f"{name}: expected every piece once at most, found piece {twice} twice")
    if turns is None:
        return Placement(pieces, np.zeros(board, np.int8))
    try:
        return Placement(pieces, checked_turns(turns, pieces, puzzle.turns))
    except InputError as error:
        raise InputError(f"{name}: {error}") from None


def carry(cells: np.ndarray, to: Mapping[int, int]) -> None:
    """Carry what lies in some cells to others, and what lay there to the cells left.

    What is pushed away goes back along the way that pushed it, so that parts stay whole.
    """
    before = cells.copy()
    back = {there: here for here, there in to.items()}
    for here, there in to.items():
        cells[there] = before[here]
    for there in back:
        if there not in to:  # pushed away
            left = there
            while left in back:
                left = back[left]
            cells[left] = before[there]
