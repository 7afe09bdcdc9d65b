"""Joining segments: from single pieces to large parts of the picture, surest joins first.

Rounds of joining go from joins for which much speaks to those for which little does; in each, all
joins that cheap seams suggest are weighed by all seams they would make, and the best are made.

Related: Gallagher, CVPR 2012 (joining trees of pieces, seams ranked by their ratio to the second
best); Son, Hays and Cooper, ECCV 2014 (agreement of several seams before a join).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from jigsolve._kernels import joining
from jigsolve._kernels import segments as kernels
from jigsolve._kernels.costs import Rivals, firsts_of
from jigsolve._kernels.evidence import NEVER, Evidence
from jigsolve._kernels.geometry import (
    BOTTOM,
    LEFT,
    RIGHT,
    SIDES,
    TOP,
    TURNS,
    piece_of,
    side_at,
)
from jigsolve.assembly.keeping import kept_by
from jigsolve.core import Board
from jigsolve.core.layout import Layout
from jigsolve.execution.crew import Executor, Progress, Value, spans
from jigsolve.measures.calibration import COUNTED
from jigsolve.seams.table import SeamTable

ROUNDS = tuple(8.0 - step / 4 for step in range(29))
"""How much has to speak for a join, round by round."""

MOMENTS = (7.0, 5.0, 3.0, 1.0)
"""After which rounds segments are kept: what the last ones join wrongly, others leave open."""

KEPT = 3.0
"""How much has to speak for a join of an arrangement for it to be kept."""

RESTORED = (0.0, -5.0, -20.0, -1e6)
"""The same, round by round, for joins that are made because there is nothing better: all but those
that are not possible."""

PASSES = 8
WORTHWHILE = 0.001
"""A round is made up to eight times, while it joins so many segments per piece."""

JOINS_PER_JOB = 1024
SIDES_PER_JOB = 16_384


@dataclass(frozen=True, eq=False)
class Segment:
    """Pieces whose places relative to each other are taken for granted."""

    pieces: np.ndarray
    """(k,)"""
    places: np.ndarray
    """Row and column of each, the uppermost and the leftmost ones 0, (k, 2)."""
    turns: np.ndarray
    """How each is turned, (k,)."""

    @property
    def extent(self) -> Board:
        """Rows and columns it takes."""
        rows, columns = (int(last) + 1 for last in self.places.max(axis=0))
        return Board(rows, columns)

    def turned(self, turn: int) -> Segment:
        """Return it turned clockwise by so many quarters."""
        places, turns = self.places, (self.turns + turn) % TURNS
        for _ in range(turn):
            places = np.stack([places[:, 1], places[:, 0].max() - places[:, 0]], axis=1)
        return Segment(self.pieces, places, turns)

    def turned_onto(self, board: Board, rng: np.random.Generator) -> Segment:
        """Return it as it has room on a board; where it has both ways, as chance will have it."""
        rows, columns = self.extent
        upright = rows <= board.rows and columns <= board.columns
        lying = rows <= board.columns and columns <= board.rows
        if upright and (not lying or board.rows == board.columns or rng.integers(2)):
            return self
        return self.turned(1)


class Assembly:
    """Segments that are being joined."""

    def __init__(
        self,
        table: SeamTable,
        board: Board,
        crew: Executor,
        layout: Layout | None = None,
        says: Evidence = COUNTED.evidence,
    ) -> None:
        self.work = single_pieces(table.pieces)
        if layout:
            fixed = kept_by(layout, board).fixed
            kernels.join_known(self.work, table.arrays.touching, fixed, *board)
        self._layout = layout
        self._table = table
        self._board = board
        self._crew = crew
        self._says = says
        # Two segments that cannot lie so beside each other never will: they only grow.
        self._excluded = np.zeros(table.arrays.partners.shape, np.bool_)

    def copy(self) -> Assembly:
        """Return the same segments, to be joined in another way."""
        other = Assembly(self._table, self._board, self._crew, self._layout, self._says)
        for mine, theirs in zip(self.work, other.work, strict=True):
            theirs[:] = mine
        other._excluded[:] = self._excluded
        return other

    def largest(self) -> Segment:
        """Return the largest segment."""
        segment = self.work.segment
        return self.of(int(segment[self.work.size[segment].argmax()]))

    def of(self, number: int) -> Segment:
        """Return the segment of a number."""
        return segment_of(self.work, number)

    def moments(self, progress: Progress | None = None) -> tuple[list[np.ndarray], list[Segment]]:
        """Join in all rounds; return neighbour tables and largest segments on the way."""
        neighbours, largest = [], []
        for number, least in enumerate(ROUNDS, 1):
            self.join_round(least)
            if least in MOMENTS:
                neighbours.append(self.work.neighbours.copy())
                largest.append(self.largest())
            if progress:
                progress(number, len(ROUNDS))
        return neighbours, largest

    def join_down_to(self, least: float, caution: float = 0.0) -> None:
        """Make all joins for which at least so much speaks, the surest first."""
        for threshold in ROUNDS:
            if threshold >= least:
                self.join_round(threshold, caution)

    def join_round(self, least: float, caution: float = 0.0) -> None:
        """Make the joins for which so much speaks."""
        self._repeat(lambda: self._make_joins(caution, least))

    def _repeat(self, joining: Callable[[], int]) -> None:
        """Join again and again, while that is worthwhile."""
        for _ in range(PASSES):
            if joining() <= WORTHWHILE * len(self.work.segment):
                break

    def keep(
        self, arrangement: np.ndarray, caution: float = 0.0, part: np.ndarray | None = None
    ) -> None:
        """Make the joins of an arrangement for which enough speaks, surest first.

        If parts are given, only within them.
        """
        sides, partners = seams_of(arrangement)
        if part is not None:
            within = part[piece_of(sides)] == part[piece_of(partners)]
            sides, partners = sides[within], partners[within]
        rounds = [least for least in ROUNDS if least >= KEPT]
        self._keep_in_rounds(sides, partners, caution, rounds)

    def restore(self, arrangement: np.ndarray) -> None:
        """Make all joins of an arrangement that are still possible, the surest first."""
        self._keep_in_rounds(*seams_of(arrangement), 0.0, RESTORED)

    def _keep_in_rounds(
        self, sides: np.ndarray, partners: np.ndarray, caution: float, rounds: Sequence[float]
    ) -> None:
        for least in rounds:
            self._repeat(lambda: self._keep_joins(sides, partners, caution, least))  # noqa: B023

    def _keep_joins(
        self, sides: np.ndarray, partners: np.ndarray, caution: float, least: float
    ) -> int:
        rivals, _ = self._rivals()
        apart = self.work.segment[piece_of(sides)] != self.work.segment[piece_of(partners)]
        sides, partners = sides[apart], partners[apart]
        return self._join(rivals, sides, partners, caution, least)[0]

    def _make_joins(self, caution: float, least: float) -> int:
        """Weigh every join that is suggested, make the best ones and exclude those not possible.

        Returns how many were made or excluded.
        """
        rivals, ranks = self._rivals()
        open_sides = int((self.work.neighbours == kernels.NOTHING).sum())
        proposers, sides, partners = np.empty((3, open_sides), np.int32)
        keys = np.empty(open_sides, np.uint64)
        count = joining.propose(rivals, self.work, proposers, sides, partners, keys)
        _, different, which = np.unique(keys[:count], return_index=True, return_inverse=True)
        sides, partners = sides[different], partners[different]
        made, votes = self._join(rivals, sides, partners, caution, least)
        never = proposers[:count][votes[which] == NEVER]
        if not self._table.costs_are_logarithms:
            never = never[:0]  # what their seams say was fitted with all rivals in view
        self._excluded[never, ranks[never]] = True
        return made + len(never)

    def _rivals(self) -> tuple[Rivals, np.ndarray]:
        """Return what each side could still have, and those partners' ranks."""
        arrays = self._table.arrays
        rivals = Rivals(*(array.copy() for array in firsts_of(arrays)))
        ranks = np.empty(len(rivals.nearest), np.int32)
        where = (arrays, self.work, self._excluded, rivals, ranks)
        self._mapped(
            lambda span: joining.find_rivals(*where, *span), spans(len(ranks), SIDES_PER_JOB)
        )
        return rivals, ranks

    def _join(
        self,
        rivals: Rivals,
        sides: np.ndarray,
        partners: np.ndarray,
        caution: float,
        least: float,
    ) -> tuple[int, np.ndarray]:
        """Make the joins for which enough speaks, the surest first.

        Returns how many were made, and what spoke for each at the beginning.
        """
        where = (self._table.arrays, rivals, self._says, self.work, *self._board)

        def weigh(span: tuple[int, int]) -> np.ndarray:
            votes = np.empty(span[1] - span[0])
            some = slice(*span)
            joining.weigh_joins(*where, sides[some], partners[some], caution, 0, len(votes), votes)
            return votes

        every = self._mapped(weigh, spans(len(sides), JOINS_PER_JOB))
        votes = np.concatenate([np.empty(0), *every])
        good = np.flatnonzero(votes >= least)
        good = good[np.argsort(-votes[good], kind="stable")]
        made = joining.join_in_order(*where, sides[good], partners[good], caution, least)
        return int(made), votes

    def _mapped(
        self, work: Callable[[tuple[int, int]], Value], jobs: Sequence[tuple[int, int]]
    ) -> list[Value]:
        """Return what comes of all jobs; one alone is done here: handing it over takes longer."""
        return self._crew.map(work, jobs) if len(jobs) > 1 else [work(job) for job in jobs]


def seams_of(arrangement: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the two sides of every seam of an arrangement of poses; -1 is an empty cell."""
    sides, partners = [], []
    for first, second, toward, facing in (
        (arrangement[:, :-1], arrangement[:, 1:], RIGHT, LEFT),
        (arrangement[:-1], arrangement[1:], BOTTOM, TOP),
    ):
        both = (first >= 0) & (second >= 0)
        sides.append(side_at(first[both], toward))
        partners.append(side_at(second[both], facing))
    return np.concatenate(sides).astype(np.int32), np.concatenate(partners).astype(np.int32)


def segment_of(work: kernels.Segments, number: int) -> Segment:
    """Return the segment of a number."""
    pieces = np.flatnonzero(work.segment == number)
    places = np.stack([work.row[pieces], work.column[pieces]], axis=1)
    return Segment(pieces, places - places.min(axis=0), work.turn[pieces])


def single_pieces(pieces: int) -> kernels.Segments:
    """Return every piece as a segment of its own."""
    capacity = 1 << (8 * pieces - 1).bit_length()
    work = kernels.Segments(
        **{
            name: np.empty(pieces, np.int32)
            for name in ("segment", "row", "column", "turn", "after", "first", "last", "size")
        },
        neighbours=np.empty((pieces, SIDES), np.int32),
        limits=np.empty((pieces, SIDES), np.int32),
        cells=np.empty(capacity, np.int64),
        occupants=np.empty(capacity, np.int32),
        entries=np.zeros(1, np.int64),
    )
    kernels.scatter(work)
    return work


def joining_bytes(pieces: int, candidates: int) -> int:
    """Return about how much memory joining takes at its peak: two assemblies and six moments."""
    cells = 16 * pieces * (8 + 4)
    excluded = SIDES * pieces * candidates
    moments = (len(MOMENTS) + 2) * pieces * SIDES * 4
    joins = SIDES * pieces * (3 * 4 + 2 * (4 + 4 + 8) + 8 * 4)
    return 2 * (cells + excluded + pieces * 15 * 4) + moments + joins
