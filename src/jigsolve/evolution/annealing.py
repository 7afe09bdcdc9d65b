"""The last step: what evolution leaves in doubt is annealed.

Where the picture shows little, an arrangement has parts that are right in themselves and lie in
the wrong place, with others in theirs. Crossover seldom changes that: all of them would have to
move at once. Annealing moves them one by one, hot enough to pass through arrangements that cost
more, and then less and less so.
"""

from __future__ import annotations

import numpy as np

from jigsolve._kernels import annealing as kernels
from jigsolve._kernels.costs import LOOKUP
from jigsolve.parallel import Crew, Progress, spans
from jigsolve.puzzle import Board
from jigsolve.seams import SeamTable
from jigsolve.segments import evidence, kept_together

HOT, COLD, STILL = 5.0, 3.0, 1.0
"""Temperatures, in units of cost: at the beginning, before the end, at the end."""

STAGES, AT_THE_END = 44, 4
"""Temperatures are kept for a stage each; the last ones are still."""

STAGES_PER_LOOK = 11
"""After so many stages it is looked anew for parts that hold together."""

BODILY = 0.1
"""How often one of these parts is moved."""

LARGEST_PART = 2000

DOUBTFUL = 4.0
"""Pieces are in doubt for which less speaks per seam."""

MOVES_AT_ONCE = 200_000
"""Some tenths of a second: short enough to stop soon after Ctrl-C."""


def annealed(
    table: SeamTable,
    arrangement: np.ndarray,
    moves: int,
    rng: np.random.Generator,
    crew: Crew,
    *,
    progress: Progress | None = None,
) -> np.ndarray:
    """Return an arrangement, (rows, columns), that costs less, or the one given.

    For each piece in doubt so many moves are tried. Temperatures are made for costs that are
    negative logarithms: with others nothing is done.
    """
    active = _in_doubt(table, arrangement)
    if table.arrays.rule != LOOKUP or not moves or not len(active):
        return arrangement
    site = _site(table, arrangement)
    stream = rng.integers(2**64, size=1, dtype=np.uint64)
    per_stage = -(-moves * len(active) // STAGES)
    kernels.price(table.arrays, site)
    for stage in range(STAGES):
        if stage % STAGES_PER_LOOK == 0:
            bodies = _bodies(table, site, arrangement.shape, crew)
        begin = stage * per_stage
        for first, last in spans(per_stage, MOVES_AT_ONCE):
            which = begin + first, begin + last
            temperature = _temperature(stage)
            kernels.anneal(table.arrays, site, active, bodies, BODILY, temperature, *which, stream)
        if progress:
            progress(stage + 1, STAGES)
    found = _arrangement(table, site, arrangement.shape)
    return found if table.cost_of(found) < table.cost_of(arrangement) else arrangement


def _temperature(stage: int) -> float:
    cooling = STAGES - AT_THE_END
    if stage >= cooling:
        return STILL
    return HOT * float((COLD / HOT) ** (stage / (cooling - 1)))


def _in_doubt(table: SeamTable, arrangement: np.ndarray) -> np.ndarray:
    """Return the pieces for which their seams, all together, do not speak clearly."""
    across, down = evidence(table, arrangement)
    said, seams = np.zeros((2, *arrangement.shape))
    for part, one, other in (
        (across, np.s_[:, :-1], np.s_[:, 1:]),
        (down, np.s_[:-1], np.s_[1:]),
    ):
        for cells in (one, other):
            said[cells] += part
            seams[cells] += 1
    doubtful = said < DOUBTFUL * np.maximum(seams, 1)
    return np.asarray(arrangement[doubtful & (arrangement >= 0)], np.int32)


def _site(table: SeamTable, arrangement: np.ndarray) -> kernels.Site:
    pieces = table.pieces
    grid = np.pad(arrangement.astype(np.int32), 1, constant_values=kernels.OUTSIDE)
    empty = arrangement < 0
    grid[1:-1, 1:-1][empty] = pieces + np.arange(np.count_nonzero(empty))
    cells = grid.ravel()
    place = np.full(pieces + np.count_nonzero(empty), kernels.OUTSIDE, np.int32)
    filled = np.flatnonzero(cells != kernels.OUTSIDE)
    place[cells[filled]] = filled
    room = 2 * max(kernels.LARGEST_ROOM, LARGEST_PART)
    return kernels.Site(
        width=grid.shape[1],
        grid=cells,
        place=place,
        across=np.zeros(cells.size, np.float32),
        down=np.zeros(cells.size, np.float32),
        mark=np.zeros(cells.size, np.int64),
        cells=np.empty(room, np.int32),
        before=np.empty(room, np.int32),
    )


def _arrangement(table: SeamTable, site: kernels.Site, board: tuple[int, ...]) -> np.ndarray:
    grid = site.grid.reshape(board[0] + 2, board[1] + 2)[1:-1, 1:-1]
    return np.where(grid < table.pieces, grid, np.int32(-1))


def _bodies(
    table: SeamTable, site: kernels.Site, board: tuple[int, ...], crew: Crew
) -> kernels.Bodies:
    """Return the parts of the arrangement that hold together, but for the very large ones."""
    part = kept_together(table, Board(*board), crew, _arrangement(table, site, board))
    members = np.argsort(part, kind="stable").astype(np.int32)
    sizes = np.bincount(part)
    sizes = sizes[sizes > 0]
    wanted = (sizes > 1) & (sizes <= LARGEST_PART)
    members = members[np.repeat(wanted, sizes)]
    sizes = sizes[wanted]
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    offsets = site.place[members] - np.repeat(site.place[members[starts[:-1]]], sizes)
    return kernels.Bodies(starts, members, offsets)
