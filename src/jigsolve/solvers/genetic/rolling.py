"""The paper's anomaly: a right picture, but rolled by some rows or columns.

Nothing in it is wrong but the frame: the two ends of the board belong together, and somewhere
between there is a cut for which less speaks. Cost would not do: where the rim is white or black
all around, the seams over it are cheaper than those of any true cut, and say nothing.
"""

from __future__ import annotations

import numpy as np

from jigsolve.assembly.segments import evidence
from jigsolve.measures.calibration import COUNTED
from jigsolve.seams.table import SeamTable

BELONG = COUNTED.rolling.belong
"""The ends of a board belong together if so much speaks for it per seam; for two plain ends it is
up to 1.8, for seams within photographs 2.5 and more."""

AGAINST, CLEARLY = COUNTED.rolling.against, COUNTED.rolling.clearly
"""Ends of damaged pieces hardly ever speak for each other. There a cut within is the end of the
board if its seams speak against it, and clearly more so than the ends do."""


def rolled_back(
    table: SeamTable, arrangement: np.ndarray, *, is_damaged: bool = False
) -> np.ndarray:
    """Return an arrangement, (rows, columns), rolled to where its ends do not belong together."""
    across, down = evidence(table, arrangement)
    over_the_side, _ = evidence(table, arrangement[:, [-1, 0]])
    _, over_the_end = evidence(table, arrangement[[-1, 0]])
    columns = np.concatenate([over_the_side, across], axis=1).mean(axis=0)
    rows = np.concatenate([over_the_end, down], axis=0).mean(axis=1)
    shift = [
        -int(cuts.argmin()) if _is_rolled(cuts, is_damaged=is_damaged) else 0
        for cuts in (rows, columns)
    ]
    return np.roll(arrangement, shift, axis=(0, 1))


def cheaper_rolls(table: SeamTable, arrangement: np.ndarray) -> list[np.ndarray]:
    """Return an arrangement rolled by some columns, and by some rows, where that costs less.

    A table that knows a seam not to hold is glad of it where the board ends.
    """
    across, down = table.board_costs(arrangement)
    over_the_side, _ = table.board_costs(arrangement[:, [-1, 0]])
    _, over_the_end = table.board_costs(arrangement[[-1, 0]])
    found = []
    for axis, cuts, ends in (
        (1, across.sum(axis=0, dtype=np.float64), over_the_side.sum(dtype=np.float64)),
        (0, down.sum(axis=1, dtype=np.float64), over_the_end.sum(dtype=np.float64)),
    ):
        if len(cuts) and cuts.max() > ends:
            found.append(np.roll(arrangement, -1 - int(cuts.argmax()), axis=axis))
    return found


def _is_rolled(cuts: np.ndarray, *, is_damaged: bool) -> bool:
    """Say whether the board ends within, by what speaks for each cut, that over its ends first."""
    if cuts[0] > BELONG:
        return True
    return bool(is_damaged and cuts.min() < min(AGAINST, cuts[0] - CLEARLY))
