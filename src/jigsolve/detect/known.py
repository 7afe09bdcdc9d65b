"""What somebody knows of how a picture was cut, and what follows from it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

from jigsolve.detect.grid import Grid
from jigsolve.errors import InputError

_MOST = 10**9
_SAME = 1.0  # pixels: a gap or a place that differs by no more may be the known one


class Region(NamedTuple):
    """A part of a picture, in pixels."""

    x: int
    y: int
    width: int
    height: int

    def __str__(self) -> str:
        return ",".join(map(str, self))


@dataclass(frozen=True)
class Known:
    """What is known beforehand; what is None is to be found out.

    Parameters
    ----------
    piece
        Height and width of a piece in pixels, no whole numbers if the picture was scaled.
    gap
        Pixels between two pieces.
    border
        Pixels around all pieces, the same on every side.
    offset
        Pixels, x and y, before the first piece; then nothing is said of the other end.
    region
        The part of the picture to look at; border and offset begin there.
    crop
        With a piece: leave out what is too narrow for one at the right and the bottom.

    Examples
    --------
    >>> Known(region=Region(10, 20, 300, 200), border=5).box(400, 400)
    (15.0, 25.0, 305.0, 215.0)
    """

    piece: tuple[float, float] | None = None
    gap: float | None = None
    border: float | None = None
    offset: tuple[float, float] | None = None
    region: Region | None = None
    crop: bool = False

    def __post_init__(self) -> None:
        if self.piece is not None:
            height, width = self.piece
            if not all(1 <= side <= _MOST for side in self.piece):
                raise InputError(
                    f"piece: expected at least 1 x 1 pixels, found {width:g} x {height:g}"
                )
        offset = None if self.offset is None else min(self.offset)
        for name, pixels in (("gap", self.gap), ("border", self.border), ("offset", offset)):
            if pixels is not None and not 0 <= pixels <= _MOST:
                raise InputError(f"{name}: expected 0 pixels or more, found {pixels:g}")
        if self.border is not None and self.offset is not None:
            raise InputError(
                "expected a border or an offset, found both; an offset alone says where the first "
                "piece begins"
            )

    @property
    def is_whole(self) -> bool:
        """Whether the piece is known to be of whole pixels."""
        return self.piece is not None and all(float(side).is_integer() for side in self.piece)

    @property
    def begins(self) -> bool:
        """Whether it is known where the first piece begins."""
        return self.border is not None or self.offset is not None

    def box(self, height: int, width: int) -> tuple[float, float, float, float]:
        """Return where the board may lie in a picture: left, top, right, bottom."""
        x, y, across, down = self.region or Region(0, 0, width, height)
        inside = 0 <= x <= x + across <= width and 0 <= y <= y + down <= height
        if self.region and not (inside and min(across, down) >= 1):
            raise InputError(
                f"region: expected a part of the picture, which is {width} x {height} pixels, "
                f"found {self.region}"
            )
        border = self.border or 0.0
        left, top = self.offset or (border, border)
        box = (x + left, y + top, x + across - border, y + down - border)
        if self.begins and (box[2] - box[0] < 1 or box[3] - box[1] < 1):
            raise InputError(
                f"expected pieces within {across} x {down} pixels, found a border or offset that "
                "leaves none"
            )
        return tuple(map(float, box))  # type: ignore[return-value]

    def allows(self, grid: Grid) -> bool:
        """Whether a grid, seen from the box, is what is known."""
        down, across = grid.down, grid.across
        if self.gap is not None:
            gaps = [lattice.gap for lattice in (down, across) if lattice.count > 1]
            if any(abs(gap - self.gap) > _SAME for gap in gaps):
                return False
        return not self.begins or max(down.start, across.start) <= _SAME


def whole_box(box: tuple[float, float, float, float]) -> tuple[slice, slice]:
    """Return the rows and columns of whole pixels in a box."""
    left, top, right, bottom = box
    return (
        slice(math.ceil(top), math.floor(bottom)),
        slice(math.ceil(left), math.floor(right)),
    )
