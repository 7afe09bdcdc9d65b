"""Watch a solve in the browser, see where it doubts, put it right by hand, and solve on.

The studio runs on this machine and prints its address. Projects are kept; whatever was open is
there again the next time. Ctrl-C ends it: a running solve goes on when it is started again.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from jigsolve.cli.printing import say
from jigsolve.cli.usage import whole
from jigsolve.core.checks import whole_number
from jigsolve.errors import InputError

EXAMPLES = """\
examples:
  jigsolve studio
  jigsolve studio puzzle.png
  jigsolve studio tiles/ --port 8080 --no-browser
"""
LOOPBACK = "127.0.0.1"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "puzzle",
        type=Path,
        nargs="?",
        metavar="FILE",
        help="a shuffled picture, or a folder or archive of tiles, to make a project of",
    )
    parser.add_argument(
        "--port", type=whole, metavar="N", help="where to listen (8737, or a free one)"
    )
    parser.add_argument("--no-browser", action="store_true", help="do not open the browser")
    parser.add_argument(
        "--host",
        default=LOOPBACK,
        metavar="ADDR",
        help=f"the address to listen at ({LOOPBACK}: nobody but this machine)",
    )
    parser.add_argument(
        "--allow-remote",
        action="store_true",
        help="let other machines in, with --host; they need the token, and nothing is encrypted",
    )


def check(options: argparse.Namespace) -> None:
    """Raise unless the port is one, and others are let in on purpose only."""
    if options.port is not None:
        whole_number("--port", options.port, 0, 65535)
    if options.host not in (LOOPBACK, "localhost", "::1") and not options.allow_remote:
        raise InputError(
            f"--host: expected {LOOPBACK}, or --allow-remote to let other machines in, found "
            f"{options.host}"
        )


def run(options: argparse.Namespace) -> bool:
    """Run the studio until Ctrl-C."""
    try:
        from jigsolve.studio.serving import serve
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("starlette", "uvicorn", "websockets"):
            raise
        raise InputError(
            f"studio: expected the extra `studio` (pip install 'jigsolve[studio]'), found no "
            f"{error.name}"
        ) from None
    if options.puzzle is not None and not options.puzzle.exists():
        raise InputError(f"{options.puzzle}: expected a picture or tiles, found no such file")
    serve(
        options.puzzle,
        port=options.port,
        host=options.host,
        say=say,
        opens_browser=not options.no_browser,
    )
    return True
