"""Loops of loops: squares whose seams agree, put together from the largest down.

Kilho Son, James Hays and David B. Cooper, "Solving square jigsaw puzzles with loop constraints",
ECCV 2014. docs/field.md says how it is read.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from jigsolve._kernels.loops import merge_loops
from jigsolve._kernels.segments import Segments
from jigsolve.assembly.frames import trimmed
from jigsolve.assembly.gaps import gaps_bytes
from jigsolve.assembly.outside import join_outside, outside_bytes
from jigsolve.assembly.trees import known_clusters, main_cluster, trees_bytes
from jigsolve.core import Puzzle
from jigsolve.core.options import Options, number
from jigsolve.core.turns import POSES
from jigsolve.execution.crew import Progress
from jigsolve.execution.stop import INTERRUPTED, Stopped
from jigsolve.execution.work import Work
from jigsolve.pricing.prepared import Prepared
from jigsolve.pricing.settings import Pricing
from jigsolve.solvers.ending import COMPLETE, ended
from jigsolve.solvers.protocol import Found, Keeping
from jigsolve.solvers.son.loops import MOST_LOOPS, Loops, all_loops

RATIOS = (0.5, 0.6, 0.7, 0.8, 0.9)
"""Clusters that no loop relates are joined along seams of at most these ratios, one after another:
what has found its place is then no longer a rival."""
SECONDS_PER_POSE = 2e-4
LOOPS_AT_ONCE = 2048


@dataclass(frozen=True, kw_only=True)
class Son(Options):
    """The parameters of loops."""

    slack: float = number(
        1.07, 1.0, 1e6, "sides fit that cost at most so many times the cheapest partner of either"
    )


class SonSolver:
    """Finds squares of pieces whose seams agree, and merges them, the largest first."""

    name = "son"
    summary = "Son, Hays and Cooper, ECCV 2014: loops of loops, merged from the largest down"
    options = Son
    measure = "mgc"

    def memory(self, puzzle: Puzzle, pricing: Pricing, options: Son, threads: int) -> int:
        """Return about how many bytes it takes beside the seam table."""
        poses, across = len(puzzle) * POSES[puzzle.turns], min(puzzle.board)
        loops = poses * across // 2 * (4 * 4 + 8 + 1)
        at_once = MOST_LOOPS * poses * 4 * 4 + poses * (4 * across * 2 * 4 + 8 * 12)
        cells = puzzle.board.rows * puzzle.board.columns
        shared = trees_bytes(len(puzzle)) + gaps_bytes(len(puzzle), cells)
        return loops + max(at_once, outside_bytes(len(puzzle), pricing.candidates)) + shared

    def seconds(self, puzzle: Puzzle, pricing: Pricing, options: Son, threads: int) -> float:
        """Return about how long it takes once seams are priced."""
        return SECONDS_PER_POSE * len(puzzle) * POSES[puzzle.turns]

    def solve(
        self, prepared: Prepared, options: Son, seed: int, work: Work, keeping: Keeping
    ) -> Found:
        """Find an arrangement; see `protocol.Solver`."""
        table, board, layout = prepared.table, prepared.puzzle.board, prepared.layout
        clusters, reason = known_clusters(table, board, layout), COMPLETE
        try:
            with work.clock.stage("loops") as tell:
                loops = all_loops(table, options.slack, tell)
            with work.clock.stage("merging") as tell:
                Merging(clusters, loops, prepared).all_orders(tell)
            with work.clock.stage("tree") as tell:
                for most in RATIOS:
                    join_outside(table, clusters, most, tell)
        except KeyboardInterrupt:
            reason = INTERRUPTED
        except Stopped as stop:
            reason = stop.reason
        main = main_cluster(clusters, layout)
        return ended(prepared, trimmed(main, board, table.arrays.poses, layout), reason, seed, work)


class Merging:
    """Clusters that loops are merged into."""

    def __init__(self, clusters: Segments, loops: Loops, prepared: Prepared) -> None:
        self._clusters, self._loops = clusters, loops
        self._board, self._poses = prepared.puzzle.board, prepared.table.arrays.poses
        self._is_done = np.zeros(len(loops.loops), bool)
        self._shared = np.zeros(prepared.table.pieces, np.int32)
        size = max(loops.highest, 1)
        self._blocks = np.empty((2, size, size), np.int64)

    def all_orders(self, progress: Progress) -> None:
        """Merge loops, those of the highest order first."""
        highest = self._loops.highest
        for order in range(highest, 1, -1):
            self._merge(order, progress)

    def _merge(self, order: int, progress: Progress) -> None:
        """Merge all loops of an order: into what is there, and where that ends begin anew."""
        while True:
            while self._pass(order, progress, seeding=False):
                pass
            if not self._pass(order, progress, seeding=True):
                break

    def _pass(self, order: int, progress: Progress, *, seeding: bool) -> int:
        start, end = self._loops.starts[order : order + 2]
        wanted = self._loops.numbers(order)
        wanted = wanted[~self._is_done[start:end][wanted]]
        changed = 0
        for begin in range(0, len(wanted), LOOPS_AT_ONCE):
            changed += merge_loops(
                self._clusters,
                self._loops.loops,
                self._loops.starts,
                order,
                self._loops.poses,
                wanted,
                begin,
                min(begin + LOOPS_AT_ONCE, len(wanted)),
                self._is_done,
                seeding,
                *self._board,
                self._poses,
                *self._blocks,
                self._shared,
            )
            progress(self._loops.highest - order, self._loops.highest)
            if seeding and changed:
                break
        return changed
