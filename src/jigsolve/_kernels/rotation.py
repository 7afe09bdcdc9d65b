"""Bodies that turn while they move.

A move maps every cell of a body: it turns about one cell, which goes to its aim. What lay where the
body goes takes the cells that it leaves. It is mapped back until it finds one of them, and turns
back as often: two parts that change places stay whole.
"""

import numpy as np

from jigsolve._kernels.geometry import TURNS, pose_of, posed_piece, turn_of, turned_cell
from jigsolve._kernels.jit import apart, kernel
from jigsolve._kernels.site import OUTSIDE


@kernel
def mapped(site, cell, pivot, aim, turn):
    """Return where a cell goes if its body turns about a pivot that goes to its aim.

    -1 if that is off the board.
    """
    width = site.width
    row, column = turned_cell(cell // width - pivot // width, cell % width - pivot % width, turn)
    row += aim // width
    column += aim % width
    if not (0 <= row < site.grid.shape[0] // width and 0 <= column < width):
        return np.int64(-1)
    return row * width + column


@kernel
def turned_pose(pose, turn):
    """Return a pose turned further."""
    return pose_of(posed_piece(pose), (turn_of(pose) + turn) % TURNS)


@apart
def turn_body(site, number, count, pivot, aim, turn):
    """Move and turn a body; return how many cells that touches, the body's own first.

    0, and nothing is changed, where it does not fit on the board or something must stay.
    """
    touched = np.int64(count)
    for index in range(count):
        cell = np.int64(site.cells[index])
        there = mapped(site, cell, pivot, aim, turn)
        if there < 0 or site.grid[there] == OUTSIDE or site.still[cell] or site.still[there]:
            return np.int64(0)
        site.aims[index] = there
    for index in range(count):
        there = np.int64(site.aims[index])
        if site.mark[there] != number:
            site.mark[there] = number + 1
            site.cells[touched] = there
            touched += 1
    for index in range(touched):
        site.before[index] = site.grid[site.cells[index]]
    back = (TURNS - turn) % TURNS
    for index in range(count, touched):
        free = mapped(site, np.int64(site.cells[index]), aim, pivot, back)
        turns = back
        # The cell it comes from may be filled by the body itself: go on where that came from.
        while is_filled(site, number, free, pivot, aim, back):
            free = mapped(site, free, aim, pivot, back)
            turns = (turns + back) % TURNS
        site.grid[free] = turned_pose(np.int64(site.before[index]), turns)
    for index in range(count):
        site.grid[site.aims[index]] = turned_pose(np.int64(site.before[index]), turn)
    return touched


@kernel
def is_filled(site, number, cell, pivot, aim, back):
    """Whether a cell of a body is where another of its cells goes."""
    source = mapped(site, cell, aim, pivot, back)
    return source >= 0 and site.mark[source] == number
