"""Gallagher's constrained tree: clusters grow along the surest seams; then trim, and fill.

Andrew C. Gallagher, "Jigsaw puzzles with pieces of unknown orientation", CVPR 2012. docs/field.md
says how it is read.
"""

from __future__ import annotations

from dataclasses import dataclass

from jigsolve.assembly.frames import trimmed
from jigsolve.assembly.gaps import gaps_bytes
from jigsolve.assembly.trees import (
    join_surest,
    known_clusters,
    main_cluster,
    sure_seams,
    trees_bytes,
)
from jigsolve.core import Puzzle
from jigsolve.core.options import Options, number
from jigsolve.execution.stop import INTERRUPTED, Stopped
from jigsolve.execution.work import Work
from jigsolve.pricing.prepared import Prepared
from jigsolve.pricing.settings import Pricing
from jigsolve.solvers.ending import COMPLETE, ended
from jigsolve.solvers.protocol import Found, Keeping

SECONDS_PER_PIECE = 3e-5


@dataclass(frozen=True, kw_only=True)
class Gallagher(Options):
    """The parameters of Gallagher's tree."""

    ratio: float = number(
        1.25,
        0.0,
        1e6,
        "seams join clusters that cost at most so many times the best other of their sides",
    )


class GallagherSolver:
    """Joins clusters of pieces, never undoing a join."""

    name = "gallagher"
    summary = "Gallagher, CVPR 2012: a tree of the surest seams, trimmed and filled"
    options = Gallagher
    measure = "mgc"

    def memory(self, puzzle: Puzzle, pricing: Pricing, options: Gallagher, threads: int) -> int:
        """Return about how many bytes it takes beside the seam table."""
        cells = puzzle.board.rows * puzzle.board.columns
        return trees_bytes(len(puzzle)) + gaps_bytes(len(puzzle), cells)

    def seconds(self, puzzle: Puzzle, pricing: Pricing, options: Gallagher, threads: int) -> float:
        """Return about how long it takes once seams are priced."""
        return SECONDS_PER_PIECE * len(puzzle)

    def solve(
        self, prepared: Prepared, options: Gallagher, seed: int, work: Work, keeping: Keeping
    ) -> Found:
        """Find an arrangement; see `protocol.Solver`."""
        table, board, layout = prepared.table, prepared.puzzle.board, prepared.layout
        clusters, reason = known_clusters(table, board, layout), COMPLETE
        try:
            with work.clock.stage("tree") as tell:
                sides, partners, _ = sure_seams(table, options.ratio)
                join_surest(clusters, sides, partners, tell)
        except KeyboardInterrupt:
            reason = INTERRUPTED
        except Stopped as stop:
            reason = stop.reason
        main = main_cluster(clusters, layout)
        return ended(prepared, trimmed(main, board, table.arrays.poses, layout), reason, seed, work)
