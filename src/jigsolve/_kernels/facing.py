"""Which sides may touch which: classes of sides that face each other.

Unless pieces may be turned, the right sides of all pieces face the left ones, and the bottom ones
the top ones. With half turns left and right sides are one class, each of which may touch any other,
and top and bottom ones another; with quarter turns all sides are one.

The *members* of a class are numbered piece by piece, in the order of the numbers of their sides.
Near ones are read clockwise where far ones are read counterclockwise, or the other way round: so
every pair can be compared as it is. Where pieces may be turned, near and far members are the same
sides, and a pair says the same as the pair the other way round.
"""

from typing import NamedTuple

import numpy as np

from jigsolve._kernels.geometry import BOTTOM, LEFT, RIGHT, TOP, piece_of, side_of
from jigsolve._kernels.jit import shared


class Reading(NamedTuple):
    """Sides of all pieces, and the sense they are read in."""

    bits: int  # 2 ** bits sides of each piece
    first: int  # of which this is the first, the others follow
    clockwise: int  # 1, or 0 for counterclockwise

    @property
    def towards(self) -> range:
        """Which sides of a piece they are."""
        return range(self.first, self.first + (1 << self.bits))

    def sides(self, pieces: int) -> np.ndarray:
        """Return their numbers."""
        return np.asarray(member_side(self.bits, self.first, np.arange(pieces << self.bits)))


class Facing(NamedTuple):
    """A class of sides that face each other."""

    near: Reading
    far: Reading

    @property
    def bits(self) -> int:
        """The logarithm of how many near members each piece has, and of how many far ones."""
        return self.near.bits

    @property
    def is_turned(self) -> bool:
        """Whether near and far members are the same sides, in two readings."""
        return self.near.first == self.far.first


FACING = {
    1: (
        Facing(Reading(0, RIGHT, 1), Reading(0, LEFT, 0)),
        Facing(Reading(0, BOTTOM, 0), Reading(0, TOP, 1)),
    ),
    2: (
        Facing(Reading(1, LEFT, 1), Reading(1, LEFT, 0)),
        Facing(Reading(1, TOP, 1), Reading(1, TOP, 0)),
    ),
    4: (Facing(Reading(2, LEFT, 1), Reading(2, LEFT, 0)),),
}
"""The classes where a piece may lie in so many ways."""


@shared
def member_side(bits, first, member):
    """Return the number of the side of a member; `first` is that of its reading."""
    return side_of(member >> bits, first + (member & ((1 << bits) - 1)))


@shared
def member_of(bits, side):
    """Return the member that a side of a class is, by the side's number."""
    return (piece_of(side) << bits) | (side & ((1 << bits) - 1))
