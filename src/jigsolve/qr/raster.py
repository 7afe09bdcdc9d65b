"""Are these pieces black and white, in modules of one size? Photographs are turned away at once."""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass

import numpy as np

SAMPLED = 32
"""So many pieces are looked at first."""

CONTRAST = 96
"""Levels between dark and light, at least."""

NEAR = 4
"""Every pixel is nearer to one of the two than this part of the contrast."""


@dataclass(frozen=True, eq=False)
class Raster:
    """Pieces of modules."""

    dark: np.ndarray
    """Which pixels are dark, (n, height, width) bool."""
    module: int
    """The size of a module in pixels."""
    phases: np.ndarray
    """For each piece how many pixels from its top and its left a module begins, (n, 2), less than
    a module; -1 where none is seen to begin."""

    @functools.cached_property
    def twins(self) -> np.ndarray:
        """The same number for pieces that look the same, (n,)."""
        return _numbered(self.dark)

    @functools.cached_property
    def sides(self) -> np.ndarray:
        """The same number for facing sides that look the same, (n, 4): left, right, top, bottom."""
        dark = self.dark
        across = _numbered(np.concatenate([dark[:, :, 0], dark[:, :, -1]]))
        down = _numbered(np.concatenate([dark[:, 0], dark[:, -1]]))
        return np.concatenate([across.reshape(2, -1), down.reshape(2, -1)]).T

    @classmethod
    def of(cls, pieces: np.ndarray) -> Raster | None:
        """Return the modules of pieces, (n, height, width, 3) uint8; None if they have none."""
        few = pieces[:: max(len(pieces) // SAMPLED, 1)]
        if _dark(few) is None or (dark := _dark(pieces)) is None:
            return None
        edges = _edges(dark, 1), _edges(dark, 2)
        module = math.gcd(*(_common_step(lines) for lines in edges))
        if not module:
            return None
        phases = np.stack(
            [np.where(e.any(axis=1), (e.argmax(axis=1) + 1) % module, -1) for e in edges], axis=1
        )
        return cls(dark, module, phases)


def _dark(pieces: np.ndarray) -> np.ndarray | None:
    """Return which pixels are dark; None unless there are just two colours."""
    levels = pieces.astype(np.int16).sum(axis=3)
    lowest, highest = int(levels.min()), int(levels.max())
    contrast = highest - lowest
    if contrast < 3 * CONTRAST:
        return None
    away = np.minimum(levels - lowest, highest - levels)
    return levels < (lowest + highest) / 2 if away.max() < contrast / NEAR else None


def _edges(dark: np.ndarray, axis: int) -> np.ndarray:
    """Return after which lines of each piece something changes, (n, lines - 1)."""
    return np.asarray(np.diff(dark, axis=axis).any(axis=3 - axis))


def _common_step(edges: np.ndarray) -> int:
    """Return what all distances between edges of a piece are multiples of; 0 if there are none."""
    patterns = np.unique(edges, axis=0)
    steps = {int(step) for lines in patterns for step in np.diff(np.flatnonzero(lines))}
    return math.gcd(*steps)


def _numbered(patterns: np.ndarray) -> np.ndarray:
    """Return the same number for the same patterns, (n,)."""
    rows = np.packbits(patterns.reshape(len(patterns), -1), axis=1)
    return np.unique(rows, axis=0, return_inverse=True)[1].ravel()
