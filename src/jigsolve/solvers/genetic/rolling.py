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


def _is_rolled(cuts: np.ndarray, *, is_damaged: bool) -> bool:
    """Say whether the board ends within, by what speaks for each cut, that over its ends first."""
    if cuts[0] > BELONG:
        return True
    return bool(is_damaged and cuts.min() < min(AGAINST, cuts[0] - CLEARLY))
