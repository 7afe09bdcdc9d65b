"""Joining clusters along the surest seams, one after another: Kruskal's tree, with constraints.

Clusters are the segments of `segments`. A seam that would bring two pieces into one cell is left
out, and only that seam.
"""

import numpy as np

from jigsolve._kernels.geometry import piece_of, turned_cell
from jigsolve._kernels.jit import kernel
from jigsolve._kernels.known import BARRED
from jigsolve._kernels.segments import (
    NOTHING,
    join,
    larger_first,
    may_join,
    move_between,
    occupant,
)

TINY = 1e-15
"""Added to both costs of a ratio: two costs of nothing are a tie."""


@kernel
def best_other_cost(seams, side, partner):
    """Return what the cheapest seam of a side costs that is not the one with this partner."""
    if seams.partners.shape[1] == 1:
        return np.inf if seams.partners[side, 0] == partner else np.float64(seams.costs[side, 0])
    return np.float64(seams.costs[side, 1 if seams.partners[side, 0] == partner else 0])


@kernel
def ratio_of(seams, side, partner, cost):
    """Return what a seam costs in terms of the cheapest that one of its sides has instead.

    It is less than 1 only where both sides have nothing better.
    """
    other = min(best_other_cost(seams, side, partner), best_other_cost(seams, partner, side))
    return (cost + TINY) / (other + TINY)


@kernel
def is_candidate(seams, side, partner):
    """Whether a side has another among its candidates."""
    found = False
    for rank in range(seams.partners.shape[1]):
        found |= seams.partners[side, rank] == partner
    return found


@kernel
def list_ratios(seams, most, sides, partners, ratios):
    """List the seams among candidates whose ratio is at most so much, each once; return how many.

    No more are listed than there is room for.
    """
    count = 0
    for side in range(seams.partners.shape[0]):
        for rank in range(seams.partners.shape[1]):
            partner = np.int64(seams.partners[side, rank])
            cost = np.float64(seams.costs[side, rank])
            if partner == side or cost >= BARRED:  # constraints rule it out
                break
            if rank > 0 and cost + TINY > most * (seams.costs[side, 0] + TINY):
                break
            ratio = ratio_of(seams, side, partner, cost)
            if ratio > most or (partner < side and is_candidate(seams, partner, side)):
                continue
            if count < sides.shape[0]:
                sides[count] = side
                partners[count] = partner
                ratios[count] = ratio
            count += 1
    return count


@kernel
def would_overlap(segments, side, partner):
    """Whether two clusters, joined so that two of their sides touch, would share a cell."""
    side, partner = larger_first(segments, side, partner)
    larger = np.int64(segments.segment[piece_of(side)])
    smaller = np.int64(segments.segment[piece_of(partner)])
    turn, down, right = move_between(segments, side, partner)
    piece = np.int64(segments.first[smaller])
    while piece != NOTHING:
        row, column = turned_cell(
            np.int64(segments.row[piece]), np.int64(segments.column[piece]), turn
        )
        if occupant(segments, larger, row + down, column + right) != NOTHING:
            return True
        piece = np.int64(segments.after[piece])
    return False


@kernel
def join_surest(segments, sides, partners, first, last):
    """Join clusters along the listed seams `first`..`last`-1, in order; return how many joins."""
    joined = 0
    for index in range(first, last):
        side = np.int64(sides[index])
        partner = np.int64(partners[index])
        if may_join(segments, side, partner) and not would_overlap(segments, side, partner):
            join(segments, side, partner)
            joined += 1
    return joined
