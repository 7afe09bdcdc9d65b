"""What is wrong with a command line by itself, whatever its files hold: exit code 2."""

from __future__ import annotations

import argparse
import re
from typing import NoReturn

from jigsolve.errors import InputError


class UsageError(Exception):
    """The command line asks for what there is not."""


class Parser(argparse.ArgumentParser):
    """A parser that raises its errors, one line each, and takes `-3x2` for a value."""

    def __init__(self, *arguments: object, **options: object) -> None:
        super().__init__(*arguments, **options)  # type: ignore[arg-type]
        # Otherwise a board of -3 columns is an unknown option, and the one before it lacks a value.
        self._negative_number_matcher = re.compile(r"-\.?\d")

    def error(self, message: str) -> NoReturn:
        """Raise instead of printing a screen of options and leaving."""
        raise UsageError(f"{message.removeprefix('argument ')} ({self.prog} --help says more)")


def check_usage(options: argparse.Namespace) -> None:
    """Let a verb look at its options before it looks at any file; what it raises is wrong usage."""
    try:
        options.check(options)
    except InputError as error:
        raise UsageError(str(error)) from None


def whole(text: str) -> int:
    """Read a whole number."""
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"expected a whole number, found {text!r}") from None


def real(text: str) -> float:
    """Read a number."""
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"expected a number, found {text!r}") from None
