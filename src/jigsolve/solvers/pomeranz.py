"""Pomeranz's greedy solver: placer, segmenter and shifter, from several random seeds.

Dolev Pomeranz, Michal Shemesh and Ohad Ben-Shahar, "A fully automated greedy square jigsaw puzzle
solver", CVPR 2011. docs/field.md says how it is read.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from jigsolve._kernels import placer as kernels
from jigsolve._kernels.costs import SeamArrays
from jigsolve._kernels.geometry import SIDES, TURNS, pose_of
from jigsolve.assembly.floating import Growth, growth_bytes
from jigsolve.assembly.gaps import gaps_bytes
from jigsolve.core import Puzzle
from jigsolve.core.options import Options, whole
from jigsolve.core.randomness import STARTS, stream
from jigsolve.execution.crew import spans
from jigsolve.execution.stop import INTERRUPTED, Stopped
from jigsolve.execution.work import Work
from jigsolve.pricing.prepared import Prepared
from jigsolve.pricing.settings import Pricing
from jigsolve.solvers.ending import COMPLETE, ended
from jigsolve.solvers.protocol import Found, Keeping

SAMPLED = 128
"""Pieces by which the lower quartile of what a side's seams cost is estimated."""

PLACED_AT_ONCE = 2000
"""Pieces that are placed between two looks whether to stop."""

SECONDS_PER_PLACEMENT = 1e-5
USUAL_ROUNDS = 7


@dataclass(frozen=True, kw_only=True)
class Pomeranz(Options):
    """The parameters of Pomeranz's solver."""

    starts: int = whole(
        10, 1, 10_000, "random first pieces; the result with most best buddies wins"
    )
    shifts: int = whole(100, 0, 10_000, "times the largest segment begins anew, while that gains")


class Try(NamedTuple):
    """What came of one first piece."""

    buddies: int
    """Seams of best buddies: the estimation metric, times all seams of the board."""
    arrangement: np.ndarray


class PomeranzSolver:
    """Places what fits best, keeps the largest segment and begins anew with it."""

    name = "pomeranz"
    summary = "Pomeranz, Shemesh and Ben-Shahar, CVPR 2011: placer, segmenter and shifter"
    options = Pomeranz
    measure = "prediction"

    def memory(self, puzzle: Puzzle, pricing: Pricing, options: Pomeranz, threads: int) -> int:
        """Return about how many bytes it takes beside the seam table."""
        cells = puzzle.board.rows * puzzle.board.columns
        frontier = 4 * cells * (12 * (SIDES + 1) + 8 + 12)
        own = frontier + growth_bytes(len(puzzle), puzzle.board)
        results = 4 * cells * options.starts
        return min(threads, options.starts) * own + results + gaps_bytes(len(puzzle), cells)

    def seconds(self, puzzle: Puzzle, pricing: Pricing, options: Pomeranz, threads: int) -> float:
        """Return about how long it takes once seams are priced."""
        rounds = options.starts * min(1 + options.shifts, USUAL_ROUNDS)
        return SECONDS_PER_PLACEMENT * len(puzzle) * rounds / min(threads, options.starts)

    def solve(
        self, prepared: Prepared, options: Pomeranz, seed: int, work: Work, keeping: Keeping
    ) -> Found:
        """Find an arrangement; see `protocol.Solver`."""
        trying = Trying(prepared, options, seed, work)
        reason = COMPLETE
        try:
            with work.clock.stage("placing") as tell:
                trying.prepare()
                for first, last in spans(options.starts, work.threads):
                    work.crew.map(trying.try_start, range(first, last))
                    tell(last, options.starts)
        except KeyboardInterrupt:
            reason = INTERRUPTED
        except Stopped as stop:
            reason = stop.reason
        return ended(prepared, trying.best(), reason, seed, work)


class Trying:
    """Tries from several first pieces, which any number of threads may make."""

    def __init__(self, prepared: Prepared, options: Pomeranz, seed: int, work: Work) -> None:
        self._prepared, self._options, self._work = prepared, options, work
        puzzle = prepared.puzzle
        self._wanted = puzzle.board.rows * puzzle.board.columns - puzzle.holes
        rng = stream(seed, STARTS)
        poses = prepared.table.arrays.poses
        turns = rng.integers(0, poses, options.starts) * (TURNS // poses)
        self._starts = pose_of(rng.integers(0, len(puzzle), options.starts), turns)
        self._usual = np.ones(SIDES * len(puzzle), np.float32)
        self._tries: dict[int, Try] = {}

    def prepare(self) -> None:
        """Work out what seams of each side usually cost."""

        def estimate(span: tuple[int, int]) -> None:
            room = np.empty(SAMPLED, np.float32)
            kernels.usual_costs(self._seams, SAMPLED, room, *span, self._usual)

        self._work.crew.map(estimate, spans(len(self._usual), PLACED_AT_ONCE))

    def best(self) -> np.ndarray:
        """Return the arrangement with most best buddies; all gaps if there is none."""
        if not self._tries:
            return np.full(self._prepared.puzzle.board, -1, np.int32)
        number = max(sorted(self._tries), key=lambda one: self._tries[one].buddies)
        return self._tries[number].arrangement

    @property
    def _seams(self) -> SeamArrays:
        return self._prepared.table.arrays

    def try_start(self, number: int) -> None:
        """Place all pieces from one first piece; go on with the largest segment while that gains.

        What is found on the way is kept as far as it is, should the run be stopped.
        """
        puzzle = self._prepared.puzzle
        growth = Growth(len(puzzle), puzzle.board, self._prepared.layout)
        frontier = new_frontier(growth.state.grid.size)
        marks, stack = np.empty((2, growth.state.grid.size), np.int32)
        if not growth.is_anchored:
            growth.begin(self._starts[number : number + 1], np.zeros((1, 2), np.int64))
        for _ in range(1 + self._options.shifts):
            self._place_all(growth, frontier)
            found = Try(int(kernels.count_buddies(self._seams, growth.state)), growth.arrangement())
            if number in self._tries and found.buddies <= self._tries[number].buddies:
                return
            self._tries[number] = found
            if self._work.stop.reason:
                return
            largest = kernels.mark_segments(self._seams, growth.state, marks, stack)
            growth.begin(*growth.part(np.flatnonzero(marks == largest)))

    def _place_all(self, growth: Growth, frontier: kernels.Frontier) -> None:
        """Place pieces as long as something fits, or until the run is stopped."""
        kernels.surround(growth.state, frontier)
        where = (self._seams, self._usual, growth.state, frontier)
        while kernels.place_some(*where, PLACED_AT_ONCE, self._wanted):
            if self._work.stop.reason:
                return


def new_frontier(cells: int) -> kernels.Frontier:
    """Allocate the frontier of a floating arrangement."""
    return kernels.Frontier(
        waiting=np.empty((SIDES + 1, cells), np.int32),
        waits=np.zeros(SIDES + 1, np.int64),
        keys=np.empty((SIDES + 1, cells), np.float32),
        cells=np.empty((SIDES + 1, cells), np.int32),
        sizes=np.zeros(SIDES + 1, np.int64),
        best=np.empty(cells, np.int32),
        fits=np.empty(cells, np.float32),
    )
