"""Choosing what a child places next: what parents agree on, best buddies, the surest boundary.

`growing` has the pools and cells, `greedy` what is known of a boundary's candidates, `search` the
nearest free side.
"""

import numpy as np

from jigsolve._kernels.arrangements import (
    NOWHERE,
    cells_across,
)
from jigsolve._kernels.costs import SEVERAL_BUDDIES, pieces_in, seam_cost
from jigsolve._kernels.geometry import (
    LEFT,
    SIDES,
    TURNS,
    piece_of,
    pose_beside,
    pose_of,
    posed_piece,
    side_at,
    toward_of,
    toward_when_turned,
)
from jigsolve._kernels.greedy import (
    RANK_MASK,
    cheapest_free_candidate,
    draw_surest_boundary,
    is_better_empty,
    weigh_candidates,
)
from jigsolve._kernels.growing import (
    AGREED,
    AGREED_SIZE,
    BOUNDARIES_SIZE,
    BUDDIES_SIZE,
    BUDDY,
    COLUMN_MASK,
    COLUMN_SHIFT,
    FREE_SIZE,
    GREEDY,
    KNOWS_SKIPS,
    MUTATION,
    NEXT_HOLE,
    OWN,
    RANDOM,
    ROW_SHIFT,
    VALUE_MASK,
    draw_boundary,
    draw_cell,
    draw_proposal,
)
from jigsolve._kernels.jit import apart, kernel
from jigsolve._kernels.known import BARRED, known_cost
from jigsolve._kernels.randomness import below, draw_turn, unit
from jigsolve._kernels.search import forget_skips, nearest_free_side


@kernel
def is_best_buddy(seams, side, partner):
    """Whether two sides are each other's cheapest partner, ties included."""
    buddy = seams.buddies[side]
    if buddy != SEVERAL_BUDDIES:
        return buddy == partner
    if known_cost(seams, side, partner) == BARRED:
        return False
    cheapest = seams.nearest_cost[side]
    if seams.nearest_cost[partner] != cheapest:
        return False
    # Most ties are those of identical borders: no need to compare them pixel by pixel.
    if seams.twins[partner] == seams.twins[seams.nearest[side]]:
        return True
    return seam_cost(seams, side, partner) == cheapest


@kernel
def draw_mutation(rules, work):
    """Return after how many placements the child mutates; that of all cells if it does not.

    A mutated child takes one random piece, at the first agreed or greedy placement from a random
    moment on.
    """
    cells = rules.rows * rules.columns
    if unit(work.stream) < rules.mutation:
        return 1 + below(work.stream, cells - 1)
    return np.int64(cells)


@kernel
def draw_first(seams, rules, work, mother, wanted):
    """Return the pose that is wanted first; that of a random piece if none is.

    A piece is drawn that is on the mother's board, and lies across it as it does there.
    """
    pose = np.int64(wanted)
    if pose >= 0 and mother[posed_piece(pose), LEFT] != NOWHERE:
        return pose
    piece = np.int64(-1)
    while piece < 0 or mother[piece, LEFT] == NOWHERE:
        piece = below(work.stream, pieces_in(seams))
    pose = pose_of(piece, 0)
    if seams.poses == TURNS and cells_across(mother, pose) != rules.columns:
        pose += 1
    return pose


@kernel
def draw_free(seams, work):
    """Return a random pose of a random free piece."""
    piece = np.int64(work.free[below(work.stream, work.state[FREE_SIZE])])
    return pose_of(piece, draw_turn(seams.poses, work.stream))


@kernel
def proposed(seams, rules, work, real):
    """Draw what parents agree on, else best buddies of one of them, else ask the phase `own`.

    Returns the phase, the cell as an entry of a pool, and the pose; the entry is -1 where there
    is no proposal.
    """
    stream, state, grid, slot = work.stream, work.state, work.grid, work.slot
    rows, columns = rules.rows, rules.columns
    phase = AGREED
    entry = draw_proposal(stream, state, grid, slot, rows, columns, work.agreed, AGREED_SIZE)
    if entry < 0:
        phase = BUDDY
        entry = draw_proposal(stream, state, grid, slot, rows, columns, work.buddies, BUDDIES_SIZE)
    pose = np.int64(-1)
    if entry >= 0:
        pose = entry & VALUE_MASK
    elif rules.has_own:
        phase = OWN
        entry = draw_cell(
            stream, state, grid, rows, columns, work.boundaries, BOUNDARIES_SIZE, real, work.around
        )
        if entry >= 0:
            piece = rules.own(seams.partners, seams.costs, slot, work.around)
            if piece < 0 or piece >= slot.shape[0] or slot[piece] < 0:
                entry = np.int64(-1)
            else:
                pose = pose_of(piece, 0)
                if seams.poses > 1:
                    pose = best_pose(seams, work.around, pose)
    return phase, entry, pose


@apart
def best_pose(seams, around, pose):
    """Return a piece turned as its seams with the sides around its cell cost least."""
    best = pose
    lowest = np.inf
    for turn in range(0, TURNS, TURNS // seams.poses):
        cost = 0.0
        for toward in range(SIDES):
            if around[toward] >= 0:
                cost += seam_cost(seams, side_at(pose + turn, toward), around[toward])
        if cost < lowest:
            lowest = cost
            best = pose + turn
    return best


@kernel
def next_boundary(seams, rules, work):
    """Draw the boundary at which to go on where nothing is proposed; return its entry."""
    rows, columns, boundaries = rules.rows, rules.columns, work.boundaries
    if rules.greedy and rules.boundaries > 1:
        return draw_surest_boundary(seams, work, rows, columns, rules.boundaries)
    return boundaries[
        draw_boundary(
            work.stream, work.state, work.grid, rows, columns, boundaries, BOUNDARIES_SIZE
        )
    ]


@kernel
def next_hole(work):
    """Return the number of an empty cell that is not used yet, that past the last if none is."""
    state, slot = work.state, work.slot
    while state[NEXT_HOLE] < slot.shape[0] and slot[state[NEXT_HOLE]] < 0:
        state[NEXT_HOLE] += 1
    return state[NEXT_HOLE]


@kernel
def greedy_pose(seams, rules, work, real, entry):
    """Return the best pose for a boundary: a candidate, an empty cell or the nearest free side."""
    state, grid, slot = work.state, work.grid, work.slot
    rows, columns = rules.rows, rules.columns
    side = entry & VALUE_MASK
    is_real = piece_of(side) < real
    way = toward_of(side)
    if seams.poses > 1:
        way = toward_when_turned(way, np.int64(work.turn[piece_of(side)]))
    partner = np.int64(-1)
    if is_real:
        rank = work.outlooks[side] & RANK_MASK if rules.boundaries > 1 else np.int64(0)
        if rules.weighed == 1:
            partner = cheapest_free_candidate(seams.partners, slot, side, rank)
        else:
            partner = weigh_candidates(
                seams, state, grid, slot, rows, columns, entry, way, rank, rules.weighed
            )
    pose = pose_beside(partner, way)
    hole = next_hole(work)
    if hole < slot.shape[0] and (
        partner < 0 or is_better_empty(seams, state, grid, rows, columns, entry, pose)
    ):
        return pose_of(hole, 0)
    if partner >= 0:
        return pose
    if not is_real:
        return draw_free(seams, work)
    if state[KNOWS_SKIPS] == 0:
        forget_skips(work.skips)
        state[KNOWS_SKIPS] = 1
    return pose_beside(nearest_free_side(seams, slot, work.skips, side), way)


@kernel
def choose(seams, rules, work, real, mutates):
    """Choose what is placed next: return phase, pose, row and column.

    A child that mutates takes a random piece, if that is not up to another phase.
    """
    phase, entry, pose = proposed(seams, rules, work, real)
    if entry < 0:
        phase = GREEDY if rules.greedy else RANDOM
        entry = next_boundary(seams, rules, work)
    if mutates and phase in (AGREED, GREEDY):
        phase = MUTATION
    if phase == GREEDY:
        pose = greedy_pose(seams, rules, work, real, entry)
    elif phase in (RANDOM, MUTATION):
        pose = draw_free(seams, work)
    return phase, pose, entry >> ROW_SHIFT, (entry >> COLUMN_SHIFT) & COLUMN_MASK
