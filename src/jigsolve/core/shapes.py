"""Boards that a number of pieces fill."""

from __future__ import annotations

import math

from jigsolve.core.puzzle import Board
from jigsolve.core.turns import NONE, QUARTER


def shapes(pieces: int, turns: str = NONE) -> list[Board]:
    """Return the boards that so many pieces fill, squarest first.

    With quarter turns a board that stands is one that lies.
    """
    rows = [r for r in range(1, math.isqrt(pieces) + 1) if pieces % r == 0]
    flat = [Board(r, pieces // r) for r in reversed(rows)]
    if turns == QUARTER:
        return flat
    return [
        shape
        for board in flat
        for shape in dict.fromkeys((board, Board(board.columns, board.rows)))
    ]
