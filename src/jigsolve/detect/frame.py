"""Borders and gaps of one colour around the pieces of a picture, found exactly."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from jigsolve.detect.lattice import Lattice
from jigsolve.detect.lines import SMALLEST

Colour = tuple[int, int, int]


@dataclass(frozen=True)
class Frame:
    """The rows and columns of a picture that hold one and the same colour from end to end."""

    colour: Colour
    rows: np.ndarray
    columns: np.ndarray

    def boxes(self) -> list[tuple[slice, slice]]:
        """Return what may be left without the border, as rows and columns.

        Pieces at the edge may show the border's colour, and would seem to belong to it; so first
        comes what a border leaves that is equally wide on all sides.
        """
        (top, bottom), (left, right) = _ends(self.rows), _ends(self.columns)
        height, width = len(self.rows), len(self.columns)
        even = min(top, height - bottom, left, width - right)
        around = (slice(even, height - even), slice(even, width - even))
        box = (slice(top, bottom), slice(left, right))
        return [around, box] if even and around != box else [box]

    def goes_round(self) -> bool:
        """Whether there is a border on every side."""
        ends = (self.rows[0], self.rows[-1], self.columns[0], self.columns[-1])
        return all(bool(end) for end in ends)


def find_frame(pixels: np.ndarray) -> Frame | None:
    """Return the rows and columns of the commonest colour that fills any; None without one."""
    rows, columns = (_uniform(pixels), _uniform(pixels.swapaxes(0, 1)))
    colours = np.concatenate([pixels[rows, 0], pixels[0, columns]])
    if not len(colours) or rows.all():
        return None
    found, counts = np.unique(colours, axis=0, return_counts=True)
    colour = found[counts.argmax()]
    return Frame(
        (int(colour[0]), int(colour[1]), int(colour[2])),
        rows & (pixels[:, 0] == colour).all(axis=1),
        columns & (pixels[0] == colour).all(axis=1),
    )


def gap_lattice(of_frame: np.ndarray, start: int, stop: int) -> Lattice | None:
    """Return equal pieces between equal gaps that explain a direction's lines best.

    Every pixel of every gap must be a line of the frame; None where no gaps are.
    """
    inside = np.flatnonzero(of_frame[start:stop])
    if not len(inside):
        return None
    runs = np.split(inside, np.flatnonzero(np.diff(inside) > 1) + 1)
    best, most = None, (0, False, 0)
    widths, _ = zip(*Counter(map(len, runs)).most_common(_WIDTHS), strict=True)
    for gap in widths:
        for size in inside[(inside >= SMALLEST) & (2 * inside + gap <= stop - start)]:
            lattice = Lattice.over(start, stop, int(size), gap)
            pitch = lattice.size + gap
            firsts = np.arange(start + lattice.size, stop - gap + 1, pitch)
            lines = (firsts[:, None] + np.arange(gap)).ravel()
            if of_frame[lines].all():
                explained = (len(lines), lattice.strip == 0, gap)
                if explained > most:
                    best, most = lattice, explained
    return best if most[0] >= _MOSTLY * len(inside) else None


_WIDTHS = 8  # of gaps that are tried, the commonest ones
_MOSTLY = 0.8
"""Share of the uniform lines within that gaps must explain: the rest is in pieces by chance."""


def _uniform(pixels: np.ndarray) -> np.ndarray:
    """Return which rows hold one colour; few pixels are enough to rule out most of them."""
    uniform = (pixels[:, :: max(pixels.shape[1] // 16, 1)] == pixels[:, :1]).all(axis=(1, 2))
    uniform[uniform] = (pixels[uniform] == pixels[uniform, :1]).all(axis=(1, 2))
    return np.asarray(uniform)


def _ends(of_frame: np.ndarray) -> tuple[int, int]:
    """Return where what is not the frame begins and ends."""
    inside = np.flatnonzero(~of_frame)
    return int(inside[0]), int(inside[-1]) + 1
