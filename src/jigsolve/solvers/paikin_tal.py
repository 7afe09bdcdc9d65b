"""Paikin and Tal's greedy solver: a good start, then always the piece one is most confident of.

Genady Paikin and Ayellet Tal, "Solving multiple square jigsaw puzzles with missing pieces", CVPR
2015. docs/field.md says how it is read.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from jigsolve._kernels import confident as kernels
from jigsolve._kernels.geometry import SIDES, TURNS, pose_of
from jigsolve.assembly.floating import Growth, growth_bytes
from jigsolve.assembly.gaps import gaps_bytes
from jigsolve.core import Puzzle
from jigsolve.core.options import Options
from jigsolve.execution.crew import Progress, spans
from jigsolve.execution.stop import INTERRUPTED, Stopped
from jigsolve.execution.work import Work
from jigsolve.pricing.prepared import Prepared
from jigsolve.pricing.settings import Pricing
from jigsolve.solvers.ending import COMPLETE, ended
from jigsolve.solvers.protocol import Found, Keeping

RANKED_AT_ONCE = 8192
PLACED_AT_ONCE = 2000
"""Pieces that are placed between two looks whether to stop."""

SECONDS_PER_PIECE = 1e-4


@dataclass(frozen=True, kw_only=True)
class PaikinTal(Options):
    """The solver of Paikin and Tal has nothing to choose."""


class PaikinTalSolver:
    """Places the piece it is most confident of."""

    name = "paikin-tal"
    summary = "Paikin and Tal, CVPR 2015: the best start, then the most confident piece first"
    options = PaikinTal
    measure = "one-sided"

    def memory(self, puzzle: Puzzle, pricing: Pricing, options: PaikinTal, threads: int) -> int:
        """Return about how many bytes it takes beside the seam table."""
        cells = puzzle.board.rows * puzzle.board.columns
        sides = SIDES * len(puzzle)
        ranks = sides * (8 * pricing.candidates + 16 + 24)
        return ranks + growth_bytes(len(puzzle), puzzle.board) + gaps_bytes(len(puzzle), cells)

    def seconds(self, puzzle: Puzzle, pricing: Pricing, options: PaikinTal, threads: int) -> float:
        """Return about how long it takes once seams are priced."""
        return SECONDS_PER_PIECE * len(puzzle)

    def solve(
        self, prepared: Prepared, options: PaikinTal, seed: int, work: Work, keeping: Keeping
    ) -> Found:
        """Find an arrangement; see `protocol.Solver`."""
        placing = Placing(prepared, work)
        reason = COMPLETE
        try:
            with work.clock.stage("placing") as tell:
                placing.run(tell)
        except KeyboardInterrupt:
            reason = INTERRUPTED
        except Stopped as stop:
            reason = stop.reason
        return ended(prepared, placing.best(), reason, seed, work)


class Placing:
    """One picture that grows from its start.

    Where pieces lie in four ways and the board is not square, the picture may lie across it: then
    it grows once for each, and the cheaper one is taken.
    """

    def __init__(self, prepared: Prepared, work: Work) -> None:
        self._prepared, self._work = prepared, work
        puzzle = prepared.puzzle
        self._wanted = puzzle.board.rows * puzzle.board.columns - puzzle.holes
        self._growth = Growth(len(puzzle), puzzle.board, prepared.layout)
        self._done: list[np.ndarray] = []

    def run(self, tell: Progress) -> None:
        """Place pieces as long as there are candidates."""
        seams, board = self._prepared.table.arrays, self._prepared.puzzle.board
        ranks = new_ranks(*seams.partners.shape)
        jobs = spans(len(ranks.partners), RANKED_AT_ONCE)
        self._work.crew.map(lambda span: kernels.rank_all(seams, ranks, *span), jobs)
        pool = kernels.Pool(
            np.empty(2 * len(ranks.head), np.float32),
            np.empty(2 * len(ranks.head), np.int64),
            np.zeros(1, np.int64),
        )
        lies_both_ways = seams.poses == TURNS and board.rows != board.columns
        lies_both_ways &= not self._growth.is_anchored
        state, ways = self._growth.state, 2 if lies_both_ways else 1
        for turn in range(ways):
            self._begin(ranks, turn)
            while kernels.place_confidently(
                seams, ranks, state, pool, PLACED_AT_ONCE, self._wanted
            ):
                tell(turn * self._wanted + self._growth.placed, ways * self._wanted)
            self._done.append(self._growth.arrangement())

    def _begin(self, ranks: kernels.Ranks, turn: int) -> None:
        """Put the best start into the middle, unless there are pieces whose cells are fixed."""
        self._growth.clear()
        ranks.head[:] = 0
        if self._growth.is_anchored:
            return
        kernels.look_again_at_all(ranks, self._growth.state)
        buddies = np.empty(len(ranks.head) // SIDES, np.int32)
        start = kernels.best_start(self._prepared.table.arrays, ranks, buddies)
        self._growth.begin(np.array([pose_of(start, turn)]), np.zeros((1, 2), np.int64))

    def best(self) -> np.ndarray:
        """Return the cheapest arrangement; where none is done, the one that grows."""
        return min(self._done or [self._growth.arrangement()], key=self._prepared.table.cost_of)


def new_ranks(sides: int, candidates: int) -> kernels.Ranks:
    """Allocate the ranks of so many sides."""
    return kernels.Ranks(
        partners=np.empty((sides, candidates), np.int32),
        costs=np.empty((sides, candidates), np.float32),
        head=np.zeros(sides, np.int32),
        first=np.empty(sides, np.int32),
        first_cost=np.empty(sides, np.float32),
        second_cost=np.empty(sides, np.float32),
    )
