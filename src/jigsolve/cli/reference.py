"""The option `--reference` of solve: a picture that says where pieces belong."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from jigsolve.cli.printing import printable
from jigsolve.core import Puzzle
from jigsolve.errors import InputError
from jigsolve.execution.work import Work
from jigsolve.io.pictures import read_picture
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
    """Return what the reference says; raise if it shows something else."""
    try:
        with work.clock.stage("reference") as tell:
            return place_by_reference(puzzle, read_picture(options.reference), progress=tell)
    except InputError as error:
        name = str(options.reference)
        raise InputError(str(error) if name in str(error) else f"{name}: {error}") from None


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
