"""Recognising a QR code among pieces."""

from __future__ import annotations

import functools
from dataclasses import dataclass, field

import numpy as np

from jigsolve.core import Board
from jigsolve.qr.cells import Cells
from jigsolve.qr.frames import Frame, frames
from jigsolve.qr.raster import Raster
from jigsolve.qr.symbol import FORMATS, UNKNOWN, Format, known_modules

FEWEST, MOST = 4, 1024
"""Pieces of a code: fewer are no puzzle, and more would take minutes."""


@dataclass(frozen=True, eq=False)
class Fit:
    """A code that all pieces fit, each in a cell of its own."""

    cells: Cells
    by_format: dict[Format, np.ndarray] = field(repr=False)
    """The formats the code may have, and with each the possible pieces of cells, (n, cells)."""

    @property
    def frame(self) -> Frame:
        """Where the code lies."""
        return self.cells.frame

    @functools.cached_property
    def possible(self) -> np.ndarray:
        """The pieces that are possible with some format, (n, cells)."""
        return np.asarray(np.any(list(self.by_format.values()), axis=0))


def recognise(pieces: np.ndarray, board: Board | None = None) -> Fit | None:
    """Return the QR code that pieces, (n, height, width, 3) uint8, make; None if they make none.

    Parameters
    ----------
    pieces
        All pieces of one picture, in any order.
    board
        Their board; without it every one that they fill is tried.
    """
    many = len(pieces)
    if not FEWEST <= many <= MOST or (raster := Raster.of(pieces)) is None:
        return None
    shapes = [Board(rows, many // rows) for rows in range(1, many + 1) if many % rows == 0]
    found = [
        fit
        for frame in frames(raster, [board] if board else shapes)
        if (fit := _fit(Cells(raster, frame)))
    ]
    return min(found, key=lambda fit: int(fit.possible.sum())) if found else None


def _fit(cells: Cells) -> Fit | None:
    """Return how pieces fit a code; None if they do not, or fit its negative as well.

    Pieces of a module or two fit anything.
    """
    version = cells.frame.version
    known = known_modules(version)
    possible = cells.narrowed(cells.possible(known))
    negative = np.where(known == UNKNOWN, UNKNOWN, 1 - known)
    if possible is None or cells.narrowed(cells.possible(negative)) is not None:
        return None
    by_format = {}
    for chosen in FORMATS:
        narrowed = cells.narrowed(possible & cells.possible(known_modules(version, chosen)))
        if narrowed is not None:
            by_format[chosen] = narrowed
    return Fit(cells, by_format) if by_format else None
