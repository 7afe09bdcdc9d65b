"""How a code may lie on the board: its version, its margin, the board."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from jigsolve.core import Board, PieceSize
from jigsolve.qr.raster import Raster
from jigsolve.qr.symbol import VERSIONS, size_of

WIDEST_MARGIN = 16
"""In modules: the standard wants 4, pictures have 0 to 10."""


class Frame(NamedTuple):
    """Where on a board a code lies."""

    version: int
    board: Board
    top: int
    """Pixels above the code."""
    left: int


def frames(raster: Raster, boards: list[Board]) -> Iterator[Frame]:
    """Yield the frames in which a code fills a board, its margins alike but for part of a piece.

    What does not fill a piece at the right and the bottom may have been cut off or added.
    """
    size = PieceSize(*raster.dark.shape[1:])
    module = raster.module
    for board in boards:
        height, width = board.rows * size.height, board.columns * size.width
        for version in VERSIONS:
            code = size_of(version) * module
            spare = height - code, width - code
            margins = {(q * module, q * module) for q in range(WIDEST_MARGIN + 1)}
            if 0 <= min(spare) <= max(spare) <= 2 * WIDEST_MARGIN * module:
                margins.add((spare[0] // 2, spare[1] // 2))
            for top, left in sorted(margins):
                beyond = spare[0] - 2 * top, spare[1] - 2 * left
                if abs(beyond[0]) < size.height and abs(beyond[1]) < size.width:
                    yield Frame(version, board, top, left)
