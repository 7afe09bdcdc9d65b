"""The most compatible available side, when a side's candidates are all used.

Looking at every free side would take most of the time on a large puzzle. Here the borders of all
sides that may be asked for stand sorted by their first principal component, four components each,
close together in memory. Starting from where the asking side would stand, free sides are visited
outward until the first component alone is farther than the best found; four components rule out
nearly all that are visited, and only the rest are compared border by border. The answer is exact.

Late in a child nearly all sides around are used. Each used one remembers a side further on, and
whoever comes by makes it remember the next free one: used sides are soon skipped in one step.
"""

import math

import numpy as np

from jigsolve._kernels.costs import row_against, squared_distance
from jigsolve._kernels.geometry import opposite, piece_of, toward_of
from jigsolve._kernels.jit import kernel, shared

COMPONENTS = 4
MARGIN = 1.0
"""Components are rounded to 24 bits; borders are whole numbers, so this is ample."""


@kernel
def forget_skips(skips):
    """Let every place remember just the next one: all sides are free again.

    There are two places more than sides in each order: skips are (2, f, m + 2).
    """
    ends = skips.shape[2]
    for facing in range(skips.shape[1]):
        for place in range(ends):
            skips[0, facing, place] = place + 1
            skips[1, facing, place] = place - 1


@kernel
def next_free(order, slot, skips, facing, upward, place):
    """Return the place of the first free side from a place on, up or down.

    Places are counted from 1; beyond the last free one it is the number of sides + 1, or 0.
    """
    end = order.shape[1] + 1 if upward else 0
    way = 0 if upward else 1
    found = np.int64(place)
    while found != end and slot[piece_of(order[facing, found - 1])] < 0:
        found = np.int64(skips[way, facing, found])
    here = np.int64(place)
    while here != found:
        following = np.int64(skips[way, facing, here])
        skips[way, facing, here] = found
        here = following
    return found


@shared
def sought_by(toward, poses):
    """Return which of the orders has the sides that a side may touch.

    There is one for each side; with half turns one for each pair of them, and then one for all.
    """
    return opposite(toward) >> (poses >> 1)


@kernel
def nearest_free_side(seams, slot, skips, side):
    """Return the side of a free piece that is nearest (Euclidean) to a side, ties by number."""
    order, sketches = seams.order, seams.sketches
    facing = sought_by(toward_of(side), seams.poses)
    best = np.int64(-1)
    lowest = np.int64(np.iinfo(np.int64).max)
    beyond = order.shape[1] + 1
    look_0, look_1, look_2, look_3 = seams.looks[side]
    reach = np.float32(np.inf)  # how far a sketch may be from the look of the side, squared
    up = next_free(order, slot, skips, facing, True, seams.places[side] + 1)
    down = next_free(order, slot, skips, facing, False, seams.places[side])
    while up < beyond or down > 0:
        # Step outward to whichever neighbour is nearer in the first component.
        above = np.float32(np.inf)
        below = np.float32(np.inf)
        if up < beyond:
            above = sketches[facing, up - 1, 0] - look_0
        if down > 0:
            below = look_0 - sketches[facing, down - 1, 0]
        if above <= below:
            here = up - 1
            step = above
            up = next_free(order, slot, skips, facing, True, up + 1)
        else:
            here = down - 1
            step = below
            down = next_free(order, slot, skips, facing, False, down - 1)
        if step * step > reach:
            break
        d_1 = sketches[facing, here, 1] - look_1
        d_2 = sketches[facing, here, 2] - look_2
        d_3 = sketches[facing, here, 3] - look_3
        if step * step + d_1 * d_1 + d_2 * d_2 + d_3 * d_3 > reach:
            continue
        partner = np.int64(order[facing, here])
        distance = squared_distance(seams.edges, side, row_against(seams.edges, side, partner))
        if distance == 0:
            # None is nearer. There may be thousands as near; they stand together, by number.
            first = next_free(
                order, slot, skips, facing, True, np.int64(seams.equals[facing, here]) + 1
            )
            return np.int64(order[facing, first - 1])
        if distance < lowest or (distance == lowest and partner < best):
            lowest = distance
            best = partner
            reach = np.float32((math.sqrt(distance) + MARGIN) ** 2)
    return best
