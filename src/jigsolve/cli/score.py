"""Score a solved picture against the original, recognising pieces by their pixels.

neighbour is the share of seams that join true neighbours, direct the share of pieces in their
place, from 0 to 1. The aware scores let pieces with equal pixels stand in for each other; the
strict ones do not (as in the literature; with identical pieces, the average over their possible
numberings). perfect says whether every pixel is restored.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from jigsolve.cli.options import add_piece
from jigsolve.puzzle import Puzzle
from jigsolve.scores import score_pictures

HELP = "compare a solved picture with the original"
EXAMPLES = """\
examples:
  jigsolve score photo.jpg solved.png --piece 28
  jigsolve score photo.jpg solved.png --piece 35x11 --json
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "original", type=Path, metavar="ORIGINAL", help="cropped to whole pieces, as cut does"
    )
    parser.add_argument("solved", type=Path, metavar="SOLVED", help="what solve wrote")
    add_piece(parser, required=True)
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def check(options: argparse.Namespace) -> None:
    """Any options go together."""


def run(options: argparse.Namespace) -> bool:
    """Score and print."""
    scores = score_pictures(
        Puzzle.cut(options.original, options.piece),
        Puzzle.cut(options.solved, options.piece, crop=False),
    ).as_dict()
    if options.json:
        print(json.dumps(scores))
    else:
        for name, value in scores.items():
            shown = ("yes" if value else "no") if isinstance(value, bool) else f"{value:.4f}"
            print(f"{name:<16}{shown}")
    return True
