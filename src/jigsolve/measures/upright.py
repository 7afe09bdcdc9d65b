"""Which way up is a picture? Traces of compression may tell.

JPEG cuts a photograph into blocks of 8 by 8 pixels from its upper left corner on. Turned by half,
its blocks begin at another place unless its sides are whole numbers of blocks. So if a picture was
cut from the corner of a photograph that was saved as a whole, its grid of blocks begins in its
upper left corner, and where it does so in some turns only, the picture lies in one of these.

A picture whose grid begins in no corner says nothing. Colours often have blocks twice as large:
they must not contradict, but are not believed alone. A photograph that was cropped along its blocks
and saved again has them begin anywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from jigsolve.measures.offsets import FAINTEST, STORED

BLOCK, LARGE_BLOCK = 8, 16
"""Pixels of blocks of lightness, and of those of colours."""

CLEAR = 5.0
"""A grid is clear if its lines stand out by so many standard errors more than any other ones."""

MOST_PIXELS = 4_000_000
"""Of larger pictures not all lines are looked at."""


class Grid(NamedTuple):
    """Where the grids of a picture begin in one direction; None where that is not clear."""

    of_light: int | None
    of_colour: int | None
    length: int
    """Pixels of the picture in this direction."""

    def from_other_end(self) -> Grid:
        """Return where they begin counted from the other end."""
        light, colour = (
            None if begin is None else (self.length - begin) % period
            for begin, period in ((self.of_light, BLOCK), (self.of_colour, LARGE_BLOCK))
        )
        return Grid(light, colour, self.length)


def possible_ways(
    picture: np.ndarray, piece: tuple[int, int], ways: Sequence[int]
) -> tuple[int, ...]:
    """Return after which of some turns of a picture its grid of blocks begins in its corner.

    All of them where that is not clear, or so after none or all of them. Seams of pieces of a size,
    (height, width), have no say.
    """
    across = _grid(picture, piece[1])
    down = _grid(picture.transpose(1, 0, 2), piece[0])
    by_light, by_both = [], []
    for way in ways:
        left, top = (across, down) if way % 2 == 0 else (down, across)
        if way in (1, 2):
            left = left.from_other_end()
        if way in (2, 3):
            top = top.from_other_end()
        if left.of_light == top.of_light == 0:
            by_light.append(way)
            if not (left.of_colour or top.of_colour):
                by_both.append(way)
    return tuple(by_both if by_both and by_both == by_light else ways)


def _grid(picture: np.ndarray, piece: int) -> Grid:
    """Find where the grids of a picture begin from left to right."""
    height, width = picture.shape[:2]
    step = max(1, -(-height * width // MOST_PIXELS))
    stored = picture[::step].astype(np.float32) @ STORED.T
    jumps = np.log(np.abs(np.diff(stored, axis=1)) + FAINTEST).mean(axis=0)
    places = np.arange(2, width - 1)
    outstanding = jumps[1:-1] - 0.5 * (jumps[:-2] + jumps[2:])
    within = ((places - 1) % piece > 0) & (places % piece > 0) & ((places + 1) % piece > 0)
    light, colour = outstanding[within, 0], outstanding[within, 1:].sum(axis=1)
    return Grid(
        _clear_phase(light, places[within], BLOCK),
        _clear_phase(colour, places[within], LARGE_BLOCK),
        width,
    )


def _clear_phase(values: np.ndarray, places: np.ndarray, period: int) -> int | None:
    """Return the place within a period at which values are clearly highest; None if none is."""
    phases = places % period
    if len(np.unique(phases)) < period:
        return None
    values = np.clip(values, *np.quantile(values, (0.02, 0.98)))
    means = np.array([values[phases == phase].mean() for phase in range(period)])
    best = int(means.argmax())
    others = values[phases != best]
    error = others.std() / np.sqrt(np.count_nonzero(phases == best))
    second = float(np.delete(means, best).max())
    return best if means[best] - second > CLEAR * max(float(error), 1e-6) else None
