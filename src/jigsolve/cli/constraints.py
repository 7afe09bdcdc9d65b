"""The option `--constraints` of solve: what a person knows of the picture."""

from __future__ import annotations

import argparse
from pathlib import Path

from jigsolve.core import Puzzle
from jigsolve.core.constraints import Constraints, merged
from jigsolve.reference import Placement


def add_constraints(parser: argparse.ArgumentParser) -> None:
    """Add `--constraints`."""
    parser.add_argument(
        "--constraints",
        type=Path,
        metavar="FILE.json",
        help='what must hold: {"joined": [[piece, side, piece]], "parted": [[piece, side, piece]], '
        '"fixed": [[piece, row, column]]}; a side is left, right, top or bottom of the first '
        "piece, a piece its number in the shuffled picture, row by row from 0, or its file's name",
    )


def constraints_from(
    options: argparse.Namespace, puzzle: Puzzle, placement: Placement | None
) -> Constraints | None:
    """Return what a file and a reference say together; None if there is neither."""
    parts = []
    if options.constraints:
        parts.append(Constraints.read(options.constraints, puzzle.names))
    if placement:
        parts.append(placement.constraints())
    return merged(parts) if parts else None
