"""Where pieces lie in one direction of a picture, be it scaled after it was shuffled or not."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass

import numpy as np

_ROUNDED = 0.05
"""How far from the truth a pitch that is no whole number may be, as people write it down."""


@dataclass(frozen=True)
class Lattice:
    """Equal cells, equally far apart.

    In a picture that was scaled they may begin and end within pixels. Pieces are then windows of
    whole pixels, equal in size, each where it covers its cell best.
    """

    start: float
    """Where the first cell begins, in pixels."""
    cell: float
    """Pixels from the beginning of a cell to its end."""
    gap: float
    """Pixels from the end of a cell to the beginning of the next."""
    count: int
    strip: int = 0
    """Pixels after the last whole cell, and its gap, that are too few for another."""

    @classmethod
    def over(cls, start: float, stop: float, cell: float, gap: float = 0) -> Lattice:
        """Lay as many whole cells as there is room for from start to stop.

        If cells that are no whole pixels nearly fill it, they fill it: scaling left no strip.
        """
        extent = stop - start + gap
        count = int(extent // (cell + gap))
        nearest = round(extent / (cell + gap))
        missing = abs(extent - nearest * (cell + gap))
        if (cell + gap) % 1 and nearest and missing <= 1 + _ROUNDED * nearest:
            return cls(start, extent / nearest - gap, gap, nearest)
        strip = stop - start - count * (cell + gap)
        return cls(start, cell, gap, count, max(math.floor(strip), 0))

    @property
    def pitch(self) -> float:
        """Pixels from the beginning of a cell to that of the next."""
        return self.cell + self.gap

    @property
    def size(self) -> int:
        """Pixels of a window; where there are gaps, none of them is wanted in it."""
        return math.floor(self.cell) if self.gap else math.floor(self.cell + 0.5)

    @property
    def is_whole(self) -> bool:
        """Whether cells begin and end between pixels."""
        return all(float(length).is_integer() for length in (self.start, self.cell, self.gap))

    def cells(self) -> np.ndarray:
        """Return where each cell begins."""
        return self.start + np.arange(self.count) * self.pitch

    def windows(self) -> np.ndarray:
        """Return the first pixel of each window: of those that cover most of a cell the first."""
        middles = self.cells() + self.cell / 2
        return np.ceil(middles - self.size / 2 - 0.5 - 1e-6).astype(int)

    def pixels(self) -> np.ndarray:
        """Return the positions of the pixels of all windows, one after another."""
        return np.asarray((self.windows()[:, None] + np.arange(self.size)).ravel())

    def moved(self, by: float) -> Lattice:
        """Return the lattice as seen from a part of the picture that begins so much earlier."""
        return dataclasses.replace(self, start=self.start + by)
