"""The most compatible available piece, when a side's candidates are all used.

Looking at every free piece would take most of the time on a large puzzle. Here the borders of
all pieces stand sorted by their first principal component, four components each, close together
in memory. Starting from where the asking side would stand, pieces are visited outward until the
first component alone is farther than the best found; four components rule out nearly all that
are visited, and only the rest are compared border by border. The answer is exact.
"""

import math

import numpy as np

from jigsolve._kernels.costs import squared_distance
from jigsolve._kernels.jit import kernel

COMPONENTS = 4
FEW = 64
"""With fewer than one piece in FEW free, looking at all free ones is quicker."""
MARGIN = 1.0
"""Components are rounded to 24 bits; borders are whole numbers, so this is ample."""


@kernel
def nearest_free_piece(borders, order, sketches, places, looks, slot, free, free_size, side):
    """Return the free piece whose border is nearest (Euclidean) to a side, ties by number."""
    facing = (side & 3) ^ 1
    best = np.int64(-1)
    lowest = np.int64(np.iinfo(np.int64).max)
    pieces = order.shape[1]
    if free_size * FEW < pieces:
        for index in range(free_size):
            piece = np.int64(free[index])
            distance = squared_distance(borders, side, 4 * piece + facing)
            if distance < lowest or (distance == lowest and piece < best):
                lowest = distance
                best = piece
        return best
    look_0, look_1, look_2, look_3 = looks[side]
    reach = np.float32(np.inf)  # how far a sketch may be from the look of the side, squared
    up = np.int64(places[side])
    down = up - 1
    while up < pieces or down >= 0:
        # Step outward to whichever neighbour is nearer in the first component.
        above = np.float32(np.inf)
        below = np.float32(np.inf)
        if up < pieces:
            above = sketches[facing, up, 0] - look_0
        if down >= 0:
            below = look_0 - sketches[facing, down, 0]
        if above <= below:
            here = up
            step = above
            up += 1
        else:
            here = down
            step = below
            down -= 1
        if step * step > reach:
            break
        d_1 = sketches[facing, here, 1] - look_1
        d_2 = sketches[facing, here, 2] - look_2
        d_3 = sketches[facing, here, 3] - look_3
        if step * step + d_1 * d_1 + d_2 * d_2 + d_3 * d_3 > reach:
            continue
        piece = np.int64(order[facing, here])
        if slot[piece] < 0:
            continue
        distance = squared_distance(borders, side, 4 * piece + facing)
        if distance < lowest or (distance == lowest and piece < best):
            lowest = distance
            best = piece
            reach = np.float32((math.sqrt(distance) + MARGIN) ** 2)
    return best
