"""Euclidean colour difference along the seam, in RGB: the root of the sum of squares (SSD)."""

import numpy as np

from jigsolve._kernels.costs import EUCLIDEAN
from jigsolve.measures.measure import Measure


def outermost(edge: np.ndarray, inner: np.ndarray) -> np.ndarray:
    """Take the outermost pixels as they are."""
    return edge.reshape(len(edge), -1)


SSD_RGB = Measure(name="ssd-rgb", look=outermost, rule=EUCLIDEAN)
