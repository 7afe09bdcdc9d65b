"""A learned measure: a small network reranks the candidates of a cheap one.

Where the cheap measure is already sure, only its first candidate is scored; where parts of the
picture may touch along several seams, all of these are (`alongside`). To what the network says of a
seam is added what traces of compression say of its pieces (`traces`). Of sides that look the same
one is scored for all (`kinds`). Scores become costs by the shares they have (`shares`).
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from contextlib import closing

import numpy as np

from jigsolve._kernels.costs import LOOKUP, MAGNITUDES, SeamArrays, border_costs
from jigsolve._kernels.geometry import BOTTOM, RIGHT, SIDES, opposite, piece_of, side_of
from jigsolve._kernels.learned import fill_rest
from jigsolve.core import Board
from jigsolve.execution.crew import Crew, Progress, spans
from jigsolve.measures.alongside import seams_alongside
from jigsolve.measures.extrapolation import carried_on
from jigsolve.measures.judges import Judge
from jigsolve.measures.kinds import Kinds
from jigsolve.measures.measure import Measure
from jigsolve.measures.network import DEPTH
from jigsolve.measures.proposals import is_sure, likeliest_partners, listed
from jigsolve.measures.scorer import Scorer
from jigsolve.measures.shares import enter, negative_log_shares
from jigsolve.measures.traces import FEWEST, Offsets
from jigsolve.measures.trunk import Seams

LEARNED = Measure(name="learned", look=carried_on, rule=MAGNITUDES, reranked=True)

LINED_UP = 8
"""The partner of a sure side stands among so many: offsets are believed as far as they tell it
from the others."""

PIECES_AT_ONCE = 4096
PAIRS_PER_JOB = 8192
SEAMS_PER_ROUND = 65_536
"""Seams after which progress is told."""


class Reranking:
    """Candidates that are given the network's costs.

    Parameters
    ----------
    judge
        Knows the sides, in the order of the tables, and the network for them.
    board
        Rows and columns: they say how many sides have no partner.
    cheap, second
        The tables of two measures. Both propose candidates: each misses others.
    crew
        The threads to use. The table does not depend on their number.
    """

    def __init__(
        self,
        judge: Judge,
        board: Board,
        cheap: SeamArrays,
        second: SeamArrays,
        crew: Crew,
    ) -> None:
        self._judge = judge
        self._board = board
        self._tables = cheap, second
        self._crew = crew
        self._pieces = len(cheap.partners) // SIDES
        self._sure = is_sure(cheap, second)
        self._offsets: Offsets | None = None
        self._kinds: dict[int, Kinds] = {}
        self._nones: dict[int, np.ndarray] = {}
        nothing = np.empty(0, np.int64)
        self._scored = {
            side: (nothing, nothing, np.empty(0, np.float32)) for side in (RIGHT, BOTTOM)
        }

    def look_for_traces(
        self, pieces: np.ndarray, order: np.ndarray, progress: Progress | None = None
    ) -> None:
        """Find where in a grid of blocks pieces were cut, if they show it.

        Scores of seams are then what the network says and what offsets say.
        """
        witnesses = [self._witnesses(side) for side in (RIGHT, BOTTOM)]
        if sum(len(ones) for ones, _ in witnesses) >= FEWEST:
            offsets = Offsets.of(pieces, order, progress).vouched_for(*witnesses)
            self._offsets = offsets if offsets.say_something else None
            self._kinds.clear()

    def _kinds_of(self, side: int) -> Kinds:
        """Return which pieces have the same side, and were cut at the same place."""
        if side not in self._kinds:
            traits = [*self._judge.traits(side)]
            if self._offsets:
                traits += self._offsets.likeliest()
            self._kinds[side] = Kinds.of(self._judge.lines(side), traits)
        return self._kinds[side]

    def _witnesses(self, side: int) -> tuple[np.ndarray, np.ndarray]:
        """Return pieces whose side is sure, and its partner with the next best ones."""
        partners = piece_of(self._tables[0].partners[side::SIDES, :LINED_UP].astype(np.int64))
        sure = self._sure[side::SIDES]
        if (self._board.columns if side == RIGHT else self._board.rows) == 1:
            sure = np.zeros_like(sure)
        return np.flatnonzero(sure), partners[sure]

    def score_candidates(self, progress: Progress | None = None) -> None:
        """Score what the two tables propose; `progress` is told seams scored and in all."""
        self._score(self._proposed, progress)

    def score_alongside(
        self, seams: SeamArrays, neighbours: np.ndarray, progress: Progress | None = None
    ) -> None:
        """Score what a table's scored seams between parts would bring with them.

        Parts are given as a neighbour table.
        """
        self._score(lambda side: seams_alongside(seams, neighbours, side), progress)

    def _score(
        self, choose: Callable[[int], tuple[np.ndarray, np.ndarray]], progress: Progress | None
    ) -> None:
        """Score the seams chosen for a side and the one it faces, but those that are scored.

        One is scored for all of its kind.
        """
        fresh = {}
        for side in self._scored:
            ones, others = choose(side)
            firsts = self._kinds_of(side).first[ones], self._kinds_of(opposite(side)).first[others]
            fresh[side] = self._not_scored(side, *firsts)
        total = sum(len(ones) for ones, _ in fresh.values())
        done = 0
        with closing(Scorer(self._judge.network, self._crew, total)) as scorer:
            for side, pairs in fresh.items():
                if not len(pairs[0]):
                    continue
                near, far = self._judge.sides(side), self._judge.sides(opposite(side))
                for which, sides in ((side, near), (opposite(side), far)):
                    self._nones.setdefault(which, self._judge.network.none_of_these(sides))
                seams = self._described(pairs, side, near.lines.shape[1])
                scores = self._said_by_offsets(side, *pairs)
                for first, last in spans(len(seams), SEAMS_PER_ROUND):
                    scores[first:last] += scorer.scores(near, far, seams.part(first, last))
                    done += last - first
                    if progress:
                        progress(done, total)
                before = self._scored[side]
                self._scored[side] = (
                    np.concatenate([before[0], pairs[0]]),
                    np.concatenate([before[1], pairs[1]]),
                    np.concatenate([before[2], scores]),
                )
                del near, far  # before those of the other direction are made

    def _proposed(self, side: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the pieces of the seams between a side and the one it faces that are scored."""
        pieces = self._pieces
        most = self._judge.lists * listed(pieces)
        keys = []
        for table, own in itertools.product(self._tables, (side, opposite(side))):
            for first, last in spans(pieces, PIECES_AT_ONCE):
                theirs = self._kinds_of(opposite(own)).first[
                    piece_of(table.partners[own::SIDES][first:last])
                ]
                mine = np.repeat(np.arange(first, last)[:, None], theirs.shape[1], axis=1)
                one, other = (mine, theirs) if own == side else (theirs, mine)
                said = self._said_by_offsets(side, one.ravel(), other.ravel()).reshape(one.shape)
                wanted = likeliest_partners(theirs, said, most)
                wanted[self._sure[own::SIDES][first:last]] = np.arange(said.shape[1]) < 1
                keys.append((one * pieces + other)[wanted])
        seams = np.unique(np.concatenate(keys))
        return seams // pieces, seams % pieces

    def _said_by_offsets(self, side: int, ones: np.ndarray, others: np.ndarray) -> np.ndarray:
        """Return what the offsets of pieces say for seams, (m,) float32."""
        offsets = self._offsets
        if offsets is None or not len(ones):
            return np.zeros(len(ones), np.float32)

        def work(span: tuple[int, int]) -> np.ndarray:
            pairs = ones[slice(*span)], others[slice(*span)]
            return np.asarray(offsets.log_ratios(pairs, rightward=side == RIGHT), np.float32)

        return np.concatenate(self._crew.map(work, spans(len(ones), PAIRS_PER_JOB)))

    def _not_scored(
        self, side: int, ones: np.ndarray, others: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        count = self._pieces
        before = self._scored[side]
        keys = np.setdiff1d(ones * count + others, before[0] * count + before[1])
        return keys // count, keys % count

    def _described(self, pairs: tuple[np.ndarray, np.ndarray], side: int, length: int) -> Seams:
        """Return the seams between a side and the one it faces, with what the tables say."""
        ones, others = pairs
        sides, partners = side_of(ones, side), side_of(others, opposite(side))

        def work(span: tuple[int, int]) -> np.ndarray:
            some = slice(*span)
            costs = np.empty((2, span[1] - span[0]), np.float32)
            for table, said in zip(self._tables, costs, strict=True):
                border_costs(table.borders, table.rule, sides[some], partners[some], said)
            return costs

        said = np.concatenate(self._crew.map(work, spans(len(ones), PAIRS_PER_JOB)), axis=1)
        for costs, values in zip(said, self._judge.values, strict=True):
            costs /= values * length
        return Seams(ones, others, *said)

    def _none_of(self, side: int) -> np.ndarray:
        """Return the score of having no partner, for a side of all pieces."""
        if side not in self._nones:
            self._nones[side] = self._judge.network.none_of_these(self._judge.sides(side))
        return self._nones[side]

    def table(self, board: Board | None = None) -> SeamArrays:
        """Return the seam table: scored candidates first, those that are not behind them.

        Costs are those on another board, if one is given.
        """
        board = board or self._board
        cheap, _ = self._tables
        table = cheap._replace(
            partners=cheap.partners.copy(),
            costs=cheap.costs.copy(),
            scored=np.zeros(len(cheap.partners), np.int32),
            twins=np.empty(len(cheap.partners), np.int32),
            rule=LOOKUP,
        )
        for side, (ones, others, scores) in self._scored.items():
            alone = 1 / (board.columns if side == RIGHT else board.rows)
            kinds = self._kinds_of(side), self._kinds_of(opposite(side))
            nones = self._none_of(side), self._none_of(opposite(side))
            missing = alone + self._judge.unlisted
            seam_costs = negative_log_shares(nones, ones, others, scores, missing, kinds)
            enter(table, side, ones, others, seam_costs, kinds)
            enter(table, opposite(side), others, ones, seam_costs, kinds[::-1])
            for which, kind in zip((side, opposite(side)), kinds, strict=True):
                table.twins[which::SIDES] = side_of(kind.first, which)
        fill_rest(cheap.partners, cheap.costs, table.scored, table.partners, table.costs)
        return table


def usual_seams(pieces: int) -> int:
    """Return about how many seams are scored: as measured on photographs, half of all sides."""
    return 2 * pieces * listed(pieces)


def rerank_bytes(pieces: int, longest_side: int) -> int:
    """Return about how much memory reranking takes at its peak."""
    most = 4 * pieces * listed(pieces)  # of one direction, if no side is sure
    lines = 2 * pieces * longest_side * 3 * DEPTH
    return most * 8 * 8 + 3 * lines
