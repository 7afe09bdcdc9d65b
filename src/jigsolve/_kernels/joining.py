"""Joining segments: which joins are suggested, and what speaks for each.

Two segments may be joined where a side of one meets a side of the other. All seams along which
they would touch then speak for it or against it, and what they say adds up: one seam in a faint
texture says little, ten along a common border are hardly ever wrong. And what has found its
place is out of the way: a seam is compared only with what its two sides could still have.
"""

import numpy as np

from jigsolve._kernels.evidence import NEVER, speaks_for
from jigsolve._kernels.geometry import (
    SIDES,
    TURNS,
    cell_toward,
    opposite,
    piece_of,
    pose_of,
    side_at,
    side_of,
    toward_when_turned,
    turned_cell,
)
from jigsolve._kernels.jit import kernel
from jigsolve._kernels.randomness import GOLDEN, scramble
from jigsolve._kernels.segments import (
    NOTHING,
    cell_key,
    is_open,
    join,
    larger_first,
    may_join,
    move_between,
    moved_limits,
    occupant,
)


@kernel
def find_rivals(seams, segments, excluded, rivals, ranks, first, last):
    """Find the two cheapest partners of open sides among open sides of other segments.

    Those of the sides `first`..`last`-1 are found. Partners that were excluded are passed over.
    Where the candidates do not hold two, the dearest of them is a lower bound of what others cost.
    """
    nearest, nearest_cost = rivals.nearest, rivals.nearest_cost
    most = seams.partners.shape[1]
    for side in range(first, last):
        if not is_open(segments, side):
            continue
        nearest[side] = NOTHING
        nearest_cost[side] = seams.costs[side, most - 1]
        rivals.runner_up_cost[side] = seams.costs[side, most - 1]
        for rank in range(most):
            partner = seams.partners[side, rank]
            if excluded[side, rank] or not may_join(segments, side, partner):
                continue
            if nearest[side] != NOTHING:
                rivals.runner_up_cost[side] = seams.costs[side, rank]
                break
            nearest[side] = partner
            nearest_cost[side] = seams.costs[side, rank]
            ranks[side] = rank


@kernel
def exceeds_board(height, width, rows, columns, poses):
    """Whether a segment of so many rows and columns has no room on a board, whichever way up."""
    if height <= rows and width <= columns:
        return False
    return poses < TURNS or height > columns or width > rows


@kernel
def is_surrounded(segments, piece):
    """Whether a piece has a neighbour on every side."""
    around = segments.neighbours[piece]
    return min(min(around[0], around[1]), min(around[2], around[3])) != NOTHING


@kernel
def weigh_join(seams, rivals, says, segments, rows, columns, side, partner, caution):
    """Return what speaks for joining two segments so that two of their sides touch.

    The larger both are, the more wrong joins there are of which one may look right by chance:
    with caution, more has to speak for it.
    """
    side, partner = larger_first(segments, side, partner)
    larger = np.int64(segments.segment[piece_of(side)])
    smaller = np.int64(segments.segment[piece_of(partner)])
    turn, down, right = move_between(segments, side, partner)
    of_larger = segments.limits[larger]
    top, bottom, left, end = moved_limits(segments.limits[smaller], turn, down, right)
    height = max(of_larger[1], bottom) - min(of_larger[0], top) + 1
    width = max(of_larger[3], end) - min(of_larger[2], left) + 1
    if exceeds_board(height, width, rows, columns, seams.poses):
        return NEVER
    total = -caution * np.log(np.float64(segments.size[smaller]))
    piece = np.int64(segments.first[smaller])
    while piece != NOTHING:
        # Surrounded pieces touch nothing new, and a segment at least as large as this one
        # cannot overlap it without reaching its rim.
        if not is_surrounded(segments, piece):
            row, column = turned_cell(
                np.int64(segments.row[piece]), np.int64(segments.column[piece]), turn
            )
            row += down
            column += right
            if occupant(segments, larger, row, column) != NOTHING:
                return NEVER
            for own in range(SIDES):
                if segments.neighbours[piece, own] != NOTHING:
                    continue
                way = toward_when_turned(own, (segments.turn[piece] + turn) % TURNS)
                next_row, next_column = cell_toward(row, column, way)
                other = occupant(segments, larger, next_row, next_column)
                if other != NOTHING:
                    pose = pose_of(other, np.int64(segments.turn[other]))
                    partner = side_at(pose, opposite(way))
                    total += speaks_for(seams, rivals, says, side_of(piece, own), partner)
        piece = np.int64(segments.after[piece])
    return total if total > 0.5 * NEVER else NEVER


@kernel
def weigh_joins(
    seams, rivals, says, segments, rows, columns, sides, partners, caution, first, last, votes
):
    """Fill in what speaks for the proposed joins `first`..`last`-1."""
    for index in range(first, last):
        side = np.int64(sides[index])
        partner = np.int64(partners[index])
        votes[index] = weigh_join(
            seams, rivals, says, segments, rows, columns, side, partner, caution
        )


@kernel
def join_in_order(seams, rivals, says, segments, rows, columns, sides, partners, caution, least):
    """Join segments as proposed, in order, where still at least so much speaks for it."""
    joined = 0
    for index in range(sides.shape[0]):
        side = np.int64(sides[index])
        partner = np.int64(partners[index])
        if (
            may_join(segments, side, partner)
            and weigh_join(seams, rivals, says, segments, rows, columns, side, partner, caution)
            >= least
        ):
            join(segments, side, partner)
            joined += 1
    return joined


@kernel
def propose(rivals, segments, proposers, sides, partners, keys):
    """List the joins that the cheapest open partners of open sides suggest; return how many.

    The same join, suggested by several seams, has the same key.
    """
    count = 0
    for side in range(rivals.nearest.shape[0]):
        one = np.int64(side)
        other = np.int64(rivals.nearest[side])
        if other == NOTHING or not may_join(segments, one, other):
            continue
        if segments.segment[piece_of(one)] < segments.segment[piece_of(other)]:
            one, other = other, one
        turn, down, right = move_between(segments, one, other)
        key = scramble(np.uint64(segments.segment[piece_of(one)]) + GOLDEN * np.uint64(1 + turn))
        key = scramble(key ^ np.uint64(cell_key(segments.segment[piece_of(other)], down, right)))
        proposers[count] = side
        sides[count] = one
        partners[count] = other
        keys[count] = key
        count += 1
    return count
