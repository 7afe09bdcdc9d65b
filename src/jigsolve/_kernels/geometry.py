"""Sides, the sides they face, and where a step toward a side leads.

All that knows how sides are numbered is here. Side `toward` of piece `p` has the number
`4 p + toward`; sides that face each other differ in the last bit only.
"""

from jigsolve._kernels.jit import shared

SIDES = 4
LEFT, RIGHT, TOP, BOTTOM = range(SIDES)

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
