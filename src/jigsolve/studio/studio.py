"""The studio: its projects, and what is asked of them."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path
from typing import Any

from jigsolve.core import Board, Puzzle
from jigsolve.core.turns import check_turns
from jigsolve.detect.sources import Source
from jigsolve.errors import InputError
from jigsolve.io.containers import is_one_picture
from jigsolve.io.demo import demo_photo
from jigsolve.io.pictures import write_picture
from jigsolve.studio import uploads
from jigsolve.studio.asking import Adviser
from jigsolve.studio.atlas import page_of
from jigsolve.studio.desk import Change
from jigsolve.studio.grids import check_room, checked_grid, is_same_cut
from jigsolve.studio.hub import Message
from jigsolve.studio.jobs import job_of
from jigsolve.studio.kept import ORIGINAL, SOURCE, decide, keep_source
from jigsolve.studio.projects import Project, first_desk, pieces_in_words
from jigsolve.studio.runs import Runs
from jigsolve.studio.shelf import Shelf

EXAMPLE_PIECE = 28
EXAMPLE_SEED = 21


class Studio:
    """What the routes ask for."""

    def __init__(self, folder: Path) -> None:
        self.shelf = Shelf(folder)
        self.runs = Runs(self.tell)
        self.adviser = Adviser()
        self._incoming: dict[str, uploads.Incoming] = {}
        self._assessing: dict[str, asyncio.Task[None]] = {}
        for project in self.shelf.every():
            self.runs.take_up(project)

    async def close(self) -> None:
        """Stop what is under way, so that it can be taken up again, and close all files."""
        await self.runs.close()
        await asyncio.gather(*self._assessing.values(), return_exceptions=True)
        self.shelf.close()

    def tell(self, project: Project, message: Message) -> None:
        """Tell pages of a change, and soon what it is worth."""
        project.hub.tell(message)
        self.assess(project)

    def assess(self, project: Project) -> None:
        """Tell pages soon what lies on the desk is worth."""
        if project.id not in self._assessing:
            task = asyncio.get_running_loop().create_task(self._assess(project))
            self._assessing[project.id] = task

    async def _assess(self, project: Project) -> None:
        """Work out cost and belief of what lies on the desk, until it is that of the latest."""
        n = -1
        try:
            while n != project.state.n:
                n = project.state.n
                if project.run is None and project.state.desk.pictures:
                    project.worth = await asyncio.to_thread(self.adviser.worth, project)
        except (InputError, OSError):  # nothing is priced yet, or another board
            project.worth = {"cost": None, "believed": None}
        finally:
            self._assessing.pop(project.id, None)
        if project.worth is not None:
            project.hub.tell({"kind": "assessed", "of": n, **project.worth})

    def remove(self, project: Project) -> None:
        """Remove a project and all its files."""
        self.shelf.remove(project.id)
        project.hub.tell({"kind": "deleted"})
        self.adviser.forget(project)
        self._incoming.pop(project.id, None)

    def add_example(self) -> Project:
        """Make a project of the photograph that ships with jigsolve, ready to solve."""
        puzzle, _ = Puzzle.cut(demo_photo(), EXAMPLE_PIECE).shuffle(EXAMPLE_SEED)
        project = self.shelf.add("Example: a cup of coffee")
        shuffled = puzzle.image()
        write_picture(project.folder / SOURCE, shuffled)
        write_picture(project.folder / f"{ORIGINAL}.png", shuffled)
        (project.folder / f"{ORIGINAL}.png").rename(project.folder / ORIGINAL)
        keep_source(project.folder, Source(puzzle.pieces, None, puzzle.board, ()))
        detection = {
            "piece": [EXAMPLE_PIECE, EXAMPLE_PIECE],
            "start": [0, 0],
            "gap": 0,
            "board": [puzzle.board.columns, puzzle.board.rows],
            "turns": "none",
            "pictures": 1,
            "confidence": 1.0,
            "alternatives": [],
            "message": "",
        }
        height, width = shuffled.shape[:2]
        source = {"kind": "picture", "width": width, "height": height, "files": 1}
        self._cut(project, detection, puzzle.pieces.shape, None, source)
        return project

    def incoming(self, project: Project) -> uploads.Incoming:
        """Return where a project's page sends files to."""
        if project.id not in self._incoming:
            self._incoming[project.id] = uploads.Incoming(project.folder)
        return self._incoming[project.id]

    def read_uploads(self, project: Project) -> None:
        """Begin to read what a page has sent."""
        project.check_idle()
        paths, labels = self.incoming(project).every()
        self._incoming.pop(project.id)
        _forget_pieces(project.folder)
        places = paths
        if len(paths) == 1 and is_one_picture(paths):
            places = [paths[0].replace(project.folder / ORIGINAL)]
        elif len(paths) > 1:
            places = [project.folder / uploads.INCOMING]
        self.runs.start(
            project,
            {
                "kind": "read",
                "places": [str(place) for place in places],
                "labels": labels if len(paths) > 1 else {},
                "title": labels[paths[0].name] if len(paths) == 1 else "the tiles",
                "files": len(paths),
            },
        )

    def open_place(self, place: Path) -> Project:
        """Make a project of a picture, a folder or an archive on this machine."""
        project = self.shelf.add(place.name or "puzzle")
        if is_one_picture([place]):
            place = Path(shutil.copyfile(place, project.folder / ORIGINAL))
        job = {"kind": "read", "places": [str(place.absolute())], "files": 1}
        self.runs.start(project, job | {"title": project.state.facts["name"]})
        return project

    async def confirm_grid(self, project: Project, asked: dict[str, Any]) -> None:
        """Cut the puzzle as a person confirms."""
        project.check_idle()
        facts = project.state.facts
        if facts["detection"] is None:
            raise InputError("expected a puzzle that was read, found none yet")
        grid = facts["detection"] | checked_grid(asked)
        if facts["source"]["kind"] == "picture" and (
            facts["pieces"] is None or not is_same_cut(grid, facts["detection"])
        ):
            check_room(grid, facts["source"]["width"], facts["source"]["height"])
            original = str(project.folder / ORIGINAL)
            job = {"kind": "read", "places": [original], "grid": grid, "title": "the picture"}
            run = self.runs.start(project, job)
            await run.ended.wait()
            if run.error is not None:
                raise InputError(run.error)
            facts = project.state.facts
            grid = facts["detection"]
            _forget_pieces(project.folder)
        about = facts["pieces"]
        shape = about["count"], about["height"], about["width"]
        check_turns(grid["turns"], *shape[1:])
        board = Board(grid["board"][1], grid["board"][0]) if grid["board"] else None
        decide(project.folder, board=board, turns=grid["turns"])
        self._cut(project, grid, shape, about["names"], facts["source"])

    @staticmethod
    def _cut(
        project: Project,
        detection: dict[str, Any],
        shape: tuple[int, ...],
        names: Any,
        source: dict[str, Any],
    ) -> None:
        board = None
        if detection["board"] and detection["pictures"] == 1:
            board = Board(detection["board"][1], detection["board"][0])
        desk = first_desk(shape[0], board)
        facts = {
            "stage": "cut",
            "solved": False,
            "source": source,
            "detection": detection,
            "turns": detection["turns"],
            "pieces": pieces_in_words(shape[0], shape[1], shape[2], names),
            "cost": None,
            "believed": None,
            "previous": None,
            "snapshots": [],
            "homes": "",
            "heeded": {},
        }
        change = Change.between(project.state.desk, desk)
        project.worth = None
        project.hub.tell(project.record(stack="reset", change=change.as_record(), facts=facts))

    @staticmethod
    def page_of(project: Project, number: int) -> Path:
        """Return the file of a page of pieces."""
        about = project.state.facts["pieces"]
        if about is None:
            raise InputError("expected a puzzle that is cut, found none yet")
        return page_of(project.folder, number, about)

    def solve(self, project: Project, asked: dict[str, Any]) -> None:
        """Begin to solve, all or a selection, from what is there."""
        self.runs.start(project, job_of(project, asked))

    async def price(self, project: Project) -> None:
        """Begin to price what lies on the desk, unless its seams are priced already."""
        if not await asyncio.to_thread(self.adviser.is_priced, project):
            self.solve(project, {"scope": "price"})


def _forget_pieces(folder: Path) -> None:
    """Remove what was kept of pieces that are cut anew: pages, seams, records and films."""
    for pattern in ("atlas-*.png", "priced-*.npz", "record-*.json", "evolution-*.npz"):
        for path in folder.glob(pattern):
            path.unlink()
