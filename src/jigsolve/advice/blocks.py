"""Blocks: what holds together for sure, or along borders that most probably hold."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jigsolve.advice.borders import borders_of
from jigsolve.advice.parts import joined_cells
from jigsolve.advice.seams import SURE, BoardSeams

HELD = 0.9
"""Parts whose border is so sure, on average, are one block. A bit less, and a wrong piece of an
easy picture, whose seams look 87 % sure, is taken into the block around it, never asked about."""


class Block(NamedTuple):
    """Cells that hold together."""

    cells: np.ndarray
    """Sorted, numbered row by row."""
    chance: float
    """How certain the seams are that lead out of it, on average: where it lies in the wrong place,
    hardly; 1 where there are none."""
    firmest: int
    """The cell whose seams within the block are the surest."""


def blocks_of(seams: BoardSeams) -> list[Block]:
    """Return the blocks of a board, the largest first."""
    part = seams.parts(SURE)
    sure = []
    for border in borders_of(seams, part):
        if border.chance < HELD:
            break
        sure.append(border.seam)
    one, other = part[seams.one[sure]], part[seams.other[sure]]
    part = joined_cells(one, other, seams.cells)[part]
    leads_out = part[seams.one] != part[seams.other]
    total, count, held = np.zeros((3, seams.cells))
    for ends in (seams.one, seams.other):
        np.add.at(total, part[ends[leads_out]], seams.chance[leads_out])
        np.add.at(count, part[ends[leads_out]], 1)
        np.add.at(held, ends[~leads_out], seams.chance[~leads_out])
    filled = np.unique(np.concatenate([seams.one, seams.other]))
    order = filled[np.argsort(part[filled], kind="stable")]
    starts = np.flatnonzero(np.diff(part[order], prepend=-1))
    chance = np.divide(total, count, out=np.ones_like(total), where=count > 0)
    found = [
        Block(cells, float(chance[part[cells[0]]]), int(cells[np.argmax(held[cells])]))
        for cells in np.split(order, starts[1:])
        if len(cells)
    ]
    return sorted(found, key=lambda block: (-len(block.cells), int(block.cells[0])))
