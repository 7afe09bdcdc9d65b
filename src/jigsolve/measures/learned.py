"""A learned measure: a small network reranks the candidates of a cheap one.

Where the cheap measure is already sure, only its first candidate is scored; where parts of the
picture may touch along several seams, all of these are (`alongside`). To what the network says of a
seam is added what traces of compression say of its pieces (`traces`). Of sides that look the same
one is scored for all (`kinds`). Scores become costs by the shares they have (`shares`).
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing

import numpy as np

from jigsolve._kernels.costs import MAGNITUDES, SeamArrays, border_costs
from jigsolve._kernels.facing import FACING, Facing, Reading, member_of, member_side
from jigsolve._kernels.geometry import SIDES
from jigsolve.core import Board
from jigsolve.execution.crew import Executor, Progress, spans
from jigsolve.gpu import Gpu
from jigsolve.measures.alongside import seams_alongside
from jigsolve.measures.extrapolation import carried_on
from jigsolve.measures.heard import Heard
from jigsolve.measures.judges import Judge
from jigsolve.measures.kinds import Kinds
from jigsolve.measures.measure import Measure
from jigsolve.measures.network import DEPTH
from jigsolve.measures.proposals import distinct, is_sure, listed, proposed_by
from jigsolve.measures.scorer import Scorer
from jigsolve.measures.shares import Scored, filled_table, without_partner
from jigsolve.measures.traces import FEWEST, Choices, Offsets
from jigsolve.measures.trunk import Seams
from jigsolve.measures.turned_traces import TurnedOffsets

LEARNED = Measure(name="learned", look=carried_on, rule=MAGNITUDES, reranked=True)

LINED_UP = 8
"""The partner of a sure side stands among so many: offsets are believed as far as they tell it
from the others."""

PAIRS_PER_JOB = 32_768


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
    heard
        What the network said before of seams of these pieces: they are not scored again.
    gpu
        Has the network there, if there is one.
    """

    def __init__(
        self,
        judge: Judge,
        board: Board,
        cheap: SeamArrays,
        second: SeamArrays,
        crew: Executor,
        heard: Heard | None = None,
        gpu: Gpu | None = None,
    ) -> None:
        self._judge = judge
        self._board = board
        self._tables = cheap, second
        self._crew = crew
        self._gpu = gpu
        self._pieces = len(cheap.partners) // SIDES
        self._sure = is_sure(cheap, second)
        self._offsets: Offsets | TurnedOffsets | None = None
        self._kinds: dict[Reading, Kinds] = {}
        self._nones: dict[Facing, list[np.ndarray]] = {}
        nothing = np.empty(0, np.int64)
        self._scored = {
            facing: (nothing, nothing, np.empty(0, np.float32)) for facing in FACING[cheap.poses]
        }
        self._before = heard
        self._by_network = {facing: np.empty(0, np.float32) for facing in self._scored}

    def heard(self) -> Heard:
        """Return what the network said of all seams that are scored."""
        seams = {
            facing: (ones, others, self._by_network[facing])
            for facing, (ones, others, _) in self._scored.items()
        }
        kinds = {facing: self._kinds_of(facing) for facing in seams}
        return Heard.of(seams, kinds, self._pieces)

    def look_for_traces(
        self, pieces: np.ndarray, order: np.ndarray, progress: Progress | None = None
    ) -> None:
        """Find where in a grid of blocks pieces were cut, if they show it.

        Scores of seams are then what the network says and what offsets say.
        """
        witnesses = {facing: self._witnesses(facing) for facing in self._scored}
        if sum(len(ones) for ones, _ in witnesses.values()) < FEWEST:
            return
        offsets: Offsets | TurnedOffsets
        if self._tables[0].poses == 1:
            offsets = Offsets.of(pieces, order, progress, self._crew, self._gpu)
            offsets = offsets.vouched_for(*witnesses.values())
        else:
            found = TurnedOffsets.of(
                pieces, order, [*self._scored], progress, self._crew, self._gpu
            )
            offsets = found.vouched_for(witnesses)
        self._offsets = offsets if offsets.say_something else None
        self._kinds.clear()

    def _kinds_of(self, facing: Facing) -> tuple[Kinds, Kinds]:
        """Return which near and which far sides look the same, and were cut at the same place.

        Where both are the same sides, they are so in either reading.
        """
        readings = facing[:1] if facing.is_turned else facing
        missing = [reading for reading in readings if reading not in self._kinds]
        if missing:
            seen = [(self._judge.lines(reading), self._traits(reading)) for reading in missing]
            found = self._crew.map(lambda sides: Kinds.of(*sides), seen)
            self._kinds.update(zip(missing, found, strict=True))
        return self._kinds[readings[0]], self._kinds[readings[-1]]

    def _traits(self, reading: Reading) -> list[np.ndarray]:
        """Return what else tells sides apart that look the same."""
        told = [*self._judge.traits(reading)]
        return told + self._offsets.traits(reading) if self._offsets else told

    def _witnesses(self, facing: Facing) -> Choices:
        """Return near members that are sure, and their partners with the next best ones."""
        own = facing.near
        sides = own.sides(self._pieces)
        partners = self._tables[0].partners[sides, :LINED_UP].astype(np.int64)
        sure = self._sure[sides]
        if facing.is_turned:
            sure = sure & (sides < partners[:, 0])  # or each pair would be there twice
        if without_partner(self._board, facing) == 1:
            sure = np.zeros_like(sure)
        return np.flatnonzero(sure), member_of(own.bits, partners[sure])

    def score_candidates(self, progress: Progress | None = None) -> None:
        """Score what the two tables propose; `progress` is told seams scored and in all."""
        self._score(self._proposed, progress)

    def score_alongside(
        self, seams: SeamArrays, neighbours: np.ndarray, progress: Progress | None = None
    ) -> None:
        """Score what a table's scored seams between parts would bring with them.

        Parts are given as a neighbour table.
        """

        def choose(facing: Facing) -> tuple[np.ndarray, np.ndarray]:
            ones, others = seams_alongside(seams, neighbours, facing)
            return member_of(facing.bits, ones), member_of(facing.bits, others)

        self._score(choose, progress)

    def _score(
        self, choose: Callable[[Facing], tuple[np.ndarray, np.ndarray]], progress: Progress | None
    ) -> None:
        """Score the seams chosen for the sides of each class, but those that are scored.

        Seams are chosen as near and far members. One is scored for all of its kind.
        """
        chosen = [(facing, self._kinds_of(facing), choose(facing)) for facing in self._scored]
        fresh = dict(zip(self._scored, self._crew.map(self._not_scored, chosen), strict=True))
        del chosen  # many seams are chosen more than once
        said = {facing: self._heard_before(facing, pairs) for facing, pairs in fresh.items()}
        total = sum(int(np.isnan(scores).sum()) for scores in said.values())
        done = 0
        with closing(Scorer(self._judge.network, self._crew, self._gpu)) as scorer:
            for facing, pairs in fresh.items():
                if not len(pairs[0]):
                    continue
                sides = self._judge.sides(facing)
                self._nones.setdefault(facing, [*map(self._judge.network.none_of_these, sides)])
                unheard = np.flatnonzero(np.isnan(said[facing]))
                ones, others = (members[unheard] for members in pairs)
                seams = self._described((ones, others), facing, sides[0].lines.shape[1])
                said[facing][unheard] = scorer.scores(
                    *sides, seams, _shifted(progress, done, total)
                )
                done += len(seams)
                scores = self._said_by_offsets(facing, *pairs) + said[facing]
                before = self._scored[facing]
                self._by_network[facing] = np.concatenate([self._by_network[facing], said[facing]])
                self._scored[facing] = (
                    np.concatenate([before[0], pairs[0]]),
                    np.concatenate([before[1], pairs[1]]),
                    np.concatenate([before[2], scores]),
                )
                del sides  # before those of the next class are made

    def _heard_before(self, facing: Facing, pairs: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
        """Return what the network said of seams before, NaN where that is nothing."""
        if self._before is None:
            return np.full(len(pairs[0]), np.nan, np.float32)
        return self._before.said(facing, *pairs)

    def _proposed(self, facing: Facing) -> tuple[np.ndarray, np.ndarray]:
        """Return the near and far members of the seams of a class that are scored."""
        most = self._judge.lists * listed(self._pieces, self._tables[0].poses)
        kinds = self._kinds_of(facing)
        return proposed_by(self._tables, facing, kinds, self._sure, most, self._said_of, self._crew)

    def _said_of(self, pairs: tuple[np.ndarray, np.ndarray], facing: Facing) -> np.ndarray:
        """Return what the offsets of pieces say for some seams, (m,) float32."""
        if self._offsets is None:
            return np.zeros(len(pairs[0]), np.float32)
        return self._offsets.said(pairs, facing)

    def _said_by_offsets(self, facing: Facing, ones: np.ndarray, others: np.ndarray) -> np.ndarray:
        """Return what the offsets of pieces say for seams, (m,) float32, on all threads."""

        def work(span: tuple[int, int]) -> np.ndarray:
            return self._said_of((ones[slice(*span)], others[slice(*span)]), facing)

        every = self._crew.map(work, spans(len(ones), PAIRS_PER_JOB))
        return np.concatenate([np.empty(0, np.float32), *every])

    def _not_scored(
        self, chosen: tuple[Facing, tuple[Kinds, Kinds], tuple[np.ndarray, np.ndarray]]
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return those of the seams chosen for a class that are not scored yet, each once.

        They are given by members, and returned by the first ones of their kinds.
        """
        facing, (near, far), (ones, others) = chosen
        ones, others = near.first[ones], far.first[others]
        if facing.is_turned:
            ones, others = np.minimum(ones, others), np.maximum(ones, others)
        count = self._pieces << facing.bits
        before = self._scored[facing]
        keys = distinct(ones * count + others)
        if len(before[0]):
            keys = keys[~np.isin(keys, before[0] * count + before[1], assume_unique=True)]
        return keys // count, keys % count

    def _described(
        self, pairs: tuple[np.ndarray, np.ndarray], facing: Facing, length: int
    ) -> Seams:
        """Return the seams between near and far members, with what the tables say."""
        sides, partners = (
            member_side(reading.bits, reading.first, members)
            for reading, members in zip(facing, pairs, strict=True)
        )

        def work(span: tuple[int, int]) -> np.ndarray:
            some = slice(*span)
            costs = np.empty((2, span[1] - span[0]), np.float32)
            for table, said in zip(self._tables, costs, strict=True):
                border_costs(table.borders, table.rule, sides[some], partners[some], said)
            return costs

        every = self._crew.map(work, spans(len(sides), PAIRS_PER_JOB))
        said = np.concatenate([np.empty((2, 0), np.float32), *every], axis=1)
        for costs, values in zip(said, self._judge.values, strict=True):
            costs /= values * length
        return Seams(*pairs, *said)

    def table(self, board: Board | None = None) -> SeamArrays:
        """Return the seam table: scored candidates first, those that are not behind them.

        Costs are those on another board, if one is given.
        """
        board = board or self._board
        for facing in self._scored:
            if facing not in self._nones:
                sides = self._judge.sides(facing)
                self._nones[facing] = [*map(self._judge.network.none_of_these, sides)]
        every = {
            facing: Scored(
                *scored,
                kinds=self._kinds_of(facing),
                nones=self._nones[facing],
                missing=without_partner(board, facing) + self._judge.unlisted,
            )
            for facing, scored in self._scored.items()
        }
        return filled_table(self._tables[0], every, self._crew)


def _shifted(progress: Progress | None, done: int, total: int) -> Progress | None:
    """Return what is told progress of a part, after so much of the whole."""
    return progress and (lambda more, _: progress(done + more, total))


def usual_seams(pieces: int, poses: int) -> int:
    """Return about how many seams are scored: as measured on photographs, half of all sides."""
    return 2 * pieces * listed(pieces, poses)


def rerank_bytes(pieces: int, longest_side: int, poses: int) -> int:
    """Return about how much memory reranking takes at its peak."""
    most = 4 * pieces * listed(pieces, poses)  # of one class, if no side is sure
    lines = max(2, poses) * pieces * longest_side * 3 * DEPTH
    return most * 8 * 8 + 3 * lines
