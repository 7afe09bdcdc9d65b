"""Pieces for cells, each piece once."""

from __future__ import annotations

import math

import numpy as np


class Matching:
    """Gives cells their pieces, as many cells as pieces; what it found last is where it begins."""

    def __init__(self, many: int) -> None:
        self._piece = np.full(many, -1)
        """The piece of each cell."""

    def of(self, possible: np.ndarray) -> np.ndarray | None:
        """Return a piece for each cell, of those possible, (n, cells) bool; None if that fails.

        Examples
        --------
        >>> Matching(2).of(np.array([[True, True], [True, False]]))
        array([1, 0])
        """
        cells = np.arange(len(self._piece))
        self._piece[~possible[self._piece, cells] | (self._piece < 0)] = -1
        cell_of = np.full(len(possible), -1)
        cell_of[self._piece[self._piece >= 0]] = np.flatnonzero(self._piece >= 0)
        for piece in np.flatnonzero(cell_of < 0).tolist():
            if not self._find_room(piece, possible, cell_of):
                return None
        return self._piece.copy()

    def _find_room(self, piece: int, possible: np.ndarray, cell_of: np.ndarray) -> bool:
        """Move pieces on, one after the other, until this one and the last have a cell."""
        came_from = np.full(len(self._piece), -1)
        waiting = [piece]
        for mover in waiting:
            new = possible[mover] & (came_from < 0)
            came_from[new] = mover
            free = np.flatnonzero(new & (self._piece < 0))
            if len(free):
                cell = int(free[0])
                while cell >= 0:
                    mover = int(came_from[cell])
                    self._piece[cell] = mover
                    cell_of[mover], cell = cell, int(cell_of[mover])
                return True
            waiting += self._piece[new].tolist()
        return False

    def kept(self, possible: np.ndarray) -> np.ndarray | None:
        """Return the pairs that are part of some complete matching, (n, cells) bool.

        Another pair can be had exactly where pieces can move on in a circle through it.
        """
        pieces = self.of(possible)
        if pieces is None:
            return None
        moves = possible[pieces]  # from the cell of a piece to another cell
        reached = moves.astype(np.float32)
        for _ in range(math.ceil(math.log2(len(pieces)))):
            further = reached @ reached > 0
            if (further == (reached > 0)).all():
                break
            reached = further.astype(np.float32)
        circles = (reached > 0) & (reached > 0).T
        kept = np.empty_like(possible)
        kept[pieces] = moves & circles
        return kept
