"""What a request asks for: its project, its JSON, its numbers; and errors as answers."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.websockets import WebSocket

from jigsolve.errors import InputError
from jigsolve.studio.asking import NotYetError
from jigsolve.studio.checks import check_keys
from jigsolve.studio.projects import BusyError, Project
from jigsolve.studio.studio import Studio
from jigsolve.studio.uploads import TooLargeError, WrongKindError

MOST_BYTES_OF_JSON = 2**24


def studio_of(request: Request | WebSocket) -> Studio:
    """Return the studio that answers."""
    studio: Studio = request.app.state.studio
    return studio


def project_of(request: Request | WebSocket) -> Project:
    """Return the project that a path names; whatever else it names is not found."""
    try:
        return studio_of(request).shelf.project(request.path_params["id"])
    except KeyError:
        raise HTTPException(404, "no such project") from None


async def body_of(request: Request, most: int) -> bytes:
    """Return a request's body, up to a limit."""
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > most:
            raise TooLargeError(f"expected at most {most:,} bytes, found more")
    return bytes(body)


async def json_of(request: Request, known: Collection[str] | None = None) -> dict[str, Any]:
    """Return the object that a request has in its body; raise if it has keys other than those."""
    body = await body_of(request, MOST_BYTES_OF_JSON)
    try:
        found = json.loads(body or b"{}", parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise InputError("expected JSON, found something else") from None
    if not isinstance(found, dict):
        raise InputError("expected a JSON object, found something else")
    if known is not None:
        check_keys(found, known)
    return found


def _no_number(text: str) -> float:
    raise ValueError(text)


def number_asked(request: Request, name: str, most: int, usual: int | None = None) -> int:
    """Return a whole number of a request's query, from 0 on."""
    text = request.query_params.get(name)
    if text is None and usual is not None:
        return usual
    if text is None or not (text.isascii() and text.isdigit() and len(text) < 12):
        raise InputError(f"{name}: expected a whole number, found {text!r:.40}")
    if int(text) > most:
        raise InputError(f"{name}: expected a whole number up to {most:,}, found {text}")
    return int(text)


def picture_asked(request: Request, project: Project) -> int:
    """Return the number of a picture that is on the desk."""
    last = len(project.state.desk.pictures) - 1
    if last < 0:
        raise NotYetError("there is no picture yet; solve first")
    return number_asked(request, "picture", last, 0)


def cell_asked(request: Request, project: Project, picture: int) -> int:
    """Return the number of a cell of a picture."""
    return number_asked(request, "cell", len(project.state.desk.pictures[picture].cells) - 1)


def as_error(status: int, text: str, headers: Mapping[str, str] | None = None) -> JSONResponse:
    """Return words that a person can act on."""
    return JSONResponse({"error": text}, status, headers)


STATUSES = {BusyError: 409, NotYetError: 409, TooLargeError: 413, WrongKindError: 415}


async def on_input_error(_: Request, error: Exception) -> Response:
    """Answer what cannot be done."""
    statuses = (status for kind, status in STATUSES.items() if isinstance(error, kind))
    return as_error(next(statuses, 400), str(error))


async def on_http_error(_: Request, error: Exception) -> Response:
    """Answer what is not there."""
    assert isinstance(error, HTTPException)
    return as_error(error.status_code, str(error.detail), error.headers)


async def on_disk_error(_: Request, error: Exception) -> Response:
    """Answer where the disk is full, say."""
    reason = (error.strerror if isinstance(error, OSError) else None) or type(error).__name__
    return as_error(507, f"the project's folder cannot be read or written: {reason}")


async def on_memory_error(_: Request, __: Exception) -> Response:
    """Answer what takes too much."""
    return as_error(507, "out of memory: this takes more than is free")


async def on_disconnect(_: Request, __: Exception) -> Response:
    """Answer nobody: whoever asked has gone in the middle."""
    return as_error(400, "the request was not sent to its end")
