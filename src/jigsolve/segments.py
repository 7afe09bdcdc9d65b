"""Building segments: from single pieces to large parts of the picture, surest joins first.

A segment is a group of pieces whose places relative to each other are taken for granted. Rounds
of joining go from joins for which much speaks to those for which little does; in each, all joins
that cheap seams suggest are weighed by all seams they would make, and the best are made.

Related: Gallagher, CVPR 2012 (joining trees of pieces, seams ranked by their ratio to the second
best); Son, Hays and Cooper, ECCV 2014 (agreement of several seams before a join).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from jigsolve._kernels import segments as kernels
from jigsolve._kernels.costs import LOOKUP, SIDES
from jigsolve.parallel import Crew, Progress, spans
from jigsolve.puzzle import Board
from jigsolve.seams import SeamTable

ROUNDS = tuple(8.0 - step / 4 for step in range(29))
"""How much has to speak for a join, round by round."""

MOMENTS = (7.0, 5.0, 3.0, 1.0)
"""After which rounds segments are kept: what the last ones join wrongly, others leave open."""

PASSES = 8
WORTHWHILE = 0.001
"""A round is made up to eight times, while it joins so many segments per piece."""

JOINS_PER_JOB = 4096


@dataclass(frozen=True)
class Segments:
    """The segments of a puzzle at several moments, from few sure joins to many."""

    neighbours: np.ndarray
    """A neighbour table per moment, (moments, n, 4) int32; -1 where a neighbour is not known."""
    largest: list[np.ndarray]
    """The pieces of the largest segment at each moment."""

    @classmethod
    def assemble(
        cls, table: SeamTable, board: Board, crew: Crew, *, progress: Progress | None = None
    ) -> Segments:
        """Join pieces to segments, none larger than the board."""
        work = _single_pieces(len(table.arrays.borders) // SIDES)
        enough = WORTHWHILE * len(work.segment)
        # Two segments that cannot lie so beside each other never will: they only grow.
        excluded = np.zeros(table.arrays.partners.shape, np.bool_)
        neighbours, largest = [], []
        for number, least in enumerate(ROUNDS, 1):
            for _ in range(PASSES):
                if _make_joins(table, work, excluded, board, least, crew) <= enough:
                    break
            if least in MOMENTS:
                neighbours.append(work.neighbours.copy())
                largest_one = work.segment[work.size[work.segment].argmax()]
                largest.append(np.flatnonzero(work.segment == largest_one))
            if progress:
                progress(number, len(ROUNDS))
        return cls(np.stack(neighbours), largest)


def _single_pieces(pieces: int) -> kernels.Segments:
    capacity = 1 << (8 * pieces - 1).bit_length()
    work = kernels.Segments(
        **{
            name: np.empty(pieces, np.int32)
            for name in ("segment", "row", "column", "after", "first", "last", "size")
        },
        neighbours=np.empty((pieces, SIDES), np.int32),
        limits=np.empty((pieces, SIDES), np.int32),
        cells=np.empty(capacity, np.int64),
        occupants=np.empty(capacity, np.int32),
        entries=np.zeros(1, np.int64),
    )
    kernels.scatter(work)
    return work


def _make_joins(
    table: SeamTable,
    work: kernels.Segments,
    excluded: np.ndarray,
    board: Board,
    least: float,
    crew: Crew,
) -> int:
    """Weigh every join that is suggested, make the best ones and exclude those not possible.

    Returns how many were made or excluded.
    """
    seams = table.arrays._replace(
        nearest=table.arrays.nearest.copy(),
        nearest_cost=table.arrays.nearest_cost.copy(),
        runner_up_cost=table.arrays.runner_up_cost.copy(),
    )
    ranks = np.empty(len(seams.nearest), np.int32)
    rivals = (seams.nearest, seams.nearest_cost, seams.runner_up_cost)
    kernels.find_rivals(table.arrays, work, excluded, *rivals, ranks)
    open_sides = int((work.neighbours == kernels.NOTHING).sum())
    proposers, sides, partners = np.empty((3, open_sides), np.int32)
    keys = np.empty(open_sides, np.uint64)
    count = kernels.propose(seams, work, proposers, sides, partners, keys)
    _, different, which = np.unique(keys[:count], return_index=True, return_inverse=True)
    sides, partners = sides[different], partners[different]
    votes = np.empty(len(sides))

    def weigh(span: tuple[int, int]) -> None:
        kernels.weigh_joins(seams, work, *board, sides, partners, *span, votes)

    crew.all(weigh, spans(len(sides), JOINS_PER_JOB))
    never = proposers[:count][votes[which] == kernels.NEVER]
    if seams.rule != LOOKUP:
        never = never[:0]  # what their seams say was fitted with all rivals in view
    excluded[never, ranks[never]] = True
    good = np.flatnonzero(votes >= least)
    good = good[np.argsort(-votes[good], kind="stable")]
    made = kernels.join_in_order(seams, work, *board, sides[good], partners[good], least)
    return int(made) + len(never)


def segments_bytes(pieces: int) -> int:
    """Return about how much memory assembling takes at its peak."""
    cells = 16 * pieces * (8 + 4)
    kept = len(MOMENTS) * pieces * SIDES * 4
    joins = SIDES * pieces * (3 * 4 + 2 * (4 + 4 + 8) + 8 * 4)
    return cells + kept + joins + pieces * 15 * 4
