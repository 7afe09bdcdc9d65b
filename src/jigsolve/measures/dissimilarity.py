"""The paper's measure: Euclidean colour difference along the seam (equation 1).

Reference: Cho, Avidan and Freeman, "A probabilistic image jigsaw puzzle solver", CVPR 2010,
in the form used by Sholomon, David and Netanyahu.
"""

import numpy as np

from jigsolve._kernels.costs import EUCLIDEAN
from jigsolve.measures.colour import UNITS, in_units, lab_from_rgb
from jigsolve.measures.measure import Measure


def outermost(edge: np.ndarray, inner: np.ndarray) -> np.ndarray:
    """Take the outermost pixels as they are."""
    return in_units(lab_from_rgb(edge))


DISSIMILARITY = Measure(name="dissimilarity", look=outermost, rule=EUCLIDEAN, units=UNITS)
