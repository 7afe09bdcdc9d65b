"""How likely it is that a seam, or a piece, is where it belongs.

Only the learned measure's costs mean a probability. Those of seams in a solution are turned into
one by a curve fitted on photographs, solved and failed (`training/confidence.py`).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jigsolve._kernels.costs import FAR

WHOLE = np.array([7.7669, -0.807, 0.0, -1.3038, -1.7819])
"""Weights of the features below, for the network for whole borders. None but the first may be
positive: a dearer seam is never more likely right."""
DAMAGED = np.array([10.6522, -1.1882, 0.0, -2.167, -1.715])
"""And for the one for damaged borders."""


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


def confidence_of(across: np.ndarray, down: np.ndarray, weights: np.ndarray) -> Confidence:
    """Return how likely the seams of a solution are right, by what they and those around cost.

    Seams to the right are (rows, columns - 1), those below (rows - 1, columns); NaN is none.
    """
    right, below = (
        np.asarray(1 / (1 + np.exp(-values @ weights))) for values in features(across, down)
    )
    return Confidence(right, below, piece_confidence(right, below))


def features(across: np.ndarray, down: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return what the curve weighs, for seams to the right and below, (..., FEATURES).

    1, the root of the cost, whether it was not scored; the mean root of the seams that close a
    square with it, and of all seams: where most are doubtful a cheap one may be cheap by chance.
    """
    roots = [np.sqrt(np.minimum(costs, FAR).astype(np.float64)) for costs in (across, down)]
    every = np.concatenate([part.ravel() for part in roots])
    usual = float(np.nanmean(every)) if np.isfinite(every).any() else 0.0
    right = _weighed(across, roots[0], _around(roots[0], roots[1]), usual)
    below = _weighed(down, roots[1], _around(roots[1].T, roots[0].T).T, usual)
    return right, below


def _weighed(costs: np.ndarray, own: np.ndarray, beside: np.ndarray, usual: float) -> np.ndarray:
    beside = np.where(np.isnan(beside), usual, beside)
    parts = [np.ones_like(own), own, costs > FAR, beside, np.full_like(own, usual)]
    return np.stack(parts, axis=-1)


def _around(own: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Return the mean over the seams that close a square with each seam to the right.

    A square above or below it has one more such seam, and two that run down.
    """
    total, count = np.zeros_like(own), np.zeros_like(own)
    for here, there in ((np.s_[1:], np.s_[:-1]), (np.s_[:-1], np.s_[1:])):
        for seams in (own[there], others[:, :-1], others[:, 1:]):
            total[here] += np.nan_to_num(seams)
            count[here] += ~np.isnan(seams)
    with np.errstate(invalid="ignore"):
        return np.asarray(total / count)


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
