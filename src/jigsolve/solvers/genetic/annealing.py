"""What a round of evolution leaves in doubt is annealed.

Where the picture shows little, an arrangement has parts that are right in themselves and lie in
the wrong place, with others in theirs. Crossover seldom changes that: all of them would have to
move at once. Annealing moves them one by one, hot enough to pass through arrangements that cost
more, and then less and less so.
"""

from __future__ import annotations

import math
import time

import numpy as np

from jigsolve._kernels import annealing as kernels
from jigsolve._kernels.geometry import SIDES, pose_of, posed_piece
from jigsolve._kernels.site import OUTSIDE, Site, note_candidates, price
from jigsolve.assembly.segments import evidence, kept_together
from jigsolve.core import Board
from jigsolve.core.layout import Layout
from jigsolve.execution.crew import Crew, Progress
from jigsolve.measures.calibration import COUNTED
from jigsolve.seams.table import SeamTable

HOT, COLD, STILL = COUNTED.temperatures[:3]
"""Temperatures, in units of cost: at the beginning, before the end, at the end."""

STAGES, AT_THE_END = 44, 4
"""Temperatures are kept for a stage each; the last ones are still."""

STAGES_PER_LOOK = 11
"""After so many stages it is looked anew for parts that hold together."""

BODILY = 0.1
"""How often one of these parts is moved."""

LARGEST_PART = 2000
"""The sure part of a large picture is not moved; all else would have to move instead."""

DOUBTFUL = COUNTED.temperatures.doubtful
"""Pieces are in doubt for which less speaks per seam."""

MOST_MOVES_A_ROUND = 30_000_000
"""One or two minutes: with more than five thousand pieces in doubt each has fewer than usual."""

MOVES_AT_ONCE = 200_000
"""Some tenths of a second: short enough to stop soon after Ctrl-C."""


class Annealing:
    """An arrangement of poses, (rows, columns), that is annealed; -1 is an empty cell.

    Pieces that are not on the board stay away from it. Costs have to be negative logarithms.
    """

    def __init__(
        self, table: SeamTable, arrangement: np.ndarray, layout: Layout | None = None
    ) -> None:
        assert table.costs_are_logarithms, "temperatures are made for negative logarithms"
        self._table = table
        self._before = arrangement
        self._layout = layout
        self._active = _in_doubt(table, arrangement)
        self._site = _site(table, arrangement, layout)

    def run(
        self,
        moves: int,
        rng: np.random.Generator,
        crew: Crew,
        *,
        heat: float = 1.0,
        seconds: float = math.inf,
        progress: Progress | None = None,
    ) -> None:
        """Try so many moves for each piece in doubt, about MOST_MOVES_A_ROUND in all at most.

        All temperatures are multiplied by `heat`.

        With fewer seconds than that would take, as many as they allow: an annealing that is cut
        short while it is hot is worth nothing, one that cools faster is.
        """
        active = self._active
        if not len(active):
            return
        stream = rng.integers(2**64, size=1, dtype=np.uint64)
        per_stage = -(-self.moves(moves) // STAGES)
        began, tried = time.monotonic(), 0
        for stage in range(STAGES):
            if stage % STAGES_PER_LOOK == 0:
                bodies = self._parts(crew)
            left = per_stage
            while left > 0:
                few = min(left, MOVES_AT_ONCE)
                kernels.anneal(
                    self._table.arrays,
                    self._site,
                    active,
                    bodies,
                    BODILY,
                    heat * temperature(stage),
                    tried,
                    tried + few,
                    stream,
                )
                tried, left = tried + few, left - few
                if seconds < math.inf:
                    spent = time.monotonic() - began
                    fit = int(max(seconds - spent, 0.0) * tried / spent / (STAGES - stage))
                    per_stage, left = min(per_stage, max(fit, 1)), min(left, fit)
                if progress:
                    progress(tried, tried + left + per_stage * (STAGES - stage - 1))

    def moves(self, each: int) -> int:
        """Return how many moves are tried, with so many for each piece in doubt."""
        return min(each * len(self._active), MOST_MOVES_A_ROUND)

    def cheapest(self) -> tuple[np.ndarray, float]:
        """Return the arrangement as it is now, or as it was if that costs less, and its cost."""
        both = (self._before, self.arrangement())
        costs = [self._table.cost_of(arrangement) for arrangement in both]
        cheaper = int(np.argmin(costs))
        return both[cheaper], costs[cheaper]

    def arrangement(self) -> np.ndarray:
        """Return the arrangement as it is now."""
        rows, columns = self._before.shape
        grid = self._site.grid.reshape(rows + 2, columns + 2)[1:-1, 1:-1]
        return np.where(posed_piece(grid) < self._table.pieces, grid, np.int32(-1))

    def _parts(self, crew: Crew) -> kernels.Bodies:
        """Return the parts that hold together, but for the very large ones."""
        board = Board(*self._before.shape)
        part = kept_together(self._table, board, crew, self.arrangement(), self._layout)
        members = np.argsort(part, kind="stable").astype(np.int32)
        sizes = np.bincount(part)
        sizes = sizes[sizes > 0]
        wanted = (sizes > 1) & (sizes <= LARGEST_PART)
        members = members[np.repeat(wanted, sizes)]
        sizes = sizes[wanted]
        starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        place = self._site.place
        offsets = place[members] - np.repeat(place[members[starts[:-1]]], sizes)
        return kernels.Bodies(starts, members, offsets)


def annealing_bytes(pieces: int, cells: int, candidates: int) -> int:
    """Return about how much memory annealing takes, segments aside."""
    of_sides = SIDES * (4 * 8 + 4 * min(candidates, pieces))
    return pieces * of_sides + cells * (4 + 4 + 4 + 4 + 8 + 8 * 4)


def temperature(stage: int) -> float:
    """Return the temperature of a stage."""
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
    return np.asarray(posed_piece(arrangement[doubtful & (arrangement >= 0)]), np.int32)


def _site(table: SeamTable, arrangement: np.ndarray, layout: Layout | None = None) -> Site:
    pieces = table.pieces
    grid = np.pad(arrangement.astype(np.int32), 1, constant_values=OUTSIDE)
    empty = arrangement < 0
    grid[1:-1, 1:-1][empty] = pose_of(pieces + np.arange(np.count_nonzero(empty)), 0)
    cells = grid.ravel()
    place = np.full(pieces + np.count_nonzero(empty), OUTSIDE, np.int32)
    filled = np.flatnonzero(cells != OUTSIDE)
    place[posed_piece(cells[filled])] = filled
    room = 2 * max(kernels.LARGEST_ROOM, LARGEST_PART)
    site = Site(
        scale=COUNTED.scale,
        width=grid.shape[1],
        grid=cells,
        place=place,
        across=np.zeros(cells.size, np.float32),
        down=np.zeros(cells.size, np.float32),
        mark=np.zeros(cells.size, np.int64),
        cells=np.empty(room, np.int32),
        aims=np.empty(room // 2, np.int32),
        before=np.empty(room, np.int32),
        after=np.empty((room, SIDES), np.float32),
        alike=np.empty_like(table.arrays.partners),
        hints=np.empty((len(table.arrays.partners), 4), np.uint64),
        still=_still(cells, pieces, layout),
    )
    price(table.arrays, site)
    note_candidates(table.arrays, site)
    return site


def _still(cells: np.ndarray, pieces: int, layout: Layout | None) -> np.ndarray:
    """Return which cells hold a piece that must stay there."""
    still = np.zeros(cells.size, np.bool_)
    if layout:
        held = (cells >= 0) & (posed_piece(cells) < pieces)
        still[held] = layout.cells[posed_piece(cells[held])] >= 0
    return still
