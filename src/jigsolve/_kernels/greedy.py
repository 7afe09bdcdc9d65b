"""The greedy phase: which boundary, and which piece for it.

What is known of a boundary's candidates is its *outlook*, one 63-bit word per side, highest bits
first: how doubtful its best free candidate is, that candidate, the next free one, and a rank
before which all candidates are used. Pieces are used up but never given back, so an outlook holds
as long as both its pieces are free, and a comparison of words is one of doubts.
"""

import numpy as np

from jigsolve._kernels.costs import seam_cost
from jigsolve._kernels.geometry import (
    SIDES,
    cell_toward,
    opposite,
    piece_of,
    pose_beside,
    side_at,
)
from jigsolve._kernels.growing import (
    BOUNDARIES_SIZE,
    COLUMN_MASK,
    COLUMN_SHIFT,
    DRY_SIZE,
    ROW_SHIFT,
    VALUE_MASK,
    draw_boundary,
    is_inside,
    take,
    torus_cell,
)
from jigsolve._kernels.jit import kernel

PIECE_BITS = 21
RANK_BITS = 8
PIECE_MASK = (1 << PIECE_BITS) - 1
RANK_MASK = (1 << RANK_BITS) - 1
NEXT_SHIFT = RANK_BITS
BEST_SHIFT = NEXT_SHIFT + PIECE_BITS
DOUBT_SHIFT = BEST_SHIFT + PIECE_BITS
MOST_PIECES = PIECE_MASK

TIE = 1 << 12
"""Doubt where two candidates cost the same, or where only one is left."""
DRY = ((2 * TIE - 1) << DOUBT_SHIFT) | RANK_MASK
"""The outlook of a side with no free candidate left."""
UNKNOWN = -1


@kernel
def look_again(partners, costs, slot, side, rank):
    """Work out the outlook of a side, starting at a rank before which all are used.

    Doubt is the cost of the best free candidate over that of the next: 0 is sure.
    """
    best = np.int64(-1)
    best_rank = np.int64(0)
    for r in range(rank, partners.shape[1]):
        piece = np.int64(piece_of(partners[side, r]))
        if slot[piece] < 0:
            continue
        if best < 0:
            best = piece
            best_rank = np.int64(r)
            continue
        doubt = np.int64(TIE)
        if costs[side, r] > 0:
            doubt = np.int64(TIE * (costs[side, best_rank] / costs[side, r]))
        return (
            (doubt << DOUBT_SHIFT)
            | (best << BEST_SHIFT)
            | (piece << NEXT_SHIFT)
            | min(best_rank, RANK_MASK)
        )
    if best < 0:
        return np.int64(DRY)
    return (
        (np.int64(TIE) << DOUBT_SHIFT)
        | (best << BEST_SHIFT)
        | (best << NEXT_SHIFT)
        | min(best_rank, RANK_MASK)
    )


@kernel
def current_outlook(partners, costs, slot, outlooks, side):
    """Return the outlook of a side, worked out again only if one of its pieces was used."""
    outlook = outlooks[side]
    if outlook == DRY:
        return outlook
    if outlook != UNKNOWN:
        best = (outlook >> BEST_SHIFT) & PIECE_MASK
        second = (outlook >> NEXT_SHIFT) & PIECE_MASK
        if slot[best] >= 0 and slot[second] >= 0:
            return outlook
        outlook = look_again(partners, costs, slot, side, outlook & RANK_MASK)
    else:
        outlook = look_again(partners, costs, slot, side, np.int64(0))
    outlooks[side] = outlook
    return outlook


@kernel
def cheapest_free_candidate(partners, slot, side, rank):
    """Return a side's cheapest free candidate; all before `rank` are used; -1 when none is."""
    for r in range(rank, partners.shape[1]):
        partner = np.int64(partners[side, r])
        if slot[piece_of(partner)] >= 0:
            return partner
    return np.int64(-1)


@kernel
def draw_surest_boundary(seams, work, rows, columns, attempts):
    """Return the surest of several random valid boundaries.

    Those with no free candidate left are put aside, to be filled when no others are left; where
    cells may stay empty, so are those with none that costs less than that.
    """
    stream, state, grid = work.stream, work.state, work.grid
    has_holes = SIDES * work.slot.shape[0] > seams.partners.shape[0]
    boundaries, dry = work.boundaries, work.dry
    chosen = np.int64(-1)
    surest = np.int64(DRY)
    looked_at = 0
    while looked_at < attempts:
        index = draw_boundary(stream, state, grid, rows, columns, boundaries, BOUNDARIES_SIZE)
        if index < 0:
            break
        entry = boundaries[index]
        side = entry & VALUE_MASK
        outlook = current_outlook(seams.partners, seams.costs, work.slot, work.outlooks, side)
        if outlook == DRY or (has_holes and seams.costs[side, outlook & RANK_MASK] > seams.hole):
            dry[state[DRY_SIZE]] = take(boundaries, state, BOUNDARIES_SIZE, index)
            state[DRY_SIZE] += 1
            continue
        looked_at += 1
        if outlook >> DOUBT_SHIFT < surest >> DOUBT_SHIFT:
            surest = outlook
            chosen = entry
    if chosen < 0:
        chosen = dry[draw_boundary(stream, state, grid, rows, columns, dry, DRY_SIZE)]
    return chosen


@kernel
def weigh_candidates(seams, state, grid, slot, rows, columns, entry, way, rank, weighed):
    """Return the best of a side's first free candidates by all pieces around the cell.

    The side points `way`. All before `rank` are used; -1 when none is free.
    """
    partners, costs = seams.partners, seams.costs
    side = entry & VALUE_MASK
    row = entry >> ROW_SHIFT
    column = (entry >> COLUMN_SHIFT) & COLUMN_MASK
    best = np.int64(-1)
    lowest = np.float32(np.inf)
    for r in range(rank, partners.shape[1]):
        candidate = np.int64(partners[side, r])
        if slot[piece_of(candidate)] < 0:
            continue
        pose = pose_beside(candidate, way)
        cost = costs[side, r]
        for toward in range(SIDES):
            if cost >= lowest:
                break
            next_row, next_column = cell_toward(row, column, toward)
            if not is_inside(state, next_row, next_column):
                continue
            other = grid[torus_cell(rows, columns, next_row, next_column)]
            partner = side_at(np.int64(other), opposite(toward))
            if other >= 0 and partner != side:
                cost += seam_cost(seams, side_at(pose, toward), partner)
        if cost < lowest:
            lowest = cost
            best = candidate
        weighed -= 1
        if weighed == 0:
            break
    return best


@kernel
def is_better_empty(seams, state, grid, rows, columns, entry, pose):
    """Whether a pose costs more in a cell than leaving it empty."""
    row = entry >> ROW_SHIFT
    column = (entry >> COLUMN_SHIFT) & COLUMN_MASK
    more = 0.0
    for toward in range(SIDES):
        next_row, next_column = cell_toward(row, column, toward)
        if not is_inside(state, next_row, next_column):
            continue
        other = np.int64(grid[torus_cell(rows, columns, next_row, next_column)])
        if other >= 0:
            partner = side_at(other, opposite(toward))
            cost = seam_cost(seams, side_at(pose, toward), partner)
            more += cost - seams.hole
    return more > 0
