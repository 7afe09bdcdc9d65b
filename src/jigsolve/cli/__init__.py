"""The command line: parse, call, print."""

from jigsolve.cli.main import main

__all__ = ["main"]
