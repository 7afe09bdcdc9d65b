"""Find out how a shuffled picture was cut: size of the pieces, border, gaps, odd strips.

The confidence says how likely the answer is right; the next likeliest ones follow. From 0.9 on,
solve takes the answer without asking.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from jigsolve.errors import InputError, OddSizeError
from jigsolve.puzzle import PieceSize, Puzzle
from jigsolve.puzzle.grid import Detection, detect_grid, frame_around
from jigsolve.puzzle.pictures import read_picture

HELP = "find the size of the pieces of a shuffled picture"
EXAMPLES = """\
examples:
  jigsolve detect puzzle.png
  jigsolve detect puzzle.png --json
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("puzzle", type=Path, metavar="PUZZLE.png", help="the shuffled picture")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(options: argparse.Namespace) -> bool:
    """Detect and print."""
    found = detect_grid(options.puzzle)
    if options.json:
        print(json.dumps(found.as_dict()))
    else:
        print(f"{found.grid.describe()}, confidence {found.confidence:.3f}")
        for other in found.runners_up:
            print(f"or {other.grid.describe()}, {other.confidence:.3f}")
    return True


def cut_shuffled(
    path: Path, piece: PieceSize | None, *, crop: bool
) -> tuple[Puzzle, Detection | None]:
    """Cut a shuffled picture: by a known size, or by one that is detected for sure.

    The detection comes with it where there was something to detect: of a known size, a border or
    gaps.
    """
    pixels = read_picture(path)
    try:
        if piece is None:
            found = detect_grid(pixels)
            _check_sure(found)
            return found.grid.cut(pixels), found
        grid = frame_around(pixels, piece)
        if grid is None:
            return Puzzle.cut(pixels, piece, crop=crop), None
        return grid.cut(pixels), Detection(grid, 1.0, ())
    except OddSizeError as error:
        raise InputError(f"{path}: {error}; --crop uses those") from None
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


def _check_sure(found: Detection) -> None:
    if found.is_sure:
        return
    likeliest = [(found.grid.piece, found.confidence)]
    likeliest += [(other.grid.piece, other.confidence) for other in found.runners_up[:2]]
    sizes = ", ".join(f"{size.width}x{size.height} ({sure:.3f})" for size, sure in likeliest)
    raise InputError(
        "expected cuts that show the size of the pieces, found none that are clear; "
        f"give --piece WxH (likeliest, with confidence: {sizes})"
    )
