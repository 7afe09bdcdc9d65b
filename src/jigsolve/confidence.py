"""How likely it is that a seam, or a piece, is where it belongs.

Only the learned measure's costs mean a probability. Those of seams in a solution are turned into
one by a curve fitted on solved photographs (`training/confidence.py`).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jigsolve._kernels.costs import FAR

WEIGHTS = np.array([8.1161, -4.732, 0.7089, -0.4719])
"""Of the features below. Not falling everywhere: where nothing was scored there is little to see,
and what fills the last gap is right more often than what competed and lost."""


class Confidence(NamedTuple):
    """Probabilities of being right."""

    right: np.ndarray
    """Of the seams to the right, (rows, columns - 1)."""
    below: np.ndarray
    """Of the seams below, (rows - 1, columns)."""
    pieces: np.ndarray
    """Of each cell's seams, on average, (rows, columns); NaN where it has none."""

    def as_dict(self) -> dict[str, list[float | None]]:
        """Return what JSON can hold, row by row."""
        grids = (self.right, self.below, self.pieces)
        rounded = [numbers(np.asarray(np.round(grid, 4))) for grid in grids]
        return dict(zip(self._fields, rounded, strict=True))


def numbers(grid: np.ndarray) -> list[float | None]:
    """Return a grid row by row, None where there is no number: JSON knows no NaN."""
    return [None if np.isnan(value) else value for value in grid.ravel().tolist()]


def features(costs: np.ndarray) -> np.ndarray:
    """Return what the curve weighs: 1, the root of the cost, the cost, and whether unscored."""
    scored = np.minimum(costs, FAR).astype(np.float64)
    return np.stack([np.ones_like(scored), np.sqrt(scored), scored, costs > FAR], axis=-1)


def seam_confidence(costs: np.ndarray) -> np.ndarray:
    """Return the probability that seams of a solution are right, by what they cost."""
    return np.asarray(1 / (1 + np.exp(-features(costs) @ WEIGHTS)))


def piece_confidence(across: np.ndarray, down: np.ndarray) -> np.ndarray:
    """Return for every cell the mean confidence of the seams around it, (rows, columns)."""
    rows, columns = across.shape[0], down.shape[1]
    total, count = np.zeros((rows, columns)), np.zeros((rows, columns))
    for seams, here, there in (
        (across, np.s_[:, :-1], np.s_[:, 1:]),
        (down, np.s_[:-1], np.s_[1:]),
    ):
        for side in (here, there):
            total[side] += np.nan_to_num(seams)
            count[side] += ~np.isnan(seams)
    with np.errstate(invalid="ignore"):
        return np.asarray(total / count)
