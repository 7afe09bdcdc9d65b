"""Find out how a shuffled picture was cut: size of the pieces, border, gaps, odd strips.

The confidence says how likely the answer is right; the next likeliest ones follow. From 0.9 on,
solve takes the answer without asking.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np

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
    """Cut a shuffled picture by a size, or by the one that is detected for sure."""
    pixels = read_picture(path)
    try:
        if piece is not None:
            return _cut_by_size(pixels, piece, crop=crop), None
        found = detect_grid(pixels)
        _check_sure(found)
        return found.grid.cut(pixels), found
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


def _cut_by_size(pixels: np.ndarray, piece: PieceSize, *, crop: bool) -> Puzzle:
    """Cut whole pieces; where a picture is of others, a border or gaps may explain it."""
    try:
        return Puzzle.cut(pixels, piece, crop=crop)
    except OddSizeError as error:
        grid = frame_around(pixels, piece)
        if grid is None:
            raise InputError(f"{error}; --crop uses those") from None
        return grid.cut(pixels)


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
