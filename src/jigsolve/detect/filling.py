"""Boards that fill a picture, but for a border, gaps and an odd strip: size of their pieces.

`lines.py` has how lines are looked at. What comes out has a probability: where there is not enough
to see, it is low.
"""

from __future__ import annotations

import itertools

import numpy as np

from jigsolve.core.pieces import PieceSize
from jigsolve.detect.frame import Colour, Frame, find_frame, gap_lattice
from jigsolve.detect.grid import SURE, Candidate, Grid
from jigsolve.detect.lattice import Lattice
from jigsolve.detect.lines import SMALLEST, Period, periods

_MOST = 0.999
_SHOWN = 5
_REGULAR = 4
"""Pieces in a row from which on gaps may be of another width than those of columns."""


def find_filling(pixels: np.ndarray) -> list[Candidate]:
    """Return boards that fill a picture, likeliest first."""
    height, width = pixels.shape[:2]
    whole = (slice(0, height), slice(0, width))
    frame = find_frame(pixels)
    colour = frame.colour if frame else None
    found = frame and _between_gaps(pixels, frame)
    if found:
        return found
    boxes = [box for box in frame.boxes() if box != whole and has_room(*box)] if frame else []
    seen = [_within(pixels, *box, colour) for box in boxes]
    if frame and seen and frame.goes_round() and seen[0][1][0].confidence >= SURE:
        return seen[0][1]  # chance hardly makes a border on all sides
    return max([_within(pixels, *whole, None), *seen], key=lambda part: part[0])[1]


def frame_around(pixels: np.ndarray, piece: PieceSize, gap: int | None = None) -> Grid | None:
    """Return the grid of pieces of a known size, or gap too, in a picture with a border or gaps.

    None unless whole pieces remain without them, and where a picture without gaps is whole
    pieces as it is: what looks like a border may be pieces of one colour.
    """
    whole = not any(side % size for side, size in zip(pixels.shape[:2], piece, strict=True))
    frame = find_frame(pixels)
    if frame is None:
        return None
    for rows, columns in frame.boxes():
        down = _whole_lattice(frame.rows, rows, piece.height, gap)
        across = _whole_lattice(frame.columns, columns, piece.width, gap)
        if not (down and across) or (whole and not (down.gap or across.gap)):
            continue
        if down.count * across.count > 1:
            return Grid(down, across, frame.colour)
    return None


def _whole_lattice(of_frame: np.ndarray, box: slice, size: int, gap: int | None) -> Lattice | None:
    """Return whole pieces of a size, with gaps or without; None if a strip would be left."""
    gaps = gap_lattice(of_frame, box.start, box.stop) if gap is None else None
    if gaps is None or gaps.size != size:
        gaps = Lattice.over(box.start, box.stop, size, gap or 0)
    return gaps if gaps.count and not gaps.strip else None


def has_room(rows: slice, columns: slice) -> bool:
    """Whether two of the smallest pieces would lie in a part of a picture."""
    height, width = rows.stop - rows.start, columns.stop - columns.start
    return bool(min(height, width) >= 1 and max(height, width) >= 2 * SMALLEST)


def _between_gaps(pixels: np.ndarray, frame: Frame) -> list[Candidate] | None:
    """Return the grid that gaps show; None where they do not show one for sure."""
    for rows, columns in frame.boxes():
        down = gap_lattice(frame.rows, rows.start, rows.stop)
        across = gap_lattice(frame.columns, columns.start, columns.stop)
        if down and across:
            if down.gap != across.gap and min(down.count, across.count) < _REGULAR:
                continue
            # Two gaps could be chance in a dark picture; more, and as regular, hardly.
            gaps = down.count + across.count - 2
            sure = 1 - 0.2 * 0.1 ** (gaps - 2)
            return [Candidate(Grid(down, across, frame.colour), min(sure, _MOST))]
        if not (down or across):
            continue
        sides = (
            down or Lattice(rows.start, rows.stop - rows.start, 0, 1),
            across or Lattice(columns.start, columns.stop - columns.start, 0, 1),
        )
        # Lines of text have gaps like these; only pieces jump where the gap is left out.
        joined = Grid(*sides).without_frame(pixels)
        of_height, of_width = periods(joined.swapaxes(0, 1)), periods(joined)
        agreed = (of_height if down else of_width)[0]
        if agreed.size != (down or across or sides[0]).size or agreed.probability < SURE:
            continue
        found = []
        for period in (of_width if down else of_height)[:_SHOWN]:
            box = columns if down else rows
            other = Lattice.over(box.start, box.stop, period.size)
            grid = Grid(down or other, across or other, frame.colour)
            found.append(Candidate(grid, _probability(agreed, period)))
        return found
    return None


def _within(
    pixels: np.ndarray, rows: slice, columns: slice, colour: Colour | None
) -> tuple[float, list[Candidate]]:
    """Return the grids of a part without gaps, likeliest first, and the evidence for the first."""
    part = pixels[rows, columns]
    heights, widths = periods(part.swapaxes(0, 1)), periods(part)
    # The likeliest pair may be that nothing is cut, so one more of each is needed.
    pairs = itertools.product(heights[: _SHOWN + 1], widths[: _SHOWN + 1])
    found = []
    for height, width in sorted(pairs, key=lambda pair: -_probability(*pair)):
        down = Lattice.over(rows.start, rows.stop, height.size)
        across = Lattice.over(columns.start, columns.stop, width.size)
        if down.count * across.count > 1:
            grid = Grid(down, across, colour)
            evidence = height.evidence + width.evidence
            found.append((evidence, Candidate(grid, _probability(height, width))))
    return found[0][0], [candidate for _, candidate in found]


def _probability(height: Period, width: Period) -> float:
    """Return how likely both sizes are right; no more is claimed than could be counted."""
    return min(height.probability * width.probability, _MOST)
