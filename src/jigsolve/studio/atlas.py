"""The pieces as a page draws them: pictures of many pieces, row by row."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from jigsolve.errors import InputError
from jigsolve.io.pictures import write_picture
from jigsolve.studio.kept import kept_pieces

LONGEST_SIDE = 2048
"""Of a page in pixels; every machine that draws at all draws textures of this size."""

LARGEST_PIECE = 512
"""Larger pieces are reduced to it."""


def atlas_of(pieces: int, height: int, width: int) -> dict[str, int]:
    """Return how the pages of an atlas are divided."""
    shrink = min(1.0, LARGEST_PIECE / max(height, width))
    height, width = max(1, round(height * shrink)), max(1, round(width * shrink))
    across, down = LONGEST_SIDE // width, LONGEST_SIDE // height
    across = min(across, pieces)
    down = min(down, -(-pieces // across))
    return {
        "pages": -(-pieces // (across * down)),
        "perPage": across * down,
        "across": across,
        "width": width,
        "height": height,
    }


def page_of(folder: Path, number: int, about: dict[str, Any]) -> Path:
    """Return the file of a page, drawn if it is not yet."""
    atlas = about["atlas"]
    if not 0 <= number < atlas["pages"]:
        raise InputError(f"expected a page from 0 to {atlas['pages'] - 1}, found {number}")
    path = folder / f"atlas-{number}.png"
    if not path.exists():
        first = number * atlas["perPage"]
        pieces = kept_pieces(folder)[first : first + atlas["perPage"]]
        size = (atlas["width"], atlas["height"])
        write_picture(path, _laid_side_by_side(np.asarray(pieces), atlas["across"], size))
    return path


def _laid_side_by_side(pieces: np.ndarray, across: int, size: tuple[int, int]) -> np.ndarray:
    if (pieces.shape[2], pieces.shape[1]) != size:
        shrunk = [Image.fromarray(piece).resize(size, Image.Resampling.BOX) for piece in pieces]
        pieces = np.stack([np.asarray(piece) for piece in shrunk])
    rows = -(-len(pieces) // across)
    width, height = size
    sheet = np.zeros((rows * across, height, width, 3), np.uint8)
    sheet[: len(pieces)] = pieces
    tall: np.ndarray = sheet.reshape(rows, across, height, width, 3).swapaxes(1, 2)
    return tall.reshape(rows * height, across * width, 3)


def forget_pages(folder: Path) -> None:
    """Remove the pages of pieces that are cut anew."""
    for path in folder.glob("atlas-*.png"):
        path.unlink()
