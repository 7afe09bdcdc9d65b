"""What is printed, and what is done when nobody reads it."""

from __future__ import annotations

import os
import sys


def printable(text: str) -> str:
    """Return text on one line, whatever characters a file's name has."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def counted(number: int, what: str) -> str:
    """Return `1 piece`, `2 pieces`."""
    return f"{number:,} {what}" + ("" if number == 1 else "s")


def say(text: str) -> None:
    """Print what was done or is expected; work goes on when nobody reads it any more."""
    try:
        print(text, flush=True)
    except BrokenPipeError:
        drop_output()


def drop_output() -> None:
    """Send what is still to be printed nowhere: its reader, `head` say, has gone."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
