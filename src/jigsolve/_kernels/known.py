"""What is known of seams beforehand: sides that must touch, and sides that must not.

Where nothing is known the arrays are empty, and asking costs one comparison.
"""

import numpy as np

from jigsolve._kernels.jit import apart, kernel

OPEN = -1
"""In place of the side that a side must touch: nothing is known of it."""
SOME_PARTED = -2
"""Or only that it must not touch some."""

BARRED = np.float32(1e6)
"""What a seam costs that must not be: more than all other seams of a puzzle that is solved."""
HELD = np.float32(0.0)
"""What a seam costs that must be."""

SAYS_NOTHING = np.float32(-1.0)


@kernel
def known_cost(seams, side, partner):
    """Return what a seam costs by what is known of it: HELD or BARRED, or SAYS_NOTHING.

    The two sides must be those of pieces.
    """
    if seams.touching.shape[0] == 0:
        return SAYS_NOTHING
    return what_is_known(seams.touching, seams.parted, side, partner)


@kernel
def known_cost_of_hole(seams, side):
    """Return BARRED where a side must touch another and not an empty cell, or SAYS_NOTHING."""
    if seams.touching.shape[0] == 0 or side >= seams.touching.shape[0]:
        return SAYS_NOTHING
    return BARRED if seams.touching[side] >= 0 else SAYS_NOTHING


@apart
def what_is_known(touching, parted, side, partner):
    """Return HELD or BARRED, or SAYS_NOTHING where neither is known."""
    wanted = np.int64(touching[side])
    if wanted >= 0 or touching[partner] >= 0:
        return HELD if wanted == partner else BARRED
    if wanted != SOME_PARTED:
        return SAYS_NOTHING
    key = np.int64(side) * touching.shape[0] + partner
    first = 0
    last = parted.shape[0]
    while first < last:
        middle = (first + last) // 2
        if parted[middle] < key:
            first = middle + 1
        else:
            last = middle
    return BARRED if first < parted.shape[0] and parted[first] == key else SAYS_NOTHING
