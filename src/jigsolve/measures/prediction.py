"""How far sides are from what each foretells of the other, a pixel across the seam.

Both sides are carried on by the step from the next to the outermost pixels, in L*a*b*; what is
foretold is never clamped.

References: Pomeranz, Shemesh and Ben-Shahar, "A fully automated greedy square jigsaw puzzle
solver", CVPR 2011 (both sides, (L_p)^q with p = 0.3 and q = 1/16); Paikin and Tal, "Solving
multiple square jigsaw puzzles with missing pieces", CVPR 2015 (one side, p = q = 1).
"""

import numpy as np

from jigsolve._kernels.costs import FORETOLD, POWERS
from jigsolve.measures.colour import UNITS, in_units, lab_from_rgb
from jigsolve.measures.measure import Measure


def foretelling(edge: np.ndarray, inner: np.ndarray) -> np.ndarray:
    """Return the pixels of sides, and those they foretell beyond."""
    outer = lab_from_rgb(edge)
    return np.hstack([in_units(outer), in_units(2 * outer - lab_from_rgb(inner))])


PREDICTION = Measure(name="prediction", look=foretelling, rule=POWERS)
ONE_SIDED = Measure(name="one-sided", look=foretelling, rule=FORETOLD, units=UNITS)
"""A seam costs what both sides say of it together; the kernels' `one_sided_cost` asks one."""
