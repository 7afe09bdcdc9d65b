"""The kernel-growing crossover of Sholomon, David and Netanyahu.

One child costs O(1) per placement, except where a side's candidates are all used and the nearest
free piece is searched. `choosing` says what is placed next, `growing` has the pools and cells.
"""

from typing import Any, NamedTuple

import numpy as np

from jigsolve._kernels.arrangements import arrangement_cost, neighbours_from_grid
from jigsolve._kernels.choosing import choose, draw_first, draw_mutation, is_best_buddy
from jigsolve._kernels.costs import NO_BUDDY, pieces_in
from jigsolve._kernels.geometry import (
    SIDES,
    cell_toward,
    piece_of,
    pose_beside,
    pose_of,
    posed_piece,
    side_at,
    toward_of,
    turn_of,
)
from jigsolve._kernels.greedy import UNKNOWN
from jigsolve._kernels.growing import (
    ABOVE,
    AGREED_SIZE,
    BEFORE,
    BEHIND,
    BELOW,
    BOUNDARIES_SIZE,
    BUDDIES_SIZE,
    COLUMN_SHIFT,
    DRY_SIZE,
    FIRST,
    FREE_SIZE,
    KNOWS_SKIPS,
    MUTATION,
    NEXT_HOLE,
    ROW_SHIFT,
    is_open,
    torus_cell,
    use_piece,
)
from jigsolve._kernels.jit import apart, kernel
from jigsolve._kernels.keeping import Kept, keep_all
from jigsolve._kernels.randomness import draw_turn, seed_stream, shuffle


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
    kept: Kept  # what every arrangement must keep


OPEN = -1
"""A first pose, or a place for it, that is left to chance and growth."""
ALL_AT_RANDOM = -2
"""As a first pose: all pieces lie at random."""


@kernel
def start_child(rules, work, real, above, before):
    """Empty the board and the pools, and give all pieces back.

    So many rows are above the first piece and so many columns before it, or OPEN.
    """
    state = work.state
    for index in range(rules.rows * rules.columns):
        work.grid[index] = -1
    for index in range(work.slot.shape[0]):
        work.slot[index] = index
        work.free[index] = index
    state[AGREED_SIZE] = 0
    state[BUDDIES_SIZE] = 0
    state[BOUNDARIES_SIZE] = 0
    state[DRY_SIZE] = 0
    state[FREE_SIZE] = work.slot.shape[0]
    state[NEXT_HOLE] = real
    state[KNOWS_SKIPS] = 0
    state[ABOVE] = 0
    state[BELOW] = 2 * rules.rows
    state[BEFORE] = 0
    state[BEHIND] = 2 * rules.columns
    if above >= 0:
        state[ABOVE] = rules.rows - above - 1
        state[BELOW] = state[ABOVE] + rules.rows + 1
    if before >= 0:
        state[BEFORE] = rules.columns - before - 1
        state[BEHIND] = state[BEFORE] + rules.columns + 1


@kernel
def place(rules, work, count, phase, pose, row, column):
    """Place a free piece in an open cell, after `count` others. What it offers is for `offer`."""
    state = work.state
    piece = posed_piece(pose)
    work.grid[torus_cell(rules.rows, rules.columns, row, column)] = pose
    work.turn[piece] = turn_of(pose)
    use_piece(state, work.slot, work.free, piece)
    work.placed[count] = piece
    work.phases[count] = phase
    work.tally[phase] += 1
    state[ABOVE] = max(state[ABOVE], row - rules.rows)
    state[BELOW] = min(state[BELOW], row + rules.rows)
    state[BEFORE] = max(state[BEFORE], column - rules.columns)
    state[BEHIND] = min(state[BEHIND], column + rules.columns)


@kernel
def offer(seams, rules, work, real, mother, father, pose, row, column):
    """Enter into the pools the open cells around a placed pose, and what parents have there."""
    state = work.state
    piece = posed_piece(pose)
    for toward in range(SIDES):
        next_row, next_column = cell_toward(row, column, toward)
        if not is_open(state, work.grid, rules.rows, rules.columns, next_row, next_column):
            continue
        cell = (next_row << ROW_SHIFT) | (next_column << COLUMN_SHIFT)
        side = side_at(pose, toward)
        if piece >= real and rules.boundaries > 1:
            # Beside an empty cell nothing is known: it is filled when nothing else can be.
            work.dry[state[DRY_SIZE]] = cell | side
            state[DRY_SIZE] += 1
            continue
        work.boundaries[state[BOUNDARIES_SIZE]] = cell | side
        state[BOUNDARIES_SIZE] += 1
        if rules.boundaries > 1:
            work.outlooks[side] = UNKNOWN
        if piece < real:
            first = np.int64(mother[piece, toward_of(side)])
            second = np.int64(father[piece, toward_of(side)])
            offer_of_parents(seams, rules, work, real, side, toward, cell, first, second)


@kernel
def offer_of_parents(seams, rules, work, real, side, toward, cell, first, second):
    """Enter what two parents have beside a side: what they agree on, or best buddies.

    The side points `toward`; each parent has another side there.
    """
    state, slot = work.state, work.slot
    if rules.agreed and first == second:
        if first >= 0 and piece_of(first) < real and slot[piece_of(first)] >= 0:
            work.agreed[state[AGREED_SIZE]] = cell | pose_beside(first, toward)
            state[AGREED_SIZE] += 1
    elif rules.buddy and seams.buddies[side] != NO_BUDDY:
        for parent in range(1 if first == second else 2):
            other = second if parent else first
            if (
                other >= 0
                and piece_of(other) < real
                and slot[piece_of(other)] >= 0
                and is_best_buddy(seams, side, other)
            ):
                work.buddies[state[BUDDIES_SIZE]] = cell | pose_beside(other, toward)
                state[BUDDIES_SIZE] += 1


@kernel
def finish_child(seams, rules, work, real, child):
    """Fill in the neighbour table of a full board; return its cost."""
    # Its lowest row is one past the limit above it, modulo the torus.
    first_row, first_column = work.state[ABOVE] + 1, work.state[BEFORE] + 1
    if seams.touching.shape[0] > 0:
        unroll(work, rules.rows, rules.columns, first_row, first_column)
        first_row = first_column = np.int64(0)
        keep(seams, rules, work)
    if work.slot.shape[0] > real:
        number_holes(work.grid, rules.rows, rules.columns, first_row, first_column, real)
    neighbours_from_grid(work.grid, rules.rows, rules.columns, first_row, first_column, child)
    return arrangement_cost(seams, child)


@apart
def keep(seams, rules, work):
    """Make the full grid of a workspace keep what is known."""
    grid, place, settled = work.grid, work.slot, work.outlooks
    keep_all(seams, rules.kept, rules.rows, rules.columns, grid, place, settled, work.stream)


@apart
def unroll(work, rows, columns, first_row, first_column):
    """Turn a full torus into a grid that begins with the board's first row and column."""
    for row in range(rows):
        for column in range(columns):
            cell = (first_row + row) % rows * columns + (first_column + column) % columns
            work.boundaries[row * columns + column] = work.grid[cell]
    for cell in range(rows * columns):
        work.grid[cell] = work.boundaries[cell]


@apart
def place_fixed(seams, rules, work, real, mother, father):
    """Begin a child with the pieces whose cells are fixed."""
    fixed = rules.kept.fixed
    for index in range(fixed.shape[0]):
        row = np.int64(rules.rows) + fixed[index, 1] - fixed[0, 1]
        column = np.int64(rules.columns) + fixed[index, 2] - fixed[0, 2]
        place(rules, work, index, FIRST, np.int64(fixed[index, 0]), row, column)
    for index in range(fixed.shape[0]):
        row = np.int64(rules.rows) + fixed[index, 1] - fixed[0, 1]
        column = np.int64(rules.columns) + fixed[index, 2] - fixed[0, 2]
        pose = np.int64(fixed[index, 0])
        offer(seams, rules, work, real, mother, father, pose, row, column)


@kernel
def grow_child(seams, rules, work, mother, father, first_pose, above, before, child):
    """Grow one child of two parents and return its cost. All three are neighbour tables.

    It grows from the first pose, that of a random piece if it is OPEN. So many rows are above it
    and so many columns before it, or OPEN. ALL_AT_RANDOM asks no parent.
    """
    real = pieces_in(seams)  # the numbers of empty cells come after them
    if first_pose == ALL_AT_RANDOM:
        lay_at_random(seams, work)
        return finish_child(seams, rules, work, real, child)
    fixed = rules.kept.fixed
    if fixed.shape[0] > 0:
        above, before = np.int64(fixed[0, 1]), np.int64(fixed[0, 2])
    start_child(rules, work, real, above, before)
    mutant_at = draw_mutation(rules, work)
    if fixed.shape[0] > 0:
        place_fixed(seams, rules, work, real, mother, father)
    else:
        pose = draw_first(seams, rules, work, mother, first_pose)
        row, column = np.int64(rules.rows), np.int64(rules.columns)
        place(rules, work, 0, FIRST, pose, row, column)
        offer(seams, rules, work, real, mother, father, pose, row, column)
    cells = rules.rows * rules.columns
    for count in range(max(fixed.shape[0], 1), cells):
        phase, pose, row, column = choose(seams, rules, work, real, count >= mutant_at)
        if phase == MUTATION:
            mutant_at = np.int64(cells)  # once is enough
        place(rules, work, count, phase, pose, row, column)
        offer(seams, rules, work, real, mother, father, pose, row, column)
    return finish_child(seams, rules, work, real, child)


@kernel
def lay_at_random(seams, work):
    """Fill the grid with all pieces at random; the board's first cell is the first one."""
    for piece in range(work.slot.shape[0]):
        work.grid[piece] = pose_of(piece, 0)
    shuffle(work.stream, work.grid)
    for cell in range(work.slot.shape[0]):
        work.grid[cell] += draw_turn(seams.poses, work.stream)
    work.state[ABOVE] = work.state[BEFORE] = -1


@kernel
def number_holes(grid, rows, columns, first_row, first_column, real):
    """Give empty cells the numbers past the last piece, row by row: one is like another."""
    number = real
    for row in range(rows):
        for column in range(columns):
            cell = (first_row + row) % rows * columns + (first_column + column) % columns
            if posed_piece(grid[cell]) >= real:
                grid[cell] = pose_of(number, 0)
                number += 1


@kernel
def grow_children(
    seams, rules, work, seed, generation, known, parents, starts, first, last, children, costs
):
    """Grow the children `first`..`last`-1 of a generation, each of two of the `known` tables.

    A start is the first pose, the rows above it and the columns before it: see `grow_child`.
    """
    for child in range(first, last):
        seed_stream(work.stream, seed, generation, child)
        costs[child] = grow_child(
            seams,
            rules,
            work,
            known[parents[child, 0]],
            known[parents[child, 1]],
            starts[child, 0],
            starts[child, 1],
            starts[child, 2],
            children[child],
        )
