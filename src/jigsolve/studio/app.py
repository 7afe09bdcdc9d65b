"""The routes: requests are checked, handed on, and answered."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from jigsolve.errors import InputError
from jigsolve.studio import advising, asked, uploads
from jigsolve.studio.asked import json_of, project_of, studio_of
from jigsolve.studio.events import NOT_ALLOWED, tell_all
from jigsolve.studio.projects import checked_name
from jigsolve.studio.studio import Studio

PAGE = Path(__file__).parent / "page"
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}


def make_app(studio: Callable[[], Studio]) -> Starlette:
    """Return the application; the studio is made when the server starts."""
    files = {path.relative_to(PAGE).as_posix(): path for path in PAGE.rglob("*") if path.is_file()}

    @contextlib.asynccontextmanager
    async def living(app: Starlette) -> AsyncIterator[None]:
        app.state.studio = studio()
        app.state.files = files
        try:
            yield
        finally:
            await app.state.studio.close()

    project = "/api/projects/{id}"
    app = Starlette(
        routes=[
            Route("/", _index),
            Route("/page/{file:path}", _page),
            Route("/api/projects", _projects, methods=["GET"]),
            Route("/api/projects", _add, methods=["POST"]),
            Route(project, _remove, methods=["DELETE"]),
            Route(project + "/files/{number:int}", _upload, methods=["PUT"]),
            Route(project + "/read", _read, methods=["POST"]),
            Route(project + "/grid", _grid, methods=["POST"]),
            Route(project + "/source", _source),
            Route(project + "/state", _state),
            Route(project + "/pieces/{number:int}", _pieces),
            Route(project + "/actions", _act, methods=["POST"]),
            Route(project + "/solve", _solve, methods=["POST"]),
            Route(project + "/stop", _stop, methods=["POST"]),
            Route(project + "/doubt", advising.doubt),
            Route(project + "/questions", advising.questions),
            Route(project + "/candidates", advising.candidates),
            Route(project + "/fits", advising.fits),
            Route(project + "/held", advising.held),
            Route(project + "/preview", advising.preview, methods=["POST"]),
            Route(project + "/export/{kind}", advising.export),
            Route(project + "/import", advising.bring, methods=["POST"]),
            WebSocketRoute(project + "/events", _events),
        ],
        exception_handlers={
            InputError: asked.on_input_error,
            HTTPException: asked.on_http_error,
            OSError: asked.on_disk_error,
            MemoryError: asked.on_memory_error,
            ClientDisconnect: asked.on_disconnect,
        },
        lifespan=living,
    )
    app.router.redirect_slashes = False  # what is not listed is not found
    return app


async def _index(request: Request) -> Response:
    return _served(request, "index.html")


async def _page(request: Request) -> Response:
    return _served(request, request.path_params["file"])


def _served(request: Request, name: str) -> Response:
    path = request.app.state.files.get(name)  # a name that is not listed has no path
    if path is None or path.suffix not in TYPES:
        raise HTTPException(404, "no such file")
    return FileResponse(path, media_type=TYPES[path.suffix])


async def _projects(request: Request) -> Response:
    return JSONResponse([each.in_short() for each in studio_of(request).shelf.every()])


async def _add(request: Request) -> Response:
    wanted, studio = await json_of(request, ("example", "name")), studio_of(request)
    if wanted.get("example") is True:
        project = await asyncio.to_thread(studio.add_example)
    else:
        project = studio.shelf.add(checked_name(wanted.get("name")))
    return JSONResponse({"id": project.id}, 201)


async def _remove(request: Request) -> Response:
    studio_of(request).remove(project_of(request))
    return Response(status_code=204)


async def _upload(request: Request) -> Response:
    project, number = project_of(request), request.path_params["number"]
    label = uploads.label_of(request.headers.get("x-file-name"), number)
    project.check_idle()
    await studio_of(request).incoming(project).take_in(number, label, request.stream())
    return JSONResponse({"label": label}, 201)


async def _read(request: Request) -> Response:
    project = project_of(request)
    await json_of(request, ())
    studio_of(request).read_uploads(project)
    return JSONResponse({}, 202)


async def _grid(request: Request) -> Response:
    project, wanted = project_of(request), await json_of(request)
    async with project.one_at_a_time:
        await studio_of(request).confirm_grid(project, wanted)
    return JSONResponse({"n": project.state.n})


async def _source(request: Request) -> Response:
    path = project_of(request).folder / "source.png"
    if not path.exists():
        raise HTTPException(404, "this project has tiles and no picture")
    return FileResponse(path, media_type="image/png")


async def _state(request: Request) -> Response:
    return JSONResponse(project_of(request).describe())


async def _pieces(request: Request) -> Response:
    project, number = project_of(request), request.path_params["number"]
    path = await asyncio.to_thread(studio_of(request).page_of, project, number)
    return FileResponse(path, media_type="image/png")


async def _act(request: Request) -> Response:
    project, action = project_of(request), await json_of(request)
    async with project.one_at_a_time:
        message = await asyncio.to_thread(project.act, action)
        studio_of(request).tell(project, message)
    return JSONResponse({"n": message["n"]})


async def _solve(request: Request) -> Response:
    project, wanted = project_of(request), await json_of(request)
    async with project.one_at_a_time:
        studio_of(request).solve(project, wanted)
    return JSONResponse({}, 202)


async def _stop(request: Request) -> Response:
    project = project_of(request)
    await json_of(request, ())
    studio_of(request).runs.stop(project)
    return JSONResponse({}, 202)


async def _events(websocket: WebSocket) -> None:
    try:
        project = project_of(websocket)
    except HTTPException:
        await websocket.close(NOT_ALLOWED)
        return
    if project.worth is None and project.state.facts.get("solved"):
        studio_of(websocket).assess(project)
    await tell_all(websocket, project)
