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
from jigsolve._kernels.bodies import Bodies
from jigsolve._kernels.geometry import posed_piece
from jigsolve.assembly.segments import evidence, kept_together
from jigsolve.core import Board
from jigsolve.core.layout import Layout
from jigsolve.execution.crew import Executor, Progress
from jigsolve.measures.calibration import COUNTED
from jigsolve.seams.table import SeamTable
from jigsolve.solvers.genetic.site import LARGEST_PART, site_of

HOT, COLD, STILL = COUNTED.temperatures[:3]
"""Temperatures, in units of cost: at the beginning, before the end, at the end."""

STAGES, AT_THE_END = 44, 4
"""Temperatures are kept for a stage each; the last ones are still."""

STAGES_PER_LOOK = 11
"""After so many stages it is looked anew for parts that hold together."""

BODILY = 0.1
"""How often one of these parts is moved."""

DOUBTFUL = COUNTED.temperatures.doubtful
"""Pieces are in doubt for which less speaks per seam."""

MOST_PIECES = 5000
"""A round has moves for so many pieces at most: with more of them in doubt each has fewer."""

MOVES_AT_ONCE = 200_000
"""About a tenth of a second: short enough to stop soon after Ctrl-C."""

SHORTEST = 1e-6
"""Seconds that moves take at least: few may be done before a coarse clock has gone on."""


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
        self._site = site_of(table, arrangement, layout)

    def run(
        self,
        moves: int,
        rng: np.random.Generator,
        crew: Executor,
        *,
        heat: float = 1.0,
        seconds: float = math.inf,
        progress: Progress | None = None,
    ) -> None:
        """Try so many moves for each piece in doubt, for MOST_PIECES of them at most.

        All temperatures are multiplied by `heat`.

        With fewer seconds than that would take, as many as they allow: an annealing that is cut
        short while it is hot is worth nothing, one that cools faster is.
        """
        if not len(self._active):
            return
        key = rng.integers(2**64, dtype=np.uint64)
        per_stage = -(-self.moves(moves) // STAGES)
        began, tried = time.monotonic(), 0
        for stage in range(STAGES):
            if stage % STAGES_PER_LOOK == 0:
                bodies = self._parts(crew)
            drawing = kernels.Moves(self._active, bodies, BODILY, heat * temperature(stage), key)
            left = per_stage
            while left > 0:
                few = min(left, MOVES_AT_ONCE)
                self._try(drawing, tried, tried + few)
                tried, left = tried + few, left - few
                if seconds < math.inf:
                    spent = max(time.monotonic() - began, SHORTEST)
                    fit = int(max(seconds - spent, 0.0) * tried / spent / (STAGES - stage))
                    per_stage, left = min(per_stage, max(fit, 1)), min(left, fit)
                if progress:
                    progress(tried, tried + left + per_stage * (STAGES - stage - 1))

    def _try(self, drawing: kernels.Moves, first: int, last: int) -> None:
        self._site.mark[:] = 0  # marks are counted anew, or their numbers would not do
        self._site.marks[:] = 0
        kernels.anneal(self._table.arrays, self._site, drawing, first, last)

    def moves(self, each: int) -> int:
        """Return how many moves are tried, with so many for each piece in doubt."""
        return each * min(len(self._active), MOST_PIECES)

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

    def _parts(self, crew: Executor) -> Bodies:
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
        return Bodies(starts, members, offsets)


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
