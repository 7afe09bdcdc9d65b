"""The paper's anomaly: a right picture, but rolled by some rows or columns.

Nothing in it is wrong but the frame. Rolled back, the dearest cut from one end of the board to the
other lies on its rim.
"""

from __future__ import annotations

import numpy as np

from jigsolve.seams import SeamTable


def cheapest_roll(table: SeamTable, arrangement: np.ndarray) -> np.ndarray:
    """Return an arrangement, (rows, columns), rolled by as much as lowers its cost most."""
    across, down = table.board_costs(arrangement)
    over_the_side, _ = table.board_costs(arrangement[:, [-1, 0]])
    _, over_the_end = table.board_costs(arrangement[[-1, 0]])
    columns = np.concatenate([over_the_side, across], axis=1).sum(axis=0, dtype=np.float64)
    rows = np.concatenate([over_the_end, down], axis=0).sum(axis=1, dtype=np.float64)
    shift = -int(rows.argmax()), -int(columns.argmax())  # the first is how it is: ties stay
    return np.roll(arrangement, shift, axis=(0, 1))
