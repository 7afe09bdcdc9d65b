"""Taking apart what only holds together by chance.

Parts of an arrangement grow join by join, and one wrong join early on, two or three seams that
happen to fit, may tie a large part of a sky to the wrong place for good. All the other seams along
that border then speak against it, but joins that were made are not asked again. Here they are.
"""

from __future__ import annotations

import numpy as np

from jigsolve._kernels import cuts as kernels
from jigsolve._kernels.geometry import SIDES, posed_piece
from jigsolve._kernels.site import OUTSIDE
from jigsolve.measures.calibration import COUNTED
from jigsolve.seams.table import SeamTable

COSTS, LIKELIER = COUNTED.cuts.costs, COUNTED.cuts.likelier
"""How much likelier than not a seam is right that costs at most so much, as a logarithm; the last
one is for all that cost more. Rounded from what was counted in arrangements found for photographs.
"""

ASKED = COUNTED.cuts.asked
"""What each seam has to say at least for a border to hold: wrong borders have seams that happen to
fit, too."""

WEAK = COUNTED.cuts.weak
"""Borders that hold less are cut."""
WEAKLY = COUNTED.cuts.weakly
"""Groups are looked for at seams that hold less."""

LARGEST_GROUP = 4000
"""Larger ones are not cut off, but their rest may be."""

VISITS, MOST_VISITS = 400, 10_000_000
"""The most cells that are visited, as a multiple of all, and in all: less than two seconds."""


def cut_apart(table: SeamTable, arrangement: np.ndarray, part: np.ndarray) -> np.ndarray:
    """Return the part of each piece, (n,), after weak borders within parts were cut.

    The arrangement is one of poses, (rows, columns), -1 for empty cells. Returns the parts that
    were given where nothing is cut.
    """
    assert table.costs_are_logarithms, "what seams say was counted for negative logarithms"
    there = arrangement >= 0
    cells = np.full(arrangement.shape, OUTSIDE, np.int32)
    cells[there] = part[posed_piece(arrangement[there])]
    layout = _layout(table, arrangement, cells)
    visits = min(VISITS * arrangement.size, MOST_VISITS)
    if not kernels.cut_groups(layout, _weak_spots(layout), WEAK, visits, table.pieces):
        return part
    after = part.copy()
    rows, columns = arrangement.shape
    cells = layout.part.reshape(rows + 2, columns + 2)[1:-1, 1:-1]
    after[posed_piece(arrangement[there])] = cells[there]
    return after


def firmness(costs: np.ndarray) -> np.ndarray:
    """Return how firmly seams hold, by their costs."""
    return np.asarray(np.array(LIKELIER)[np.searchsorted(COSTS, costs)] - ASKED)


def _layout(table: SeamTable, arrangement: np.ndarray, cells: np.ndarray) -> kernels.Parts:
    part = np.pad(cells, 1, constant_values=OUTSIDE)
    across, down = np.zeros((2, *part.shape))
    costs = table.board_costs(arrangement)
    across[1:-1, 1:-2], down[1:-2, 1:-1] = (firmness(each) for each in costs)
    room = min(LARGEST_GROUP, arrangement.size)
    return kernels.Parts(
        width=part.shape[1],
        part=part.ravel(),
        across=across.ravel(),
        down=down.ravel(),
        state=np.empty(part.size, np.int64),
        pull=np.empty(part.size),
        tried=np.empty(part.size, np.bool_),
        group=np.empty(room, np.int32),
        heap=np.empty(SIDES * room + 1, np.int32),
        keys=np.empty(SIDES * room + 1),
    )


def _weak_spots(layout: kernels.Parts) -> np.ndarray:
    """Return the cells at seams within parts that hold weakly, the weakest first."""
    weakest = np.zeros(layout.part.size)
    for firm, step in ((layout.across, 1), (layout.down, layout.width)):
        within = np.where(layout.part[:-step] == layout.part[step:], firm[:-step], 0.0)
        np.minimum(weakest[:-step], within, out=weakest[:-step])
        np.minimum(weakest[step:], within, out=weakest[step:])
    seeds = np.flatnonzero(weakest < WEAKLY)
    return seeds[np.argsort(weakest[seeds], kind="stable")].astype(np.int32)


def cuts_bytes(cells: int) -> int:
    """Return about how much memory it takes to look for weak borders on a board."""
    return cells * (4 + 8 * 4 + 1 + 8 * 6) + LARGEST_GROUP * (4 + SIDES * (4 + 8))
