"""Score a solved picture against the original.

neighbour is the share of seams that join true neighbours, direct the share of pieces in their
place, from 0 to 1. The aware scores let pieces with equal pixels stand in for each other; the
strict ones do not (as in the literature; with identical pieces, the average over their possible
numberings). perfect says whether every pixel is restored.

Pieces are recognised by equal pixels, and may be turned: then the whole is compared in each turn
that fits, and turn says by how many quarters clockwise. Where the original was saved with loss or
scaled they go by likeness, which is said; perfect then says whether every piece is in its place.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from jigsolve.cli.options import add_piece
from jigsolve.core import Puzzle
from jigsolve.io.pictures import read_picture
from jigsolve.scores.likeness import Comparison, compare_pictures

EXAMPLES = """\
examples:
  jigsolve score photo.jpg solved.png --piece 28
  jigsolve score photo.jpg solved.png --piece 35x11 --json
"""

TURNS = (
    "0: pieces are turned, the whole is not",
    "1: compared once the whole is turned clockwise",
    "2: compared once the whole is turned upside down",
    "3: compared once the whole is turned counterclockwise",
)


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
    scores, turn = found.scores.as_dict(), found.scores.turn
    if options.json:
        by_likeness = {"by_likeness": found.alike, "unlike": found.unlike} if found.alike else {}
        print(json.dumps(scores | by_likeness))
    else:
        for name, value in scores.items():
            if name == "turn":
                continue  # said in words
            shown = ("yes" if value else "no") if isinstance(value, bool) else f"{value:.4f}"
            print(f"{name:<16}{shown}")
        if turn is not None:
            print(f"turn            {TURNS[turn]}")
        if found.alike:
            print(f"by likeness     {_in_words(found, len(solved))}")
    return True


def _in_words(found: Comparison, pieces: int) -> str:
    wrong = f"; {found.unlike:,} look like none of it, and count as wrong" if found.unlike else ""
    return f"{found.alike:,} of {pieces:,} pieces: their pixels are not the original's{wrong}"
