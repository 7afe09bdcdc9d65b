"""How well the offsets of two pieces go together."""

import math

import numpy as np

from jigsolve._kernels.jit import kernel


@kernel
def log_ratios(expected, offsets, doubt, ones, others, found):
    """Fill in for each pair the logarithm of how far the other's offsets are those expected of it.

    Both are (n, k); what they sum up to as products is never taken for less than the doubt.
    """
    for pair in range(ones.shape[0]):
        one = ones[pair]
        other = others[pair]
        total = doubt
        for offset in range(offsets.shape[1]):
            total += expected[one, offset] * offsets[other, offset]
        found[pair] = np.float32(math.log(total))
