"""What to ask a person about, the most useful question first.

Three kinds of question, each worth as many pieces as its answer is expected to put right:

* whether a block lies where it belongs, and if not, where it does. A person sees the gradient of a
  sky, and one answer puts all of the block right.
* which piece belongs into a cell, of the likeliest ones. The answer puts one piece right, and what
  holds together with it comes along.
* whether a seam is right. Parts that sure seams hold together are taken for right in themselves.
  Two of them that meet do so along a border, whose seams are right together or wrong together.
  Parts are put together, the surest border first, as if the answers were yes; each border that is
  crossed is a question. No says that something is wrong, and only of large blocks also what is
  right instead: small ones fit in many places. Doubtful seams within a part are worth one piece.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

import numpy as np

from jigsolve.advice.alike import Alike
from jigsolve.advice.blocks import Block, blocks_of
from jigsolve.advice.borders import borders_of
from jigsolve.advice.kinds import (
    BLOCK,
    KINDS,
    PIECE,
    SEAM,
    BlockQuestion,
    Question,
    SeamQuestion,
)
from jigsolve.advice.openings import piece_questions
from jigsolve.advice.seams import SURE, BoardSeams, seams_on_board
from jigsolve.core.checks import whole_number
from jigsolve.core.constraints import Constraints
from jigsolve.errors import InputError
from jigsolve.solvers.solution import Solution

MOST = 1_000_000

FEWEST = 2
"""Pieces of a block that is asked about: fewer show too little to say where they belong."""

FEW = 50
"""Pieces of a block that a person may look at one by one."""

TOLD_BY_NO = 1000
"""A part of so many pieces has as good a chance as not to be put right by what is left when one
border is ruled out; of smaller parts, that fit in more places, the fewer."""


def questions(
    solution: Solution,
    count: int = 50,
    answered: Constraints | None = None,
    kinds: Collection[str] = KINDS,
) -> list[Question]:
    """Return what to ask a person, the most useful question first.

    Parameters
    ----------
    solution
        What lies on the board; see `assessed`.
    count
        How many questions to return at most.
    answered
        What is known already: nothing of it is asked, nor what follows from it.
    kinds
        Which kinds of question to ask, of "seam", "piece" and "block".
    """
    whole_number("count", count, 1, MOST)
    if not kinds or not set(kinds) <= set(KINDS):
        raise InputError(f"kinds: expected some of {', '.join(KINDS)}, found {kinds!r:.80}")
    answered = answered or Constraints()
    seams = seams_on_board(solution, answered)
    found: list[Question] = []
    blocks, alike = blocks_of(seams), Alike(solution.puzzle)
    if SEAM in kinds:
        found += _seam_questions(solution, seams, blocks, alike)
    if PIECE in kinds:
        found += piece_questions(solution, seams, blocks, answered, alike)
    if BLOCK in kinds:
        found += _block_questions(solution, seams, blocks, answered)
    found.sort(key=lambda each: (-each.gain, KINDS.index(each.kind), each.row, each.column))
    return found[:count]


def _seam_questions(
    solution: Solution, seams: BoardSeams, blocks: list[Block], alike: Alike
) -> Iterator[SeamQuestion]:
    part = seams.parts(SURE)
    has_twin = alike.has_twin[solution.arrangement.ravel()]
    block_of, sizes = np.zeros((2, seams.cells), np.int64)
    for number, block in enumerate(blocks):
        block_of[block.cells], sizes[block.cells] = number, len(block.cells)
    part_sizes = np.bincount(part, minlength=seams.cells)[part]
    for border in borders_of(seams, part):
        ends = [int(seams.one[border.seam]), int(seams.other[border.seam])]
        pieces = part_sizes if block_of[ends[0]] == block_of[ends[1]] else sizes
        fewer = int(pieces[ends].min())
        if fewer == 1 and has_twin[ends].any():
            continue  # another that looks the same would do as well
        yield _seam_question(seams, border.seam, border.chance, fewer)
    within = (part[seams.one] == part[seams.other]) & ~has_twin[seams.one] & ~has_twin[seams.other]
    within &= (seams.chance < SURE) & ~seams.joined & ~seams.parted
    for seam in np.flatnonzero(within).tolist():
        yield _seam_question(seams, seam, float(seams.chance[seam]), 1)


def _seam_question(seams: BoardSeams, seam: int, chance: float, pieces: int) -> SeamQuestion:
    row, column, direction = seams.place(seam)
    probability = float(seams.chance[seam]) if seams.is_probability else None
    told = pieces / (pieces + TOLD_BY_NO)
    gain = 4 * chance * (1 - chance) * pieces * told
    return SeamQuestion(row, column, direction, probability, gain)


def _block_questions(
    solution: Solution, seams: BoardSeams, blocks: list[Block], answered: Constraints
) -> Iterator[BlockQuestion]:
    """Ask about the largest block first: where the others belong is seen beside it."""
    fixed = [each[0] for each in answered.fixed]
    is_fixed = np.isin(solution.arrangement.ravel(), fixed)
    columns = solution.arrangement.shape[1]
    for block in blocks if is_fixed.any() else blocks[:1]:
        if len(block.cells) < FEWEST or block.chance == 1.0 or is_fixed[block.cells].any():
            continue
        row, column = divmod(int(block.cells[0]), columns)
        probability = block.chance if seams.is_probability else None
        cells, held_by = tuple(block.cells.tolist()), (block.firmest,)
        if len(cells) <= FEW:
            held_by = cells
        gain = (1 - block.chance) * len(cells)
        yield BlockQuestion(row, column, cells, held_by, probability, gain)
