"""An arrangement that is annealed: where pieces lie, and the energies of their seams."""

from typing import NamedTuple

import numpy as np

from jigsolve._kernels.costs import FAR, seam_cost
from jigsolve._kernels.geometry import BOTTOM, LEFT, RIGHT, TOP, opposite, side_at
from jigsolve._kernels.jit import kernel

OUTSIDE = -1
"""In the cells around the board, and the place of pieces that are not on it."""


class Scale(NamedTuple):
    """What costs mean to annealing."""

    bend: float  # beyond it costs count less: there they hardly say any more what is right
    gentle: float  # so much
    least_unscored: np.float32  # energies of seams that are not scored are higher than this
    dearest: float  # bodies are held together by seams that cost less than something up to this
    settled: float  # sides whose seam costs less are often left alone


def scale_of(bend: float, gentle: float, dearest: float, settled: float) -> Scale:
    """Return the scale on which costs bend like this. Seams that are not scored cost over FAR."""
    return Scale(bend, gentle, np.float32(bend + gentle * (FAR - bend)), dearest, settled)


class Site(NamedTuple):
    """An arrangement with one cell more all around; cells are numbered row by row."""

    scale: Scale
    width: int  # cells in a row, those around the board included
    grid: np.ndarray  # (cells,) int32: the pose in each cell, past those of pieces if it is empty
    place: np.ndarray  # (n + empty,) int32: the cell of each piece
    across: np.ndarray  # (cells,) float32: energy of the seam to the right
    down: np.ndarray  # (cells,) float32: and of that to the bottom
    still: np.ndarray  # (cells,) bool: cells whose piece must stay
    tags: np.ndarray  # (4n,) uint16: a byte that stands for a side and its twins (see hints)
    hints: np.ndarray  # (4n, w) uint64: tags of a side's candidates, and their energies, in turn
    mark: np.ndarray  # (cells,) int32: when a cell was last part of a body or its aim
    marks: np.ndarray  # (1,) int32: the mark that was given last
    cells: np.ndarray  # (2 room,) int32: the cells a move touches, the body's own first
    aims: np.ndarray  # (room,) int32: where a body's cells go
    before: np.ndarray  # (2 room,) int32: what lay there
    after: np.ndarray  # (2 room, 4) float32: the energies that a move would give their seams
    stream: np.ndarray  # (1,) uint64: what a move is drawn from
    # Moves that were drawn and wait to be priced.
    drawn: np.ndarray  # (at once, 5) int64: their numbers, and what `draw_move` returns
    bodies: np.ndarray  # (at once, room) int32: the cells of their bodies
    streams: np.ndarray  # (at once,) uint64: their streams


@kernel
def bent(scale, cost):
    """Return the energy of a seam by what it costs."""
    if cost < scale.bend:
        return np.float32(cost)
    return np.float32(scale.bend + scale.gentle * (cost - scale.bend))


@kernel
def energy(seams, site, first, toward, second):
    """Return the energy of a seam, to the right or the bottom of the first pose."""
    if first == OUTSIDE or second == OUTSIDE:
        return np.float32(0.0)
    side = side_at(np.int64(first), toward)
    return bent(site.scale, seam_cost(seams, side, side_at(np.int64(second), opposite(toward))))


@kernel
def held(site, cell, toward):
    """Return what is noted of the seam on one side of a cell."""
    if toward == LEFT:
        return site.across[cell - 1]
    if toward == RIGHT:
        return site.across[cell]
    if toward == TOP:
        return site.down[cell - site.width]
    return site.down[cell]


@kernel
def price(seams, site):
    """Fill in the energies of all seams."""
    for cell in range(site.width, site.grid.shape[0] - site.width):
        site.across[cell] = energy(seams, site, site.grid[cell], RIGHT, site.grid[cell + 1])
        site.down[cell] = energy(seams, site, site.grid[cell], BOTTOM, site.grid[cell + site.width])
