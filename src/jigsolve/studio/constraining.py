"""What a person said on the desk, as the library's constraints, and whose pieces are whose."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from jigsolve._kernels.geometry import posed_piece, turn_of
from jigsolve.core.constraints import Constraints
from jigsolve.core.turns import NONE
from jigsolve.studio.desk import Desk, Picture, Tie, packed, piece_of, unpacked
from jigsolve.studio.state import State


def pieces_of_picture(state: State, number: int) -> list[int] | None:
    """Return the pieces that a picture is solved with; None where it is all there are.

    Of several pictures each has the pieces that lie in it, and those in the tray that were in it
    when the bag was solved.
    """
    if len(state.desk.pictures) < 2:
        return None
    cells = state.desk.pictures[number].cells
    pieces = set(posed_piece(cells[cells >= 0]).tolist())
    lying = {
        piece_of(pose)
        for picture in state.desk.pictures
        for pose in picture.cells[picture.cells >= 0].tolist()
    }
    return sorted(pieces | (set(first_pieces(state, number)) - lying))


def homes_of(pictures: Sequence[Picture], count: int) -> str:
    """Return the picture that each piece belongs to, -1 where it is in none, as text."""
    homes = np.full(count, -1, np.int32)
    for number, picture in enumerate(pictures):
        homes[posed_piece(picture.cells[picture.cells >= 0])] = number
    return packed(homes)


def first_pieces(state: State, number: int) -> list[int]:
    """Return the pieces that were in a picture when the bag was solved, or its solution opened."""
    if len(state.desk.pictures) < 2 or "homes" not in state.facts:
        return []
    found: list[int] = np.flatnonzero(unpacked(state.facts["homes"]) == number).tolist()
    return found


def constraints_of(
    desk: Desk,
    number: int,
    ids: Sequence[int] | np.ndarray | None,
    turns: str,
    free: set[int] | None = None,
) -> Constraints:
    """Return what is known of a picture, by the numbers of its puzzle's pieces.

    Parameters
    ----------
    desk
        What a person said.
    number
        Of the picture.
    ids
        The pieces of its puzzle; None for all.
    turns
        How pieces may be turned: if they may, sides and cells need them.
    free
        Cells whose pieces may move; all others are fixed. None: those that are not locked may.
    """
    picture = desk.pictures[number]
    numbers = None if ids is None else {int(piece): own for own, piece in enumerate(ids)}
    fixed: list[Any] = []
    stays: set[int] = set()
    for cell, pose in enumerate(picture.cells.tolist()):
        piece = piece_of(pose)
        if pose < 0 or (piece not in desk.locked and (free is None or cell in free)):
            continue
        own = piece if numbers is None else numbers.get(piece)
        if own is None:
            continue
        stays.add(piece)
        turn = () if turns == NONE else (turn_of(pose),)
        fixed.append((own, cell // picture.columns, cell % picture.columns, *turn))

    def of(ties: frozenset[Tie]) -> list[Any]:
        found: list[Any] = []
        for tie in sorted(ties):
            pair = [
                each if numbers is None else numbers.get(each) for each in (tie.piece, tie.other)
            ]
            if None in pair or (free is not None and {tie.piece, tie.other} <= stays):
                continue
            facing = () if turns == NONE else (tie.facing,)
            found.append((pair[0], tie.side, pair[1], *facing))
        return found

    return Constraints(joined=of(desk.joined), parted=of(desk.parted), fixed=fixed)
