"""Pictures whose columns or rows, one pixel wide, were shuffled."""

from __future__ import annotations

import numpy as np

from jigsolve.detect.grid import Candidate, Grid
from jigsolve.detect.lattice import Lattice

FEWEST = 16
"""Lines below which chance may look like this."""

_SURE = 0.99
_UNRELATED = 0.8  # of what distant lines differ by: from here on neighbours have nothing in common
_RELATED = 0.6  # and below it a line has a true neighbour somewhere
_COMPARED = 64
_PIXELS = 512


def find_single_lines(pixels: np.ndarray) -> list[Candidate]:
    """Return the grid of columns or rows of one pixel; none where they are not shuffled.

    Where both are, columns come first: how much two of them differ does not depend on the order
    of rows.
    """
    height, width = pixels.shape[:2]
    if are_shuffled(pixels):
        grid = Grid(Lattice(0, height, 0, 1), Lattice(0, 1, 0, width))
    elif are_shuffled(pixels.swapaxes(0, 1)):
        grid = Grid(Lattice(0, 1, 0, height), Lattice(0, width, 0, 1))
    else:
        return []
    return [Candidate(grid, _SURE)]


def are_shuffled(pixels: np.ndarray) -> bool:
    """Whether the columns of a picture were shuffled one by one.

    Then a column has nothing in common with those beside it, but with some elsewhere.
    """
    rows, count = pixels.shape[:2]
    if count < FEWEST or rows < FEWEST:
        return False
    lines = pixels[:: max(rows // _PIXELS, 1)].swapaxes(0, 1).astype(np.float32)
    lines = lines.reshape(count, -1)
    chosen = np.linspace(0, count - 2, min(_COMPARED, count - 1)).astype(int)
    differences = np.stack([np.abs(lines - lines[line]).mean(axis=1) for line in chosen])
    beside = differences[np.arange(len(chosen)), chosen + 1]
    differences[np.arange(len(chosen)), chosen] = np.inf
    nearest = differences.min(axis=1)
    distant = float(np.median(differences[np.isfinite(differences)]))
    if distant < 1.0:  # grey levels: a flat picture has no order
        return False
    return bool(
        np.median(beside) > _UNRELATED * distant and np.median(nearest) < _RELATED * distant
    )
