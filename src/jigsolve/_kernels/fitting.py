"""What pieces cost in cells: which pieces a cell may hold, and where a piece may lie.

Grids hold poses and have one cell more all around: see `gaps`.
"""

import numpy as np

from jigsolve._kernels.costs import seam_cost
from jigsolve._kernels.geometry import SIDES, beside, opposite, posed_piece, side_at
from jigsolve._kernels.jit import kernel


@kernel
def costs_in_cell(seams, width, grid, cell, poses, costs):
    """Fill in what each of some poses would cost in a cell, seam by seam; NaN where it has none."""
    for index in range(poses.shape[0]):
        enter_costs(seams, width, grid, cell, np.int64(poses[index]), costs[index])


@kernel
def costs_in_cells(seams, width, grid, cells, pose, costs):
    """Fill in what a pose would cost in each of some cells, seam by seam; NaN where it has none."""
    for index in range(cells.shape[0]):
        enter_costs(seams, width, grid, np.int64(cells[index]), np.int64(pose), costs[index])


@kernel
def enter_costs(seams, width, grid, cell, pose, costs):
    for toward in range(SIDES):
        neighbour = np.int64(grid[beside(width, cell, toward)])
        costs[toward] = np.nan
        if neighbour >= 0 and posed_piece(neighbour) != posed_piece(pose):
            costs[toward] = seam_cost(
                seams, side_at(pose, toward), side_at(neighbour, opposite(toward))
            )
