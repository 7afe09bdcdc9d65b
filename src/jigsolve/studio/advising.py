"""Routes of what a person may be told, take away, and bring."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from starlette.background import BackgroundTask
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response

from jigsolve.studio.asked import (
    body_of,
    cell_asked,
    json_of,
    number_asked,
    picture_asked,
    project_of,
    studio_of,
)
from jigsolve.studio.constraining import homes_of
from jigsolve.studio.exports import KINDS, Export
from jigsolve.studio.importing import desk_of

MOST_ASKED = 10_000
MOST_BYTES_OF_A_RECORD = 2**28


async def _answered(ask: Callable[..., Any], *arguments: Any) -> Response:
    return JSONResponse(await asyncio.to_thread(ask, *arguments))


async def doubt(request: Request) -> Response:
    """Return how likely seams and pieces are right."""
    project = project_of(request)
    number = picture_asked(request, project)
    return await _answered(studio_of(request).adviser.doubt, project, number)


async def questions(request: Request) -> Response:
    """Return what to ask a person next."""
    project = project_of(request)
    number, count = picture_asked(request, project), _count(request, 50)
    return await _answered(studio_of(request).adviser.questions, project, number, count)


async def candidates(request: Request) -> Response:
    """Return the likeliest pieces for a cell."""
    project = project_of(request)
    number, count = picture_asked(request, project), _count(request, 24)
    cell = cell_asked(request, project, number)
    return await _answered(studio_of(request).adviser.candidates, project, number, cell, count)


async def fits(request: Request) -> Response:
    """Return where a piece would fit."""
    project = project_of(request)
    picture_asked(request, project)
    piece = number_asked(request, "piece", project.state.facts["pieces"]["count"] - 1)
    return await _answered(studio_of(request).adviser.fits, project, piece, _count(request, 24))


async def held(request: Request) -> Response:
    """Return what holds together with a cell."""
    project = project_of(request)
    number = picture_asked(request, project)
    cell = cell_asked(request, project, number)
    return await _answered(studio_of(request).adviser.held, project, number, cell)


async def preview(request: Request) -> Response:
    """Return what an action would cost."""
    project, asked = project_of(request), await json_of(request, ("move",))
    move = asked.get("move")
    action = move if isinstance(move, dict) else {}
    return await _answered(studio_of(request).adviser.preview, project, action)


def _count(request: Request, usual: int) -> int:
    return max(1, number_asked(request, "count", MOST_ASKED, usual))


async def export(request: Request) -> Response:
    """Return a file to take away."""
    project, kind = project_of(request), request.path_params["kind"]
    if kind not in KINDS:
        raise HTTPException(404, f"expected one of {', '.join(KINDS)}")
    number = picture_asked(request, project)
    folder = Path(tempfile.mkdtemp(".export", ".", project.folder))
    try:
        writer = Export(project, studio_of(request).adviser, number)
        await asyncio.to_thread(writer.write, kind, folder / kind)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return FileResponse(
        folder / kind,
        media_type=KINDS[kind],
        filename=kind,
        background=BackgroundTask(shutil.rmtree, folder, ignore_errors=True),
    )


async def bring(request: Request) -> Response:
    """Put the arrangement of a record on the desk."""
    project = project_of(request)
    text = await body_of(request, MOST_BYTES_OF_A_RECORD)
    async with project.one_at_a_time:
        project.check_idle()
        desk = await asyncio.to_thread(desk_of, text, project.state)
        homes = homes_of(desk.pictures, project.state.facts["pieces"]["count"])
        message = await asyncio.to_thread(
            project.change_to, desk, "open a solution",
            stage="solved", solved=True, homes=homes, heeded={}, cost=None, believed=None,
        )  # fmt: skip
        project.worth = None
        studio_of(request).tell(project, message)
        await studio_of(request).price(project)
    return JSONResponse({"n": message["n"]})
