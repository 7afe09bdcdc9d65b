"""The desk: which piece lies where, and what a person said of it. Values only, nothing is stored.

A pose is `4 * piece + turn`, the turn in quarters clockwise that the piece needs; -1 is an empty
cell. A change takes one desk to another, and its inverse takes it back.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from jigsolve._kernels.geometry import posed_piece, turn_of
from jigsolve.errors import InputError

SIDES = ("top", "right", "bottom", "left")
"""Clockwise: a piece that is turned by t shows its side s where side s + t was."""

SAYINGS = ("locked", "joined", "parted")


class Tie(NamedTuple):
    """Two sides of pieces, as the pieces were given; the piece of the lower number first."""

    piece: int
    side: str
    other: int
    facing: str

    @classmethod
    def of(cls, piece: int, side: str, other: int, facing: str) -> Tie:
        """Return the tie of two sides, however they are given."""
        if piece < other:
            return cls(piece, side, other, facing)
        return cls(other, facing, piece, side)

    @property
    def ends(self) -> tuple[tuple[int, str], tuple[int, str]]:
        """The two sides."""
        return (self.piece, self.side), (self.other, self.facing)


@dataclass(frozen=True, eq=False)
class Picture:
    """One of the pictures on the desk: a board, and the pose in each of its cells."""

    rows: int
    columns: int
    cells: np.ndarray
    """Poses row by row, int32."""

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Picture)
            and self.is_like(other)
            and np.array_equal(self.cells, other.cells)
        )

    __hash__ = None  # type: ignore[assignment]

    def is_like(self, other: Picture) -> bool:
        """Whether it has the same board."""
        return (self.rows, self.columns) == (other.rows, other.columns)

    def with_cells(self, cells: np.ndarray) -> Picture:
        """Return the same board with other poses."""
        return replace(self, cells=cells)

    def as_record(self) -> dict[str, Any]:
        """Return what JSON can hold."""
        return {"rows": self.rows, "columns": self.columns, "cells": packed(self.cells)}

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Picture:
        """Return the picture of a record."""
        rows, columns = int(record["rows"]), int(record["columns"])
        cells = unpacked(record["cells"])
        if rows < 1 or columns < 1 or len(cells) != rows * columns:
            raise InputError(f"expected {rows} x {columns} cells, found {len(cells)}")
        return cls(rows, columns, cells)


@dataclass(frozen=True)
class Desk:
    """All that actions change."""

    pictures: tuple[Picture, ...] = ()
    locked: frozenset[int] = frozenset()
    """Pieces that stay in the cell they lie in."""
    joined: frozenset[Tie] = frozenset()
    parted: frozenset[Tie] = frozenset()

    def changed(self, change: Change) -> Desk:
        """Return the desk after a change."""
        pictures = self.pictures
        if change.pictures is not None:
            pictures = change.pictures[1]
        elif len(change.cells):
            fresh = [picture.cells.copy() for picture in pictures]
            for number in np.unique(change.cells[:, 0]).tolist():
                rows = change.cells[change.cells[:, 0] == number]
                fresh[number][rows[:, 1]] = rows[:, 3]
            pictures = tuple(
                picture.with_cells(cells) for picture, cells in zip(pictures, fresh, strict=True)
            )
        said = {
            name: (getattr(self, name) - change.removed[name]) | change.added[name]
            for name in SAYINGS
        }
        return replace(self, pictures=pictures, **said)

    def sayings(self) -> dict[str, list[Any]]:
        """Return what was said, as JSON can hold it."""
        return {name: sorted(getattr(self, name)) for name in SAYINGS}

    def saying_more_than(self, before: Mapping[str, Any]) -> Desk:
        """Return the desk with only what was said after that."""
        said = {name: getattr(self, name) - _said(name, before[name]) for name in before}
        return replace(self, **said)

    def as_record(self) -> dict[str, Any]:
        """Return what JSON can hold."""
        pictures = [picture.as_record() for picture in self.pictures]
        return {"pictures": pictures, **self.sayings()}

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Desk:
        """Return the desk of a record."""
        return cls(
            tuple(Picture.from_record(each) for each in record["pictures"]),
            **{name: _said(name, record[name]) for name in SAYINGS},
        )


Said = dict[str, frozenset[Any]]


def _nothing_said() -> Said:
    return dict.fromkeys(SAYINGS, frozenset())


@dataclass(frozen=True, eq=False)
class Change:
    """What is different between two desks."""

    cells: np.ndarray = field(default_factory=lambda: np.empty((0, 4), np.int32))
    """Picture, cell, pose before and pose after, (k, 4) int32."""
    pictures: tuple[tuple[Picture, ...], tuple[Picture, ...]] | None = None
    """All pictures before and after, where boards are others; `cells` is empty then."""
    added: Said = field(default_factory=_nothing_said)
    removed: Said = field(default_factory=_nothing_said)

    @classmethod
    def between(cls, before: Desk, after: Desk) -> Change:
        """Return what takes one desk to another."""
        added = {name: getattr(after, name) - getattr(before, name) for name in SAYINGS}
        removed = {name: getattr(before, name) - getattr(after, name) for name in SAYINGS}
        if not _are_alike(before.pictures, after.pictures):
            return cls(pictures=(before.pictures, after.pictures), added=added, removed=removed)
        rows = [np.empty((0, 4), np.int32)]
        for number, (old, new) in enumerate(zip(before.pictures, after.pictures, strict=True)):
            where = np.flatnonzero(old.cells != new.cells)
            of = np.full(len(where), number)
            rows.append(np.column_stack([of, where, old.cells[where], new.cells[where]]))
        return cls(np.concatenate(rows).astype(np.int32), None, added, removed)

    @property
    def is_none(self) -> bool:
        """Whether it changes nothing."""
        said = any(self.added[name] or self.removed[name] for name in SAYINGS)
        return not (len(self.cells) or self.pictures is not None or said)

    def inverse(self) -> Change:
        """Return what takes it back."""
        pictures = None if self.pictures is None else self.pictures[::-1]
        return Change(self.cells[:, [0, 1, 3, 2]], pictures, self.removed, self.added)

    def as_record(self) -> dict[str, Any]:
        """Return what JSON can hold."""
        record: dict[str, Any] = {}
        if len(self.cells):
            record["cells"] = packed(self.cells)
        if self.pictures is not None:
            record["pictures"] = [[one.as_record() for one in side] for side in self.pictures]
        for kind in ("added", "removed"):
            said = {name: sorted(of) for name, of in getattr(self, kind).items() if of}
            record |= {kind: said} if said else {}
        return record

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Change:
        """Return the change of a record."""
        pictures = None
        if "pictures" in record:
            before, after = (
                tuple(Picture.from_record(one) for one in side) for side in record["pictures"]
            )
            pictures = before, after
        cells = unpacked(record["cells"]).reshape(-1, 4) if "cells" in record else None
        said = {
            kind: _nothing_said()
            | {name: _said(name, of) for name, of in record.get(kind, {}).items()}
            for kind in ("added", "removed")
        }
        return cls(np.empty((0, 4), np.int32) if cells is None else cells, pictures, **said)


def _are_alike(before: Sequence[Picture], after: Sequence[Picture]) -> bool:
    return len(before) == len(after) and all(
        old.is_like(new) for old, new in zip(before, after, strict=True)
    )


def _said(name: str, entries: Sequence[Any]) -> frozenset[Any]:
    return frozenset(entries if name == "locked" else (Tie(*entry) for entry in entries))


def packed(numbers: np.ndarray) -> str:
    """Return whole numbers as text: little-endian int32 in base64."""
    return base64.b64encode(np.ascontiguousarray(numbers, "<i4").tobytes()).decode()


def unpacked(text: str) -> np.ndarray:
    """Return the numbers of a text, int32."""
    return np.frombuffer(base64.b64decode(text), "<i4").astype(np.int32)


def piece_of(pose: int) -> int:
    """Return the piece of a pose."""
    return int(posed_piece(pose))


def given_side(pose: int, place: int) -> str:
    """Return which of its own sides a pose shows at a place: 0 top, 1 right, 2 bottom, 3 left."""
    return SIDES[(place - turn_of(pose)) % 4]
