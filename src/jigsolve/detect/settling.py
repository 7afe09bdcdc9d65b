"""Which cells of a line belong to a board: those in which the other direction's cuts are seen."""

from __future__ import annotations

import math

import numpy as np

from jigsolve.detect.cells import Cells
from jigsolve.detect.combs import AWAY, heights_of, standing_out

_BELONGS, _DOUBTFUL, _ALIEN = 0.5, 0.35, 0.2
"""Height of cuts in a line of cells, of what is usual: from where on it is taken for a part of the
board, or may be one, and below which it is taken for none."""
_FEW_IN_A_ROW = 12
"""Lines of text, and of tables, are as regular as so few pieces in one row."""


def settled(pixels: np.ndarray, across: Cells, down: Cells) -> tuple[Cells, bool]:
    """Return the cells of axis 1 that belong to the board, and whether that is in doubt.

    Those belong in which the cuts of the other direction are seen.
    """
    height, width = pixels.shape[:2]
    numbers = across.within(width)
    first, stop = max(across.first, numbers.start), min(across.stop, numbers.stop)
    cuts = down.cuts()
    if not len(cuts) or stop <= first:
        return _of_one_row(pixels[down.span(height)], across, first, stop)
    rows = down.span(height)
    strength = {
        n: _strength(pixels[rows, across.pixels(n, width)], cuts - rows.start) for n in numbers
    }
    usual = float(np.median([strength[n] for n in range(first, stop)]))
    while stop - first > 1 and strength[first] < _ALIEN * usual:
        first += 1
    while stop - first > 1 and strength[stop - 1] < _ALIEN * usual:
        stop -= 1
    while first - 1 in numbers and strength[first - 1] > _BELONGS * usual:
        first -= 1
    while stop in numbers and strength[stop] > _BELONGS * usual:
        stop += 1
    # A board that fills the picture but for one cell fills it, plain as that cell may be.
    at_rim = (across.begin(first) <= 1, across.begin(stop) - across.gap >= width - 1)
    if at_rim[1] and first - 1 in numbers and across.begin(first - 1) <= 1:
        first -= 1
    if at_rim[0] and stop in numbers and across.begin(stop) + across.cell >= width - 1:
        stop += 1
    outside = max(strength.get(first - 1, 0.0), strength.get(stop, 0.0))
    at_rim = (across.begin(first) <= 1, across.begin(stop) - across.gap >= width - 1)
    inside = min(
        math.inf if at_rim[0] else strength[first], math.inf if at_rim[1] else strength[stop - 1]
    )
    doubtful = outside > _DOUBTFUL * usual or inside < _DOUBTFUL * usual
    return Cells(across.start, across.cell, across.gap, first, stop), doubtful


def _of_one_row(pixels: np.ndarray, across: Cells, first: int, stop: int) -> tuple[Cells, bool]:
    """Return the cells of the only row: those between lines that stand out as cuts do."""
    width = pixels.shape[1]
    heights = heights_of(pixels)
    lines = np.arange(len(heights))

    def at(number: int) -> float:
        ends = (across.begin(number), across.begin(number) - across.gap)
        return float(max(np.interp(ends, lines, heights)))

    usual = float(np.median([at(number) for number in range(first, stop + 1)]))
    while stop - first > 1 and at(first) < _BELONGS * usual and across.begin(first) > 1:
        first += 1
    while stop - first > 1 and at(stop) < _BELONGS * usual and across.begin(stop) < width - 1:
        stop -= 1
    if abs(across.begin(first - 1)) <= 1:
        first -= 1
    if abs(across.begin(stop) + across.cell - width) <= 1:
        stop += 1
    rim = [n for n, place in ((first, 0), (stop, width)) if abs(across.begin(n) - place) > 1]
    doubtful = stop - first < _FEW_IN_A_ROW or any(at(n) < usual / 2 for n in rim)
    return Cells(across.start, across.cell, across.gap, first, stop), doubtful


def _strength(part: np.ndarray, cuts: np.ndarray) -> float:
    """Return how much lines of axis 0 stand out in a part of the picture."""
    if part.shape[1] < 1 or part.shape[0] < 2 * AWAY + 2:
        return 0.0
    heights = standing_out(part.swapaxes(0, 1))
    return float(np.interp(cuts, np.arange(len(heights)), heights).mean() - np.median(heights))
