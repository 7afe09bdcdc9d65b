"""Loops of loops: squares of pieces whose seams all agree, and how they are put together.

A loop of order i is a square of i x i posed pieces, made of four loops of order i - 1 that overlap
where they are alike: it is four numbers, top left, top right, bottom left and bottom right. Those
of order 1 are posed pieces.
"""

import numpy as np

from jigsolve._kernels.costs import seam_cost
from jigsolve._kernels.geometry import (
    BOTTOM,
    LEFT,
    RIGHT,
    TOP,
    TURNS,
    posed_piece,
    side_at,
    turn_of,
    turned_cell,
)
from jigsolve._kernels.jit import kernel
from jigsolve._kernels.segments import NOTHING, merge, moved_limits, occupant

RELATED = 2
"""Structures with fewer pieces in common are not related."""


@kernel
def share_a_piece(one, other, last_of_one, last_of_other):
    """Whether two lines of pieces, with one more at the end of each, have a piece in common."""
    if last_of_one == last_of_other:
        return True
    for i in range(one.shape[0]):
        if one[i] == last_of_other or other[i] == last_of_one:
            return True
        for j in range(other.shape[0]):
            if one[i] == other[j]:
                return True
    return False


@kernel
def is_listed(first, last, items, wanted):
    index = first
    while index < last and items[index] != wanted:
        index += 1
    return index < last


@kernel
def form_loops(right, right_items, below, below_items, rims, begin, end, loops):
    """List the loops of the next order whose top left ones are `begin`..`end`-1; return how many.

    Of every loop, `right` and `below` have where in the items the ones begin and end that it
    overlaps with; `rims` has its pieces at the four sides. No more are listed than there is room.
    """
    count = 0
    last = rims.shape[2] - 1
    for a in range(begin, end):
        for at_b in range(right[a, 0], right[a, 1]):
            b = right_items[at_b]
            for at_c in range(below[a, 0], below[a, 1]):
                c = below_items[at_c]
                for at_d in range(right[c, 0], right[c, 1]):
                    d = right_items[at_d]
                    if not is_listed(below[b, 0], below[b, 1], below_items, d):
                        continue
                    if share_a_piece(
                        rims[a, LEFT], rims[b, RIGHT], rims[c, LEFT, last], rims[d, RIGHT, last]
                    ) or share_a_piece(
                        rims[a, TOP], rims[c, BOTTOM], rims[b, TOP, last], rims[d, BOTTOM, last]
                    ):
                        continue
                    if count < loops.shape[0]:
                        loops[count, 0] = a
                        loops[count, 1] = b
                        loops[count, 2] = c
                        loops[count, 3] = d
                    count += 1
                    if count >= loops.shape[0]:
                        return count
    return count


@kernel
def loop_costs(seams, poses, loops, costs):
    """Fill in what the four seams of loops of order 2 cost on average."""
    for index in range(loops.shape[0]):
        a, b = np.int64(poses[loops[index, 0]]), np.int64(poses[loops[index, 1]])
        c, d = np.int64(poses[loops[index, 2]]), np.int64(poses[loops[index, 3]])
        total = np.float64(seam_cost(seams, side_at(a, RIGHT), side_at(b, LEFT)))
        total += seam_cost(seams, side_at(c, RIGHT), side_at(d, LEFT))
        total += seam_cost(seams, side_at(a, BOTTOM), side_at(c, TOP))
        total += seam_cost(seams, side_at(b, BOTTOM), side_at(d, TOP))
        costs[index] = total / 4


@kernel
def spread_out(loops, starts, order, number, poses, block, spare):
    """Fill in the posed pieces of a loop, (order, order).

    All loops stand one after another, those of order i from `starts[i]` on.
    """
    block[0, 0] = number
    for size in range(1, order):
        start = starts[order - size + 1]
        for row in range(size + 1):
            for column in range(size + 1):
                quarter = (row == size) * 2 + (column == size)
                parent = block[row - (row == size), column - (column == size)]
                spare[row, column] = loops[start + parent, quarter]
        for row in range(size + 1):
            for column in range(size + 1):
                block[row, column] = spare[row, column]
    for row in range(order):
        for column in range(order):
            block[row, column] = poses[block[row, column]]


@kernel
def largest_related(segments, block, order, shared):
    """Return the largest cluster a loop is related to; a single piece is always.

    How many pieces it shares with each is noted in `shared`.
    """
    for row in range(order):
        for column in range(order):
            shared[segments.segment[posed_piece(block[row, column])]] += 1
    base = np.int64(NOTHING)
    for row in range(order):
        for column in range(order):
            segment = np.int64(segments.segment[posed_piece(block[row, column])])
            size = segments.size[segment]
            if size > 1 and shared[segment] < RELATED:
                continue
            if base == NOTHING or size > segments.size[base]:
                base = segment
    return base


@kernel
def forget_shared(segments, block, order, shared):
    for row in range(order):
        for column in range(order):
            shared[segments.segment[posed_piece(block[row, column])]] = 0


@kernel
def frame_of(segments, block, order, base):
    """Return how a loop turns and shifts to lie as one of its pieces does in a cluster."""
    for row in range(order):
        for column in range(order):
            pose = np.int64(block[row, column])
            piece = posed_piece(pose)
            if segments.segment[piece] == base:
                turn = (segments.turn[piece] - turn_of(pose)) % TURNS
                there_row, there_column = turned_cell(np.int64(row), np.int64(column), turn)
                return (
                    turn,
                    segments.row[piece] - there_row,
                    segments.column[piece] - there_column,
                )
    return np.int64(0), np.int64(0), np.int64(0)


@kernel
def lies_so(segments, block, order, cluster, turn, down, right):
    """Whether all pieces that a loop shares with a cluster lie where the loop has them.

    The loop is turned and shifted to where the cluster is.
    """
    for row in range(order):
        for column in range(order):
            pose = np.int64(block[row, column])
            piece = posed_piece(pose)
            if segments.segment[piece] != cluster:
                continue
            there_row, there_column = turned_cell(np.int64(row), np.int64(column), turn)
            if (
                segments.row[piece] != there_row + down
                or segments.column[piece] != there_column + right
                or segments.turn[piece] != (turn_of(pose) + turn) % TURNS
            ):
                return False
    return True


@kernel
def has_room(segments, base, other, turn, down, right, rows, columns, poses):
    """Whether two clusters, one moved to the other, share no cell and exceed no frame."""
    limits = segments.limits[base]
    top, bottom, left, end = moved_limits(segments.limits[other], turn, down, right)
    height = max(limits[1], bottom) - min(limits[0], top) + 1
    width = max(limits[3], end) - min(limits[2], left) + 1
    fits = height <= rows and width <= columns
    if poses == TURNS:
        fits = fits or (height <= columns and width <= rows)
    if not fits:
        return False
    piece = np.int64(segments.first[other])
    while piece != NOTHING:
        row, column = turned_cell(
            np.int64(segments.row[piece]), np.int64(segments.column[piece]), turn
        )
        if occupant(segments, base, row + down, column + right) != NOTHING:
            return False
        piece = np.int64(segments.after[piece])
    return True


@kernel
def take_in(segments, block, order, base, shared, rows, columns, poses):
    """Merge all that a loop relates to a cluster into it; return whether the loop is all in it.

    Nothing is merged where the loop contradicts the cluster.
    """
    turn, down, right = frame_of(segments, block, order, base)
    if not lies_so(segments, block, order, base, turn, down, right):
        return False
    is_whole = True
    for row in range(order):
        for column in range(order):
            pose = np.int64(block[row, column])
            piece = posed_piece(pose)
            other = np.int64(segments.segment[piece])
            if other == base:
                continue
            if segments.size[other] > 1 and shared[other] < RELATED:
                is_whole = False
                continue
            # Where the loop lies within the other cluster, and from there to the first.
            own_turn, own_down, own_right = frame_of(segments, block, order, other)
            if not lies_so(segments, block, order, other, own_turn, own_down, own_right):
                is_whole = False
                continue
            quarter = (turn - own_turn) % TURNS
            from_row, from_column = turned_cell(
                np.int64(segments.row[piece]), np.int64(segments.column[piece]), quarter
            )
            there_row, there_column = turned_cell(np.int64(row), np.int64(column), turn)
            below = there_row + down - from_row
            beside = there_column + right - from_column
            if has_room(segments, base, other, quarter, below, beside, rows, columns, poses):
                shared[other] = 0
                merge(segments, base, other, quarter, below, beside)
            else:
                is_whole = False
    return is_whole


@kernel
def merge_loops(
    segments,
    loops,
    starts,
    order,
    poses_of_nodes,
    wanted,
    begin,
    end,
    is_done,
    seeding,
    rows,
    columns,
    poses,
    block,
    spare,
    shared,
):
    """Merge clusters by the wanted loops `begin`..`end`-1 of an order; return how many changed any.

    Unless seeding, only loops related to a cluster of several pieces; else the first that is not,
    and no more. Loops that are all in one cluster are done, and so are those they consist of.
    """
    start = starts[order]
    changed = 0
    for index in range(begin, end):
        number = np.int64(wanted[index])
        if is_done[start + number]:
            continue
        spread_out(loops, starts, order, number, poses_of_nodes, block, spare)
        base = largest_related(segments, block, order, shared)
        if base == NOTHING or (segments.size[base] == 1) != seeding:
            forget_shared(segments, block, order, shared)
            continue
        before = segments.size[base]
        is_whole = take_in(segments, block, order, base, shared, rows, columns, poses)
        forget_shared(segments, block, order, shared)
        if is_whole:
            is_done[start + number] = True
            if order > 2:
                for quarter in range(4):
                    is_done[starts[order - 1] + loops[start + number, quarter]] = True
        if segments.size[base] > before:
            changed += 1
            if seeding:
                return changed
    return changed
