"""The routes: requests are checked, handed on, and answered."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from jigsolve.errors import InputError
from jigsolve.studio import uploads
from jigsolve.studio.events import NOT_ALLOWED, tell_all
from jigsolve.studio.projects import BusyError, Project, checked_name
from jigsolve.studio.studio import Studio

MOST_BYTES_OF_JSON = 2**24
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".json": "application/json",
    ".txt": "text/plain; charset=utf-8",
    ".woff2": "font/woff2",
}
PAGE = Path(__file__).parent / "page"

Answer = Callable[[Request], Awaitable[Response]]


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
    return Starlette(
        routes=[
            Route("/", _index),
            Route("/page/{file:path}", _page),
            Route("/api/projects", _projects),
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
            WebSocketRoute(project + "/events", _events),
        ],
        exception_handlers={
            InputError: _bad_input,
            HTTPException: _not_found,
            OSError: _disk,
            MemoryError: _memory,
        },
        lifespan=living,
    )


def _error(status: int, text: str) -> JSONResponse:
    return JSONResponse({"error": text}, status)


async def _bad_input(_: Request, error: Exception) -> Response:
    status = 400
    if isinstance(error, BusyError):
        status = 409
    elif isinstance(error, uploads.TooLargeError):
        status = 413
    elif isinstance(error, uploads.WrongKindError):
        status = 415
    return _error(status, str(error))


async def _not_found(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return _error(error.status_code, str(error.detail))


async def _disk(_: Request, error: Exception) -> Response:
    reason = error.strerror if isinstance(error, OSError) else error
    return _error(507, f"the project's folder cannot be read or written: {reason}")


async def _memory(_: Request, __: Exception) -> Response:
    return _error(507, "out of memory: this takes more than is free")


def _studio(request: Request | WebSocket) -> Studio:
    studio: Studio = request.app.state.studio
    return studio


def _project(request: Request | WebSocket) -> Project:
    try:
        return _studio(request).shelf.project(request.path_params["id"])
    except KeyError:
        raise HTTPException(404, "no such project") from None


async def _json(request: Request) -> dict[str, Any]:
    """Return the object that a request has in its body."""
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > MOST_BYTES_OF_JSON:
            raise uploads.TooLargeError(f"expected at most {MOST_BYTES_OF_JSON:,} bytes of JSON")
    try:
        found = json.loads(bytes(body) or b"{}", parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise InputError("expected JSON, found something else") from None
    if not isinstance(found, dict):
        raise InputError("expected a JSON object, found something else")
    return found


def _no_number(text: str) -> float:
    raise ValueError(text)


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
    return JSONResponse([each.in_short() for each in _studio(request).shelf.every()])


async def _add(request: Request) -> Response:
    asked = await _json(request)
    studio = _studio(request)
    if asked.get("example") is True:
        project = await asyncio.to_thread(studio.add_example)
    else:
        project = studio.shelf.add(checked_name(asked.get("name")))
    return JSONResponse({"id": project.id}, 201)


async def _remove(request: Request) -> Response:
    project = _project(request)
    _studio(request).shelf.remove(project.id)
    return Response(status_code=204)


async def _upload(request: Request) -> Response:
    project = _project(request)
    number = request.path_params["number"]
    label = uploads.label_of(request.headers.get("x-file-name"), number)
    project.check_idle()
    await uploads.take_in(project.folder, number, label, request.stream())
    return JSONResponse({"label": label}, 201)


async def _read(request: Request) -> Response:
    project = _project(request)
    _studio(request).read_uploads(project)
    return JSONResponse({}, 202)


async def _grid(request: Request) -> Response:
    project, asked = _project(request), await _json(request)
    await _studio(request).confirm_grid(project, asked)
    return JSONResponse({"n": project.state.n})


async def _source(request: Request) -> Response:
    path = _project(request).folder / "source.png"
    if not path.exists():
        raise HTTPException(404, "this project has tiles and no picture")
    return FileResponse(path, media_type="image/png")


async def _state(request: Request) -> Response:
    return JSONResponse(_project(request).describe())


async def _pieces(request: Request) -> Response:
    project = _project(request)
    path = await asyncio.to_thread(_studio(request).page_of, project, request.path_params["number"])
    return FileResponse(path, media_type="image/png")


async def _act(request: Request) -> Response:
    project, action = _project(request), await _json(request)
    async with project.one_at_a_time:
        message = await asyncio.to_thread(project.act, action)
        project.hub.tell(message)
    return JSONResponse({"n": message["n"]})


async def _solve(request: Request) -> Response:
    project, asked = _project(request), await _json(request)
    _studio(request).solve(project, asked)
    return JSONResponse({}, 202)


async def _stop(request: Request) -> Response:
    project = _project(request)
    if project.run is not None and project.run.worker is not None:
        project.run.worker.stop()
    return JSONResponse({}, 202)


async def _events(websocket: WebSocket) -> None:
    try:
        project = _project(websocket)
    except HTTPException:
        await websocket.close(NOT_ALLOWED)
        return
    await tell_all(websocket, project)
