"""An arrangement that is annealed: where pieces lie, and the energies of their seams.

Energies are asked for hundreds of millions of times, most of them of seams that are not scored.
So there are hints, which nearly always tell that without a search, and what a search compares lies
side by side in memory.
"""

from typing import NamedTuple

import numpy as np

from jigsolve._kernels.costs import FAR, far_cost, row_against, seam_cost, sum_of_magnitudes
from jigsolve._kernels.geometry import BOTTOM, LEFT, RIGHT, TOP, opposite, side_at
from jigsolve._kernels.jit import kernel
from jigsolve._kernels.known import SAYS_NOTHING, known_cost, known_cost_of_hole
from jigsolve._kernels.randomness import GOLDEN, scramble

OUTSIDE = -1
"""In the cells around the board, and the place of pieces that are not on it."""

NOT_SCORED = np.float32(np.inf)
"""In place of the energy of a seam that is not scored, until it is asked for."""


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
    mark: np.ndarray  # (cells,) int64: when a cell was last part of a body or its aim
    cells: np.ndarray  # (2 room,) int32: the cells a move touches, the body's own first
    aims: np.ndarray  # (room,) int32: where a body's cells go
    before: np.ndarray  # (2 room,) int32: what lay there
    after: np.ndarray  # (2 room, 4) float32: the energies that a move would give their seams
    alike: np.ndarray  # (4n, k) int32: the twins of a side's scored candidates
    hints: np.ndarray  # (4n, 4) uint64: bits of those that may be among a side's candidates
    still: np.ndarray  # (cells,) bool: cells whose piece must stay


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
def hint_of(twin):
    """Return the word and the bit that stand for a side and its twins in a side's hints."""
    mixed = scramble(np.uint64(twin) + GOLDEN)
    return np.int64(mixed & np.uint64(3)), np.uint64(1) << (mixed >> np.uint64(58))


@kernel
def note_candidates(seams, site):
    """Note the twins of all scored candidates, and set their bits; few others share one."""
    site.hints[:] = 0
    for side in range(site.hints.shape[0]):
        for rank in range(seams.scored[side]):
            twin = seams.twins[seams.partners[side, rank]]
            site.alike[side, rank] = twin
            word, bit = hint_of(twin)
            site.hints[side, word] |= bit


@kernel
def energy_listed(seams, site, side, twin):
    """Return the energy of a seam if its partner, or a twin of it, is scored for this side."""
    word, bit = hint_of(twin)
    if not site.hints[side, word] & bit:
        return NOT_SCORED
    scored = seams.scored[side]
    first = scored
    for rank in range(scored - 1, -1, -1):  # without a way out it compares many at once
        first = rank if site.alike[side, rank] == twin else first
    return bent(site.scale, seams.costs[side, first]) if first < scored else NOT_SCORED


@kernel
def energy_if_scored(seams, site, first, toward, second):
    """Return the energy of a seam, NOT_SCORED if it is not."""
    if first == OUTSIDE or second == OUTSIDE:
        return np.float32(0.0)
    side = side_at(np.int64(first), toward)
    partner = side_at(np.int64(second), opposite(toward))
    if max(side, partner) >= seams.partners.shape[0]:
        known = known_cost_of_hole(seams, min(side, partner))
        return bent(site.scale, np.float32(seams.hole) if known == SAYS_NOTHING else known)
    known = known_cost(seams, side, partner)
    if known != SAYS_NOTHING:
        return bent(site.scale, known)
    found = energy_listed(seams, site, side, seams.twins[partner])
    if found == NOT_SCORED:
        found = energy_listed(seams, site, partner, seams.twins[side])
    return found


@kernel
def energy_unscored(seams, site, first, toward, second):
    """Return the energy of a seam that is not scored."""
    side = side_at(np.int64(first), toward)
    partner = side_at(np.int64(second), opposite(toward))
    other = row_against(seams.borders, side, partner)
    return bent(site.scale, far_cost(sum_of_magnitudes(seams.borders, side, other)))


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
