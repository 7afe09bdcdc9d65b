"""Segments: pieces whose places relative to each other are taken for granted.

Where they are, and how one is moved to another: it turns, then it shifts. `joining` says which
ones belong together.
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
    pose_with,
    posed_piece,
    side_at,
    side_of,
    toward_of,
    toward_when_turned,
    turn_of,
    turned_cell,
)
from jigsolve._kernels.jit import kernel
from jigsolve._kernels.randomness import GOLDEN, scramble

NOTHING = -1
MOST_ACROSS = (1 << 20) - 1


class Segments(NamedTuple):
    """All segments of a puzzle. A piece's row, column and turn are those within its segment.

    A segment that was joined to another is not used again; what it leaves in the map of cells
    is cleared away when the map gets full.
    """

    segment: np.ndarray  # (n,) int32: which segment a piece is in
    row: np.ndarray  # (n,) int32
    column: np.ndarray  # (n,) int32
    turn: np.ndarray  # (n,) int32
    after: np.ndarray  # (n,) int32: the next piece of the same segment, or NOTHING
    neighbours: np.ndarray  # (n, 4) int32: a neighbour table, NOTHING where not known
    first: np.ndarray  # (n,) int32: a segment's first piece
    last: np.ndarray  # (n,) int32
    size: np.ndarray  # (n,) int32
    limits: np.ndarray  # (n, 4) int32: lowest and highest row, lowest and highest column
    cells: np.ndarray  # (2^m,) int64: map from (segment, row, column), open addressing
    occupants: np.ndarray  # (2^m,) int32: the piece in that cell
    entries: np.ndarray  # (1,) int64: how many of the map are in use


@kernel
def cell_key(segment, row, column):
    """Return a word for a cell of a segment."""
    return (np.int64(segment) << 42) | ((row + MOST_ACROSS) << 21) | (column + MOST_ACROSS)


@kernel
def find_cell(cells, key):
    """Return where in the map a cell is, or would be entered."""
    mask = cells.shape[0] - 1
    index = np.int64(scramble(np.uint64(key) + GOLDEN) & np.uint64(mask))
    while cells[index] != key and cells[index] != NOTHING:
        index = (index + 1) & mask
    return index


@kernel
def occupant(segments, segment, row, column):
    """Return the piece in a cell of a segment, or NOTHING."""
    index = find_cell(segments.cells, cell_key(segment, row, column))
    if segments.cells[index] == NOTHING:
        return np.int64(NOTHING)
    return np.int64(segments.occupants[index])


@kernel
def enter_cell(segments, piece):
    """Enter a piece into the map, at the place its row and column say."""
    key = cell_key(segments.segment[piece], segments.row[piece], segments.column[piece])
    index = find_cell(segments.cells, key)
    segments.cells[index] = key
    segments.occupants[index] = piece
    segments.entries[0] += 1


@kernel
def enter_all(segments):
    """Enter all pieces into an empty map."""
    segments.cells[:] = NOTHING
    segments.entries[0] = 0
    for piece in range(segments.segment.shape[0]):
        enter_cell(segments, piece)


@kernel
def scatter(segments):
    """Make every piece a segment of its own."""
    segments.row[:] = 0
    segments.column[:] = 0
    segments.turn[:] = 0
    segments.after[:] = NOTHING
    segments.neighbours[:] = NOTHING
    segments.size[:] = 1
    segments.limits[:] = 0
    for piece in range(segments.segment.shape[0]):
        segments.segment[piece] = piece
        segments.first[piece] = piece
        segments.last[piece] = piece
    enter_all(segments)


@kernel
def is_open(segments, side):
    """Whether a side has no neighbour yet."""
    return segments.neighbours[piece_of(side), toward_of(side)] == NOTHING


@kernel
def may_join(segments, side, partner):
    """Whether two sides belong to different segments and neither has a neighbour yet."""
    return (
        segments.segment[piece_of(side)] != segments.segment[piece_of(partner)]
        and is_open(segments, side)
        and is_open(segments, partner)
    )


@kernel
def larger_first(segments, side, partner):
    """Return two sides, that of the larger segment first."""
    one = segments.segment[piece_of(side)]
    other = segments.segment[piece_of(partner)]
    if segments.size[one] < segments.size[other]:
        return np.int64(partner), np.int64(side)
    return np.int64(side), np.int64(partner)


@kernel
def way_of(segments, side):
    """Return where a side points within its segment."""
    return toward_when_turned(toward_of(side), np.int64(segments.turn[piece_of(side)]))


@kernel
def move_between(segments, side, partner):
    """Return how the partner's segment has to move for the two sides to touch.

    First it turns about its row 0, column 0; then it shifts by so many rows and columns.
    """
    piece = piece_of(side)
    other = piece_of(partner)
    way = way_of(segments, side)
    turn = (turn_of(pose_with(partner, opposite(way))) - segments.turn[other]) % TURNS
    row, column = cell_toward(segments.row[piece], segments.column[piece], way)
    from_row, from_column = turned_cell(
        np.int64(segments.row[other]), np.int64(segments.column[other]), turn
    )
    return turn, row - from_row, column - from_column


@kernel
def moved_limits(limits, turn, down, right):
    """Return the lowest and highest row, the lowest and highest column of a moved segment."""
    top, left = turned_cell(np.int64(limits[0]), np.int64(limits[2]), turn)
    bottom, end = turned_cell(np.int64(limits[1]), np.int64(limits[3]), turn)
    return (
        min(top, bottom) + down,
        max(top, bottom) + down,
        min(left, end) + right,
        max(left, end) + right,
    )


@kernel
def join(segments, side, partner):
    """Move the smaller segment to the larger so that two of their sides touch."""
    side, partner = larger_first(segments, side, partner)
    larger = np.int64(segments.segment[piece_of(side)])
    smaller = np.int64(segments.segment[piece_of(partner)])
    turn, down, right = move_between(segments, side, partner)
    merge(segments, larger, smaller, turn, down, right)


@kernel
def merge(segments, larger, smaller, turn, down, right):
    """Make a segment part of another, turned and moved by so many rows and columns."""
    if 2 * (segments.entries[0] + segments.size[smaller]) > segments.cells.shape[0]:
        enter_all(segments)
    segments.after[segments.last[larger]] = segments.first[smaller]
    segments.last[larger] = segments.last[smaller]
    segments.size[larger] += segments.size[smaller]
    limits = segments.limits[larger]
    top, bottom, left, end = moved_limits(segments.limits[smaller], turn, down, right)
    limits[0] = min(limits[0], top)
    limits[1] = max(limits[1], bottom)
    limits[2] = min(limits[2], left)
    limits[3] = max(limits[3], end)
    piece = np.int64(segments.first[smaller])
    while piece != NOTHING:
        row, column = turned_cell(
            np.int64(segments.row[piece]), np.int64(segments.column[piece]), turn
        )
        segments.segment[piece] = larger
        segments.row[piece] = row + down
        segments.column[piece] = column + right
        segments.turn[piece] = (segments.turn[piece] + turn) % TURNS
        enter_cell(segments, piece)
        for own in range(SIDES):
            way = way_of(segments, side_of(piece, own))
            next_row, next_column = cell_toward(segments.row[piece], segments.column[piece], way)
            other = occupant(segments, larger, next_row, next_column)
            if other != NOTHING:
                partner = side_at(pose_of(other, np.int64(segments.turn[other])), opposite(way))
                segments.neighbours[piece, own] = partner
                segments.neighbours[other, toward_of(partner)] = side_of(piece, own)
        piece = np.int64(segments.after[piece])


@kernel
def join_known(segments, touching, fixed, rows, columns):
    """Join what is known to lie together, before anything else is joined.

    Pieces in fixed cells are one segment, even where they do not touch, which takes the whole
    board: what would not fit on it beside them cannot be joined to them.
    """
    for side in range(touching.shape[0]):
        partner = touching[side]
        if partner > side and may_join(segments, side, partner):
            join(segments, np.int64(side), np.int64(partner))
    if fixed.shape[0] == 0:
        return
    first = np.int64(posed_piece(fixed[0, 0]))
    # By how much its segment is turned from how it lies on the board.
    way = (segments.turn[first] - turn_of(fixed[0, 0])) % TURNS
    for index in range(1, fixed.shape[0]):
        piece = np.int64(posed_piece(fixed[index, 0]))
        one, other = np.int64(segments.segment[first]), np.int64(segments.segment[piece])
        if one != other:
            turn = (way + turn_of(fixed[index, 0]) - segments.turn[piece]) % TURNS
            down, right = turned_cell(
                np.int64(fixed[index, 1]) - fixed[0, 1],
                np.int64(fixed[index, 2]) - fixed[0, 2],
                way,
            )
            row, column = turned_cell(
                np.int64(segments.row[piece]), np.int64(segments.column[piece]), turn
            )
            down += segments.row[first] - row
            right += segments.column[first] - column
            merge(segments, one, other, turn, down, right)
    top, left = turned_cell(-np.int64(fixed[0, 1]), -np.int64(fixed[0, 2]), way)
    bottom, end = turned_cell(
        rows - 1 - np.int64(fixed[0, 1]), columns - 1 - np.int64(fixed[0, 2]), way
    )
    limits = segments.limits[segments.segment[first]]
    limits[0] = segments.row[first] + min(top, bottom)
    limits[1] = segments.row[first] + max(top, bottom)
    limits[2] = segments.column[first] + min(left, end)
    limits[3] = segments.column[first] + max(left, end)
