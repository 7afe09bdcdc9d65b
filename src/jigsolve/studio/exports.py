"""What a person takes away: the same files as the command line writes, of what lies on the desk."""

from __future__ import annotations

import contextlib
import json
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from jigsolve._kernels.geometry import posed_piece
from jigsolve.core.pieces import laid
from jigsolve.core.turns import NONE, Placement
from jigsolve.errors import InputError
from jigsolve.io.files import write_text
from jigsolve.io.pictures import write_picture
from jigsolve.render import write_overlay
from jigsolve.render.listing import as_csv, bag_as_csv
from jigsolve.render.renaming import rename_bag_into, rename_into
from jigsolve.seams.confidence import Confidence
from jigsolve.solvers.bag_pictures import BagPicture
from jigsolve.solvers.bags import BagSolution
from jigsolve.solvers.settings import Settings
from jigsolve.solvers.solution import Solution
from jigsolve.studio.asking import Adviser, NotYetError
from jigsolve.studio.constraining import constraints_of, pieces_of_picture
from jigsolve.studio.films import loosened, placement_of, write_evolution, write_frames
from jigsolve.studio.kept import bag_of, kept_source, read_json, record_path
from jigsolve.studio.projects import Project


@dataclass(frozen=True)
class _Shown:
    """A picture for a table: pieces by the project's numbers."""

    placement: Placement
    solution: Solution

    def confidence(self) -> Confidence | None:
        return self.solution.confidence()


class Export:
    """Writes what lies on a project's desk to files."""

    def __init__(self, project: Project, adviser: Adviser, number: int) -> None:
        self._project, self._adviser, self._number = project, adviser, number
        self._desk = project.state.desk
        if not 0 <= number < len(self._desk.pictures):
            raise InputError("expected a picture to export, found none; solve first")

    def write(self, kind: str, path: Path) -> None:
        """Write one kind of file."""
        _KINDS[kind](self, path)

    def _placement(self, number: int) -> Placement:
        picture = self._desk.pictures[number]
        return placement_of(picture.cells.reshape(picture.rows, picture.columns))

    def _solution(self) -> Solution:
        """Return the picture with its costs, its puzzle allowing for what is empty now."""
        solution = self._adviser.solution(self._project, self._number)
        return loosened(solution, int((solution.arrangement < 0).sum()))

    def _strays(self) -> list[int]:
        count = self._project.state.facts["pieces"]["count"]
        lying = [posed_piece(picture.cells[picture.cells >= 0]) for picture in self._desk.pictures]
        return [int(each) for each in np.setdiff1d(np.arange(count), np.concatenate(lying))]

    def picture(self, path: Path) -> None:
        """Write the picture as it lies there."""
        source = kept_source(self._project.folder)
        pieces, turns = self._placement(self._number)
        write_picture(path, laid(source.pieces, pieces, None if source.turns == NONE else turns))

    def table(self, path: Path) -> None:
        """Write the table of all pictures."""
        if len(self._desk.pictures) == 1:
            write_text(path, as_csv(self._solution()))
            return
        shown = [
            _Shown(self._placement(number), self._adviser.solution(self._project, number))
            for number in range(len(self._desk.pictures))
        ]
        source = kept_source(self._project.folder)
        turned = source.turns != NONE
        write_text(path, bag_as_csv(shown, self._strays(), source.names, turned=turned))

    def record(self, path: Path) -> None:
        """Write the record: that of the solve if nothing was moved since."""
        if len(self._desk.pictures) > 1:
            write_text(path, json.dumps(self._bag_record()) + "\n")
            return
        solution = self._solution()
        kept = read_json(record_path(self._project.folder, self._number))
        record = solution.as_dict()
        ids = pieces_of_picture(self._project.state, self._number)
        if kept is not None and kept.pop("ids") == ids and _is_the_same(kept, record):
            record = kept
        detection = self._project.state.facts["detection"]
        write_text(path, json.dumps(record | {"studio": {"detection": detection}}) + "\n")

    def _bag_record(self) -> dict[str, Any]:
        """Return the record of all pictures, as far as their seams are known."""
        pictures = []
        for number in range(len(self._desk.pictures)):
            solution = None
            with contextlib.suppress(NotYetError):
                solution = self._adviser.solution(self._project, number)
            pictures.append(BagPicture(self._placement(number), solution))
        bag = bag_of(kept_source(self._project.folder))
        return BagSolution(bag, pictures, True, Settings(), None).as_dict()

    def overlay(self, path: Path) -> None:
        """Write the picture with its doubts."""
        write_overlay(path, self._solution())

    def film(self, path: Path) -> None:
        """Write the film of the last solve."""
        ids = pieces_of_picture(self._project.state, self._number)
        write_evolution(path, self._project.folder, self._number, ids, self._solution())

    def moves(self, path: Path) -> None:
        """Write the film of what a person did, and of what solves found."""
        number, solution = self._number, self._solution()
        opened, now = self._adviser.opened(self._project, number), self._desk.pictures[number]
        frames = [
            opened.placement(desk, number)
            for desk in self._project.desks()
            if number < len(desk.pictures) and desk.pictures[number].is_like(now)
        ]
        write_frames(path, solution, frames)

    def tiles(self, path: Path) -> None:
        """Write the tiles, renamed by their places, as an archive."""
        folder = path.with_suffix("")
        if len(self._desk.pictures) == 1:
            solution = self._solution()
            rename_into(folder, _without_files(solution))
        else:
            bag = bag_of(kept_source(self._project.folder)._replace(names=None))
            placements = [self._placement(n) for n in range(len(self._desk.pictures))]
            rename_bag_into(folder, bag, placements, self._strays())
        with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
            for each in sorted(folder.iterdir()):
                archive.write(each, each.name)

    def constraints(self, path: Path) -> None:
        """Write what a person said, as `jigsolve solve --constraints` takes it."""
        if len(self._desk.pictures) > 1:
            raise InputError(
                "constraints are of one picture, and there are several here: take the solution, "
                "which can be opened again"
            )
        turns = self._project.state.facts["turns"]
        known = constraints_of(self._desk, self._number, None, turns)
        write_text(path, json.dumps(known.as_record()) + "\n")


def _without_files(solution: Solution) -> Solution:
    """Return a solution whose pieces have no files any more: they are written from their pixels."""
    return replace(solution, puzzle=replace(solution.puzzle, names=None))


def _is_the_same(kept: dict[str, Any], now: dict[str, Any]) -> bool:
    return all(kept.get(name) == now.get(name) for name in ("board", "arrangement", "turns"))


_KINDS: dict[str, Callable[[Export, Path], None]] = {
    "picture.png": Export.picture,
    "solution.csv": Export.table,
    "solution.json": Export.record,
    "overlay.png": Export.overlay,
    "film.gif": Export.film,
    "moves.gif": Export.moves,
    "tiles.zip": Export.tiles,
    "constraints.json": Export.constraints,
}
KINDS = {
    "picture.png": "image/png",
    "solution.csv": "text/csv; charset=utf-8",
    "solution.json": "application/json",
    "overlay.png": "image/png",
    "film.gif": "image/gif",
    "moves.gif": "image/gif",
    "tiles.zip": "application/zip",
    "constraints.json": "application/json",
}
"""What can be taken away, and what kind of file each is."""
