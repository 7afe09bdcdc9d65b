"""The growing kernel: its cells, its frame, its pools and the bank of available pieces.

* The kernel never exceeds the board, so it lives on a torus of exactly the board's size; nothing
  is ever re-centred, and the top left cell is known when the board is full.
* Pools hold what each phase may choose from. A choice is a random pick; a pick that is no longer
  valid is swapped out and never comes back, because a filled cell stays filled, a used piece stays
  used and a cell that left the frame stays outside.
* A cell is (row, column) with the first piece in the middle of a range twice the board's size. Pool
  entries pack row, column and a pose or side into one 64-bit word.
"""

from typing import NamedTuple

import numpy as np

from jigsolve._kernels.geometry import SIDES, cell_toward, opposite, posed_piece, side_at
from jigsolve._kernels.jit import kernel
from jigsolve._kernels.randomness import below

PHASE_NAMES = ("agreed", "best-buddy", "own", "greedy", "random", "mutation", "first")
AGREED, BUDDY, OWN, GREEDY, RANDOM, MUTATION, FIRST = range(len(PHASE_NAMES))

ROW_SHIFT = 44
COLUMN_SHIFT = 24
COLUMN_MASK = (1 << (ROW_SHIFT - COLUMN_SHIFT)) - 1
VALUE_MASK = (1 << COLUMN_SHIFT) - 1
MOST_CELLS_ACROSS = (1 << (62 - ROW_SHIFT)) - 1  # rows are below twice that, entries positive


class Workspace(NamedTuple):
    """What one thread needs to grow a child; reused for all its children."""

    stream: np.ndarray  # (1,) uint64: the child's random stream
    state: np.ndarray  # (11,) int64: the frame's limits, how full the pools are and more, see below
    grid: np.ndarray  # (n,) int32: pose per torus cell, -1 where free
    turn: np.ndarray  # (n,) int8: how a placed piece is turned
    slot: np.ndarray  # (n,) int32: where in `free` a piece is, -1 once used
    free: np.ndarray  # (n,) int32: the unused pieces, in any order
    agreed: np.ndarray  # (4n,) int64: pool of (cell, pose)
    buddies: np.ndarray  # (8n,) int64: pool of (cell, pose)
    boundaries: np.ndarray  # (4n,) int64: pool of (cell, side)
    dry: np.ndarray  # (4n,) int64: boundaries put aside, with no free candidate left
    outlooks: np.ndarray  # (4n,) int64: what is known of a side's free candidates
    skips: np.ndarray  # (2, ways to face, sides each + 2) int32: see `search`
    placed: np.ndarray  # (n,) int32: pieces in order of placement
    phases: np.ndarray  # (n,) int8: the phase that placed each
    around: np.ndarray  # (4,) int64: the sides that a piece in the cell looked at would touch
    tally: np.ndarray  # (7,) int64: placements per phase, summed over children


# What the entries of `state` mean. A cell is inside the frame when its row and column lie
# between the limits, exclusive: taking it would not make the kernel larger than the board.
ABOVE, BELOW, BEFORE, BEHIND = range(4)
AGREED_SIZE, BUDDIES_SIZE, BOUNDARIES_SIZE, DRY_SIZE, FREE_SIZE = range(4, 9)
# A number from which on those of empty cells may be unused; whether `skips` are this child's.
NEXT_HOLE, KNOWS_SKIPS = range(9, 11)
STATES = 11


def workspace(pieces: int, searched: tuple[int, int] | None = None) -> Workspace:
    """Allocate a workspace for so many pieces, and for the ways and sides that are searched."""
    ways, sides = searched or (SIDES, pieces)
    return Workspace(
        stream=np.zeros(1, np.uint64),
        state=np.zeros(STATES, np.int64),
        grid=np.empty(pieces, np.int32),
        turn=np.empty(pieces, np.int8),
        slot=np.empty(pieces, np.int32),
        free=np.empty(pieces, np.int32),
        agreed=np.empty(SIDES * pieces, np.int64),
        buddies=np.empty(2 * SIDES * pieces, np.int64),
        boundaries=np.empty(SIDES * pieces, np.int64),
        dry=np.empty(SIDES * pieces, np.int64),
        outlooks=np.empty(SIDES * pieces, np.int64),
        skips=np.empty((2, ways, sides + 2), np.int32),
        placed=np.empty(pieces, np.int32),
        phases=np.empty(pieces, np.int8),
        around=np.empty(SIDES, np.int64),
        tally=np.zeros(len(PHASE_NAMES), np.int64),
    )


@kernel
def torus_cell(rows, columns, row, column):
    """Return the index in the grid of a cell inside the frame."""
    if row >= rows:
        row -= rows
    if column >= columns:
        column -= columns
    return row * columns + column


@kernel
def is_inside(state, row, column):
    """Whether a cell is inside the frame: the kernel could still reach it."""
    return state[ABOVE] < row < state[BELOW] and state[BEFORE] < column < state[BEHIND]


@kernel
def is_open(state, grid, rows, columns, row, column):
    """Whether a cell is inside the frame and free."""
    return is_inside(state, row, column) and grid[torus_cell(rows, columns, row, column)] < 0


@kernel
def take(pool, state, which, index):
    """Remove and return an entry, the last one taking its place."""
    entry = pool[index]
    state[which] -= 1
    pool[index] = pool[state[which]]
    return entry


@kernel
def draw_proposal(stream, state, grid, slot, rows, columns, pool, which):
    """Draw a random valid (cell, pose) from a pool; -1 when there is none."""
    while state[which] > 0:
        entry = take(pool, state, which, below(stream, state[which]))
        if slot[posed_piece(entry & VALUE_MASK)] >= 0 and is_open(
            state, grid, rows, columns, entry >> ROW_SHIFT, (entry >> COLUMN_SHIFT) & COLUMN_MASK
        ):
            return entry
    return np.int64(-1)


@kernel
def draw_boundary(stream, state, grid, rows, columns, pool, which):
    """Return the index of a random valid (cell, side) in a pool; -1 when there is none.

    Invalid ones are discarded on the way. What is drawn stays in the pool; once its cell is
    filled it is discarded like any other.
    """
    while state[which] > 0:
        index = below(stream, state[which])
        entry = pool[index]
        if is_open(
            state, grid, rows, columns, entry >> ROW_SHIFT, (entry >> COLUMN_SHIFT) & COLUMN_MASK
        ):
            return index
        take(pool, state, which, index)
    return np.int64(-1)


@kernel
def draw_cell(stream, state, grid, rows, columns, pool, which, real, around):
    """Draw a random boundary; note which sides a piece in its cell would touch, -1 where none.

    Returns the entry, -1 when there is none.
    """
    index = draw_boundary(stream, state, grid, rows, columns, pool, which)
    if index < 0:
        return np.int64(-1)
    entry = pool[index]
    row = entry >> ROW_SHIFT
    column = (entry >> COLUMN_SHIFT) & COLUMN_MASK
    for side in range(SIDES):
        around[side] = -1
        next_row, next_column = cell_toward(row, column, side)
        if is_inside(state, next_row, next_column):
            other = grid[torus_cell(rows, columns, next_row, next_column)]
            if other >= 0 and posed_piece(other) < real:
                around[side] = side_at(np.int64(other), opposite(side))
    return entry


@kernel
def use_piece(state, slot, free, piece):
    """Take a piece out of the bank, the last free one taking its slot."""
    hole = slot[piece]
    state[FREE_SIZE] -= 1
    moved = free[state[FREE_SIZE]]
    free[hole] = moved
    slot[moved] = hole
    slot[piece] = -1
