"""Colour difference between the two sides, each carried on towards the other.

Both sides are continued along the step from the second to the outermost pixel, and the magnitudes
of what remains are added up: a slope that runs through the seam costs little, and one bright line
across it does not outweigh all the rest, as it does when squared.

Related: Pomeranz, Shemesh and Ben-Shahar, "A fully automated greedy square jigsaw puzzle solver",
CVPR 2011 (prediction across the seam, powers other than 2); Paikin and Tal, CVPR 2015 (magnitudes).
"""

import numpy as np

from jigsolve._kernels.costs import MAGNITUDES
from jigsolve.measures.colour import UNITS, in_units, lab_from_rgb
from jigsolve.measures.measure import Measure

STEPS = 0.35
"""How many pixels a side is carried on. A smooth slope would want 0.5, half the way; noise makes
a little less better (docs/notebook/choices.md says on what it was tried)."""


def carried_on(edge: np.ndarray, inner: np.ndarray) -> np.ndarray:
    """Continue the outermost pixels."""
    outer = lab_from_rgb(edge)
    return in_units(outer + STEPS * (outer - lab_from_rgb(inner)))


EXTRAPOLATION = Measure(name="extrapolation", look=carried_on, rule=MAGNITUDES, units=UNITS)
