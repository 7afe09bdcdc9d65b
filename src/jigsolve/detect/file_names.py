"""Names of files that say where tiles belong: numbers in order, or rows and columns.

Often such names are leftovers of a shuffle and say nothing, and sometimes they are the solution. No
solver looks at them; they are believed only when a user asks for it.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from jigsolve.core.puzzle import Board
from jigsolve.errors import InputError

FEWEST = 4
"""Names of fewer tiles say nothing: two files called 1 and 2 are nothing to speak of."""

MOST_SPARSE = 2
"""Numbers that leave more than so many places to a tile are no order, but dates or random."""

_ENDING = re.compile(r"\.[A-Za-z]{2,4}\d?$")
_NUMBER = re.compile(r"([0-9]{1,12})")
_OF_ROW = re.compile(r"(?:^|[^a-z])(?:r|row|y)[^a-z0-9]?$", re.IGNORECASE)
_OF_COLUMN = re.compile(r"(?:^|[^a-z])(?:c|col|column|x)[^a-z0-9]?$", re.IGNORECASE)


class Naming(NamedTuple):
    """What the names of tiles say."""

    numbers: np.ndarray
    """Of each tile its number, (n, 1), or row and column, (n, 2)."""
    labelled: bool
    """Whether names say which number is the row and which the column."""
    example: str

    @property
    def has_coordinates(self) -> bool:
        """Whether there are rows and columns, not an order."""
        return bool(self.numbers.shape[1] == 2)

    def describe(self) -> str:
        """Say in words what the names are."""
        if not self.has_coordinates:
            numbers = self.numbers[:, 0]
            return f"numbers from {numbers.min()} to {numbers.max()}, such as {self.example}"
        what = "rows and columns" if self.labelled else "pairs of numbers"
        return f"{what}, such as {self.example}"

    def cells(self, *, column_first: bool = False) -> np.ndarray:
        """Return row and column of each tile, from 0; coordinates may be counted in pixels."""
        cells = np.stack([_steps(numbers) for numbers in self.numbers.T], axis=1)
        return cells[:, ::-1] if column_first and not self.labelled else cells

    def board(self, *, column_first: bool = False) -> Board | None:
        """Return the board that coordinates fill; an order fills many."""
        if not self.has_coordinates:
            return None
        rows, columns = self.cells(column_first=column_first).max(axis=0) + 1
        return Board(int(rows), int(columns))

    def arrangement(self, board: Board, *, column_first: bool = False) -> np.ndarray:
        """Return tiles in the places that their names say, -1 where there is none."""
        if self.has_coordinates:
            rows, columns = self.cells(column_first=column_first).T
        else:
            numbers = self._from_0(board.rows * board.columns)
            quotient, rest = divmod(numbers, board.rows if column_first else board.columns)
            rows, columns = (rest, quotient) if column_first else (quotient, rest)
        if rows.max() >= board.rows or columns.max() >= board.columns:
            raise InputError(
                f"expected names of tiles within a board of {board.columns} x {board.rows}, found "
                f"{self.describe()}"
            )
        arrangement = np.full(board, -1, np.int32)
        arrangement[rows, columns] = np.arange(len(self.numbers))
        return arrangement

    def _from_0(self, cells: int) -> np.ndarray:
        numbers = self.numbers[:, 0]
        if numbers.min() == 0 or numbers.max() > cells:
            return _steps(numbers)
        return numbers - 1  # counted from 1; if the first is not there, it is missing


def naming_of(names: Sequence[str]) -> Naming | None:
    """Return what names of tiles say, or None: they must be alike but for one or two numbers.

    Examples
    --------
    >>> naming = naming_of(["r0_c0.png", "r0_c1.png", "r1_c0.png", "r1_c1.png", "r2_c0.png"])
    >>> naming.describe(), naming.board()
    ('rows and columns, such as r0_c0.png', Board(rows=3, columns=2))
    """
    if len(names) < FEWEST:
        return None
    parts = [_NUMBER.split(_ENDING.sub("", name)) for name in names]
    if len({_text_of(name) for name in names}) > 1:
        return None
    texts = parts[0][::2]
    table = np.array([part[1::2] for part in parts], dtype=np.int64)
    varying = [column for column in range(table.shape[1]) if np.ptp(table[:, column])]
    rows = [column for column, text in enumerate(texts[:-1]) if _OF_ROW.search(text)]
    columns = [column for column, text in enumerate(texts[:-1]) if _OF_COLUMN.search(text)]
    labelled = len(rows) == len(columns) == 1
    chosen = [*rows, *columns] if labelled else varying
    if len(chosen) not in (1, 2):
        return None
    found = Naming(table[:, chosen], labelled, min(names))
    return found if _is_dense(found) else None


def odd_name(names: Sequence[str]) -> str:
    """Return a name that is not like the others, numbers aside, or else the first."""
    count = Counter(map(_text_of, names))
    return min(names, key=lambda name: (count[_text_of(name)], name))


def _text_of(name: str) -> tuple[str, ...]:
    """Return a name without its numbers and its ending."""
    return tuple(text.lower() for text in _NUMBER.split(_ENDING.sub("", name))[::2])


def _is_dense(naming: Naming) -> bool:
    """Whether every tile has a place of its own, and there are not many more."""
    if len(np.unique(naming.numbers, axis=0)) < len(naming.numbers):
        return False
    places = math.prod(int(_steps(numbers).max()) + 1 for numbers in naming.numbers.T)
    return places <= MOST_SPARSE * len(naming.numbers)


def _steps(numbers: np.ndarray) -> np.ndarray:
    """Return numbers from 0 on, in units of what all of them are multiples of."""
    above = numbers - numbers.min()
    return np.asarray(above // max(int(np.gcd.reduce(above)), 1))
