"""Starting the server: on this machine only, with an address that has a token."""

from __future__ import annotations

import contextlib
import errno
import logging
import secrets
import socket
import threading
import webbrowser
from collections.abc import Callable
from pathlib import Path

import psutil
import uvicorn

from jigsolve.errors import InputError
from jigsolve.studio.app import make_app
from jigsolve.studio.guard import Guard
from jigsolve.studio.home import Home, data_folder
from jigsolve.studio.studio import Studio

USUAL_PORT = 8737
LOOPBACK = ("127.0.0.1", "localhost", "::1")
EVERYWHERE = ("0.0.0.0", "::")


def serve(
    place: Path | None = None,
    *,
    port: int | None = None,
    host: str = "127.0.0.1",
    say: Callable[[str], object] = print,
    opens_browser: bool = True,
) -> None:
    """Run the studio until it is interrupted.

    Parameters
    ----------
    place
        A picture, folder or archive to make a project of.
    port
        Without one the usual port, or a free one where it is taken.
    host
        The address to listen at.
    say
        Told the one line with the address.
    opens_browser
        Whether to show it in a browser.
    """
    home = Home(data_folder())
    try:
        listening = _listening(host, port)
        address, guard = _made(home, listening, host, place)
        home.say_where(address)
        config = uvicorn.Config(
            guard,
            http="h11",
            ws="websockets-sansio",
            loop="asyncio",
            lifespan="on",
            log_config=None,
            access_log=False,
            proxy_headers=False,
            server_header=False,
            ws_max_size=2**16,
            timeout_graceful_shutdown=2,
        )
        logging.getLogger("uvicorn").setLevel(logging.ERROR)
        say(f"the studio is at {address} (Ctrl-C ends it)")
        if opens_browser:
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
        with contextlib.suppress(KeyboardInterrupt):
            uvicorn.Server(config).run(sockets=[listening])
    finally:
        home.leave()


def _made(home: Home, listening: socket.socket, host: str, place: Path | None) -> tuple[str, Guard]:
    """Return the address with its token, and the guarded application."""
    port = listening.getsockname()[1]
    token = secrets.token_urlsafe(32)

    def studio() -> Studio:
        made = Studio(home.projects)
        if place is not None:
            guard.landing = f"/#{made.open_place(place).id}"
        return made

    names = names_of(host)
    guard = Guard(make_app(studio), names, port, token, home.cookie())
    return f"http://{names[0]}:{port}/?token={token}", guard


def names_of(host: str) -> list[str]:
    """Return what browsers may call this machine in addresses, the one to print first."""
    if host in LOOPBACK:
        names = [host, "127.0.0.1", "localhost"]
    elif host in EVERYWHERE:
        every = [each for of in psutil.net_if_addrs().values() for each in of]
        numbers = [each.address for each in every if each.family == socket.AF_INET]
        afar = [number for number in numbers if number not in LOOPBACK]
        names = [*afar, socket.gethostname().lower(), *LOOPBACK]
    else:
        names = [host]
    return [f"[{name}]" if ":" in name else name for name in dict.fromkeys(names)]


def _listening(host: str, port: int | None) -> socket.socket:
    """Return a socket that listens; raise where that is not possible."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for number in [port] if port is not None else [USUAL_PORT, 0]:
        listening = socket.socket(family)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((host, number))
            listening.listen(128)
        except (OSError, UnicodeError) as error:
            listening.close()
            trouble = _in_words(error, host, number)
            continue
        return listening
    raise InputError(trouble)


def _in_words(error: OSError | UnicodeError, host: str, port: int) -> str:
    """Say which of the two is wrong, the port or the address."""
    code = error.errno if isinstance(error, OSError) else None
    if code == errno.EADDRINUSE:
        return f"`port`: expected one that is free, found {port}, which is in use at {host}"
    if code == errno.EACCES:
        return f"`port`: expected one that you may use, from 1024 on, found {port}"
    return f"`host`: expected an address of this machine, found {host}"
