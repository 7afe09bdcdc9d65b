"""What follows from an answer, beyond the seam that was asked about."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from jigsolve._kernels.geometry import SIDES
from jigsolve.advice.alike import Alike
from jigsolve.advice.seams import SURE, keys_of, pieces_at, seams_on_board
from jigsolve.core.constraints import Constraints, Seam
from jigsolve.solvers.solution import Solution


def implied(solution: Solution, answered: Constraints) -> Constraints:
    """Return answers with what follows from them, for a solve that goes on.

    A seam that is wrong lies between two parts, each of which sure seams hold together: so all
    seams between them are wrong, but for those of pieces that look like others and may be exchanged
    for them. And pieces that look the same do so to whoever gave the answer:
    what is wrong of one is wrong of the others. Without this a solver would exchange one piece, or
    two that look the same, and leave the rest as it was.
    """
    seams = seams_on_board(solution, answered)
    part = seams.parts(SURE)
    ends = np.sort(np.stack([part[seams.one], part[seams.other]]), axis=0)
    border = ends[0] * seams.cells + ends[1]
    alike, sides = Alike(solution.puzzle), SIDES * len(solution.puzzle)
    is_one = np.append(~alike.has_twin, False)[solution.arrangement.ravel()]
    wrong = np.isin(border, border[seams.parted]) & (ends[0] != ends[1]) & ~seams.joined
    wrong &= is_one[seams.one] & is_one[seams.other]
    said = [Seam(*seam) for seam in answered.parted]
    parted = [*said, *pieces_at(solution, seams, np.flatnonzero(wrong))]
    right = {*keys_of(answered.joined, sides).tolist()}
    every = dict.fromkeys(pair for seam in parted for pair in alike.pairs(seam))
    return replace(
        answered, parted=[pair for pair in every if keys_of([pair], sides)[0] not in right]
    )
