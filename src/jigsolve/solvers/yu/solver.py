"""Linear programmes that place all pieces at once, round after round.

Rui Yu, Chris Russell and Lourdes Agapito, "Solving jigsaw puzzles with linear programming", BMVC
2016. docs/field.md says how it is read.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from jigsolve._kernels.segments import Segments
from jigsolve._kernels.trees import TINY
from jigsolve.assembly.frames import trimmed, ways_to_lie
from jigsolve.assembly.gaps import filled, gaps_bytes
from jigsolve.assembly.joining import seams_of
from jigsolve.assembly.outside import Matches, join_outside, outside_bytes, outside_ratios
from jigsolve.assembly.trees import join_surest, known_clusters, main_cluster, trees_bytes
from jigsolve.core import Puzzle
from jigsolve.core.options import Options, names, whole
from jigsolve.core.turns import POSES
from jigsolve.errors import InputError
from jigsolve.execution.crew import Progress
from jigsolve.execution.stop import INTERRUPTED, Stop, Stopped
from jigsolve.execution.work import Work
from jigsolve.pricing.prepared import Prepared
from jigsolve.pricing.settings import Pricing
from jigsolve.seams.table import SeamTable
from jigsolve.solvers.ending import COMPLETE, ended, told
from jigsolve.solvers.protocol import Found, Keeping
from jigsolve.solvers.yu.matches import FILTERS, best_matches, filtered
from jigsolve.solvers.yu.programme import bodies_of, met_matches, single_bodies

VARIANTS = RIGID, FREE = "rigid", "free"
MERGED = 1.25
"""After the last round clusters are joined along seams of at most this ratio."""
GOOD, BAD = 1.3, 13.0
"""An arrangement is worth its seams of at most one ratio, less those above the other."""
BYTES_PER_MATCH = 600
SECONDS_PER_PIECE = 2e-4


def _known_variants(found: object) -> tuple[str, ...]:
    """Return variants; raise unless they are known and there is one at least."""
    if not isinstance(found, tuple | list) or not found or not set(found) <= set(VARIANTS):
        raise InputError(f"variants: expected some of {', '.join(VARIANTS)}, found {found!r}")
    return tuple(found)


def _known_filters(found: object) -> tuple[str, ...]:
    """Return filters; raise unless they are known and there is one at least."""
    if not isinstance(found, tuple | list) or not found or not set(found) <= set(FILTERS):
        raise InputError(f"filters: expected some of {', '.join(FILTERS)}, found {found!r}")
    return tuple(found)


@dataclass(frozen=True, kw_only=True)
class Yu(Options):
    """The parameters of the linear programmes."""

    programmes: int = whole(5, 1, 1000, "most programmes in a row, each with other matches")
    variants: tuple[str, ...] = names(
        VARIANTS,
        _known_variants,
        "A,B",
        "what is found of clusters after a programme stays together (rigid) or may be undone by "
        "the next (free); the best result of all is kept",
    )
    filters: tuple[str, ...] = names(
        FILTERS,
        _known_filters,
        "A,B,...",
        f"which matches a programme's result is believed of, of {','.join(FILTERS)}; the best "
        "result of all is kept",
    )


class YuSolver:
    """Places all pieces at once so that surer matches are violated less."""

    name = "yu"
    summary = "Yu, Russell and Agapito, BMVC 2016: linear programmes; needs jigsolve[field]"
    options = Yu
    measure = "mgc"

    def memory(self, puzzle: Puzzle, pricing: Pricing, options: Yu, threads: int) -> int:
        """Return about how many bytes it takes beside the seam table."""
        matches = 4 * len(puzzle) * POSES[puzzle.turns]
        lists = outside_bytes(len(puzzle), pricing.candidates)
        cells = puzzle.board.rows * puzzle.board.columns
        shared = trees_bytes(len(puzzle)) + gaps_bytes(len(puzzle), cells)
        return matches * BYTES_PER_MATCH + lists + 2 * shared

    def seconds(self, puzzle: Puzzle, pricing: Pricing, options: Yu, threads: int) -> float:
        """Return about how long it takes once seams are priced."""
        runs = len(options.variants) * len(options.filters) * options.programmes
        return SECONDS_PER_PIECE * len(puzzle) * POSES[puzzle.turns] * runs

    def solve(
        self, prepared: Prepared, options: Yu, seed: int, work: Work, keeping: Keeping
    ) -> Found:
        """Find an arrangement; see `protocol.Solver`."""
        board, layout, holes = prepared.puzzle.board, prepared.layout, prepared.puzzle.holes
        table, reason = prepared.table, COMPLETE
        best: np.ndarray | None = None
        highest = -np.inf
        clusters = known_clusters(table, board, layout)
        ways = [(variant, some) for variant in options.variants for some in options.filters]
        try:
            with work.clock.stage("programmes") as tell:
                for number, (variant, some) in enumerate(ways):
                    rounds = _Rounds(prepared, variant, some, work.stop)
                    clusters = rounds.clusters
                    step = _within(tell, number, len(ways))
                    rounds.run(options.programmes, step)
                    clusters = rounds.merged()
                    grid = trimmed(
                        main_cluster(clusters, layout), board, table.arrays.poses, layout
                    )
                    for way in [grid] if prepared.has_fixed_cells else ways_to_lie(grid):
                        full = filled(table, way, holes, layout, seed=seed, progress=step)
                        if (worth := worth_of(table, full)) > highest:
                            best, highest = full, worth
        except KeyboardInterrupt:
            reason = INTERRUPTED
        except Stopped as stop:
            reason = stop.reason
        if best is not None:
            return told(prepared, best, reason, work)
        grid = trimmed(main_cluster(clusters, layout), board, table.arrays.poses, layout)
        return ended(prepared, grid, reason, seed, work)


def _within(tell: Progress, number: int, ways: int) -> Progress:
    """Return what one of several ways tells its progress to."""
    return lambda done, total: tell(number * total + done, ways * total)


class _Rounds:
    """Programmes in a row, each with the matches that the one before it leaves."""

    def __init__(self, prepared: Prepared, variant: str, which: str, stop: Stop) -> None:
        self._prepared, self._variant, self._which = prepared, variant, which
        self._stop = stop
        self._table = prepared.table
        self.clusters = self._unjoined()
        nothing = np.empty(0, np.int64)
        self._kept = Matches(nothing, nothing, np.empty(0))

    def _unjoined(self) -> Segments:
        return known_clusters(self._table, self._prepared.puzzle.board, self._prepared.layout)

    def run(self, most: int, progress: Progress) -> None:
        """Solve programmes until clusters stay as they are."""
        for number in range(most):
            progress(number, most)
            before = self.clusters.segment.copy()
            self._solve_one()
            if np.array_equal(before, self.clusters.segment):
                break

    def _solve_one(self) -> None:
        table, poses = self._table, self._table.arrays.poses
        ratios = outside_ratios(table, self.clusters)
        matches = self._kept.together(best_matches(ratios, table))
        if not len(matches.sides):
            return
        is_free = self._variant == FREE
        bodies = single_bodies(table.pieces) if is_free else bodies_of(self.clusters)
        met = matches.only(met_matches(bodies, matches, poses, self._stop))
        kept = filtered(met, self._which, len(ratios)).surest_first()
        if is_free:
            self._kept = kept
            self.clusters = self._unjoined()
        join_surest(self.clusters, kept.sides, kept.partners)

    def merged(self) -> Segments:
        """Join the clusters that are left along sure seams, as Gallagher does."""
        join_outside(self._table, self.clusters, MERGED)
        return self.clusters


def worth_of(table: SeamTable, arrangement: np.ndarray) -> int:
    """Return how many seams of an arrangement are good, less those that are bad, by ratio."""
    sides, partners = seams_of(arrangement)
    across, down = table.board_costs(arrangement)
    costs = np.concatenate([across[_both(arrangement, 1)], down[_both(arrangement, 0)]])
    arrays = table.arrays

    def best_other(one: np.ndarray, other: np.ndarray) -> np.ndarray:
        is_first = arrays.nearest[one] == other
        rival = np.where(is_first, arrays.runner_up_cost[one], arrays.nearest_cost[one])
        return np.asarray(rival)

    rivals = np.minimum(best_other(sides, partners), best_other(partners, sides))
    ratios = (costs.astype(np.float64) + TINY) / (rivals + TINY)
    return int(np.count_nonzero(ratios <= GOOD)) - int(np.count_nonzero(ratios > BAD))


def _both(arrangement: np.ndarray, axis: int) -> np.ndarray:
    """Return which seams along an axis have pieces on both sides."""
    there: np.ndarray = arrangement >= 0
    return np.asarray(there[:, :-1] & there[:, 1:] if axis else there[:-1] & there[1:])
