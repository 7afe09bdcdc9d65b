"""What follows from an answer, beyond the seam that was asked about."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from jigsolve._kernels.geometry import SIDES
from jigsolve.advice.seams import SURE, keys_of, pieces_at, seams_on_board
from jigsolve.core import Puzzle
from jigsolve.core.constraints import Constraints, Seam
from jigsolve.solvers.solution import Solution

MOST_ALIKE = 2000
"""Where more pairs look the same, only the one that was seen is parted."""


def implied(solution: Solution, answered: Constraints) -> Constraints:
    """Return answers with what follows from them, for a solve that goes on.

    A seam that is wrong lies between two parts, each of which sure seams hold together: so all
    seams between them are wrong. And pieces that look the same do so to whoever gave the answer:
    what is wrong of one is wrong of the others. Without this a solver would exchange one piece, or
    two that look the same, and leave the rest as it was.
    """
    seams = seams_on_board(solution, answered)
    part = seams.parts(SURE)
    ends = np.sort(np.stack([part[seams.one], part[seams.other]]), axis=0)
    border = ends[0] * seams.cells + ends[1]
    wrong = np.isin(border, border[seams.parted]) & (ends[0] != ends[1]) & ~seams.joined
    said = [Seam(*seam) for seam in answered.parted]
    parted = [*said, *pieces_at(solution, seams, np.flatnonzero(wrong))]
    alike, sides = _Alike(solution.puzzle), SIDES * len(solution.puzzle)
    right = {*keys_of(answered.joined, sides).tolist()}
    every = dict.fromkeys(pair for seam in parted for pair in alike.pairs(seam))
    return replace(
        answered, parted=[pair for pair in every if keys_of([pair], sides)[0] not in right]
    )


class _Alike:
    """Pieces with equal pixels."""

    def __init__(self, puzzle: Puzzle) -> None:
        groups: dict[bytes, list[int]] = {}
        self._group: list[list[int]] = []
        for number, piece in enumerate(puzzle.pieces):
            group = groups.setdefault(piece.tobytes(), [])
            group.append(number)
            self._group.append(group)

    def pairs(self, seam: Seam) -> list[Seam]:
        """Return the seams that look like one, itself among them."""
        ones, others = self._group[seam.piece], self._group[seam.other]
        if len(ones) * len(others) > MOST_ALIKE:
            return [seam]
        return [seam._replace(piece=one, other=two) for one in ones for two in others if one != two]
