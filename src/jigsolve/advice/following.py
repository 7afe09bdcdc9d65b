"""What follows from an answer, beyond the seam that was asked about."""

from __future__ import annotations

from typing import Any

import numpy as np

from jigsolve.advice.seams import SURE, pieces_at, seams_on_board
from jigsolve.core import Puzzle
from jigsolve.core.constraints import Constraints
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
    parted = [*answered.parted, *pieces_at(solution, seams, np.flatnonzero(wrong))]
    alike, right = _Alike(solution.puzzle), {tuple(seam) for seam in answered.joined}
    every = dict.fromkeys(pair for seam in parted for pair in alike.pairs(seam))
    return Constraints(
        answered.joined, [*(pair for pair in every if pair not in right)], answered.fixed
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

    def pairs(self, seam: Any) -> list[tuple[Any, ...]]:
        """Return the seams that look like one, itself among them."""
        piece, side, other, *facing = seam
        ones, others = self._group[piece], self._group[other]
        if len(ones) * len(others) > MOST_ALIKE:
            return [tuple(seam)]
        return [(one, side, two, *facing) for one in ones for two in others if one != two]
