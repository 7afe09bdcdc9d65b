"""What a person may be told: doubt, questions, candidates; the library's advice, for pages.

Priced seams are loaded from the project's folder when somebody asks, and those of the last few
pictures that were asked about stay in memory.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from jigsolve import advice
from jigsolve.core import Board
from jigsolve.core.constraints import Constraints
from jigsolve.core.turns import Placement
from jigsolve.errors import InputError
from jigsolve.pricing.prepared import Prepared
from jigsolve.solvers.solution import Solution
from jigsolve.studio.actions import ImpossibleError, where_is
from jigsolve.studio.constraining import constraints_of, first_pieces, pieces_of_picture
from jigsolve.studio.desk import Desk, piece_of
from jigsolve.studio.films import placement_of
from jigsolve.studio.kept import kept_source, puzzle_of
from jigsolve.studio.priced import load_priced, priced_path
from jigsolve.studio.projects import Project
from jigsolve.studio.state import State

MOST_LOADED = 3


class NotYetError(InputError):
    """It can be asked once the seams are priced."""


NOT_PRICED = "the seams of this picture are not priced yet: solve it, or have them priced"


class Open(NamedTuple):
    """A picture that is asked about: its priced seams, and the numbers of its pieces."""

    prepared: Prepared
    ids: np.ndarray
    """The project's number of each of the puzzle's pieces."""

    def placement(self, desk: Desk, number: int) -> Placement:
        """Return what lies on the desk, by the puzzle's numbers."""
        picture = desk.pictures[number]
        found = placement_of(picture.cells.reshape(picture.rows, picture.columns))
        numbers = np.full(int(max(self.ids.max(), found.pieces.max())) + 2, -1, np.int32)
        numbers[self.ids] = np.arange(len(self.ids))
        pieces = numbers[found.pieces]
        return Placement(pieces, np.where(pieces < 0, 0, found.turns).astype(np.int8))


class Adviser:
    """Answers what is asked about pictures. Its methods may be called from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._open: OrderedDict[str, Open] = OrderedDict()
        self._last: tuple[tuple[str, int, int], Solution] | None = None

    def solution(self, project: Project, number: int) -> Solution:
        """Return what lies on the desk as a solution: costs and confidence of all seams."""
        with self._lock:
            state = project.state
            key = (project.id, number, state.n)
            if self._last is None or self._last[0] != key:
                opened = self._opened(project, state.desk, number)
                placement = opened.placement(state.desk, number)
                self._last = key, _assessed(opened, placement, _known(state, number, opened.ids))
            return self._last[1]

    def opened(self, project: Project, number: int) -> Open:
        """Return a picture's priced seams, and the project's numbers of their pieces."""
        with self._lock:
            return self._opened(project, project.state.desk, number)

    def _opened(self, project: Project, desk: Desk, number: int) -> Open:
        if not 0 <= number < len(desk.pictures):
            raise NotYetError("there is no such picture yet; solve first")
        picture = desk.pictures[number]
        board = Board(picture.rows, picture.columns)
        # Where a piece of another picture was put, the others are still known.
        for ids in (pieces_of_picture(project.state, number), first_pieces(project.state, number)):
            path = priced_path(project.folder, ids, board)
            if path.exists():
                break
        else:
            raise NotYetError(NOT_PRICED)
        key = f"{path} {path.stat().st_mtime_ns}"  # they may be priced anew
        if key not in self._open:
            puzzle = puzzle_of(kept_source(project.folder), ids, board)
            prepared = load_priced(path, puzzle)
            if prepared is None:
                raise NotYetError(NOT_PRICED)
            every = np.arange(len(puzzle)) if ids is None else np.array(ids)
            self._open[key] = Open(prepared, every)
        self._open.move_to_end(key)
        while len(self._open) > MOST_LOADED:
            self._open.popitem(last=False)
        return self._open[key]

    def forget(self, project: Project) -> None:
        """Drop what was loaded of a project: its seams may be priced anew."""
        with self._lock:
            for key in [key for key in self._open if key.startswith(str(project.folder))]:
                del self._open[key]
            self._last = None

    def is_priced(self, project: Project) -> bool:
        """Whether something is known of the seams of all pictures."""
        try:
            for number in range(len(project.state.desk.pictures)):
                self.opened(project, number)
        except NotYetError:
            return False
        return True

    def worth(self, project: Project) -> dict[str, float | None]:
        """Return what all pictures cost, and what share of their seams is probably right."""
        found = []
        for number, picture in enumerate(project.state.desk.pictures):
            found.append(self.solution(project, number))
            if (found[-1].arrangement >= 0).sum() < (picture.cells >= 0).sum():
                raise NotYetError(NOT_PRICED)  # a piece of another picture lies there
        believed = [share for one in found if (share := one.believed()) is not None]
        return {
            "cost": float(sum(one.cost for one in found)),
            "believed": float(np.mean(believed)) if believed else None,
        }

    def doubt(self, project: Project, number: int) -> dict[str, Any]:
        """Return how likely seams and pieces are right."""
        confidence = self.solution(project, number).confidence()
        if confidence is None:
            raise NotYetError("these seams were priced by a measure that knows no confidence")
        return dict(confidence.as_dict())

    def questions(self, project: Project, number: int, count: int) -> list[dict[str, Any]]:
        """Return what to ask about, the most useful first."""
        solution, ids = self.solution(project, number), self.opened(project, number).ids
        known = _known(project.state, number, ids)
        return [_in_words(each, ids) for each in advice.questions(solution, count, known)]

    def candidates(
        self, project: Project, number: int, cell: int, count: int
    ) -> list[dict[str, Any]]:
        """Return the likeliest pieces for a cell."""
        desk = project.state.desk
        with self._lock:
            opened = self._opened(project, desk, number)
        row, column = divmod(cell, desk.pictures[number].columns)
        placement = opened.placement(desk, number)
        found = advice.candidates(opened.prepared, placement, row, column, count)
        places = where_all_are(desk)
        return [
            {
                "pose": 4 * int(opened.ids[each.piece]) + each.turn,
                "probability": each.probability,
                "cost": each.cost,
                "at": places.get(int(opened.ids[each.piece])),
            }
            for each in found
        ]

    def fits(self, project: Project, piece: int, count: int) -> list[dict[str, Any]]:
        """Return where a piece would fit: in the picture it lies in, or where it is known."""
        desk = project.state.desk
        lies = where_is(desk, piece)
        places: list[dict[str, Any]] = []
        for number in sorted(range(len(desk.pictures)), key=lambda k: bool(lies and k != lies[0])):
            if lies and places:
                break
            opened = self.opened(project, number)
            if piece not in opened.ids:
                continue
            placement, own = opened.placement(desk, number), int(np.searchsorted(opened.ids, piece))
            for each in advice.fits(opened.prepared, placement, own, count):
                cell = each.row * desk.pictures[number].columns + each.column
                places.append(
                    {
                        "picture": number,
                        "cell": cell,
                        "turn": each.turn,
                        "cost": each.cost,
                        "probability": each.probability,
                        "holds": int(desk.pictures[number].cells[cell]),
                    }
                )
        return places[:count]

    def held(self, project: Project, number: int, cell: int) -> list[int]:
        """Return the cells that hold together with one."""
        solution = self.solution(project, number)
        row, column = divmod(cell, project.state.desk.pictures[number].columns)
        mask = advice.held_together(solution, row, column)
        return [int(each) for each in np.flatnonzero(mask)]

    def preview(self, project: Project, action: Mapping[str, Any]) -> dict[str, float | None]:
        """Return what the seams that an action touches cost before it, and after it.

        One that cannot be done has no costs: a block may be on its way over a locked piece. Nor
        has one of a piece whose seams in this picture are not priced.
        """
        before = project.state.desk
        try:
            after, _ = project.after(action)
        except ImpossibleError:
            return {"before": None, "after": None}
        costs = [0.0, 0.0]
        for number, (old, new) in enumerate(zip(before.pictures, after.pictures, strict=True)):
            moved = (old.cells != new.cells).reshape(old.rows, old.columns)
            if not moved.any():
                continue
            with self._lock:
                opened = self._opened(project, before, number)
            table = opened.prepared.plain
            touched = moved[:, 1:] | moved[:, :-1], moved[1:] | moved[:-1]
            for index, (desk, picture) in enumerate(((before, old), (after, new))):
                poses = opened.prepared.poses(*opened.placement(desk, number))
                empty = poses < 0
                if (moved & (empty != (picture.cells < 0).reshape(moved.shape))).any():
                    return {"before": None, "after": None}  # a piece of another picture
                there = ~(empty[:, 1:] | empty[:, :-1]), ~(empty[1:] | empty[:-1])
                for part, seams, are in zip(table.board_costs(poses), touched, there, strict=True):
                    costs[index] += float(part[seams & are].sum())
        return {"before": costs[0], "after": costs[1]}


def _in_words(question: advice.Question, ids: np.ndarray) -> dict[str, Any]:
    """Return a question as pages are told it."""
    told: dict[str, Any] = {
        "kind": question.kind,
        "row": question.row,
        "column": question.column,
        "probability": question.probability,
        "gain": question.gain,
    }
    match question:
        case advice.SeamQuestion():
            return told | {"dir": question.direction}
        case advice.PieceQuestion():
            shown = [
                {"pose": 4 * int(ids[each.piece]) + each.turn, "probability": each.probability}
                for each in question.candidates
            ]
            return told | {"beside": question.beside, "candidates": shown}
        case advice.BlockQuestion():
            return told | {"cells": question.cells, "heldBy": question.held_by}


def where_all_are(desk: Desk) -> dict[int, list[int]]:
    """Return picture and cell of every piece that lies in one."""
    return {
        piece_of(pose): [number, cell]
        for number, picture in enumerate(desk.pictures)
        for cell, pose in enumerate(picture.cells.tolist())
        if pose >= 0
    }


def _known(state: State, number: int, ids: np.ndarray) -> Constraints:
    """Return what a person said of a picture, by the numbers of its puzzle's pieces."""
    return constraints_of(state.desk, number, ids, state.facts["turns"])


def _assessed(opened: Open, placement: Placement, known: Constraints) -> Solution:
    """Return a placement with its confidence; seams that a person joined count as sure."""
    if known.joined:
        try:
            joined = Constraints(joined=known.joined)
            return advice.assessed(opened.prepared, placement, constraints=joined)
        except InputError:  # they contradict each other, which solving on will say
            pass
    return advice.assessed(opened.prepared, placement)
