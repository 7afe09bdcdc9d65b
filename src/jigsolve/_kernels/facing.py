"""Which sides may touch which: classes of sides that face each other.

Unless pieces may be turned, the right sides of all pieces face the left ones, and the bottom ones
the top ones. With half turns left and right sides are one class, each of which may touch any other,
and top and bottom ones another; with quarter turns all sides are one.

The *members* of a class are numbered piece by piece, in the order of the numbers of their sides.
Where pieces may be turned, near and far sides are the same, near ones read clockwise and far ones
counterclockwise: so every pair can be compared as it is, and gives the same the other way round.
"""

from typing import NamedTuple

from jigsolve._kernels.geometry import BOTTOM, LEFT, RIGHT, SIDES, TOP
from jigsolve._kernels.jit import shared


class Facing(NamedTuple):
    """A class of sides that face each other."""

    bits: int  # each piece has 2 ** bits near members and as many far ones
    near: int  # the first side of a piece that is a near member
    far: int  # likewise

    @property
    def turned(self) -> bool:
        """Whether near and far sides are the same, in two readings."""
        return self.bits > 0

    @property
    def per_piece(self) -> int:
        """How many near members each piece has."""
        return 1 << self.bits


FACING = {
    1: (Facing(0, RIGHT, LEFT), Facing(0, BOTTOM, TOP)),
    2: (Facing(1, LEFT, LEFT), Facing(1, TOP, TOP)),
    4: (Facing(2, LEFT, LEFT),),
}
"""The classes where a piece may lie in so many ways."""


@shared
def member_side(bits, first, member):
    """Return the number of the side of a member; `first` is the class's `near` or `far`."""
    return SIDES * (member >> bits) + first + (member & ((1 << bits) - 1))


@shared
def member_of(bits, side):
    """Return the member that a side is, by the side's number."""
    return ((side >> 2) << bits) | (side & ((1 << bits) - 1))
