"""From a puzzle to the QR code that its pieces make, if they do."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

import numpy as np

from jigsolve.core import Board, Puzzle
from jigsolve.errors import InputError
from jigsolve.measures import Measure
from jigsolve.qr.code import Code, place
from jigsolve.qr.fits import MOST, Fit, recognise
from jigsolve.qr.raster import Raster


def look_for_code(pieces: np.ndarray, board: Board | None, measure: Measure) -> Fit | None:
    """Return the QR code that pieces make, where a measure wants to know; raise if it must."""
    if not (measure.reranked or measure.placed):
        return None
    fit = recognise(pieces, board)
    if fit is None and measure.placed:
        raise InputError(
            f"measure {measure.name}: expected the pieces of one QR code, {MOST:,} at most, none "
            "missing, two colours, three modules or more across, found none"
        )
    return fit


def find_code(
    puzzle: Puzzle,
    measure: Measure,
    order: np.ndarray,
    stages: Callable[[str], AbstractContextManager[object]],
) -> Code | None:
    """Return the QR code of a puzzle, put together, its pieces looked at in the given order."""
    if not measure.placed and (puzzle.holes or puzzle.strays or Raster.of(puzzle.pieces) is None):
        return None
    if puzzle.holes or puzzle.strays:
        raise InputError(
            f"measure {measure.name}: expected as many pieces as cells, found {len(puzzle)} for "
            f"{puzzle.board.columns} x {puzzle.board.rows}"
        )
    with stages("modules"):
        fit = look_for_code(puzzle.pieces[order], puzzle.board, measure)
        return place(fit).renumbered(order) if fit else None
