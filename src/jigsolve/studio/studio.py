"""The studio: its projects, and what is asked of them."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np

from jigsolve.core import Board, Puzzle
from jigsolve.core.checks import MOST_SEED
from jigsolve.core.turns import check_turns
from jigsolve.detect.sources import Source
from jigsolve.errors import InputError
from jigsolve.io.containers import is_one_picture
from jigsolve.io.demo import demo_photo
from jigsolve.io.pictures import write_picture
from jigsolve.studio import uploads
from jigsolve.studio.actions import checked_number
from jigsolve.studio.atlas import forget_pages, page_of
from jigsolve.studio.desk import Change
from jigsolve.studio.kept import ORIGINAL, SOURCE, decide, keep_source
from jigsolve.studio.projects import Project, Shelf, first_desk, pieces_in_words
from jigsolve.studio.runs import Runs

EXAMPLE_PIECE = 28
EXAMPLE_SEED = 21


class Studio:
    """What the routes ask for."""

    def __init__(self, folder: Path) -> None:
        self.shelf = Shelf(folder)
        self.runs = Runs()
        for project in self.shelf.every():
            self.runs.take_up(project)

    async def close(self) -> None:
        """Stop what is under way, so that it can be taken up again, and close all files."""
        await self.runs.close()
        self.shelf.close()

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

    def read_uploads(self, project: Project) -> None:
        """Begin to read what a page has sent."""
        project.check_idle()
        paths, labels = uploads.taken_in(project.folder)
        forget_pages(project.folder)
        places = paths
        if len(paths) == 1 and is_one_picture(paths):
            places = [paths[0].replace(project.folder / ORIGINAL)]
            labels = {}
        elif len(paths) > 1:
            places = [project.folder / uploads.INCOMING]
        self.runs.start(
            project,
            {
                "kind": "read",
                "places": [str(place) for place in places],
                "labels": labels,
                "files": len(paths),
            },
        )

    def open_place(self, place: Path) -> Project:
        """Make a project of a picture, a folder or an archive on this machine."""
        project = self.shelf.add(place.name or "puzzle")
        self.runs.start(project, {"kind": "read", "places": [str(place.absolute())], "files": 1})
        return project

    async def confirm_grid(self, project: Project, asked: dict[str, Any]) -> None:
        """Cut the puzzle as a person confirms."""
        project.check_idle()
        facts = project.state.facts
        if facts["detection"] is None:
            raise InputError("expected a puzzle that was read, found none yet")
        grid = facts["detection"] | _checked_grid(asked)
        if facts["source"]["kind"] == "picture" and (
            facts["pieces"] is None or not _is_same_cut(grid, facts["detection"])
        ):
            original = str(project.folder / ORIGINAL)
            run = self.runs.start(project, {"kind": "read", "places": [original], "grid": grid})
            await run.ended.wait()
            if run.error is not None:
                raise InputError(run.error)
            facts = project.state.facts
            grid = facts["detection"]
            forget_pages(project.folder)
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
        }
        change = Change.between(project.state.desk, desk)
        message = project.record(stack="reset", change=change.as_record(), facts=facts)
        project.hub.tell(message)

    @staticmethod
    def page_of(project: Project, number: int) -> Path:
        """Return the file of a page of pieces."""
        about = project.state.facts["pieces"]
        if about is None:
            raise InputError("expected a puzzle that is cut, found none yet")
        return page_of(project.folder, number, about)

    def solve(self, project: Project, asked: dict[str, Any]) -> None:
        """Begin to solve."""
        project.check_idle()
        facts, desk = project.state.facts, project.state.desk
        if facts["stage"] not in ("cut", "solved"):
            raise InputError("expected a puzzle that is cut, found none yet; confirm its grid")
        limit = asked.get("timeLimit")
        if limit is not None and (
            isinstance(limit, bool) or not isinstance(limit, int | float) or not 0 < limit < 1e9
        ):
            raise InputError(f"timeLimit: expected seconds, found {limit!r:.40}")
        pictures = facts["detection"]["pictures"]
        job: dict[str, Any] = {
            "kind": "solve",
            "seed": checked_number("seed", asked.get("seed", 0), 0, MOST_SEED),
            "timeLimit": limit,
            "pictures": 1 if desk.pictures else pictures,
            "picture": 0,
            "ids": None,
            "constraints": None,
        }
        if job["pictures"] == 1:
            if not desk.pictures:
                raise InputError("expected a board; say how many columns and rows there are")
            last = len(desk.pictures) - 1
            number = checked_number("picture", asked.get("picture", 0), 0, last)
            picture = desk.pictures[number]
            job |= {"picture": number, "board": [picture.rows, picture.columns]}
            if last > 0:
                pieces = picture.cells[picture.cells >= 0] >> 2
                job["ids"] = np.sort(pieces).tolist()
        self.runs.start(project, job)


def _checked_grid(asked: dict[str, Any]) -> dict[str, Any]:
    """Return what a person says of the grid; raise unless it is one."""
    grid: dict[str, Any] = {}
    for name, least in (("piece", 1), ("start", 0)):
        if asked.get(name) is not None:
            pair = asked[name]
            if not isinstance(pair, list) or len(pair) != 2:
                raise InputError(f"{name}: expected two numbers, found {pair!r:.40}")
            grid[name] = [_pixels(name, each, least) for each in pair]
    if asked.get("gap") is not None:
        grid["gap"] = _pixels("gap", asked["gap"], 0)
    if "board" in asked:
        board = asked["board"]
        if board is not None and (not isinstance(board, list) or len(board) != 2):
            raise InputError(f"board: expected [columns, rows], found {board!r:.40}")
        most = 10**6
        grid["board"] = board and [checked_number("board", each, 1, most) for each in board]
    if "turns" in asked:
        turns = asked["turns"]
        check_turns(turns if isinstance(turns, str) else "", 1, 1)
        grid["turns"] = turns
    if "pictures" in asked:
        number = asked["pictures"]
        grid["pictures"] = number and checked_number("pictures", number, 1, 10_000)
    return grid


def _pixels(name: str, value: object, least: float) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InputError(f"{name}: expected pixels, found {value!r:.40}")
    if not (math.isfinite(value) and least <= value <= 10**6):
        raise InputError(f"{name}: expected from {least} to 1,000,000 pixels, found {value!r:.40}")
    return value


def _is_same_cut(one: dict[str, Any], other: dict[str, Any]) -> bool:
    return all(one[name] == other[name] for name in ("piece", "start", "gap", "board"))
