"""How well the phases of two pieces go together."""

import math

import numpy as np

from jigsolve._kernels.jit import kernel


@kernel
def log_ratios(expected, phases, doubt, ones, others, found):
    """Fill in for each pair the logarithm of how far the other's phases are those expected of it.

    Both are (n, k); what they sum up to as products is never taken for less than the doubt.
    """
    for pair in range(ones.shape[0]):
        one = ones[pair]
        other = others[pair]
        total = doubt
        for phase in range(phases.shape[1]):
            total += expected[one, phase] * phases[other, phase]
        found[pair] = np.float32(math.log(total))
