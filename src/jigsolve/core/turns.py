"""Turns of pieces: which there may be, and pieces that are turned."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jigsolve.errors import InputError

KINDS = NONE, HALF, QUARTER = "none", "half", "quarter"
"""What turns pieces may need: none, half turns, or quarter turns, which take square pieces."""

POSES = {NONE: 1, HALF: 2, QUARTER: 4}
"""In how many ways a piece may lie."""

_STREAM = 4
"""The random stream of turns; `core.mixing` has others."""


class Placement(NamedTuple):
    """Which piece lies in each cell, and how it is turned."""

    pieces: np.ndarray
    """Ids, (rows, columns); -1 where a cell is empty."""
    turns: np.ndarray
    """Quarter turns clockwise, 0 to 3, that each piece needs, (rows, columns) int8; 0 where a cell
    is empty."""

    def turned(self, turn: int) -> Placement:
        """Return the whole, turned clockwise."""
        pieces, turns = np.rot90(self.pieces, -turn), np.rot90(self.turns, -turn)
        return Placement(pieces, np.where(pieces >= 0, (turns + turn) % 4, 0).astype(np.int8))


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


def widest_turns(height: int, width: int) -> str:
    """Return the most that pieces of a size can be turned by."""
    return QUARTER if height == width else HALF


def possible_turns(turns: str) -> range:
    """Return the quarter turns that a kind of turns consists of."""
    return range(0, 4, 4 // POSES[turns])


def random_turns(count: int, turns: str, seed: int) -> np.ndarray:
    """Return how many quarter turns each of some pieces needs, (count,) int8."""
    drawn = np.random.default_rng([seed, _STREAM]).integers(0, POSES[turns], count)
    return (drawn * (4 // POSES[turns])).astype(np.int8)


def checked_turns(turns: np.ndarray, arrangement: np.ndarray, kind: str) -> np.ndarray:
    """Return turns as int8 in an arrangement's shape; raise unless they are of a kind.

    Those of empty cells are 0.
    """
    found = np.asarray(turns)
    if found.size != arrangement.size or found.dtype.kind not in "iu":
        raise InputError(
            f"turns: expected whole numbers of shape {arrangement.shape}, found {found.dtype} of "
            f"shape {found.shape}"
        )
    found = found.reshape(arrangement.shape)
    allowed = [*possible_turns(kind)]
    if not np.isin(found, allowed).all():
        odd = found[~np.isin(found, allowed)][0]
        raise InputError(
            f"turns: expected {', '.join(map(str, allowed))}, as pieces with turns {kind!r} have, "
            f"found {odd}"
        )
    return np.where(arrangement >= 0, found, 0).astype(np.int8)


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
