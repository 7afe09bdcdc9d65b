"""The WebSocket: what happens to a project, told to a page from a number on."""

from __future__ import annotations

import asyncio
import contextlib
import json

from starlette.websockets import WebSocket, WebSocketDisconnect

from jigsolve.studio.hub import Listener
from jigsolve.studio.projects import Project

NOT_UNDERSTOOD, NOT_ALLOWED, COME_BACK = 1003, 1008, 1013
MOST_NUMBER = 10**15


def number_of(text: str | None) -> int:
    """Return the number of the last message that a page has seen; -1 where it is none."""
    if text is None or not text.isascii() or not text.isdigit() or int(text[:20]) > MOST_NUMBER:
        return -1
    return int(text)


async def tell_all(websocket: WebSocket, project: Project) -> None:
    """Tell a page what happens until it goes; it has nothing to say but that it is there."""
    after = number_of(websocket.query_params.get("after"))
    await websocket.accept()
    listener = project.hub.join(after)
    both = {
        asyncio.create_task(_hear(websocket, listener)),
        asyncio.create_task(_tell(websocket, listener)),
    }
    try:
        await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
    finally:
        project.hub.leave(listener)
        for task in both:
            task.cancel()
        ended = await asyncio.gather(*both, return_exceptions=True)
    codes = [code for code in ended if isinstance(code, int)]
    with contextlib.suppress(RuntimeError, OSError, WebSocketDisconnect):  # it has gone already
        await websocket.close(codes[0] if codes else COME_BACK)


async def _hear(websocket: WebSocket, listener: Listener) -> int:
    """Answer pings; return the code to close with when something else comes, or nothing more."""
    while True:
        message = await websocket.receive()
        if message["type"] == "websocket.disconnect":
            return COME_BACK
        if not _is_ping(message.get("text")):
            return NOT_UNDERSTOOD
        listener.tell({"kind": "pong"})


def _is_ping(text: str | None) -> bool:
    try:
        return text is not None and json.loads(text) == {"kind": "ping"}
    except (ValueError, RecursionError):
        return False


async def _tell(websocket: WebSocket, listener: Listener) -> int:
    """Tell what there is to tell; return the code to close with when the page is too far behind."""
    while (message := await listener.next()) is not None:
        await websocket.send_text(json.dumps(message, separators=(",", ":")))
    return COME_BACK
