"""What a solve is asked to do: read from a request, and checked against the project."""

from __future__ import annotations

from typing import Any

import numpy as np

from jigsolve._kernels.geometry import posed_piece
from jigsolve.advice import near
from jigsolve.core.checks import MOST_SEED
from jigsolve.errors import InputError
from jigsolve.studio.checks import check_keys, checked_number
from jigsolve.studio.constraining import constraints_of, pieces_of_picture
from jigsolve.studio.desk import packed
from jigsolve.studio.projects import Project

SCOPES = ("all", "selection", "near", "price")
LONGEST = 10**9
PARAMETERS = ("scope", "picture", "cells", "seed", "timeLimit")


def job_of(project: Project, asked: dict[str, Any]) -> dict[str, Any]:
    """Return the job of a solve; raise where it cannot be done."""
    project.check_idle()
    check_keys(asked, PARAMETERS)
    facts, desk = project.state.facts, project.state.desk
    if facts["stage"] not in ("cut", "solved"):
        raise InputError("expected a puzzle that is cut, found none yet; confirm its grid")
    scope = asked.get("scope", "all")
    if scope not in SCOPES:
        raise InputError(f"scope: expected one of {', '.join(SCOPES)}, found {scope!r:.40}")
    job: dict[str, Any] = {
        "kind": "solve",
        "seed": checked_number("seed", asked.get("seed", 0), 0, MOST_SEED),
        "timeLimit": _limit(asked.get("timeLimit")),
        "picture": None,
        "ids": None,
        "start": None,
        "constraints": None,
    }
    if scope == "price":
        puzzles = [
            {"ids": pieces_of_picture(project.state, number), "board": [each.rows, each.columns]}
            for number, each in enumerate(desk.pictures)
        ]
        return job | {"kind": "price", "puzzles": puzzles}
    if not desk.pictures:
        return job | {"pictures": facts["detection"]["pictures"]}  # their boards are found, too
    number = checked_number("picture", asked.get("picture", 0), 0, len(desk.pictures) - 1)
    picture = desk.pictures[number]
    ids = pieces_of_picture(project.state, number)
    free = None
    if scope == "selection":
        free = _free(asked, number, len(picture.cells))
    if scope == "near":
        free = _near(project, number)
    known = constraints_of(desk, number, ids, facts["turns"], free)
    return job | {
        "pictures": 1,
        "isNear": scope == "near",
        "picture": number,
        "board": [picture.rows, picture.columns],
        "ids": ids,
        "start": packed(picture.cells) if facts.get("solved") else None,
        "constraints": known.as_record() if known else None,
    }


def _limit(seconds: object) -> float | None:
    if seconds is None:
        return None
    if isinstance(seconds, bool) or not isinstance(seconds, int | float):
        raise InputError(f"timeLimit: expected seconds, found {seconds!r:.40}")
    if not 0 < seconds < LONGEST:
        raise InputError(f"timeLimit: expected more than 0 seconds, found {seconds!r:.40}")
    return float(seconds)


def _free(asked: dict[str, Any], number: int, cells: int) -> set[int]:
    """Return the cells of a selection, which may change."""
    given = asked.get("cells")
    if not isinstance(given, list) or not given:
        raise InputError("cells: expected a selection, found none")
    free = set()
    for entry in given:
        if not isinstance(entry, list) or len(entry) != 2:
            raise InputError(f"cells: expected [picture, cell], found {entry!r:.40}")
        if entry[0] == number:
            free.add(checked_number("cells", entry[1], 0, cells - 1))
    if len(free) < 2:
        raise InputError("cells: expected two cells or more to solve on in this picture")
    return free


def _near(project: Project, number: int) -> set[int]:
    """Return the cells around what was said since the last solve."""
    state = project.state
    if not state.facts.get("solved"):
        raise InputError("expected a picture that was solved once, found none: solve all of it")
    picture = state.desk.pictures[number]
    lies = picture.cells.reshape(picture.rows, picture.columns)
    arrangement = np.where(lies >= 0, posed_piece(lies), -1)
    latest = state.desk.saying_more_than(state.facts.get("heeded", {}).get(str(number), {}))
    known = constraints_of(latest, number, None, state.facts["turns"])
    free = near(arrangement, known, state.facts["pieces"]["count"])
    if not free.any():
        raise InputError(
            "nothing was said of this picture since the last solve: solve all of it on"
        )
    return set(np.flatnonzero(free).tolist())
