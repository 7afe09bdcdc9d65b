"""Making an arrangement keep what is known: fixed pieces, blocks that lie together, parted sides.

Growing follows costs, by which all of this is nearly always so already. What is not is put right
by exchanging pieces: fixed ones first, then the largest block first, each where most of it lies,
then single pieces that lie beside one they must not touch.
"""

from typing import NamedTuple

import numpy as np

from jigsolve._kernels.geometry import SIDES, cell_toward, opposite, piece_of, side_of, toward_of
from jigsolve._kernels.jit import apart, kernel
from jigsolve._kernels.known import BARRED, known_cost
from jigsolve._kernels.randomness import below

TRIES = 200
"""How many places are looked at, at random, for a piece that must leave its own."""
ATTEMPTS = 50
"""How often blocks are placed anew that left each other no room."""
VOTERS = 32
"""So many pieces of a block say where it lies."""


class Kept(NamedTuple):
    """What arrangements must keep, of pieces by their numbers."""

    fixed: np.ndarray  # (f, 3) int32: a piece, its row and its column
    starts: np.ndarray  # (blocks + 1,) int32: where each block begins among the members
    members: np.ndarray  # (m, 3) int32: a piece, its row and its column within its block
    parted: np.ndarray  # (p, 2) int32: sides that must not touch


@kernel
def keep_all(seams, kept, rows, columns, grid, place, settled, stream):
    """Make a grid, row by row, keep what is known.

    `place` and `settled` are room for as many numbers as there are pieces, and cells. Where blocks
    leave each other no room they are placed anew at random, some times. What cannot be kept then is
    left, and costs BARRED.
    """
    place[:] = -1
    for cell in range(rows * columns):
        place[grid[cell]] = cell
    for attempt in range(ATTEMPTS):
        if is_kept(seams, kept, rows, columns, grid, place, settled, stream, attempt > 0):
            return


@kernel
def is_kept(seams, kept, rows, columns, grid, place, settled, stream, anywhere):
    """Put pieces where they must be; return whether all of them found room."""
    for cell in range(rows * columns):
        settled[cell] = 0
    for index in range(kept.fixed.shape[0]):
        cell = kept.fixed[index, 1] * columns + kept.fixed[index, 2]
        exchange(grid, place, kept.fixed[index, 0], cell)
        settled[cell] = 1
    for block in range(kept.starts.shape[0] - 1):
        if not settle_block(
            seams, kept, block, rows, columns, grid, place, settled, stream, anywhere
        ):
            return False
    for index in range(kept.parted.shape[0]):
        if not part(seams, kept.parted[index], rows, columns, grid, place, settled, stream):
            return False
    return True


@kernel
def exchange(grid, place, piece, cell):
    """Put a piece into a cell; what lay there takes the piece's, or none if it had none."""
    other = grid[cell]
    if other == piece:
        return
    before = place[piece]
    grid[cell] = piece
    place[piece] = cell
    place[other] = before
    if before >= 0:
        grid[before] = other


@kernel
def settle_block(seams, kept, block, rows, columns, grid, place, settled, stream, anywhere):
    """Put a block together where most of it lies, or else anywhere; return whether it has room."""
    first = np.int64(kept.starts[block])
    last = np.int64(kept.starts[block + 1])
    step = max((last - first) // VOTERS, 1)
    best = np.int64(-1)
    most = 0
    for index in range(first, first if anywhere else last, step):
        anchor = anchor_of(kept.members[index], rows, columns, place)
        if anchor < 0 or anchor == best:
            continue
        votes = 0
        for other in range(first, last):
            votes += anchor_of(kept.members[other], rows, columns, place) == anchor
        if votes > most and has_room(
            seams, kept, first, last, anchor, rows, columns, grid, place, settled
        ):
            most = votes
            best = anchor
    if best < 0:
        cells = rows * columns
        begin = below(stream, cells)
        for shift in range(cells):
            anchor = (begin + shift) % cells
            if has_room(seams, kept, first, last, anchor, rows, columns, grid, place, settled):
                best = np.int64(anchor)
                break
    if best < 0:
        return False
    for index in range(first, last):
        row = best // columns + kept.members[index, 1]
        cell = row * columns + best % columns + kept.members[index, 2]
        exchange(grid, place, kept.members[index, 0], cell)
        settled[cell] = 1
    return True


@kernel
def anchor_of(member, rows, columns, place):
    """Return the cell of a block's corner if a member lies right, negative if beyond the board."""
    cell = np.int64(place[member[0]])
    row = cell // columns - member[1]
    column = cell % columns - member[2]
    if cell < 0 or row < 0 or column < 0:
        return np.int64(-1)
    return row * columns + column


@apart
def has_room(seams, kept, first, last, anchor, rows, columns, grid, place, settled):
    """Whether a block may lie with its corner in a cell: on the board, on nothing settled.

    And beside nothing settled that it must not touch.
    """
    for index in range(first, last):
        row = anchor // columns + kept.members[index, 1]
        column = anchor % columns + kept.members[index, 2]
        cell = row * columns + column
        if row >= rows or column >= columns or settled[cell]:
            return False
        piece = np.int64(kept.members[index, 0])
        if touches_barred(seams, piece, cell, rows, columns, grid, settled, True):
            return False
    return True


@apart
def touches_barred(seams, piece, cell, rows, columns, grid, settled, only_settled):
    """Whether a piece in a cell would touch one beside it that it must not."""
    pieces = seams.partners.shape[0] // SIDES
    if piece >= pieces:
        return False
    for toward in range(SIDES):
        row, column = cell_toward(cell // columns, cell % columns, toward)
        if not (0 <= row < rows and 0 <= column < columns):
            continue
        other = np.int64(grid[row * columns + column])
        is_asked = settled[row * columns + column] or not only_settled
        if other >= pieces or other == piece or not is_asked:
            continue
        partner = side_of(other, opposite(toward))
        if known_cost(seams, side_of(piece, toward), partner) == BARRED:
            return True
    return False


@kernel
def part(seams, sides, rows, columns, grid, place, settled, stream):
    """Exchange one of two pieces that touch and must not for another one; return whether."""
    one = np.int64(piece_of(sides[0]))
    other = np.int64(piece_of(sides[1]))
    cell = np.int64(place[one])
    if cell < 0:
        return True
    row, column = cell_toward(cell // columns, cell % columns, toward_of(sides[0]))
    if not (0 <= row < rows and 0 <= column < columns) or grid[row * columns + column] != other:
        return True
    for leaving in (other, one):
        here = np.int64(place[leaving])
        if settled[here]:
            continue
        for _ in range(TRIES):
            there = below(stream, rows * columns)
            coming = np.int64(grid[there])
            if settled[there] or there == here:
                continue
            exchange(grid, place, leaving, there)
            if not (
                touches_barred(seams, leaving, there, rows, columns, grid, settled, False)
                or touches_barred(seams, coming, here, rows, columns, grid, settled, False)
            ):
                return True
            exchange(grid, place, leaving, here)
    return False
