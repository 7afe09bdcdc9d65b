"""The command line: parse, call, print."""

import sys
from collections.abc import Sequence

from jigsolve.cli.signals import interrupt_once

DONE, BAD_INPUT, WRONG_USAGE, INTERRUPTED = 0, 1, 2, 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    interrupt_once()
    try:
        from jigsolve.cli.command import run  # a moment, in which Ctrl-C is no error either
    except KeyboardInterrupt:
        print("jigsolve: interrupted before it began, nothing written", file=sys.stderr)
        return INTERRUPTED
    return run(arguments)


__all__ = ["main"]
