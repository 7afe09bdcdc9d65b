"""Colour difference in the middle of the seam, where each side is carried on to.

Both sides are continued by half a pixel, along the step from the second to the outermost pixel,
and the magnitudes of what remains are added up: a slope that runs through the seam costs nothing,
and one bright line across it does not outweigh all the rest, as it does when squared.

Related: Pomeranz, Shemesh and Ben-Shahar, "A fully automated greedy square jigsaw puzzle solver",
CVPR 2011 (prediction across the seam, powers other than 2); Paikin and Tal, CVPR 2015 (magnitudes).
"""

import numpy as np

from jigsolve.measures.measure import Measure


def carried_on(edge: np.ndarray, inner: np.ndarray) -> np.ndarray:
    """Continue the outermost pixels by half a pixel."""
    return np.asarray(edge + 0.5 * (edge - inner))


EXTRAPOLATION = Measure(name="extrapolation", border=carried_on, power=1)
