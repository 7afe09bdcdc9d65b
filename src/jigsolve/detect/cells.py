"""The cells of one direction of a board, and the gaps between them."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from jigsolve.detect.combs import Run
from jigsolve.detect.lattice import Lattice

ECHO = 0.4  # of a cut's height: the other end of a gap is as high at least
_PLAIN = 0.35  # of what pieces vary by: gaps vary by less
_TWO_ENDS = 2.0  # pixels of the narrowest gap of which scaling leaves two lines
_BLURRED = 1.5  # pixels of a gap of which scaling has left one line
_OVER = 1.5  # pixels by which a board that fills a picture may seem to exceed it


@dataclass(frozen=True)
class Cells:
    """The cells of one direction: where one of them begins, and which are taken for the board's."""

    start: float
    cell: float
    gap: float
    first: int
    stop: int

    @property
    def pitch(self) -> float:
        """From where a cell begins to where the next one does."""
        return self.cell + self.gap

    def begin(self, number: int) -> float:
        """Return where a cell begins."""
        return self.start + number * self.pitch

    def pixels(self, number: int, extent: int) -> slice:
        """Return the pixels of a cell, without those at its ends."""
        first = max(math.ceil(self.begin(number)) + 1, 0)
        return slice(first, max(min(math.floor(self.begin(number) + self.cell) - 1, extent), first))

    def span(self, extent: int) -> slice:
        """Return the pixels of the board."""
        first = max(math.ceil(self.begin(self.first) - 0.5), 0)
        return slice(first, min(math.floor(self.begin(self.stop) - self.gap + 0.5), extent))

    def cuts(self) -> np.ndarray:
        """Return where all cells but the first begin."""
        return self.start + self.pitch * np.arange(self.first + 1, self.stop)

    def within(self, extent: int) -> range:
        """Return the numbers of all cells that have room in the picture."""
        low = math.ceil((-_OVER - self.start) / self.pitch)
        high = math.floor((extent + _OVER - self.start - self.cell) / self.pitch)
        return range(low, high + 1)

    def lattice(self, extent: int) -> Lattice:
        """Return the board's cells as they are cut."""
        start, cell, count = self.begin(self.first), self.cell, self.stop - self.first
        end = start + count * self.pitch - self.gap
        whole = Lattice(start, cell, self.gap, count).is_whole
        if min(start, extent - end) < 0 or not whole:
            # What nearly fills the picture fills it: scaling left no rim.
            start = 0.0 if start < _OVER else start
            end = float(extent) if extent - end < _OVER else end
            cell = (end - start + self.gap) / count - self.gap
        lengths = [start, cell, self.gap]
        if all(float(length).is_integer() for length in lengths):
            return Lattice(int(start), int(cell), int(self.gap), count)
        return Lattice(start, cell, self.gap, count)


def cells_between(pixels: np.ndarray, run: Run, heights: np.ndarray, gap: float | None) -> Cells:
    """Return the cells between the lines of a run, with the gaps that there are."""
    width, begin = _gap_at(pixels, run, heights, gap)
    cell = run.pitch - width
    # A line with half a gap on either side is the end of a cell and the beginning of the next.
    count = run.count if begin in (0.0, -width) and width else run.count - 1
    start = run.start + begin + width - (run.pitch if width and begin == 0.0 else 0.0)
    return Cells(start, cell, width, 0, count)


def _gap_at(
    pixels: np.ndarray, run: Run, heights: np.ndarray, known: float | None
) -> tuple[float, float]:
    """Return how wide the gaps at a run's lines are, and where they begin, seen from the line.

    A gap has two ends, both of which stand out, and is of one colour. Of one that is narrow and
    was scaled, the ends are one line.
    """
    step, least = (1.0, 1.0) if run.pitch.is_integer() else (0.25, _TWO_ENDS)
    widths = np.arange(least, run.pitch / 3, step) if known is None else np.array([known])
    if not widths.any():
        return 0.0, 0.0
    places, numbers = np.arange(len(heights)), run.lines()
    height = float(np.interp(numbers, places, heights).mean())
    best = (_PLAIN, 0.0, 0.0)
    for follows in (False, True):
        ends = numbers[:, None] + (widths if follows else -widths)
        echo = np.interp(ends, places, heights).mean(axis=0)
        width = float(widths[int(echo.argmax())])
        if known is not None or echo.max() >= ECHO * height:
            begin = 0.0 if follows else -width
            best = min(best, (_variation(pixels, numbers + begin, width, run.pitch), width, begin))
    if not best[1] and step < 1:
        width = _BLURRED if known is None else known
        begin = -width / 2
        best = min(best, (_variation(pixels, numbers + begin, width, run.pitch), width, begin))
    return best[1], best[2]


def _variation(pixels: np.ndarray, starts: np.ndarray, width: float, pitch: float) -> float:
    """Return what gaps vary by in colour, as a share of what is between them."""
    middles = starts + width / 2
    half = max(width / 2 - 1.0, 0.0)
    gaps = np.stack([columns_at(pixels, middles + o) for o in (-half, 0.0, half)])
    pieces = np.stack([columns_at(pixels, middles + o * pitch) for o in (0.3, 0.5, 0.7)])
    colour = np.median(gaps, axis=(0, 1, 2))
    usual = np.abs(pieces - np.median(pieces, axis=(0, 1, 2))).mean()
    # At the rim of the board there is no gap but something else beside the cells.
    each = np.abs(gaps - colour).mean(axis=(0, 1, 3))
    return float(np.median(each) / max(usual, 1.0))


def columns_at(pixels: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Return some of the pixels of columns, the nearest in the picture."""
    inside = places.astype(int).clip(0, pixels.shape[1] - 1)
    return pixels[:: max(len(pixels) // 256, 1), inside].astype(np.int16)
