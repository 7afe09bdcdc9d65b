"""What a person knows: seams that hold, seams that do not, pieces whose cell is fixed."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from jigsolve.errors import InputError

SIDES = ("left", "right", "top", "bottom")
STEPS = {"left": (0, -1), "right": (0, 1), "top": (-1, 0), "bottom": (1, 0)}
FACING = {"left": "right", "right": "left", "top": "bottom", "bottom": "top"}
MOST_BYTES = 100_000_000
"""A file of constraints is smaller than this: every seam of a million pieces is half of it."""


class Seam(NamedTuple):
    """A piece, one of its sides, and the piece beside it there; and which of that piece's sides."""

    piece: int
    side: str
    other: int
    other_side: str | None = None
    """None where it is the side that faces the first one, as it does if pieces are not turned."""

    def entry(self) -> list[Any]:
        """Return it as it was given."""
        return list(self if self.other_side else self[:3])

    def __str__(self) -> str:
        return f"[{', '.join(map(str, self.entry()))}]"


class Turned(NamedTuple):
    """A piece and how it is turned in the picture."""

    piece: int
    turn: int

    def entry(self) -> list[Any]:
        """Return it as it was given."""
        return list(self)

    def __str__(self) -> str:
        return f"[{self.piece}, {self.turn}]"


class Fixed(NamedTuple):
    """A piece and its cell, and how it is turned there."""

    piece: int
    row: int
    column: int
    turn: int | None = None
    """Quarter turns clockwise; None where pieces are not turned, or others tell."""

    def entry(self) -> list[Any]:
        """Return it as it was given."""
        return list(self[:3] if self.turn is None else self)

    def __str__(self) -> str:
        return f"[{', '.join(map(str, self.entry()))}]"


@dataclass(frozen=True)
class Constraints:
    """What must hold in a solution, by the numbers of the puzzle's pieces.

    Parameters
    ----------
    joined
        Seams that hold: (piece, side, other), side one of "left", "right", "top", "bottom". Where
        pieces may be turned (piece, side, other, side): sides of the pieces as they are given.
    parted
        Seams that do not.
    fixed
        Pieces whose cell is known: (piece, row, column), or (piece, row, column, turn) where pieces
        may be turned: the quarter turns clockwise that it needs.
    turned
        Pieces whose turn is known: (piece, turn). They say which way up the whole is, most of them
        if not all; where a cell is fixed that says it.

    Examples
    --------
    >>> Constraints(joined=[(4, "right", 7)], fixed=[(0, 0, 0)]).joined
    (Seam(piece=4, side='right', other=7, other_side=None),)
    """

    joined: Sequence[tuple[int, str, int] | tuple[int, str, int, str | None]] = ()
    parted: Sequence[tuple[int, str, int] | tuple[int, str, int, str | None]] = ()
    fixed: Sequence[tuple[int, int, int] | tuple[int, int, int, int | None]] = ()
    turned: Sequence[tuple[int, int]] = ()

    def __post_init__(self) -> None:
        for name in ("joined", "parted"):
            seams = tuple(_seam(name, entry) for entry in getattr(self, name))
            object.__setattr__(self, name, seams)
        cells = tuple(_fixed(entry) for entry in self.fixed)
        object.__setattr__(self, "fixed", cells)
        object.__setattr__(self, "turned", tuple(_turned(entry) for entry in self.turned))

    def __bool__(self) -> bool:
        return bool(self.joined or self.parted or self.fixed or self.turned)

    @classmethod
    def from_neighbours(cls, neighbours: np.ndarray) -> Constraints:
        """Return seams that hold, from a table of neighbours, (n, 4): -1 where none is known."""
        joined = [
            (int(piece), SIDES[side], int(neighbours[piece, side]))
            for side in (1, 3)
            for piece in np.flatnonzero(neighbours[:, side] >= 0)
        ]
        return cls(joined=joined)

    @classmethod
    def from_sides(cls, touching: np.ndarray) -> Constraints:
        """Return seams that hold, from the side that each side touches, (n, 4): -1 for none.

        Side s of piece p has the number 4 p + s, in the order of SIDES.
        """
        wanted = touching.ravel()
        joined = [
            (side // 4, SIDES[side % 4], partner // 4, SIDES[partner % 4])
            for side, partner in enumerate(wanted.tolist())
            if partner > side
        ]
        return cls(joined=joined)

    @classmethod
    def from_arrangement(
        cls, arrangement: np.ndarray, turns: np.ndarray | None = None
    ) -> Constraints:
        """Return cells that are fixed, from an arrangement: -1 where none is.

        Where pieces may be turned, with the turns of its cells.
        """
        cells = np.argwhere(arrangement >= 0).tolist()
        return cls(
            fixed=[
                (
                    int(arrangement[row, column]),
                    row,
                    column,
                    None if turns is None else int(turns[row, column]),
                )
                for row, column in cells
            ]
        )

    @classmethod
    def read(cls, path: str | Path, names: Sequence[str] | None = None) -> Constraints:
        """Read a JSON file; pieces are numbers, or names of the puzzle's files."""
        path = Path(path)
        try:
            if path.stat().st_size > MOST_BYTES:
                raise InputError(f"{path}: expected less than {MOST_BYTES:,} bytes")
            record = json.loads(path.read_text(encoding="utf-8"))
        except OSError as error:
            raise InputError(f"{path}: cannot be read: {error.strerror}") from None
        except (ValueError, RecursionError) as error:
            raise InputError(f"{path}: expected JSON, found {error}") from None
        try:
            return cls.from_record(record, names)
        except InputError as error:
            raise InputError(f"{path}: {error}") from None

    @classmethod
    def from_record(cls, record: object, names: Sequence[str] | None = None) -> Constraints:
        """Return the constraints of what a JSON file holds."""
        known = ("joined", "parted", "fixed", "turned")
        if not isinstance(record, Mapping) or not set(record) <= set(known):
            shown = sorted(record) if isinstance(record, Mapping) else type(record).__name__
            raise InputError(f"expected an object of {', '.join(known)}, found {shown}")
        numbers = {name: number for number, name in enumerate(names or ())}
        found = {
            kind: [_numbered(kind, entry, numbers) for entry in _entries(kind, record[kind])]
            for kind in record
        }
        return cls(**found)

    def as_record(self) -> dict[str, list[list[Any]]]:
        """Return what JSON can hold; `turned` only where something is said of it."""
        names = ("joined", "parted", "fixed", *(("turned",) if self.turned else ()))
        return {name: [entry.entry() for entry in getattr(self, name)] for name in names}


def _entries(kind: str, found: object) -> Sequence[object]:
    if not isinstance(found, list):
        raise InputError(f"{kind}: expected a list, found {found!r:.60}")
    return found


def _numbered(kind: str, entry: object, numbers: Mapping[str, int]) -> Any:
    """Return an entry with the numbers of pieces that are given by name."""
    if not isinstance(entry, list) or len(entry) not in ((2,) if kind == "turned" else (3, 4)):
        return entry
    places = (0,) if kind in ("fixed", "turned") else (0, 2)
    found = list(entry)
    for place in places:
        if isinstance(entry[place], str):
            if entry[place] not in numbers:
                raise InputError(f"{kind}: expected a piece, found {entry[place]!r}")
            found[place] = numbers[entry[place]]
    return found


def _is_number(value: object) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def _seam(name: str, entry: Any) -> Seam:
    try:
        piece, side, other, *rest = entry
        is_seam = _is_number(piece) and _is_number(other) and side in SIDES
        is_seam = is_seam and (not rest or (len(rest) == 1 and rest[0] in (*SIDES, None)))
    except (TypeError, ValueError):
        is_seam = False
    if not is_seam:
        raise InputError(
            f"{name}: expected [piece, side, piece] or [piece, side, piece, side] with sides of "
            f"{', '.join(SIDES)}, found {entry!r:.80}"
        )
    if piece == other:
        raise InputError(f"{name}: expected two different pieces, found {entry!r:.80}")
    return Seam(int(piece), side, int(other), *rest)


def _fixed(entry: Any) -> Fixed:
    try:
        numbers = [*entry]
    except TypeError:
        numbers = []
    if len(numbers) == 4 and numbers[3] is None:
        numbers = numbers[:3]
    if len(numbers) not in (3, 4) or not all(_is_number(number) for number in numbers):
        raise InputError(
            f"fixed: expected [piece, row, column] or [piece, row, column, turn], found "
            f"{entry!r:.80}"
        )
    if len(numbers) == 4 and not 0 <= numbers[3] <= 3:
        raise InputError(f"fixed: expected a turn of 0, 1, 2 or 3, found {entry!r:.80}")
    return Fixed(*(int(number) for number in numbers))


def _turned(entry: Any) -> Turned:
    try:
        piece, turn = entry
        is_turned = _is_number(piece) and _is_number(turn) and 0 <= turn <= 3
    except (TypeError, ValueError):
        is_turned = False
    if not is_turned:
        raise InputError(
            f"turned: expected [piece, turn] with a turn of 0, 1, 2 or 3, found {entry!r:.80}"
        )
    return Turned(int(piece), int(turn))


def merged(parts: Iterable[Constraints]) -> Constraints:
    """Return all constraints together."""
    every = [*parts]
    return Constraints(
        joined=[seam for part in every for seam in part.joined],
        parted=[seam for part in every for seam in part.parted],
        fixed=[cell for part in every for cell in part.fixed],
        turned=[piece for part in every for piece in part.turned],
    )
