"""The option `--by-name` of solve: tiles are placed where their files' names say."""

from __future__ import annotations

import argparse

from jigsolve.cli.printing import printable, say
from jigsolve.cli.reading import board_of
from jigsolve.core import Puzzle
from jigsolve.detect.file_names import naming_of, odd_name
from jigsolve.detect.sources import Source
from jigsolve.errors import InputError
from jigsolve.execution.events import OnEvent
from jigsolve.execution.work import Helped, Work
from jigsolve.solvers.given import price
from jigsolve.solvers.settings import Settings
from jigsolve.solvers.solution import Solution

OF_A_SEARCH = ("film", "checkpoint", "resume", "reference")
"""Options that mean nothing where nothing is searched."""


def add_by_name(parser: argparse.ArgumentParser) -> None:
    """Add `--by-name`, and how its numbers are counted."""
    parser.add_argument(
        "--by-name",
        action="store_true",
        help="believe the names of tiles (0317.png, r3_c17.png, 3_17.png): search nothing",
    )
    parser.add_argument(
        "--column-first",
        action="store_true",
        help="with --by-name: 3_17.png is column 3, and numbers run down columns",
    )


def check_by_name(options: argparse.Namespace) -> None:
    """Raise unless the options go together."""
    if options.column_first and not options.by_name:
        raise InputError("--column-first: expected with --by-name, found it alone")
    for name in OF_A_SEARCH if options.by_name else ():
        if getattr(options, name) is not None:
            raise InputError(f"--{name}: expected without --by-name, which searches nothing")


def put_together(
    source: Source,
    options: argparse.Namespace,
    settings: Settings,
    work: Work,
    on_event: OnEvent,
    helped: Helped | None,
) -> Solution:
    """Return tiles placed by their names; raise if names say nothing."""
    naming = naming_of(source.names) if source.names else None
    if naming is None:
        what = (
            f"some such as {odd_name(source.names)}"
            if source.names
            else "a picture, which has none"
        )
        raise InputError(
            "--by-name: expected names of tiles that are a number or a row and column, different "
            f"for each and alike in all else, found {what}"
        )
    column_first = options.column_first
    told = source._replace(board=naming.board(column_first=column_first))
    board = board_of(told, options, settings, work).board
    arrangement = naming.arrangement(board, column_first=column_first)
    holes = int((arrangement < 0).sum())
    puzzle = Puzzle(source.pieces, board, source.names, holes, damage=source.damage)
    if not options.quiet:
        say(printable(f"placed by names: {naming.describe()}"))
    return price(puzzle, arrangement, settings, on_event=on_event, stop=work.stop, helped=helped)
