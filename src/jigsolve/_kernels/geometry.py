"""Sides, the sides they face, turns, and where a step toward a side leads.

All that knows how sides are numbered is here. Side `toward` of piece `p` has the number
`4 p + toward`; sides that face each other, unless a piece is turned, differ in the last bit only.

A *turn* is a number of quarter turns clockwise. A *pose* is a piece and its turn, `4 p + turn`.
"""

import numpy as np

from jigsolve._kernels.jit import shared

SIDES = 4
LEFT, RIGHT, TOP, BOTTOM = range(SIDES)

TURNS = 4
_CLOCKWISE = (TOP, RIGHT, BOTTOM, LEFT)
_HOUR = tuple(_CLOCKWISE.index(side) for side in range(SIDES))


def _packed(values: list[int]) -> np.int64:
    """Return numbers from 0 to 3 as one word: a look-up in it is a shift and a mask."""
    return np.int64(sum(value << (2 * index) for index, value in enumerate(values)))


_FACED = _packed(
    [_CLOCKWISE[(_HOUR[own] + turn) % TURNS] for turn in range(TURNS) for own in range(SIDES)]
)
_OWN = _packed(
    [_CLOCKWISE[(_HOUR[toward] - turn) % TURNS] for turn in range(TURNS) for toward in range(SIDES)]
)
_TURN = _packed(
    [(_HOUR[toward] - _HOUR[own]) % TURNS for own in range(SIDES) for toward in range(SIDES)]
)

ACROSS, DOWN = (LEFT, RIGHT), (TOP, BOTTOM)
"""The two pairs that face each other."""


@shared
def opposite(toward):
    """Return the side that faces a side."""
    return toward ^ 1


@shared
def onward(toward):
    """Return a side's seam as it is named once for both of its sides: RIGHT or BOTTOM."""
    return toward | 1


@shared
def is_onward(side):
    """Whether a side, or one by its number, is the right or the bottom one."""
    return (side & 1) == 1


@shared
def is_across(toward):
    """Whether a side is the left or the right one."""
    return toward < TOP


@shared
def side_of(piece, toward):
    """Return the number of a side of a piece."""
    return SIDES * piece + toward


@shared
def piece_of(side):
    """Return the piece that a side is of, by the side's number."""
    return side >> 2


@shared
def toward_of(side):
    """Return which side of its piece it is, by the side's number."""
    return side & 3


@shared
def pose_of(piece, turn):
    """Return the number of a pose."""
    return TURNS * piece + turn


@shared
def posed_piece(pose):
    """Return the piece of a pose."""
    return pose >> 2


@shared
def turn_of(pose):
    """Return the turn of a pose."""
    return pose & 3


@shared
def toward_when_turned(own, turn):
    """Return where a side points once its piece is turned."""
    return (_FACED >> (2 * (TURNS * turn + own))) & 3


@shared
def side_at(pose, toward):
    """Return the number of the side that a posed piece has on one side of its cell."""
    return (pose & ~3) | ((_OWN >> (2 * (TURNS * (pose & 3) + toward))) & 3)


@shared
def pose_with(side, toward):
    """Return the pose in which a side, by its number, points somewhere."""
    return (side & ~3) | ((_TURN >> (2 * (SIDES * (side & 3) + toward))) & 3)


@shared
def pose_beside(partner, toward):
    """Return the pose of a piece whose side `partner` is met toward one side of a cell."""
    return pose_with(partner, opposite(toward))


@shared
def reads_clockwise(side):
    """Whether the pixels along a side are kept in clockwise order.

    They are kept from left to right and from top to bottom. So the left and the bottom ones are
    counterclockwise, and two sides can be compared as they are if just one of them is clockwise.
    """
    return (side ^ (side >> 1)) & 1


@shared
def turned_cell(row, column, turn):
    """Return where a cell is after a turn about the cell in row 0, column 0."""
    if turn == 1:
        return column, -row
    if turn == 2:
        return -row, -column
    if turn == 3:
        return -column, row
    return row, column


@shared
def cell_toward(row, column, toward):
    """Return row and column of the cell on one side of another."""
    return (
        row + (toward == BOTTOM) - (toward == TOP),
        column + (toward == RIGHT) - (toward == LEFT),
    )


@shared
def beside(width, cell, toward):
    """Return the cell on one side of another where cells are numbered row by row."""
    if is_across(toward):
        return cell + (2 * toward - 1)
    return cell + (2 * toward - 5) * width
