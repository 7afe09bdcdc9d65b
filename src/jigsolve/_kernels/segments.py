"""Segments: pieces whose places relative to each other are taken for granted.

Two segments may be joined where a side of one meets a side of the other. All seams along which
they would touch then speak for it or against it, and what they say adds up: one seam in a faint
texture says little, ten along a common border are hardly ever wrong. And what has found its
place is out of the way: a seam is compared only with what its two sides could still have.
"""

from typing import NamedTuple

import numpy as np

from jigsolve._kernels.costs import FAR, costs_are_logarithms, seam_cost_among
from jigsolve._kernels.geometry import (
    BOTTOM,
    LEFT,
    RIGHT,
    SIDES,
    TOP,
    TURNS,
    cell_toward,
    opposite,
    piece_of,
    pose_of,
    pose_with,
    side_at,
    side_of,
    toward_of,
    toward_when_turned,
    turn_of,
    turned_cell,
)
from jigsolve._kernels.jit import kernel
from jigsolve._kernels.known import HELD, SAYS_NOTHING, known_cost
from jigsolve._kernels.randomness import GOLDEN, scramble

# How much likelier a seam's cost is in the picture than in a wrong join, as a logarithm:
# EVEN + STEEP * s, with s = (rival - cost) / (rival + cost) from -1 to 1, fits photographs. Where
# both cost the same, the two borders are most likely those of identical pieces: it says nothing.
EVEN = 2.5
STEEP = 8.5
TIE = 0.0

NEVER = -1e9
"""What speaks for a join that is not possible."""
CERTAIN = 100.0
"""What a seam says that is known to hold."""
NOTHING = -1
MOST_ACROSS = (1 << 20) - 1


class Evidence(NamedTuple):
    """How much a seam speaks for being right where costs are negative logarithms.

    Two straight lines by its cost, one by that of its rival.
    """

    unscored: float  # what a seam that is not scored says, instead of the two lines
    free: float  # what one says that costs nothing
    bend: float  # the cost up to which the first line goes
    steep: float  # how much less a seam says for each unit of cost, up to there
    gentle: float  # and beyond
    rival: float  # how much more it says for each unit that its rival costs
    rival_even: float  # what a rival costs that changes nothing
    rival_most: float  # rivals that cost more say no more


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
def find_rivals(seams, segments, excluded, rivals, ranks):
    """Find the two cheapest partners of every open side among open sides of other segments.

    Those that were excluded are passed over. Where the candidates do not hold two, the dearest
    of them is a lower bound of what others cost.
    """
    nearest, nearest_cost = rivals.nearest, rivals.nearest_cost
    last = seams.partners.shape[1] - 1
    for side in range(seams.partners.shape[0]):
        if not is_open(segments, side):
            continue
        nearest[side] = NOTHING
        nearest_cost[side] = seams.costs[side, last]
        rivals.runner_up_cost[side] = seams.costs[side, last]
        for rank in range(last + 1):
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
def rival_cost(rivals, side, partner):
    """Return what a side would cost with the cheapest other partner than this."""
    if rivals.nearest[side] == partner:
        return rivals.runner_up_cost[side]
    return rivals.nearest_cost[side]


@kernel
def logarithms_speak_for(says, cost, rival):
    """Return how much a seam speaks for being right where costs are negative logarithms.

    A fit to what was counted in photographs. A seam not scored says little: that happens to
    right ones, too, where there is nothing to see.
    """
    if cost > FAR:
        own = says.unscored
    else:
        beyond = max(cost - says.bend, 0.0)
        own = says.free - says.steep * min(cost, says.bend) - says.gentle * beyond
    return own + says.rival * (min(rival, says.rival_most) - says.rival_even)


@kernel
def speaks_for(seams, rivals, says, side, partner):
    """Return how much a seam speaks for being right; negative is against."""
    cost = seam_cost_among(seams, rivals, side, partner)
    known = known_cost(seams, side, partner)
    if known != SAYS_NOTHING:
        return CERTAIN if known == HELD else NEVER
    rival = min(rival_cost(rivals, side, partner), rival_cost(rivals, partner, side))
    if cost == rival:
        return TIE
    if costs_are_logarithms(seams):
        return logarithms_speak_for(says, cost, rival)
    return EVEN + STEEP * (rival - cost) / (rival + cost)


@kernel
def board_evidence(seams, rivals, says, grid, across, down):
    """Fill in how much every seam of a (rows, columns) grid of poses speaks for being right.

    Empty cells, -1, say nothing.
    """
    rows, columns = grid.shape
    for row in range(rows):
        for column in range(columns):
            pose = np.int64(grid[row, column])
            if column < columns - 1:
                other = np.int64(grid[row, column + 1])
                across[row, column] = 0.0
                if min(pose, other) >= 0:
                    across[row, column] = speaks_for(
                        seams, rivals, says, side_at(pose, RIGHT), side_at(other, LEFT)
                    )
            if row < rows - 1:
                other = np.int64(grid[row + 1, column])
                down[row, column] = 0.0
                if min(pose, other) >= 0:
                    down[row, column] = speaks_for(
                        seams, rivals, says, side_at(pose, BOTTOM), side_at(other, TOP)
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
        votes[index] = weigh_join(
            seams, rivals, says, segments, rows, columns, sides[index], partners[index], caution
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
    first = np.int64(fixed[0, 0])
    for index in range(1, fixed.shape[0]):
        piece = np.int64(fixed[index, 0])
        one, other = np.int64(segments.segment[first]), np.int64(segments.segment[piece])
        if one != other:
            down = segments.row[first] + fixed[index, 1] - fixed[0, 1] - segments.row[piece]
            right = segments.column[first] + fixed[index, 2] - fixed[0, 2] - segments.column[piece]
            merge(segments, one, other, 0, down, right)
    limits = segments.limits[segments.segment[first]]
    limits[0] = segments.row[first] - fixed[0, 1]
    limits[1] = limits[0] + rows - 1
    limits[2] = segments.column[first] - fixed[0, 2]
    limits[3] = limits[2] + columns - 1


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
