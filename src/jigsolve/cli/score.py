"""Score a solved picture against the original.

neighbour is the share of seams that join true neighbours, direct the share of pieces in their
place, from 0 to 1. The aware scores let pieces with equal pixels stand in for each other; the
strict ones do not (as in the literature; with identical pieces, the average over their possible
numberings). perfect says whether every pixel is restored.

Pieces are recognised by equal pixels. Where the original was saved with loss or scaled they go by
likeness, which is said; perfect then says whether every piece is in its place.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from jigsolve.cli.options import add_piece
from jigsolve.core import Puzzle
from jigsolve.io.pictures import read_picture
from jigsolve.scores.likeness import Comparison, compare_pictures

HELP = "compare a solved picture with the original"
EXAMPLES = """\
examples:
  jigsolve score photo.jpg solved.png --piece 28
  jigsolve score photo.jpg solved.png --piece 35x11 --json
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "original",
        type=Path,
        metavar="ORIGINAL",
        help="cropped to whole pieces, as cut does; a JPEG of it, or another scale, will do",
    )
    parser.add_argument("solved", type=Path, metavar="SOLVED", help="what solve wrote")
    add_piece(parser, required=True)
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def check(options: argparse.Namespace) -> None:
    """Any options go together."""


def run(options: argparse.Namespace) -> bool:
    """Score and print."""
    solved = Puzzle.cut(options.solved, options.piece, crop=False)
    found = compare_pictures(read_picture(options.original), solved)
    scores = found.scores.as_dict()
    if options.json:
        by_likeness = {"by_likeness": found.alike, "unlike": found.unlike} if found.alike else {}
        print(json.dumps(scores | by_likeness))
    else:
        for name, value in scores.items():
            shown = ("yes" if value else "no") if isinstance(value, bool) else f"{value:.4f}"
            print(f"{name:<16}{shown}")
        if found.alike:
            print(f"by likeness     {_in_words(found, len(solved))}")
    return True


def _in_words(found: Comparison, pieces: int) -> str:
    wrong = f"; {found.unlike:,} look like none of it, and count as wrong" if found.unlike else ""
    return f"{found.alike:,} of {pieces:,} pieces: their pixels are not the original's{wrong}"
