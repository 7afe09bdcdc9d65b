"""Turns of pieces: which there may be, and pieces that are turned."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jigsolve.errors import InputError

KINDS = NONE, HALF, QUARTER = "none", "half", "quarter"
"""What turns pieces may need: none, half turns, or quarter turns, which take square pieces."""

POSES = {NONE: 1, HALF: 2, QUARTER: 4}
"""In how many ways a piece may lie."""


class Placement(NamedTuple):
    """Which piece lies in each cell, and how it is turned."""

    pieces: np.ndarray
    """Ids, (rows, columns); -1 where a cell is empty."""
    turns: np.ndarray
    """Quarter turns clockwise, 0 to 3, that each piece needs, (rows, columns) int8; 0 where a cell
    is empty."""

    def turned(self, turn: int) -> Placement:
        """Return the whole, turned clockwise."""
        pieces = np.rot90(self.pieces, -turn)
        turns = (np.rot90(self.turns, -turn) + turn) % 4
        return Placement(pieces, np.where(pieces < 0, 0, turns).astype(self.turns.dtype))


def check_turns(turns: str, height: int, width: int) -> str:
    """Return a kind of turns; raise unless it is one, and one that pieces of a size can have."""
    if turns not in KINDS:
        raise InputError(f"turns: expected one of {', '.join(KINDS)}, found {turns!r}")
    if turns == QUARTER and height != width:
        raise InputError(
            f"turns: expected square pieces for quarter turns, found {width} x {height}; half "
            "turns fit"
        )
    return turns


def possible_turns(turns: str) -> range:
    """Return the quarter turns that a kind of turns consists of."""
    return range(0, 4, 4 // POSES[turns])


def turned_pieces(pieces: np.ndarray, turns: np.ndarray) -> np.ndarray:
    """Return pieces, (n, height, width, 3), each turned clockwise by so many quarters, (n,).

    Examples
    --------
    >>> piece = np.arange(4, dtype=np.uint8).reshape(1, 2, 2, 1).repeat(3, axis=3)
    >>> turned_pieces(piece, np.array([1]))[0, :, :, 0]
    array([[2, 0],
           [3, 1]], dtype=uint8)
    """
    if not np.any(turns):
        return pieces
    result = pieces.copy()
    for turn in (1, 2, 3):
        if (which := np.flatnonzero(turns == turn)).size:
            result[which] = np.rot90(pieces[which], -turn, axes=(1, 2))
    return result
