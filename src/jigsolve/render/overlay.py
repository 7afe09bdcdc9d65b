"""A solution with its doubts drawn over it: where to look first.

The picture is grey, so that every colour speaks of doubt: pieces are tinted the less sure they
are, and seams more likely wrong than right are marked. Lightness falls along the scale and marks
are blue against its yellows and reds, which all kinds of colour vision tell apart.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

from jigsolve.core.turns import turned_pieces
from jigsolve.errors import InputError
from jigsolve.io.pictures import check_lossless, write_picture
from jigsolve.measures import MEASURES
from jigsolve.render.legend import draw_legend
from jigsolve.render.scale import MARK, MARK_RIM, SUSPICIOUS, hatched, tinted
from jigsolve.seams.confidence import piece_confidence
from jigsolve.solvers.solution import Solution

LONGEST_SIDE = 2400
"""Larger pictures are reduced to it: thousands of pieces still fit a screen or two."""
SMALLEST_LONGEST_SIDE = 640
"""Smaller ones are enlarged, or four pieces would be a thumbnail."""
WIDE_CELL = 28
"""Marks on cells of so many pixels have a light rim; on smaller ones it would be all one sees."""


def check_overlay(path: Path, measure: str) -> None:
    """Raise unless an overlay can have this name and this measure states confidence."""
    check_lossless(path)
    stating = [name for name, found in MEASURES.items() if found.reranked or found.placed]
    if measure not in stating:
        names = ", ".join(stating)
        raise InputError(
            f"{path}: expected a measure whose costs state confidence ({names}) for an overlay, "
            f"found {measure}"
        )


def write_overlay(path: str | Path, solution: Solution) -> None:
    """Write a solution's overlay; its measure must be learned, or qr."""
    path = Path(path)
    check_overlay(path, solution.settings.pricing.measure)
    stated = solution.confidence()
    assert stated is not None, "checked above"
    drawn = draw_overlay(
        solution.puzzle.pieces, solution.arrangement, stated.right, stated.below, solution.turns
    )
    write_picture(path, drawn)


def draw_overlay(
    pieces: np.ndarray,
    arrangement: np.ndarray,
    right: np.ndarray,
    below: np.ndarray,
    turns: np.ndarray | None = None,
) -> np.ndarray:
    """Draw confidence over an arrangement.

    Parameters
    ----------
    pieces
        Array of shape (n, height, width, 3), uint8.
    arrangement
        Ids of pieces, (rows, columns); -1 where one is missing.
    right, below
        How likely seams to the right, (rows, columns - 1), and below, (rows - 1, columns), are
        right. Those at a missing piece are not read.
    turns
        Quarter turns clockwise that the piece in each cell needs, (rows, columns), if any are
        turned.
    """
    holes = arrangement < 0
    right = np.where(holes[:, 1:] | holes[:, :-1], np.nan, right)
    below = np.where(holes[1:] | holes[:-1], np.nan, below)
    turns = np.zeros(arrangement.shape, np.int8) if turns is None else turns
    grey = _grey_picture(pieces, arrangement, turns)
    heights, widths = (
        _edges(size, cells) for size, cells in zip(grey.shape, holes.shape, strict=True)
    )
    by_pixel = np.ix_(_cell_of_pixel(heights), _cell_of_pixel(widths))
    pixels = tinted(grey, piece_confidence(right, below)[by_pixel])
    pixels = np.where(holes[by_pixel][..., None], hatched(grey.shape), pixels)
    picture = Image.fromarray(pixels)
    marked = _mark_seams(picture, heights, widths, right < SUSPICIOUS, below < SUSPICIOUS)
    seams = int(np.isfinite(right).sum() + np.isfinite(below).sum())
    return np.asarray(draw_legend(picture, marked, seams, int(holes.sum())))


def _grey_picture(pieces: np.ndarray, arrangement: np.ndarray, turns: np.ndarray) -> np.ndarray:
    """Return the arrangement in grey, of a size to look at."""
    rows, columns = arrangement.shape
    height, width = pieces.shape[1:3]
    grey = np.full((rows * height, columns * width), 255, np.uint8)
    for row, ids in enumerate(arrangement):  # row by row: colours of all would take memory
        upright = turned_pieces(pieces[ids], turns[row])
        strip = upright.swapaxes(0, 1).reshape(height, columns * width, 3)
        grey[row * height : (row + 1) * height] = Image.fromarray(strip).convert("L")
    longest = max(grey.shape)
    picture = Image.fromarray(grey)
    if longest > LONGEST_SIDE:
        size = (max(1, round(side * LONGEST_SIDE / longest)) for side in reversed(grey.shape))
        picture = picture.resize(tuple(size), Image.Resampling.BOX)
    elif longest < SMALLEST_LONGEST_SIDE:
        times = -(-SMALLEST_LONGEST_SIDE // longest)
        size = (side * times for side in reversed(grey.shape))
        picture = picture.resize(tuple(size), Image.Resampling.NEAREST)
    return np.asarray(picture)


def _edges(size: int, cells: int) -> np.ndarray:
    """Return where cells begin along a side, and where the last one ends."""
    return np.asarray(np.rint(np.arange(cells + 1) * (size / cells)), int)


def _cell_of_pixel(edges: np.ndarray) -> np.ndarray:
    return np.repeat(np.arange(len(edges) - 1), np.diff(edges))


def _mark_seams(
    picture: Image.Image,
    heights: np.ndarray,
    widths: np.ndarray,
    across: np.ndarray,
    down: np.ndarray,
) -> int:
    """Mark seams on the picture, light rims below all marks; return how many."""
    cell = min(picture.height / (len(heights) - 1), picture.width / (len(widths) - 1))
    # A mark must be seen on a large board and must not hide what a small one shows.
    thick = int(np.clip(round(cell / 8), 1, max(2, max(picture.size) // 200)))
    rim = 1 if cell >= WIDE_CELL else 0
    lines = [
        (widths[c + 1], heights[r], widths[c + 1], heights[r + 1])
        for r, c in zip(*np.nonzero(across), strict=True)
    ] + [
        (widths[c], heights[r + 1], widths[c + 1], heights[r + 1])
        for r, c in zip(*np.nonzero(down), strict=True)
    ]
    pen = ImageDraw.Draw(picture)
    for colour, extra in ((MARK_RIM, rim), (MARK, 0)):
        before, after = thick // 2 + extra, (thick - 1) // 2 + extra
        for x0, y0, x1, y1 in lines:
            pen.rectangle((x0 - before, y0 - before, x1 + after, y1 + after), fill=colour)
    return len(lines)
