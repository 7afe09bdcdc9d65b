"""Two matrices whose product is what all pairs of facing sides cost.

Of NumPy's arrays, or of CuPy's: only what the two libraries have in common is used.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from jigsolve._kernels.costs import FORM
from jigsolve.execution.crew import Executor, spans

ROWS_AT_ONCE = 1024
"""What it takes on the way is several times what comes of it."""


def distance_factors(
    near: np.ndarray, far: np.ndarray, precision: np.dtype[Any], crew: Executor
) -> tuple[np.ndarray, np.ndarray]:
    """Return two matrices whose product is the squared distance of borders, (m, width) int16 each.

    |a - b|^2 is one product once |a|^2 and |b|^2 ride along as columns.
    """
    filled = np.flatnonzero(near.any(axis=0) | far.any(axis=0))  # the rest is padding
    centre = np.rint(near[:, filled].astype(precision).mean(axis=0))
    shape = len(near), len(filled) + 2
    left, right = (np.empty_like(near, precision, shape=shape) for _ in range(2))

    def fill(span: tuple[int, int]) -> None:
        some = slice(*span)
        # Smaller numbers, smaller rounding.
        a, b = (side[some][:, filled].astype(precision) - centre for side in (near, far))
        left[some, :-2], left[some, -1] = a, 1
        left[some, -2] = np.einsum("ij,ij->i", a, a)
        right[some, :-2], right[some, -2] = -2 * b, 1
        right[some, -1] = np.einsum("ij,ij->i", b, b)

    crew.map(fill, spans(len(near), ROWS_AT_ONCE))
    return left, right


def gradient_factors(
    near: np.ndarray, far: np.ndarray, precision: np.dtype[Any], crew: Executor
) -> tuple[np.ndarray, np.ndarray]:
    """Return two matrices whose product is the gradient cost of borders, (m, width) int16 each.

    The sum of (y - z)' A (y - z) over pixels, y of one side, z and A of the other, is that of
    A with the sum of y y', less twice that of A z with y, plus that of z' A z: so many columns
    for each of the two sides.
    """
    half = (near.shape[1] - FORM) // 2
    across = half // 3 * 3
    pixels = [side[:, :across].reshape(len(side), -1, 3) for side in (near, far)]
    near_filled, far_filled = (side.any(axis=(0, 2)) for side in pixels)
    filled = np.flatnonzero(near_filled | far_filled)  # the rest is padding
    many = 2 * len(near) * len(filled)
    sums = sum(side[:, filled].sum(axis=(0, 1), dtype=np.float64) for side in pixels)
    centre = sums / max(many, 1)  # of all black pixels there are none
    shape = len(near), 2 * (9 + 3 * len(filled) + 1)
    left, right = (np.empty_like(near, precision, shape=shape) for _ in range(2))

    def fill(span: tuple[int, int]) -> None:
        some = slice(*span)
        asking, known = _asked_and_known(near[some], filled, centre)
        left[some] = np.hstack([*asking, *known])
        asking, known = _asked_and_known(far[some], filled, centre)
        right[some] = np.hstack([*known, *asking])

    crew.map(fill, spans(len(near), ROWS_AT_ONCE))
    return left, right


def _asked_and_known(
    borders: np.ndarray, filled: np.ndarray, centre: np.ndarray
) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Return the columns of sides that ask, A and z, and of those that are asked, y."""
    rows = borders.astype(np.float64)
    half = (rows.shape[1] - FORM) // 2
    across = half // 3 * 3
    y = rows[:, :across].reshape(len(rows), -1, 3)[:, filled] - centre
    z = rows[:, half : half + across].reshape(len(rows), -1, 3)[:, filled] - centre
    factor = np.zeros_like(rows, shape=(len(rows), 3, 3))
    for place, (i, j) in enumerate(zip(*np.triu_indices(3), strict=True)):
        factor[:, int(i), int(j)] = rows[:, place - FORM]
    factor = np.ldexp(factor, rows[:, -FORM + 6 : -FORM + 9].astype(int)[:, :, None])
    form = factor.transpose(0, 2, 1) @ factor
    bent = np.einsum("npi,nij->npj", z, form)
    asking = [
        form.reshape(len(rows), -1),
        -2 * bent.reshape(len(rows), -1),
        np.einsum("npi,npi->n", bent, z)[:, None],
    ]
    known = [
        np.einsum("npi,npj->nij", y, y).reshape(len(rows), -1),
        y.reshape(len(rows), -1),
        np.ones_like(rows, shape=(len(rows), 1)),
    ]
    return asking, known
