"""Belief propagation: cells are nodes, pieces are labels, and beliefs travel from cell to cell.

Taeg Sang Cho, Shai Avidan and William T. Freeman, "A probabilistic image jigsaw puzzle solver",
CVPR 2010. docs/field.md says how it is read, and what it cannot do.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from jigsolve._kernels.geometry import opposite
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
from jigsolve.execution.crew import one_thread_per_product
from jigsolve.execution.stop import INTERRUPTED, Stopped
from jigsolve.execution.work import Work
from jigsolve.pricing.prepared import Prepared
from jigsolve.pricing.settings import Pricing
from jigsolve.solvers.ending import COMPLETE, ended
from jigsolve.solvers.protocol import Found, Keeping

MOST_PIECES = 2000
DAMPING = 0.5
"""How much of the last message is kept in the next."""
MOST_BELIEF = 0.999
"""No cell is surer of a piece, or else others could never have it."""
BELIEVED = 0.1
"""Pieces that no cell believes in more than this are placed last, where they fit best."""
SECONDS_PER_PRODUCT = 1.2e-10


@dataclass(frozen=True, kw_only=True)
class Cho(Options):
    """The parameters of belief propagation."""

    sweeps: int = whole(40, 1, 100_000, "times that beliefs travel from cell to cell")


class ChoSolver:
    """Lets cells tell each other which pieces they may have."""

    name = "cho"
    summary = "Cho, Avidan and Freeman, CVPR 2010: belief propagation; for small puzzles"
    options = Cho
    measure = "dissimilarity"
    refuses = ("turns",)

    def memory(self, puzzle: Puzzle, pricing: Pricing, options: Cho, threads: int) -> int:
        """Return about how many bytes it takes beside the seam table."""
        check_small(self.name, puzzle, MOST_PIECES)
        cells = puzzle.board.rows * puzzle.board.columns
        return 8 * len(puzzle) * (6 * len(puzzle) + 14 * cells)

    def seconds(self, puzzle: Puzzle, pricing: Pricing, options: Cho, threads: int) -> float:
        """Return about how long it takes once seams are priced."""
        return 4 * options.sweeps * SECONDS_PER_PRODUCT * float(len(puzzle)) ** 3

    def solve(
        self, prepared: Prepared, options: Cho, seed: int, work: Work, keeping: Keeping
    ) -> Found:
        """Find an arrangement; see `protocol.Solver`."""
        table, puzzle, layout = prepared.table, prepared.puzzle, prepared.layout
        check_small(self.name, puzzle, MOST_PIECES)
        beliefs, reason = None, COMPLETE
        anchors = anchored(len(puzzle), puzzle.board, layout)
        try:
            with work.clock.stage("pairs") as tell:
                affinities = affinities_of(table, tell)
            with work.clock.stage("beliefs") as tell, one_thread_per_product():
                beliefs = Beliefs(affinities, puzzle.board, anchors)
                for sweep in range(options.sweeps):
                    beliefs.travel()
                    tell(sweep + 1, options.sweeps)
        except KeyboardInterrupt:
            reason = INTERRUPTED
        except Stopped as stop:
            reason = stop.reason
        grid = np.full(puzzle.board, -1, np.int32)
        if beliefs is not None:
            grid = beliefs.decided(grid.size - puzzle.holes)
        if anchors is None:
            grid = cut_open(table, grid)
        return ended(prepared, poses_of(grid), reason, seed, work)


class Beliefs:
    """What every cell believes, and what it hears from the four around it.

    Unless the cells of some pieces are fixed, nothing says where on the board a piece belongs. Then
    the board has no ends, and the piece with the clearest favourites lies in the first cell.
    """

    def __init__(
        self, affinities: Affinities, board: tuple[int, int], anchors: np.ndarray | None
    ) -> None:
        pieces = len(affinities.right)
        self._wraps = anchors is None
        if anchors is None:
            anchors = np.full(board, -1, np.int32)
            anchors[0, 0] = affinities.surest
        evidence = np.ones((*board, pieces))
        evidence[anchors >= 0] = 1e-12
        evidence[:, :, anchors[anchors >= 0]] = 1e-12
        evidence[(*np.nonzero(anchors >= 0), anchors[anchors >= 0])] = 1.0
        self._evidence = evidence
        right, below = np.exp(affinities.right), np.exp(affinities.below)
        # What a cell tells the next one, and where that lies: axis and step.
        self._tells = ((right, 1, 1), (right.T, 1, -1), (below, 0, 1), (below.T, 0, -1))
        self._heard = np.full((4, *board, pieces), 1.0 / pieces)
        self.beliefs = _normal(evidence)

    def travel(self) -> None:
        """Let every cell tell those around it what it believes, once."""
        own = self._evidence * self._excluded()
        product = own * self._heard.prod(axis=0)
        heard = np.empty_like(self._heard)
        for index, (affinity, axis, step) in enumerate(self._tells):
            # Not what it has heard from there.
            back = opposite(index)
            said = _normal(product / np.maximum(self._heard[back], 1e-300)) @ affinity
            heard[index] = self._arrived(_normal(said), axis, step)
        self._heard = DAMPING * self._heard + (1 - DAMPING) * heard
        self.beliefs = _normal(own * self._heard.prod(axis=0))

    def _arrived(self, said: np.ndarray, axis: int, step: int) -> np.ndarray:
        arrived = np.roll(said, step, axis)
        if not self._wraps:  # nobody speaks from beyond the board
            edge: list[int | Callable[..., object] | slice] = [slice(None), slice(None)]
            edge[axis] = 0 if step > 0 else -1
            arrived[tuple(edge)] = 1.0 / said.shape[2]  # type: ignore[index]
        return arrived

    def _excluded(self) -> np.ndarray:
        """Return how likely no other cell has each piece."""
        missing = np.log1p(-np.minimum(self.beliefs, MOST_BELIEF))
        return np.asarray(np.exp(missing.sum(axis=(0, 1)) - missing))

    def decided(self, most: int) -> np.ndarray:
        """Return the pieces that cells believe in most, each once, at most so many; else -1."""
        rows, columns, pieces = np.nonzero(self.beliefs > BELIEVED)
        order = np.argsort(-self.beliefs[rows, columns, pieces], kind="stable")
        grid = np.full(self.beliefs.shape[:2], -1, np.int32)
        used: set[int] = set()
        for index in order:
            piece = int(pieces[index])
            if len(used) < most and grid[rows[index], columns[index]] < 0 and piece not in used:
                grid[rows[index], columns[index]] = piece
                used.add(piece)
        return grid


def _normal(values: np.ndarray) -> np.ndarray:
    """Return values that add up to 1 in every cell; all the same where there are none."""
    values = np.maximum(values, 1e-300)
    return np.asarray(values / values.sum(axis=2, keepdims=True))
