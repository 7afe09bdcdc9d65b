"""What a person does on the desk: a desk and an action give another desk. Values only."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from jigsolve._kernels.geometry import pose_of, posed_piece, turn_of
from jigsolve.core.placing import carry
from jigsolve.core.turns import possible_turns
from jigsolve.errors import InputError
from jigsolve.studio.checks import check_keys, checked_number
from jigsolve.studio.desk import Desk, Picture, Tie, given_side, piece_of

Action = Mapping[str, Any]
Place = tuple[int, int]
"""The number of a picture, and of one of its cells."""


class ImpossibleError(InputError):
    """It is an action, but not one that this desk allows."""


def acted(desk: Desk, action: Action, *, pieces: int, turns: str) -> tuple[Desk, str]:
    """Return the desk after an action, and what it is called; raise where it cannot be done."""
    kind = action.get("kind")
    if not isinstance(kind, str) or kind not in _ACTIONS:
        raise InputError(f"expected an action, one of {', '.join(_ACTIONS)}, found {kind!r:.40}")
    do, parameters = _ACTIONS[kind]
    check_keys(action, ("kind", *parameters))
    return do(_Hands(desk, action, pieces, turns))


class _Hands:
    """A desk, with an action's parameters read and checked."""

    def __init__(self, desk: Desk, action: Action, pieces: int, turns: str) -> None:
        self.desk, self.action, self.pieces, self.turns = desk, action, pieces, turns

    def number(self, name: str, low: int, high: int) -> int:
        """Return a whole number of the action."""
        return checked_number(name, self.action.get(name), low, high)

    def picture_number(self) -> int:
        if not self.desk.pictures:
            raise InputError("expected a picture to act on, found none yet; solve first")
        return self.number("picture", 0, len(self.desk.pictures) - 1)

    def cells(self) -> tuple[int, list[int]]:
        """Return the picture's number, and the cells, each once and sorted."""
        number = self.picture_number()
        given = self.action.get("cells")
        if not isinstance(given, list) or not given:
            raise InputError(f"cells: expected a list of cells, found {given!r:.40}")
        last = len(self.desk.pictures[number].cells) - 1
        return number, sorted({checked_number("cells", cell, 0, last) for cell in given})

    def held(self) -> tuple[int, list[int]]:
        """Return the picture's number, and those of the cells that hold a piece."""
        number, cells = self.cells()
        poses = self.desk.pictures[number].cells
        if not (held := [cell for cell in cells if poses[cell] >= 0]):
            raise InputError("cells: expected some that hold a piece, found none")
        return number, held

    def place(self, name: str) -> Place:
        """Return a picture and cell."""
        given = self.action.get(name)
        if not isinstance(given, list) or len(given) != 2:
            raise InputError(f"{name}: expected [picture, cell], found {given!r:.40}")
        number = checked_number(name, given[0], 0, len(self.desk.pictures) - 1)
        last = len(self.desk.pictures[number].cells) - 1
        return number, checked_number(name, given[1], 0, last)

    def fresh(self) -> list[np.ndarray]:
        """Return copies of all cells to write to."""
        return [picture.cells.copy() for picture in self.desk.pictures]

    def check_unlocked(self, *poses: int) -> None:
        """Raise if one of the pieces is locked."""
        for pose in poses:
            if pose >= 0 and piece_of(pose) in self.desk.locked:
                raise ImpossibleError("a locked piece would move; unlock it first")

    def checked_pose(self, pose: int) -> int:
        """Return a pose; raise unless the puzzle's pieces may lie so."""
        if turn_of(pose) not in possible_turns(self.turns):
            raise InputError(f"pieces of this puzzle have turns {self.turns!r}, and no such turn")
        return pose

    def with_cells(self, fresh: Sequence[np.ndarray]) -> Desk:
        """Return the desk with other cells."""
        pictures = zip(self.desk.pictures, fresh, strict=True)
        return replace(
            self.desk, pictures=tuple(picture.with_cells(cells) for picture, cells in pictures)
        )


def _moved(hands: _Hands) -> tuple[Desk, str]:
    number, cells = hands.held()
    picture = hands.desk.pictures[number]
    by = hands.action.get("by")
    if not isinstance(by, list) or len(by) != 2:
        raise InputError(f"by: expected [rows, columns], found {by!r:.40}")
    rows = max(each.rows for each in hands.desk.pictures)
    columns = max(each.columns for each in hands.desk.pictures)
    down = checked_number("by", by[0], -rows, rows)
    right = checked_number("by", by[1], -columns, columns)
    fresh, label = hands.fresh(), f"move {_counted(len(cells))}"
    other = hands.number("to", 0, len(fresh) - 1) if "to" in hands.action else number
    if other != number:
        _exchange(hands, fresh[number], fresh[other], _across(hands, cells, number, other, by))
        return hands.with_cells(fresh), f"{label} to picture {other + 1}"
    if not (down or right):
        raise InputError("by: expected a move, found none")
    to = {cell: shifted(picture, cell, down, right) for cell in cells}
    _carry(hands, fresh[number], to)
    return hands.with_cells(fresh), label


def _across(
    hands: _Hands, cells: Sequence[int], number: int, other: int, by: Sequence[int]
) -> dict[int, int]:
    """Return where cells of one picture come to lie in another."""
    picture, there = hands.desk.pictures[number], hands.desk.pictures[other]
    places = ((cell, *divmod(cell, picture.columns)) for cell in cells)
    return {cell: cell_at(there, row + by[0], column + by[1]) for cell, row, column in places}


def _exchange(hands: _Hands, here: np.ndarray, there: np.ndarray, to: Mapping[int, int]) -> None:
    """Exchange cells of two pictures; raise if a locked piece would move."""
    mine, theirs = [*to], [*to.values()]
    hands.check_unlocked(*here[mine].tolist(), *there[theirs].tolist())
    here[mine], there[theirs] = there[theirs], here[mine]


def _carry(hands: _Hands, cells: np.ndarray, to: Mapping[int, int]) -> None:
    """Carry what lies in some cells to others; raise if a locked piece would move."""
    hands.check_unlocked(*(int(cells[cell]) for cell in {*to, *to.values()}))
    carry(cells, to)


def _swapped(hands: _Hands) -> tuple[Desk, str]:
    (first, one), (second, other) = hands.place("a"), hands.place("b")
    fresh = hands.fresh()
    poses = int(fresh[first][one]), int(fresh[second][other])
    if (first, one) == (second, other) or max(poses) < 0:
        raise InputError("expected two cells to swap, found one, or both of them empty")
    hands.check_unlocked(*poses)
    fresh[first][one], fresh[second][other] = poses[1], poses[0]
    return hands.with_cells(fresh), "swap two pieces"


def _turned(hands: _Hands) -> tuple[Desk, str]:
    number, cells = hands.held()
    picture = hands.desk.pictures[number]
    by = hands.number("by", -1, 2) % 4
    if not by:
        raise InputError("by: expected 1, -1 or 2 quarters, found 0")
    rows, columns = np.divmod(cells, picture.columns)
    top, left = int(rows.min()), int(columns.min())
    height, width = int(rows.max()) - top + 1, int(columns.max()) - left + 1
    if by != 2 and height != width:
        raise InputError(
            f"a block turns by a quarter if it is as wide as high, found {width} x {height}; half "
            "a turn fits"
        )
    to = {}
    for cell, row, column in zip(cells, rows - top, columns - left, strict=True):
        down, right = {
            1: (column, width - 1 - row),
            2: (height - 1 - row, width - 1 - column),
            3: (height - 1 - column, row),
        }[by]
        to[cell] = int((top + down) * picture.columns + left + right)
    fresh = hands.fresh()
    poses = fresh[number]
    for cell in cells:
        hands.checked_pose(by)
        piece, turn = posed_piece(poses[cell]), turn_of(poses[cell] + by)
        poses[cell] = pose_of(piece, turn)
    _carry(hands, poses, to)
    return hands.with_cells(fresh), f"turn {_counted(len(cells))}"


def _parked(hands: _Hands) -> tuple[Desk, str]:
    number, cells = hands.held()
    fresh = hands.fresh()
    hands.check_unlocked(*fresh[number][cells].tolist())
    fresh[number][cells] = -1
    return hands.with_cells(fresh), f"park {_counted(len(cells))}"


def _placed(hands: _Hands) -> tuple[Desk, str]:
    pose = hands.checked_pose(hands.number("pose", 0, 4 * hands.pieces - 1))
    number = hands.picture_number()
    cell = hands.number("cell", 0, len(hands.desk.pictures[number].cells) - 1)
    fresh = hands.fresh()
    there = int(fresh[number][cell])
    hands.check_unlocked(pose, there)
    came_from = where_is(hands.desk, piece_of(pose))
    if came_from is not None:
        fresh[came_from[0]][came_from[1]] = there
    fresh[number][cell] = pose
    return hands.with_cells(fresh), "place a piece"


def where_is(desk: Desk, piece: int) -> Place | None:
    """Return where a piece lies; None if it is in the tray."""
    for number, picture in enumerate(desk.pictures):
        if len(found := np.flatnonzero(posed_piece(picture.cells) == piece)):
            return number, int(found[0])
    return None


def _locked(hands: _Hands) -> tuple[Desk, str]:
    number, cells = hands.held()
    pieces = {piece_of(pose) for pose in hands.desk.pictures[number].cells[cells].tolist()}
    desk = replace(hands.desk, locked=hands.desk.locked | pieces)
    return desk, f"lock {_counted(len(pieces))}"


def _unlocked(hands: _Hands) -> tuple[Desk, str]:
    number, cells = hands.held()
    pieces = {piece_of(pose) for pose in hands.desk.pictures[number].cells[cells].tolist()}
    desk = replace(hands.desk, locked=hands.desk.locked - pieces)
    return desk, f"unlock {_counted(len(pieces))}"


def _tie(hands: _Hands) -> Tie:
    """Return the two sides of a seam, as the pieces were given."""
    picture = hands.desk.pictures[hands.picture_number()]
    row, column = (
        hands.number("row", 0, picture.rows - 1),
        hands.number("column", 0, picture.columns - 1),
    )
    direction = hands.action.get("dir")
    if direction not in ("right", "below"):
        raise InputError(f'dir: expected "right" or "below", found {direction!r:.40}')
    here = row * picture.columns + column
    there = shifted(picture, here, *((0, 1) if direction == "right" else (1, 0)))
    one, other = int(picture.cells[here]), int(picture.cells[there])
    if min(one, other) < 0:
        raise InputError("expected a seam of two pieces, found an empty cell")
    place = 1 if direction == "right" else 2
    return Tie.of(
        piece_of(one), given_side(one, place), piece_of(other), given_side(other, place ^ 2)
    )


def _accepted(hands: _Hands) -> tuple[Desk, str]:
    tie = _tie(hands)
    # A side has one partner: what was joined to it before is taken back.
    others = {each for each in hands.desk.joined if set(each.ends) & set(tie.ends)}
    joined = (hands.desk.joined - others) | {tie}
    return replace(hands.desk, joined=joined, parted=hands.desk.parted - {tie}), "join a seam"


def _rejected(hands: _Hands) -> tuple[Desk, str]:
    tie = _tie(hands)
    joined, parted = hands.desk.joined - {tie}, hands.desk.parted | {tie}
    return replace(hands.desk, joined=joined, parted=parted), "cut a seam"


def _forgotten(hands: _Hands) -> tuple[Desk, str]:
    tie = _tie(hands)
    joined, parted = hands.desk.joined - {tie}, hands.desk.parted - {tie}
    return replace(hands.desk, joined=joined, parted=parted), "forget a seam"


_BLOCK, _SEAM = ("picture", "cells"), ("picture", "row", "column", "dir")
_ACTIONS: dict[str, tuple[Callable[[_Hands], tuple[Desk, str]], tuple[str, ...]]] = {
    "move": (_moved, (*_BLOCK, "by", "to")),
    "swap": (_swapped, ("a", "b")),
    "turn": (_turned, (*_BLOCK, "by")),
    "park": (_parked, _BLOCK),
    "place": (_placed, ("pose", "picture", "cell")),
    "lock": (_locked, _BLOCK),
    "unlock": (_unlocked, _BLOCK),
    "accept": (_accepted, _SEAM),
    "reject": (_rejected, _SEAM),
    "forget": (_forgotten, _SEAM),
}
"""What each kind does, and the parameters it has."""


def shifted(picture: Picture, cell: int, down: int, right: int) -> int:
    """Return another cell, so many rows and columns away; raise if it is beyond the board."""
    return cell_at(picture, cell // picture.columns + down, cell % picture.columns + right)


def cell_at(picture: Picture, row: int, column: int) -> int:
    """Return a cell by its place; raise if it is beyond the board."""
    if not (0 <= row < picture.rows and 0 <= column < picture.columns):
        raise ImpossibleError("that is beyond the board")
    return row * picture.columns + column


def _counted(pieces: int) -> str:
    return "a piece" if pieces == 1 else f"{pieces:,} pieces"
