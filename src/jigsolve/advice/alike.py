"""Pieces with equal pixels: to whoever is asked they are one."""

from __future__ import annotations

import numpy as np

from jigsolve.core import Puzzle
from jigsolve.core.constraints import Seam

MOST_ALIKE = 2000
"""Where more pairs look the same, only the one that was seen is parted."""


class Alike:
    """Groups of pieces that look the same."""

    def __init__(self, puzzle: Puzzle) -> None:
        groups: dict[bytes, list[int]] = {}
        self._group: list[list[int]] = []
        for number, piece in enumerate(puzzle.pieces):
            group = groups.setdefault(piece.tobytes(), [])
            group.append(number)
            self._group.append(group)
        self.has_twin = np.array([len(group) > 1 for group in self._group])
        """Which pieces look like another: nobody can say where one of them belongs, (n,)."""

    def pairs(self, seam: Seam) -> list[Seam]:
        """Return the seams that look like one, itself among them."""
        ones, others = self._group[seam.piece], self._group[seam.other]
        if len(ones) * len(others) > MOST_ALIKE:
            return [seam]
        return [seam._replace(piece=one, other=two) for one in ones for two in others if one != two]
