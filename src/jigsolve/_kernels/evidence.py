"""What a seam says: how much it speaks for being right.

Its cost is compared with what its two sides could have instead.
"""

from typing import NamedTuple

import numpy as np

from jigsolve._kernels.costs import FAR, costs_are_logarithms, seam_cost_among
from jigsolve._kernels.geometry import BOTTOM, LEFT, RIGHT, TOP, side_at
from jigsolve._kernels.jit import kernel
from jigsolve._kernels.known import HELD, SAYS_NOTHING, known_cost

# How much likelier a seam's cost is in the picture than in a wrong join, as a logarithm:
# EVEN + STEEP * s, with s = (rival - cost) / (rival + cost) from -1 to 1, fits photographs. Where
# both cost the same, the two borders are most likely those of identical pieces: it says nothing.
EVEN = 2.5
STEEP = 8.5
TIE = 0.0

NEVER = -1e9
"""What speaks for a join that is not possible."""
CERTAIN = 100.0
"""What a seam says that is known to hold."""


class Evidence(NamedTuple):
    """How much a seam speaks for being right where costs are negative logarithms.

    Two straight lines by its cost, one by that of its rival.
    """

    unscored: float  # what a seam that is not scored says, instead of the two lines
    free: float  # what one says that costs nothing
    bend: float  # the cost up to which the first line goes
    steep: float  # how much less a seam says for each unit of cost, up to there
    gentle: float  # and beyond
    rival: float  # how much more it says for each unit that its rival costs
    rival_even: float  # what a rival costs that changes nothing
    rival_most: float  # rivals that cost more say no more


@kernel
def rival_cost(rivals, side, partner):
    """Return what a side would cost with the cheapest other partner than this."""
    if rivals.nearest[side] == partner:
        return rivals.runner_up_cost[side]
    return rivals.nearest_cost[side]


@kernel
def logarithms_speak_for(says, cost, rival):
    """Return how much a seam speaks for being right where costs are negative logarithms.

    A fit to what was counted in photographs. A seam not scored says little: that happens to
    right ones, too, where there is nothing to see.
    """
    if cost > FAR:
        own = says.unscored
    else:
        beyond = max(cost - says.bend, 0.0)
        own = says.free - says.steep * min(cost, says.bend) - says.gentle * beyond
    return own + says.rival * (min(rival, says.rival_most) - says.rival_even)


@kernel
def speaks_for(seams, rivals, says, side, partner):
    """Return how much a seam speaks for being right; negative is against."""
    cost = seam_cost_among(seams, rivals, side, partner)
    known = known_cost(seams, side, partner)
    if known != SAYS_NOTHING:
        return CERTAIN if known == HELD else NEVER
    rival = min(rival_cost(rivals, side, partner), rival_cost(rivals, partner, side))
    if cost == rival:
        return TIE
    if costs_are_logarithms(seams):
        return logarithms_speak_for(says, cost, rival)
    return EVEN + STEEP * (rival - cost) / (rival + cost)


@kernel
def board_evidence(seams, rivals, says, grid, across, down):
    """Fill in how much every seam of a (rows, columns) grid of poses speaks for being right.

    Empty cells, -1, say nothing.
    """
    rows, columns = grid.shape
    for row in range(rows):
        for column in range(columns):
            pose = np.int64(grid[row, column])
            if column < columns - 1:
                other = np.int64(grid[row, column + 1])
                across[row, column] = 0.0
                if min(pose, other) >= 0:
                    across[row, column] = speaks_for(
                        seams, rivals, says, side_at(pose, RIGHT), side_at(other, LEFT)
                    )
            if row < rows - 1:
                other = np.int64(grid[row + 1, column])
                down[row, column] = 0.0
                if min(pose, other) >= 0:
                    down[row, column] = speaks_for(
                        seams, rivals, says, side_at(pose, BOTTOM), side_at(other, TOP)
                    )
