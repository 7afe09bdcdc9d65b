"""The option `--constraints` of solve: what a person knows of the picture."""

from __future__ import annotations

import argparse
from pathlib import Path

from jigsolve.core import Puzzle
from jigsolve.core.constraints import Constraints, merged
from jigsolve.core.turns import QUARTER
from jigsolve.errors import InputError
from jigsolve.reference import Placement


def add_constraints(parser: argparse.ArgumentParser) -> None:
    """Add `--constraints`."""
    parser.add_argument(
        "--constraints",
        type=Path,
        metavar="FILE.json",
        help='what must hold: {"joined": [[piece, side, piece]], "parted": [[piece, side, piece]], '
        '"fixed": [[piece, row, column]]}; a side is left, right, top or bottom of the first '
        "piece, a piece its number in the shuffled picture, row by row from 0, or its file's name; "
        "where pieces may be turned [piece, side, piece, side] and [piece, row, column, turn]",
    )


def constraints_from(
    options: argparse.Namespace, puzzle: Puzzle, placement: Placement | None
) -> Constraints | None:
    """Return what a file and a reference say together; None if there is neither."""
    parts = []
    if options.constraints:
        said = Constraints.read(options.constraints, puzzle.names)
        _check_frame(said, options, puzzle)
        parts.append(said)
    if placement:
        parts.append(placement.constraints())
    return merged(parts) if parts else None


def _check_frame(said: Constraints, options: argparse.Namespace, puzzle: Puzzle) -> None:
    """Raise where cells are said of a board that was found and may stand as well as lie."""
    rows, columns = puzzle.board
    was_found = puzzle.names is not None and options.board is None
    if said.fixed and was_found and puzzle.turns == QUARTER and rows != columns:
        raise InputError(
            f"{options.constraints}: fixed: expected --board COLSxROWS where pieces may be turned, "
            f"found that {columns} x {rows} may stand as well as lie"
        )
