"""Cells beside what is sure, and which pieces belong there."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from jigsolve._kernels.geometry import BOTTOM, LEFT, RIGHT, TOP, side_at
from jigsolve.advice.alike import Alike
from jigsolve.advice.blocks import Block
from jigsolve.advice.kinds import PieceQuestion
from jigsolve.advice.places import candidates
from jigsolve.advice.seams import BoardSeams, sides_of
from jigsolve.core.constraints import Constraints
from jigsolve.core.poses import poses_of
from jigsolve.core.turns import Placement
from jigsolve.solvers.solution import Solution

FIRM = 20
"""Pieces of a block that is taken for right: what lies beside it is asked about."""
SHOWN = 24
"""Candidates that a person looks at."""
LOOKED_AT = 60
"""The most doubtful cells whose candidates are worked out."""


def piece_questions(
    solution: Solution,
    seams: BoardSeams,
    blocks: list[Block],
    answered: Constraints,
    alike: Alike,
) -> Iterator[PieceQuestion]:
    """Ask which piece belongs into the most doubtful cells beside what is sure.

    Pieces that look like another are not asked about, and are no candidates. Only sure pieces are
    looked at to rank candidates: what else lies around such a cell is likely to be as wrong as what
    lies in it.
    """
    if not seams.is_probability:
        return
    has_twin = alike.has_twin[solution.arrangement.ravel()]
    firm = _firm(solution, blocks, answered)
    open_to = _open_seams(solution, seams, firm, answered)
    open_to = open_to[~(has_twin[seams.one] | has_twin[seams.other])[open_to]]
    loose = np.setdiff1d(np.flatnonzero(~alike.has_twin), solution.arrangement.ravel()[firm])
    if not len(open_to) or not len(loose):
        return
    size = np.zeros(seams.cells, np.int64)
    for block in blocks:
        size[block.cells] = len(block.cells)
    cells = np.where(firm[seams.one[open_to]], seams.other[open_to], seams.one[open_to])
    doubt = np.bincount(cells, 1 - seams.chance[open_to], seams.cells)
    pieces, turns = (grid.copy() for grid in solution.placement)
    pieces[~firm.reshape(pieces.shape)], turns[~firm.reshape(pieces.shape)] = -1, 0
    for cell in np.argsort(-doubt, kind="stable")[:LOOKED_AT].tolist():
        if doubt[cell] <= 0:
            return
        of_cell = open_to[cells == cell]
        around = seams.one[of_cell] + seams.other[of_cell] - cell
        beside = int(around[np.argmax(size[around])])
        yield _asked(solution, Placement(pieces, turns), loose, cell, beside)


def _asked(
    solution: Solution, firm: Placement, loose: np.ndarray, cell: int, beside: int
) -> PieceQuestion:
    columns = firm.pieces.shape[1]
    row, column = divmod(cell, columns)
    here = int(solution.arrangement[row, column]), int(solution.placement.turns[row, column])
    shown = candidates(solution.prepared, firm, row, column, SHOWN, loose)
    gain = sum(each.probability or 0.0 for each in shown if (each.piece, each.turn) != here)
    likely = sum(each.probability or 0.0 for each in shown)
    return PieceQuestion(row, column, divmod(beside, columns), tuple(shown), likely, gain)


def _firm(solution: Solution, blocks: list[Block], answered: Constraints) -> np.ndarray:
    """Return which cells are taken for right."""
    fixed = [each[0] for each in answered.fixed]
    firm = np.isin(solution.arrangement.ravel(), fixed)
    for block in blocks:
        if len(block.cells) < FIRM:
            break
        firm[block.cells] = True
    return firm


def _open_seams(
    solution: Solution, seams: BoardSeams, firm: np.ndarray, answered: Constraints
) -> np.ndarray:
    """Return the seams with one sure cell whose side no answer has spoken of."""
    leads_out = firm[seams.one] != firm[seams.other]
    open_to = np.flatnonzero(leads_out & ~seams.joined & ~seams.parted)
    poses = poses_of(*solution.placement).ravel()
    one, other = seams.one[open_to], seams.other[open_to]
    is_below = seams.is_below[open_to]
    near = side_at(poses[one], np.where(is_below, BOTTOM, RIGHT))
    far = side_at(poses[other], np.where(is_below, TOP, LEFT))
    said = sides_of(answered.joined)
    sides = np.where(firm[one], near, far)
    return np.asarray(open_to[~np.isin(sides, said)])
