"""The kernel-growing crossover of Sholomon, David and Netanyahu.

One child costs O(1) per placement, except where a side's candidates are all used and the nearest
free piece is searched. `growing` has the pools and cells, `greedy` what is known of a boundary's
candidates, `search` the search.
"""

from typing import Any, NamedTuple

import numpy as np

from jigsolve._kernels.costs import (
    NO_BUDDY,
    NOWHERE,
    SEVERAL_BUDDIES,
    arrangement_cost,
    neighbours_from_grid,
    seam_cost,
)
from jigsolve._kernels.geometry import LEFT, SIDES, cell_toward, opposite, side_of
from jigsolve._kernels.greedy import (
    RANK_MASK,
    UNKNOWN,
    cheapest_free_candidate,
    draw_surest_boundary,
    is_better_empty,
    weigh_candidates,
)
from jigsolve._kernels.growing import (
    ABOVE,
    AGREED,
    AGREED_SIZE,
    BEFORE,
    BEHIND,
    BELOW,
    BOUNDARIES_SIZE,
    BUDDIES_SIZE,
    BUDDY,
    COLUMN_MASK,
    COLUMN_SHIFT,
    DRY_SIZE,
    FIRST,
    FREE_SIZE,
    GREEDY,
    MUTATION,
    OWN,
    RANDOM,
    ROW_SHIFT,
    VALUE_MASK,
    draw_boundary,
    draw_cell,
    draw_proposal,
    is_open,
    torus_cell,
    use_piece,
)
from jigsolve._kernels.jit import kernel
from jigsolve._kernels.randomness import below, seed_stream, shuffle, unit
from jigsolve._kernels.search import forget_skips, nearest_free_piece


class Rules(NamedTuple):
    """The rules of a crossover, as plain numbers."""

    rows: int
    columns: int
    agreed: bool
    buddy: bool
    greedy: bool
    mutation: float
    boundaries: int
    weighed: int
    has_own: bool  # whether to ask `own`, a compiled function: see `phases`
    own: Any


@kernel
def is_best_buddy(seams, side, partner):
    """Whether two sides are each other's cheapest partner, ties included."""
    buddy = seams.buddies[side]
    if buddy != SEVERAL_BUDDIES:
        return buddy == partner
    cheapest = seams.nearest_cost[side]
    if seams.nearest_cost[partner] != cheapest:
        return False
    # Most ties are those of identical borders: no need to compare them pixel by pixel.
    if seams.twins[partner] == seams.twins[seams.nearest[side]]:
        return True
    return seam_cost(seams, side, partner) == cheapest


@kernel
def grow_child(seams, rules, work, mother, father, first_piece, above, before, child):
    """Grow one child of two parents and return its cost. All three are neighbour tables.

    It grows from the first piece, a random one if that is negative. So many rows are above it and
    so many columns before it; negative where that is left open.
    """
    rows = rules.rows
    columns = rules.columns
    cells = rows * columns
    pieces = work.slot.shape[0]  # with the numbers of empty cells, which come last
    real = seams.partners.shape[0] // SIDES
    next_hole = np.int64(real)
    partners = seams.partners
    costs = seams.costs
    stream = work.stream
    state = work.state
    grid = work.grid
    slot = work.slot
    free = work.free
    agreed = work.agreed
    buddies = work.buddies
    boundaries = work.boundaries
    dry = work.dry
    outlooks = work.outlooks
    skips = work.skips
    placed = work.placed
    phases = work.phases
    around = work.around
    tally = work.tally

    for index in range(cells):
        grid[index] = -1
    for index in range(pieces):
        slot[index] = index
        free[index] = index
    state[AGREED_SIZE] = 0
    state[BUDDIES_SIZE] = 0
    state[BOUNDARIES_SIZE] = 0
    state[DRY_SIZE] = 0
    state[FREE_SIZE] = pieces
    state[ABOVE] = 0
    state[BELOW] = 2 * rows
    state[BEFORE] = 0
    state[BEHIND] = 2 * columns
    if above >= 0:
        state[ABOVE] = rows - above - 1
        state[BELOW] = state[ABOVE] + rows + 1
    if before >= 0:
        state[BEFORE] = columns - before - 1
        state[BEHIND] = state[BEFORE] + columns + 1

    # A mutated child takes one random piece, at the first agreed or greedy placement from a
    # random moment on.
    mutant_at = np.int64(cells)
    if unit(stream) < rules.mutation:
        mutant_at = 1 + below(stream, cells - 1)
    searches = 0
    phase = FIRST
    piece = np.int64(first_piece)
    while piece < 0 or mother[piece, LEFT] == NOWHERE:
        piece = below(stream, real)
    row = np.int64(rows)
    column = np.int64(columns)
    for count in range(cells):
        if count > 0:
            phase = AGREED
            entry = draw_proposal(stream, state, grid, slot, rows, columns, agreed, AGREED_SIZE)
            if entry < 0:
                phase = BUDDY
                entry = draw_proposal(
                    stream, state, grid, slot, rows, columns, buddies, BUDDIES_SIZE
                )
            if entry >= 0:
                piece = entry & VALUE_MASK
            elif rules.has_own:
                phase = OWN
                entry = draw_cell(
                    stream, state, grid, rows, columns, boundaries, BOUNDARIES_SIZE, real, around
                )
                if entry >= 0:
                    piece = rules.own(partners, costs, slot, around)
                    if piece < 0 or piece >= pieces or slot[piece] < 0:
                        entry = np.int64(-1)
            if entry < 0 and rules.greedy and rules.boundaries > 1:
                phase = GREEDY
                entry = draw_surest_boundary(seams, work, rows, columns, rules.boundaries)
            elif entry < 0:
                phase = GREEDY if rules.greedy else RANDOM
                entry = boundaries[
                    draw_boundary(stream, state, grid, rows, columns, boundaries, BOUNDARIES_SIZE)
                ]
            if count >= mutant_at and phase in (AGREED, GREEDY):
                mutant_at = np.int64(cells)
                phase = MUTATION
            if phase == GREEDY:
                side = entry & VALUE_MASK
                piece = np.int64(-1)
                if side < SIDES * real:
                    rank = outlooks[side] & RANK_MASK if rules.boundaries > 1 else np.int64(0)
                    if rules.weighed == 1:
                        piece = cheapest_free_candidate(partners, slot, side, rank)
                    else:
                        piece = weigh_candidates(
                            seams, state, grid, slot, rows, columns, entry, rank, rules.weighed
                        )
                while next_hole < pieces and slot[next_hole] < 0:
                    next_hole += 1
                if next_hole < pieces and (
                    piece < 0 or is_better_empty(seams, state, grid, rows, columns, entry, piece)
                ):
                    piece = next_hole
                elif piece < 0:
                    if side >= SIDES * real:
                        piece = np.int64(free[below(stream, state[FREE_SIZE])])
                    else:
                        if searches == 0:
                            forget_skips(skips)
                        searches += 1
                        piece = nearest_free_piece(seams, slot, skips, side)
            elif phase in (RANDOM, MUTATION):
                piece = np.int64(free[below(stream, state[FREE_SIZE])])
            row = entry >> ROW_SHIFT
            column = (entry >> COLUMN_SHIFT) & COLUMN_MASK

        grid[torus_cell(rows, columns, row, column)] = piece
        use_piece(state, slot, free, piece)
        placed[count] = piece
        phases[count] = phase
        tally[phase] += 1
        state[ABOVE] = max(state[ABOVE], row - rows)
        state[BELOW] = min(state[BELOW], row + rows)
        state[BEFORE] = max(state[BEFORE], column - columns)
        state[BEHIND] = min(state[BEHIND], column + columns)

        for side in range(SIDES):
            next_row, next_column = cell_toward(row, column, side)
            if not is_open(state, grid, rows, columns, next_row, next_column):
                continue
            cell = (next_row << ROW_SHIFT) | (next_column << COLUMN_SHIFT)
            own = side_of(piece, side)
            if piece >= real and rules.boundaries > 1:
                # Beside an empty cell nothing is known: it is filled when nothing else can be.
                dry[state[DRY_SIZE]] = cell | own
                state[DRY_SIZE] += 1
                continue
            boundaries[state[BOUNDARIES_SIZE]] = cell | own
            outlooks[own] = UNKNOWN
            state[BOUNDARIES_SIZE] += 1
            if piece >= real:
                continue
            first = np.int64(mother[piece, side])
            second = np.int64(father[piece, side])
            if rules.agreed and first == second:
                if 0 <= first < real and slot[first] >= 0:
                    agreed[state[AGREED_SIZE]] = cell | first
                    state[AGREED_SIZE] += 1
            elif rules.buddy and seams.buddies[own] != NO_BUDDY:
                for parent in range(1 if first == second else 2):
                    other = second if parent else first
                    if (
                        0 <= other < real
                        and slot[other] >= 0
                        and is_best_buddy(seams, own, side_of(other, opposite(side)))
                    ):
                        buddies[state[BUDDIES_SIZE]] = cell | other
                        state[BUDDIES_SIZE] += 1

    # The board is full: its lowest row is one past the limit above it, modulo the torus.
    if pieces > real:
        number_holes(grid, rows, columns, state[ABOVE] + 1, state[BEFORE] + 1, real)
    neighbours_from_grid(grid, rows, columns, state[ABOVE] + 1, state[BEFORE] + 1, child)
    return arrangement_cost(seams, child)


@kernel
def number_holes(grid, rows, columns, first_row, first_column, real):
    """Give empty cells the numbers past the last piece, row by row: one is like another."""
    number = real
    for row in range(rows):
        for column in range(columns):
            cell = (first_row + row) % rows * columns + (first_column + column) % columns
            if grid[cell] >= real:
                grid[cell] = number
                number += 1


@kernel
def grow_children(
    seams, rules, work, seed, generation, parents, population, first, last, children, costs
):
    """Grow the children `first`..`last`-1 of a generation."""
    for child in range(first, last):
        seed_stream(work.stream, seed, generation, child)
        costs[child] = grow_child(
            seams,
            rules,
            work,
            population[parents[child, 0]],
            population[parents[child, 1]],
            -1,
            -1,
            -1,
            children[child],
        )


@kernel
def complete_segments(
    seams, rules, work, seed, generation, moments, starts, frames, first, last, population, costs
):
    """Fill the arrangements `first`..`last`-1 of a generation by completing segments.

    Each takes the segments of one moment along as a child takes what its parents agree on. The
    frame of each is that many rows above and columns before its start, or open.
    """
    for index in range(first, last):
        seed_stream(work.stream, seed, generation, index)
        segments = moments[index % moments.shape[0]]
        costs[index] = grow_child(
            seams,
            rules,
            work,
            segments,
            segments,
            starts[index],
            frames[index, 0],
            frames[index, 1],
            population[index],
        )


@kernel
def random_arrangements(seams, rules, work, seed, first, last, population, costs):
    """Fill the arrangements `first`..`last`-1 of generation 0 at random."""
    pieces = population.shape[1]
    real = seams.partners.shape[0] // SIDES
    for index in range(first, last):
        seed_stream(work.stream, seed, 0, index)
        for piece in range(pieces):
            work.grid[piece] = piece
        shuffle(work.stream, work.grid)
        if pieces > real:
            number_holes(work.grid, rules.rows, rules.columns, 0, 0, real)
        neighbours_from_grid(work.grid, rules.rows, rules.columns, 0, 0, population[index])
        costs[index] = arrangement_cost(seams, population[index])
