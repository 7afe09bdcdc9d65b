"""Which seam to ask a person about: that whose answer moves most of the picture.

Parts that sure seams hold together are taken for right in themselves. Two of them that meet do so
along a border, whose seams are right together or wrong together: one question answers all. Parts
are then put together, the surest border first, as if its answer were yes; so borders between ever
larger parts come up, and each of them is a question. What it is worth is how many pieces lie on the
smaller side of the border, all of which would have to move, times how open the answer is. Doubtful
seams within a part may still be those of a single wrong piece: they are worth one piece.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jigsolve.advice.borders import Border, borders_of
from jigsolve.advice.seams import SURE, BoardSeams, seams_on_board
from jigsolve.core.checks import whole_number
from jigsolve.core.constraints import Constraints
from jigsolve.solvers.solution import Solution

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
    """How many pieces' places depend on the answer, times how open it is: 1 where yes is as likely
    as no, 0 where it is known."""


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
        What is known already: nothing of it is asked, nor what follows from it.
    """
    whole_number("count", count, 1, MOST)
    seams = seams_on_board(solution, answered or Constraints())
    part = seams.parts(SURE)
    every = [*borders_of(seams, part), *_doubtful_within(seams, part)]
    found = [(_gain(border), border) for border in every]
    found.sort(key=lambda each: (-each[0], each[1].seam))
    return [_question(seams, border, gain) for gain, border in found[:count]]


def _doubtful_within(seams: BoardSeams, part: np.ndarray) -> list[Border]:
    """Return seams that are not sure between pieces of one part: the place of one is at stake."""
    is_open = (seams.chance < SURE) & ~seams.joined & ~seams.parted
    within = np.flatnonzero(is_open & (part[seams.one] == part[seams.other]))
    return [Border(int(seam), float(seams.chance[seam]), 1) for seam in within]


def _gain(border: Border) -> float:
    return 4 * border.chance * (1 - border.chance) * border.fewer


def _question(seams: BoardSeams, border: Border, gain: float) -> Question:
    row, column, direction = seams.place(border.seam)
    chance = float(seams.chance[border.seam]) if seams.is_probability else None
    return Question(row, column, direction, chance, gain)
