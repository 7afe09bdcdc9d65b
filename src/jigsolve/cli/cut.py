"""Cut a picture into equal pieces, shuffle them, and write them as one lossless picture.

What is too narrow for a whole piece at the right and the bottom is left out.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from jigsolve.checks import check_seed
from jigsolve.cli.options import add_output, add_piece, add_quiet, check_outputs, checked_piece
from jigsolve.files import write_text
from jigsolve.puzzle import Puzzle
from jigsolve.puzzle.pictures import check_lossless, write_picture

HELP = "cut a picture into pieces and shuffle them"
EXAMPLES = """\
examples:
  jigsolve cut photo.jpg -o puzzle.png
  jigsolve cut photo.jpg -o puzzle.png --piece 35x11 --seed 7 --truth truth.json
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("image", type=Path, metavar="IMAGE", help="the picture to cut")
    add_output(parser, "PUZZLE.png")
    add_piece(parser)
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of the shuffle (0)")
    parser.add_argument(
        "--truth",
        type=Path,
        metavar="FILE.json",
        help="write the arrangement that restores the picture: row-major piece ids",
    )
    add_quiet(parser)


def run(options: argparse.Namespace) -> bool:
    """Cut and write."""
    check_seed(options.seed)
    check_lossless(options.output)
    check_outputs([options.image], [options.output, options.truth])
    puzzle, truth = Puzzle.cut(options.image, checked_piece(options)).shuffle(options.seed)
    rows, columns = puzzle.board
    height, width = puzzle.piece_size
    write_picture(options.output, puzzle.image())
    if options.truth:
        record = {
            "format": "jigsolve-truth",
            "board": {"rows": rows, "columns": columns},
            "piece": {"width": width, "height": height},
            "seed": options.seed,
            "arrangement": truth.ravel().tolist(),
        }
        write_text(options.truth, json.dumps(record) + "\n")
    if not options.quiet:
        print(
            f"{options.output}: {columns} x {rows} = {len(puzzle):,} pieces "
            f"of {puzzle.piece_size} pixels"
        )
    return True
