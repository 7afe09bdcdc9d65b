"""Which seam to ask a person about: that whose answer moves most of the picture."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jigsolve.advice.doubt import certainty_of
from jigsolve.advice.parts import parts_of
from jigsolve.core.checks import whole_number
from jigsolve.core.constraints import Constraints
from jigsolve.solvers.solution import Solution

RIGHT, BELOW = "right", "below"
SURE = 0.9
MOST = 1_000_000


class Question(NamedTuple):
    """Whether a seam is right."""

    row: int
    column: int
    """Of the piece to the left or above."""
    direction: str
    """Where the other one lies: "right" or "below"."""
    probability: float | None
    """That it is right; None with measures that cannot say."""
    gain: float
    """About how many pieces' places depend on the answer, times how open it is."""


def questions(
    solution: Solution, count: int = 50, answered: Constraints | None = None
) -> list[Question]:
    """Return the seams to ask a person about, the most useful question first.

    Parameters
    ----------
    solution
        What lies on the board; see `assessed`.
    count
        How many questions to return at most.
    answered
        What is known already, of which nothing is asked.
    """
    whole_number("count", count, 1, MOST)
    certainty = certainty_of(solution)
    joined, parted = _known(solution, answered or Constraints())
    sure = tuple(
        (mask | held) & ~cut
        for mask, held, cut in zip(certainty.sure(SURE), joined, parted, strict=True)
    )
    part = parts_of(*sure)
    sizes = np.bincount(part.ravel(), minlength=part.size)
    found = []
    for direction, chance, held, cut, one, other in (
        (RIGHT, certainty.right, joined[0], parted[0], part[:, :-1], part[:, 1:]),
        (BELOW, certainty.below, joined[1], parted[1], part[:-1], part[1:]),
    ):
        is_open = ~np.isnan(chance) & ~held & ~cut & (one != other)
        rows, columns = np.nonzero(is_open)
        chances = chance[is_open]
        fewer = np.minimum(sizes[one[is_open]], sizes[other[is_open]])
        gains = chances * (1 - chances) * fewer
        found += [
            Question(row, column, direction, p if certainty.is_probability else None, gain)
            for row, column, p, gain in zip(
                rows.tolist(), columns.tolist(), chances.tolist(), gains.tolist(), strict=True
            )
        ]
    found.sort(key=lambda question: (-question.gain, question.row, question.column))
    return found[:count]


def _known(
    solution: Solution, answered: Constraints
) -> tuple[tuple[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]:
    """Return which seams on the board are known to hold, and which not to."""
    rows, columns = solution.arrangement.shape
    kinds = []
    for entries in (answered.joined, answered.parted):
        said = {(entry[0], entry[1], entry[2]) for entry in entries}
        said |= {(other, _FACING[side], piece) for piece, side, other in said}
        right = np.zeros((rows, columns - 1), bool)
        below = np.zeros((rows - 1, columns), bool)
        kinds.append((right, below))
        if not said:
            continue
        place = {int(p): (r, c) for (r, c), p in np.ndenumerate(solution.arrangement) if p >= 0}
        for piece, side, other in said:
            if side not in ("right", "bottom") or piece not in place:
                continue
            row, column = place[piece]
            there = (row, column + 1) if side == "right" else (row + 1, column)
            if place.get(other) == there:
                (right if side == "right" else below)[row, column] = True
    return kinds[0], kinds[1]


_FACING = {"left": "right", "right": "left", "top": "bottom", "bottom": "top"}
