"""Mahalanobis gradient compatibility: how well the gradients of each side foretell the other.

A side's gradients, from the next to the outermost pixels, have a mean and a covariance. Across
the seam the gradient should be such a one: how far it is from their mean, in terms of their
covariance, is summed over the pixels, and over both sides.

Reference: Gallagher, "Jigsaw puzzles with pieces of unknown orientation", CVPR 2012, the second
fitness of Sholomon, David and Netanyahu.
"""

import numpy as np

from jigsolve._kernels.costs import FORM, GRADIENTS
from jigsolve.measures.measure import Measure

UNITS = 16
"""Pixels are kept in fixed point, 16 units to a step of 8-bit colour."""

DUMMIES = np.array(
    [
        (0, 0, 0), (1, 1, 1), (-1, -1, -1),
        (0, 0, 1), (0, 1, 0), (1, 0, 0), (-1, 0, 0), (0, -1, 0), (0, 0, -1),
    ]
)  # fmt: skip
"""Gradients that Gallagher adds to every side, so that each covariance has an inverse."""

BITS = 14


def gradients(edge: np.ndarray, inner: np.ndarray) -> np.ndarray:
    """Return the pixels of sides, those they foretell, and factors of inverse covariances."""
    outer = edge.astype(np.float64)
    steps = outer - inner
    foretold = outer + steps.mean(axis=1, keepdims=True)
    samples = np.concatenate([steps, np.broadcast_to(DUMMIES, (len(edge), *DUMMIES.shape))], axis=1)
    samples -= samples.mean(axis=1, keepdims=True)
    covariance = np.einsum("npi,npj->nij", samples, samples) / (samples.shape[1] - 1)
    factor = np.linalg.cholesky(np.linalg.inv(covariance)).transpose(0, 2, 1) / UNITS
    n = len(edge)
    return np.hstack(
        [
            (outer * UNITS).reshape(n, -1),
            np.rint(foretold * UNITS).reshape(n, -1),
            _in_fixed_point(factor),
        ]
    )


def _in_fixed_point(factor: np.ndarray) -> np.ndarray:
    """Return triangular matrices as whole numbers, and the power of two of each row.

    A factor rather than the matrix itself: in grey pictures all gradients lie on one line, and
    there the matrix is a small difference of large numbers.
    """
    largest = np.abs(factor).max(axis=2)
    exponents = np.floor(np.log2(largest)).astype(int) + 1 - BITS
    whole = np.rint(np.ldexp(factor, -exponents[:, :, None]))[:, *np.triu_indices(3)]
    return np.hstack([whole, exponents, np.zeros((len(factor), FORM - 9))])


MGC = Measure(name="mgc", look=gradients, rule=GRADIENTS)
