"""Which tile belongs where, as a table."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import Protocol

import numpy as np

from jigsolve.core.turns import Placement
from jigsolve.seams.confidence import Confidence
from jigsolve.solvers.solution import Solution

COLUMNS = (
    "row", "column", "piece", "file", "confidence", "confidence_right", "confidence_below"
)  # fmt: skip


class Picture(Protocol):
    """What a table needs to know of a picture that was put together."""

    @property
    def placement(self) -> Placement:
        """Which piece lies where, and how it is turned."""

    def confidence(self) -> Confidence | None:
        """How likely it is right."""


def as_csv(solution: Solution) -> str:
    """Return a table with a line for every cell, and one for every piece that has none.

    Rows and columns count from 0, as in `solution.arrangement`. What is not known is empty. If
    pieces are turned there is a column `turn`: quarters clockwise that the piece needs.
    """
    table = _Table(solution.puzzle.names, turned=solution.turns is not None)
    table.add_picture(solution)
    table.add_strays(solution.strays)
    return table.text.getvalue()


def bag_as_csv(
    pictures: Sequence[Picture],
    strays: Sequence[int],
    names: Sequence[str] | None = None,
    *,
    turned: bool = False,
) -> str:
    """Return the table of several pictures; the column `picture` counts them from 1."""
    table = _Table(names, turned=turned, several=True)
    for number, picture in enumerate(pictures, 1):
        table.add_picture(picture, number)
    table.add_strays(strays)
    return table.text.getvalue()


class _Table:
    """Lines of CSV, with columns for turns and pictures where there are any."""

    def __init__(self, names: Sequence[str] | None, *, turned: bool, several: bool = False) -> None:
        self.text = io.StringIO()
        # A carriage return ends a line for readers of tables, and `csv` would not quote it.
        self._names = [name.replace("\r", "\\r") for name in names or ()]
        where = ["picture"] * several + ["row", "column"] + ["turn"] * turned
        self._columns = [*where, *COLUMNS[2:]]
        self._writer = csv.DictWriter(self.text, self._columns, restval="", lineterminator="\n")
        self._writer.writeheader()

    def add_picture(self, picture: Picture, number: int = 1) -> None:
        """Add a line for every cell."""
        confidence = picture.confidence()
        grids = (confidence.pieces, confidence.right, confidence.below) if confidence else ()
        pieces, turns = picture.placement
        for (row, column), piece in np.ndenumerate(pieces):
            line = {"picture": number, "row": row, "column": column}
            if piece >= 0:
                shares = (_share(grid, row, column) for grid in grids)
                line |= self._piece(piece) | {"turn": turns[row, column]}
                line |= dict(zip(COLUMNS[4:], shares, strict=False))
            self._write(line)

    def add_strays(self, strays: Sequence[int]) -> None:
        """Add a line for every piece without a cell."""
        for piece in strays:
            self._write(self._piece(piece))

    def _piece(self, piece: int) -> dict[str, object]:
        return {"piece": piece, "file": self._names[piece] if self._names else ""}

    def _write(self, line: dict[str, object]) -> None:
        self._writer.writerow({name: line[name] for name in line if name in self._columns})


def _share(grid: np.ndarray, row: int, column: int) -> str:
    if row >= grid.shape[0] or column >= grid.shape[1] or np.isnan(grid[row, column]):
        return ""
    return f"{grid[row, column]:.4f}"
