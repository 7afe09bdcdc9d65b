"""A particle filter: arrangements grow side by side, by chance, and those that fit multiply.

Xingwei Yang, Nagesh Adluru and Longin Jan Latecki, "Particle filter with state permutations for
solving image jigsaw puzzles", CVPR 2011. docs/field.md says how it is read, and what it cannot do.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from jigsolve._kernels.particles import place_each
from jigsolve._kernels.randomness import seed_stream
from jigsolve.assembly.affinities import (
    Affinities,
    affinities_of,
    anchored,
    check_small,
    cut_open,
)
from jigsolve.core import Puzzle
from jigsolve.core.options import Options, whole
from jigsolve.core.poses import poses_of
from jigsolve.core.randomness import PARTICLES, stream
from jigsolve.execution.stop import INTERRUPTED, Stopped
from jigsolve.execution.work import Work
from jigsolve.pricing.prepared import Prepared
from jigsolve.pricing.settings import Pricing
from jigsolve.solvers.ending import COMPLETE, ended
from jigsolve.solvers.protocol import Found, Keeping

MOST_PIECES = 500
SECONDS_PER_FIT = 4e-9


@dataclass(frozen=True, kw_only=True)
class Yang(Options):
    """The parameters of the particle filter."""

    particles: int = whole(100, 1, 100_000, "arrangements that grow side by side")


class YangSolver:
    """Grows many arrangements by chance, and lets the likely ones multiply."""

    name = "yang"
    summary = "Yang, Adluru and Latecki, CVPR 2011: a particle filter; for small puzzles"
    options = Yang
    measure = "dissimilarity"
    refuses = ("turns",)

    def memory(self, puzzle: Puzzle, pricing: Pricing, options: Yang, threads: int) -> int:
        """Return about how many bytes it takes beside the seam table."""
        check_small(self.name, puzzle, MOST_PIECES)
        cells = puzzle.board.rows * puzzle.board.columns
        return 8 * 6 * len(puzzle) ** 2 + 2 * options.particles * (4 * cells + len(puzzle) + 16)

    def seconds(self, puzzle: Puzzle, pricing: Pricing, options: Yang, threads: int) -> float:
        """Return about how long it takes once seams are priced."""
        return float(SECONDS_PER_FIT * options.particles * len(puzzle) ** 2.5)

    def solve(
        self, prepared: Prepared, options: Yang, seed: int, work: Work, keeping: Keeping
    ) -> Found:
        """Find an arrangement; see `protocol.Solver`."""
        table, puzzle, layout = prepared.table, prepared.puzzle, prepared.layout
        check_small(self.name, puzzle, MOST_PIECES)
        anchors = anchored(len(puzzle), puzzle.board, layout)
        particles, reason = None, COMPLETE
        try:
            with work.clock.stage("pairs") as tell:
                affinities = affinities_of(table, tell)
            with work.clock.stage("particles") as tell:
                particles = Particles(affinities, puzzle.board, anchors, options.particles, seed)
                total = puzzle.board.rows * puzzle.board.columns - puzzle.holes
                for placed in range(particles.placed, total):
                    particles.grow(placed)
                    tell(placed + 1, total)
        except KeyboardInterrupt:
            reason = INTERRUPTED
        except Stopped as stop:
            reason = stop.reason
        grids = [np.full(puzzle.board, -1, np.int32)]
        if particles is not None:
            grids = [grid.reshape(puzzle.board) for grid in np.unique(particles.grids, axis=0)]
        if anchors is None:
            grids = [cut_open(table, grid) for grid in grids]
        cheapest = min(grids, key=lambda grid: table.cost_of(poses_of(grid)))
        return ended(prepared, poses_of(cheapest), reason, seed, work)


class Particles:
    """Arrangements on a board that has no ends, unless the cells of some pieces are fixed."""

    def __init__(
        self,
        affinities: Affinities,
        board: tuple[int, int],
        anchors: np.ndarray | None,
        count: int,
        seed: int,
    ) -> None:
        self._affinities, self._board, self._wraps = affinities, board, anchors is None
        if anchors is None:
            anchors = np.full(board, -1, np.int32)
            anchors[0, 0] = affinities.surest
        self.placed = int(np.count_nonzero(anchors >= 0))
        self.grids = np.repeat(anchors.reshape(1, -1), count, axis=0)
        self._is_used = np.zeros((count, len(affinities.right)), bool)
        self._is_used[:, anchors[anchors >= 0]] = True
        self._weights = np.zeros(count)
        self._seed, self._streams = seed, np.empty((count, 1), np.uint64)

    def grow(self, step: int) -> None:
        """Put one more piece into every particle, and let the likely ones multiply."""
        for number, own in enumerate(self._streams):
            seed_stream(own, self._seed, step, number)
        place_each(
            *self._affinities,
            *self._board,
            self._wraps,
            self.grids,
            self._is_used,
            self._weights,
            self._streams,
        )
        shares = np.exp(self._weights - self._weights.max())
        shares /= shares.sum()
        if 1 / (shares**2).sum() < len(shares) / 2:
            drawn = stream(self._seed, PARTICLES, step).random()
            wanted = (np.arange(len(shares)) + drawn) / len(shares)
            chosen = np.minimum(np.searchsorted(np.cumsum(shares), wanted), len(shares) - 1)
            self.grids, self._is_used = self.grids[chosen], self._is_used[chosen]
            self._weights = np.zeros(len(shares))
