"""Making an arrangement keep what is known: fixed pieces, blocks that lie together, parted sides.

Growing follows costs, by which all of this is nearly always so already. What is not is put right
by exchanging pieces: fixed ones first, then the largest block first, each where most of it lies,
then single pieces that lie beside one they must not touch.
"""

from typing import NamedTuple

import numpy as np

from jigsolve._kernels.geometry import (
    SIDES,
    TURNS,
    cell_toward,
    opposite,
    piece_of,
    pose_of,
    posed_piece,
    side_at,
    toward_of,
    toward_when_turned,
    turn_of,
    turned_cell,
)
from jigsolve._kernels.jit import apart, kernel
from jigsolve._kernels.known import BARRED, known_cost
from jigsolve._kernels.randomness import below, draw_turn

TRIES = 200
"""How many places are looked at, at random, for a piece that must leave its own."""
ATTEMPTS = 50
"""How often blocks are placed anew that left each other no room."""
VOTERS = 32
"""So many pieces of a block say where it lies."""


class Kept(NamedTuple):
    """What arrangements must keep, of pieces by their numbers."""

    fixed: np.ndarray  # (f, 3) int32: a pose, its row and its column
    starts: np.ndarray  # (blocks + 1,) int32: where each block begins among the members
    members: np.ndarray  # (m, 3) int32: a pose, its row and its column within its block
    parted: np.ndarray  # (p, 2) int32: sides that must not touch


@kernel
def keep_all(seams, kept, rows, columns, grid, place, settled, stream):
    """Make a grid of poses, row by row, keep what is known.

    `place` and `settled` are room for as many numbers as there are pieces, and cells. Where blocks
    leave each other no room they are placed anew at random, some times. What cannot be kept then is
    left, and costs BARRED.
    """
    place[:] = -1
    for cell in range(rows * columns):
        place[posed_piece(grid[cell])] = cell
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
def exchange(grid, place, pose, cell):
    """Put a pose into a cell; what lay there takes the piece's, or none if it had none."""
    piece = posed_piece(pose)
    other = grid[cell]
    grid[cell] = pose
    if posed_piece(other) == piece:
        return
    before = place[piece]
    place[piece] = cell
    place[posed_piece(other)] = before
    if before >= 0:
        grid[before] = other


@kernel
def settle_block(seams, kept, block, rows, columns, grid, place, settled, stream, anywhere):
    """Put a block together where most of it lies, or else anywhere; return whether it has room."""
    first = np.int64(kept.starts[block])
    last = np.int64(kept.starts[block + 1])
    step = max((last - first) // VOTERS, 1)
    way = np.int64(-1)
    row = column = np.int64(0)
    most = 0
    for index in range(first, first if anywhere else last, step):
        turn, down, right = origin_of(kept.members[index], columns, grid, place)
        if turn < 0 or (turn == way and down == row and right == column):
            continue
        votes = 0
        for other in range(first, last):
            its_turn, its_row, its_column = origin_of(kept.members[other], columns, grid, place)
            votes += its_turn == turn and its_row == down and its_column == right
        if votes > most and has_room(
            seams, kept, first, last, turn, down, right, rows, columns, grid, place, settled
        ):
            most = votes
            way, row, column = turn, down, right
    if way < 0:
        way, row, column = find_room(
            seams, kept, first, last, rows, columns, grid, place, settled, stream
        )
    if way < 0:
        return False
    for index in range(first, last):
        pose, down, right = member_at(kept.members[index], way, row, column)
        exchange(grid, place, pose, down * columns + right)
        settled[down * columns + right] = 1
    return True


@kernel
def member_at(member, turn, row, column):
    """Return pose, row and column of a block's member, the block turned and its origin there."""
    pose = np.int64(member[0])
    down, right = turned_cell(np.int64(member[1]), np.int64(member[2]), turn)
    return pose_of(posed_piece(pose), (turn_of(pose) + turn) % TURNS), row + down, column + right


@kernel
def origin_of(member, columns, grid, place):
    """Return how a block is turned and where its row 0, column 0 lies if a member lies right.

    The turn is negative if it lies nowhere.
    """
    pose = np.int64(member[0])
    cell = np.int64(place[posed_piece(pose)])
    if cell < 0:
        return np.int64(-1), cell, cell
    turn = (turn_of(np.int64(grid[cell])) - turn_of(pose)) % TURNS
    down, right = turned_cell(np.int64(member[1]), np.int64(member[2]), turn)
    return turn, cell // columns - down, cell % columns - right


@apart
def find_room(seams, kept, first, last, rows, columns, grid, place, settled, stream):
    """Return a turn and an origin with which a block has room; a negative turn if it has none."""
    height = width = np.int64(0)
    for index in range(first, last):
        height = max(height, np.int64(kept.members[index, 1]))
        width = max(width, np.int64(kept.members[index, 2]))
    cells = rows * columns
    begin = below(stream, cells)
    begin_turn = draw_turn(seams.poses, stream)
    for more in range(0, TURNS, TURNS // seams.poses):
        turn = (begin_turn + more) % TURNS
        # Where the origin is once the upper left corner is in row 0, column 0.
        bottom, end = turned_cell(height, width, turn)
        for shift in range(cells):
            corner = (begin + shift) % cells
            row = corner // columns - min(bottom, 0)
            column = corner % columns - min(end, 0)
            if has_room(
                seams, kept, first, last, turn, row, column, rows, columns, grid, place, settled
            ):
                return turn, row, column
    return np.int64(-1), np.int64(0), np.int64(0)


@apart
def has_room(seams, kept, first, last, turn, row, column, rows, columns, grid, place, settled):
    """Whether a block may lie with its origin in a cell: on the board, on nothing settled.

    And beside nothing settled that it must not touch.
    """
    for index in range(first, last):
        pose, down, right = member_at(kept.members[index], turn, row, column)
        if not (0 <= down < rows and 0 <= right < columns):
            return False
        cell = down * columns + right
        if settled[cell] or touches_barred(seams, pose, cell, rows, columns, grid, settled, True):
            return False
    return True


@apart
def touches_barred(seams, pose, cell, rows, columns, grid, settled, only_settled):
    """Whether a pose in a cell would touch one beside it that it must not."""
    pieces = seams.partners.shape[0] // SIDES
    piece = posed_piece(pose)
    if piece >= pieces:
        return False
    for toward in range(SIDES):
        row, column = cell_toward(cell // columns, cell % columns, toward)
        if not (0 <= row < rows and 0 <= column < columns):
            continue
        other = np.int64(grid[row * columns + column])
        is_asked = settled[row * columns + column] or not only_settled
        if posed_piece(other) >= pieces or posed_piece(other) == piece or not is_asked:
            continue
        partner = side_at(other, opposite(toward))
        if known_cost(seams, side_at(pose, toward), partner) == BARRED:
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
    way = toward_when_turned(np.int64(toward_of(sides[0])), turn_of(np.int64(grid[cell])))
    row, column = cell_toward(cell // columns, cell % columns, way)
    if not (0 <= row < rows and 0 <= column < columns):
        return True
    if side_at(np.int64(grid[row * columns + column]), opposite(way)) != sides[1]:
        return True
    for leaving in (other, one):
        here = np.int64(place[leaving])
        if settled[here]:
            continue
        pose = np.int64(grid[here])
        for _ in range(TRIES):
            there = below(stream, rows * columns)
            coming = np.int64(grid[there])
            turned = pose_of(leaving, (turn_of(pose) + draw_turn(seams.poses, stream)) % TURNS)
            if settled[there] or (there == here and turned == pose):
                continue
            exchange(grid, place, turned, there)
            is_barred = touches_barred(seams, turned, there, rows, columns, grid, settled, False)
            if there != here:
                is_barred |= touches_barred(
                    seams, coming, here, rows, columns, grid, settled, False
                )
            if not is_barred:
                return True
            exchange(grid, place, pose, here)
    return False
