"""The option `--turns` of solve: how pieces may be turned."""

from __future__ import annotations

import argparse

from jigsolve.cli.printing import say
from jigsolve.core.turns import KINDS, NONE, check_turns
from jigsolve.detect.sources import Source
from jigsolve.detect.turned import find_turns
from jigsolve.errors import InputError

AUTO = "auto"


def add_turns(parser: argparse.ArgumentParser) -> None:
    """Add `--turns`."""
    parser.add_argument(
        "--turns",
        choices=(*KINDS, AUTO),
        default=AUTO,
        help="how pieces may be turned; auto asks a sample of sure seams (default auto)",
    )


def check_turns_go_with(options: argparse.Namespace) -> None:
    """Raise where turns are asked for beside something that does not know them."""
    if options.by_name and options.turns not in (NONE, AUTO):
        raise InputError("--by-name: expected pieces that are not turned, found --turns")


def with_turns(source: Source, options: argparse.Namespace) -> Source:
    """Return what was read with how its pieces are turned: as is said, or as is found."""
    height, width = source.pieces.shape[1:3]
    if options.turns != AUTO:
        return source._replace(turns=check_turns(options.turns, height, width))
    if len(source.pieces) < 2 or options.by_name:
        return source
    found = find_turns(source.pieces)
    if not options.quiet and found.turns != NONE:
        say(f"{found.describe()} (if not, say --turns none)")
    return source._replace(turns=found.turns)
