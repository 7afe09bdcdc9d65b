"""The option `--reference` of solve: a picture that says where pieces belong."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from jigsolve.cli.printing import printable
from jigsolve.core import Board, Puzzle
from jigsolve.core.turns import QUARTER
from jigsolve.errors import InputError
from jigsolve.execution.work import Work
from jigsolve.io.pictures import read_picture
from jigsolve.pricing.prepared import Prepared
from jigsolve.reference import Placement, place_by_reference

MOST_NAMED = 20


def add_reference(parser: argparse.ArgumentParser) -> None:
    """Add `--reference`."""
    parser.add_argument(
        "--reference",
        type=Path,
        metavar="PICTURE",
        help="place pieces by a picture of the original, maybe scaled, cropped or recompressed, "
        "and list those that do not match it",
    )


def place(options: argparse.Namespace, puzzle: Puzzle, work: Work) -> Placement:
    """Return what the reference says; raise if it shows something else.

    A board that was found of turned tiles may stand as well as lie: as the reference has it.
    """
    try:
        with work.clock.stage("reference") as tell:
            reference = read_picture(options.reference)
            first = place_by_reference(puzzle, reference, progress=tell)
            rows, columns = puzzle.board
            was_found = puzzle.names is not None and options.board is None
            if first.complete or rows == columns or not was_found or puzzle.turns != QUARTER:
                return first
            standing = replace(puzzle, board=Board(columns, rows))
            second = place_by_reference(standing, reference, progress=tell)
            return max(first, second, key=lambda placement: np.prod(placement.covered))
    except InputError as error:
        name = str(options.reference)
        raise InputError(str(error) if name in str(error) else f"{name}: {error}") from None


def as_shown(bag: Puzzle | Prepared, placement: Placement) -> Puzzle | Prepared:
    """Return what is solved on the board that the reference shows."""
    puzzle = bag.puzzle if isinstance(bag, Prepared) else bag
    if placement.board == puzzle.board:
        return bag
    turned = replace(puzzle, board=placement.board)
    return bag.on(turned) if isinstance(bag, Prepared) else turned


def report_of(placement: Placement, names: Sequence[str] | None) -> str:
    """Say how many pieces match the reference, and which do not, by the names of their files."""
    missing = placement.unmatched.tolist()
    pieces, covered = len(placement.match), placement.covered
    lines = [f"reference: {pieces - len(missing):,} of {pieces:,} pieces match it"]
    if not placement.complete:
        lines[0] += (
            f"; it shows {covered.columns} x {covered.rows} of the board, seams placed the rest"
        )
    elif missing:
        shown = missing[:MOST_NAMED]
        named = ", ".join(printable(names[piece]) if names else str(piece) for piece in shown)
        more = f" and {len(missing) - MOST_NAMED:,} more" if len(missing) > MOST_NAMED else ""
        counted = "" if names else " (counted from 0, row by row)"
        lines.append(f"no match for pieces {named}{more}{counted}")
    return "\n".join(lines)
