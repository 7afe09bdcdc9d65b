"""Find out how a shuffled picture was cut: size of the pieces, border, gaps, odd strips.

The confidence says how likely the answer is right; the next likeliest ones follow. From 0.9 on,
solve takes the answer without asking.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from jigsolve.cli.known import add_known, known_from
from jigsolve.detect.detecting import detect_grid
from jigsolve.errors import InputError
from jigsolve.io.containers import is_one_picture

EXAMPLES = """\
examples:
  jigsolve detect puzzle.png
  jigsolve detect puzzle.png --json
  jigsolve detect screenshot.png --region 40,120,640,480 --gap 3
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("puzzle", type=Path, metavar="PUZZLE.png", help="the shuffled picture")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    add_known(parser)


def check(options: argparse.Namespace) -> None:
    """Raise unless the options go together."""
    known_from(options)


def run(options: argparse.Namespace) -> bool:
    """Detect and print."""
    if not is_one_picture([options.puzzle]):
        raise InputError(
            f"{options.puzzle}: expected one shuffled picture, found tiles; their size is known, "
            "and `jigsolve solve` finds their board"
        )
    found = detect_grid(options.puzzle, known_from(options))
    if options.json:
        print(json.dumps(found.as_dict()))
    else:
        print(f"{found.grid.describe()}, confidence {found.confidence:.3f}")
        for other in found.runners_up:
            print(f"or {other.grid.describe()}, {other.confidence:.3f}")
    return True
