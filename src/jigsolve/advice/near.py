"""What lies around answers: solving on may leave all else as it is."""

from __future__ import annotations

import numpy as np

from jigsolve.core.constraints import Constraints

TOUCHING_UP = {"population": 30, "repairs": 1, "annealing": 1000}
"""Settings of a solve near answers, for which a person waits: nearly all is there already."""

REACH = 3
"""Rows and columns around a piece that an answer names, and around where it is to lie."""


def near(arrangement: np.ndarray, said: Constraints, pieces: int, reach: int = REACH) -> np.ndarray:
    """Return which cells of an arrangement lie near what was said, a mask of its shape."""
    rows, columns = arrangement.shape
    cell_of = np.full(pieces, -1)
    lies = np.flatnonzero(arrangement >= 0)
    cell_of[arrangement.ravel()[lies]] = lies
    named = [piece for seam in (*said.joined, *said.parted) for piece in (seam[0], seam[2])]
    named += [fixed[0] for fixed in said.fixed]
    cells = cell_of[np.array(named, np.int64)]
    aims = [fixed[1] * columns + fixed[2] for fixed in said.fixed]
    found = np.zeros((rows, columns), bool)
    for cell in (*cells[cells >= 0].tolist(), *aims):
        row, column = divmod(cell, columns)
        top, left = max(0, row - reach), max(0, column - reach)
        found[top : row + reach + 1, left : column + reach + 1] = True
    return found


def staying(arrangement: np.ndarray, free: np.ndarray, known: Constraints) -> Constraints:
    """Return that all pieces stay but those in free cells, and those whose cell is known."""
    elsewhere = np.isin(arrangement, [fixed[0] for fixed in known.fixed])
    return Constraints.from_arrangement(np.where(free | elsewhere, -1, arrangement))
