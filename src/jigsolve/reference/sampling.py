"""A reference picture as a lattice of cells, and pieces and cells as comparable numbers."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from PIL import Image

from jigsolve.core.turns import possible_turns

FINEST = 8
"""Pieces and cells are compared as so many colours across and down, or fewer."""


class Axis(NamedTuple):
    """Cells along one axis of a picture, in its pixels."""

    begin: float
    """Where some cell begins."""
    step: float
    """How wide cells are."""

    def cells_within(self, length: int) -> tuple[int, int]:
        """Return the first cell that lies in a picture of this length, and how many do."""
        slack = OVERHANG * self.step
        first = int(np.ceil((-slack - self.begin) / self.step))
        last = int(np.floor((length + slack - self.begin) / self.step))
        return first, max(last - first, 0)


OVERHANG = 0.1
"""Share of a cell that may lie outside the picture."""


class Lattice(NamedTuple):
    """Where the cells of a puzzle lie in a reference picture."""

    down: Axis
    across: Axis


def grid_for(piece: tuple[int, int], lattice: Lattice, finest: int = FINEST) -> tuple[int, int]:
    """Return how many colours down and across can be compared: both pictures must have them."""
    steps = (lattice.down.step, lattice.across.step)
    return tuple(  # type: ignore[return-value]
        int(max(1, min(finest, pixels, round(step))))
        for pixels, step in zip(piece, steps, strict=True)
    )


def resampled(
    pixels: np.ndarray, size: tuple[int, int], box: tuple[float, float, float, float]
) -> np.ndarray:
    """Return a box (left, top, right, bottom) of a picture as (height, width, 3) mean colours."""
    enlarged = size[0] > box[3] - box[1] and size[1] > box[2] - box[0]
    method = Image.Resampling.BILINEAR if enlarged else Image.Resampling.BOX
    channels = [
        Image.fromarray(np.asarray(pixels[:, :, channel], np.float32)).resize(
            (size[1], size[0]), method, box=box
        )
        for channel in range(3)
    ]
    return np.stack([np.asarray(channel) for channel in channels], axis=-1)


def sample_pieces(pieces: np.ndarray, grid: tuple[int, int]) -> np.ndarray:
    """Return mean colours of pieces, (n, down, across, 3) float32."""
    count, height, width = pieces.shape[:3]
    found = np.empty((count, *grid, 3), np.float32)
    at_once = max(1, 2**22 // (height * width))
    for first in range(0, count, at_once):
        some = pieces[first : first + at_once]
        column = some.reshape(-1, width, 3)  # one below the other: no piece sees the next
        size = (len(some) * grid[0], grid[1])
        means = resampled(column, size, (0, 0, width, len(some) * height))
        found[first : first + at_once] = means.reshape(len(some), *grid, 3)
    return found


def sample_poses(pieces: np.ndarray, grid: tuple[int, int], turns: str) -> np.ndarray:
    """Return mean colours of pieces in each turn they may need, (poses, down, across, 3) float32.

    All poses of a piece come one after the other, in the order of `core.turns.possible_turns`.
    """
    down, across = grid
    posed = [
        np.rot90(sample_pieces(pieces, (across, down) if turn % 2 else grid), -turn, axes=(1, 2))
        for turn in possible_turns(turns)
    ]
    return np.stack(posed, axis=1).reshape(-1, down, across, 3)


def sample_cells(reference: np.ndarray, lattice: Lattice, grid: tuple[int, int]) -> np.ndarray:
    """Return mean colours of the cells within a picture, (rows, columns, down, across, 3)."""
    padding = [int(np.ceil(axis.step * OVERHANG)) + 1 for axis in lattice]
    padded = np.pad(reference, [(p, p) for p in padding] + [(0, 0)], mode="edge")
    ends, size, cells = [], [], []
    for axis, length, pad, colours in zip(lattice, reference.shape[:2], padding, grid, strict=True):
        first, count = axis.cells_within(length)
        begin = axis.begin + first * axis.step + pad
        ends.append((begin, begin + count * axis.step))
        size.append(count * colours)
        cells.append(count)
    (top, bottom), (left, right) = ends
    if 0 in cells:
        return np.empty((*cells, *grid, 3), np.float32)
    means = resampled(padded, (size[0], size[1]), (left, top, right, bottom))
    return means.reshape(cells[0], grid[0], cells[1], grid[1], 3).swapaxes(1, 2)


def tone_curves(of: np.ndarray, wanted: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return curves, one per channel, that give the first colours the spread of the second.

    Whatever was done to brightness, contrast or gamma of a whole picture keeps the order of
    its values: the darkest tenth stays the darkest tenth.
    """
    shares = np.linspace(0, 1, 33)
    curves = []
    for channel in range(3):
        begin = np.quantile(of[..., channel], shares)
        values, first = np.unique(begin, return_index=True)
        curves.append((values, np.quantile(wanted[..., channel], shares)[first]))
    return curves


def toned(colours: np.ndarray, curves: list[tuple[np.ndarray, np.ndarray]]) -> np.ndarray:
    """Return colours with one curve applied to each channel."""
    changed = [np.interp(colours[..., channel], *curves[channel]) for channel in range(3)]
    return np.stack(changed, axis=-1).astype(np.float32)
