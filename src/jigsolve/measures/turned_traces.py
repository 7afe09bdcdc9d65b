"""Traces of compression in pieces that may be turned.

The lines of the grid of blocks are looked at from each side of a piece: those along the side by
their distance from it, inward, those that meet it by where they do so, read clockwise. Where two
sides touch, the grid goes on: the distances of both add up to whole blocks, and the places to the
length of the side (one of them is read from the other end). Turning a piece changes nothing of
this. All pieces show the same lines from either end, and with quarter turns in either direction,
so their offsets are found together.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from jigsolve._kernels.facing import Facing, Reading
from jigsolve._kernels.geometry import BOTTOM, LEFT, RIGHT, TOP, is_across
from jigsolve._kernels.traces import log_ratios
from jigsolve.execution.crew import ALONE, Executor, Progress
from jigsolve.gpu import Gpu
from jigsolve.measures.offsets import PERIOD, all_likely_offsets, first_line
from jigsolve.measures.traces import (
    DOUBT,
    LEAST_GAIN,
    PERIODS,
    WEIGHTS,
    Choices,
    Pairs,
    against_chance,
    gained,
)


@dataclass(frozen=True)
class Lines:
    """Lines of the grid as the sides of a class see them: along the sides, or meeting them."""

    likely: np.ndarray
    """How likely each distance is, or each place, for every member, (m, period)."""
    total: int
    """What those of two sides that touch add up to, in pixels."""
    weight: float = 1.0
    """How far what they say is believed."""

    def folded(self, period: int) -> Lines:
        """Return the same with a shorter period."""
        return replace(self, likely=self.likely.reshape(len(self.likely), -1, period).sum(axis=1))

    def log_ratios(self, pairs: Pairs) -> np.ndarray:
        """Return how much likelier these lines are where sides touch than by chance, (m,)."""
        found = np.zeros(len(pairs[0]), np.float32)
        expected, likely = self._expected
        if self.weight > 0 and likely.size:
            log_ratios(expected, likely, DOUBT, *pairs, found)
            found *= np.float32(self.weight)
        return found

    @functools.cached_property
    def _expected(self) -> tuple[np.ndarray, np.ndarray]:
        return against_chance(from_other_end(self.likely, self.total), self.likely)


@dataclass(frozen=True)
class TurnedOffsets:
    """Where in a grid of blocks pieces were cut that may be turned."""

    along: Mapping[Facing, Lines]
    meeting: Mapping[Facing, Lines]

    @classmethod
    def of(
        cls,
        pieces: np.ndarray,
        order: np.ndarray,
        classes: Sequence[Facing],
        progress: Progress | None = None,
        crew: Executor = ALONE,
        gpu: Gpu | None = None,
    ) -> TurnedOffsets:
        """Find the offsets of pieces, (n, height, width, 3) uint8, in the order wanted.

        `progress` is told parts done and in all.
        """
        height, width = pieces.shape[1:3]
        both = [pieces, pieces.transpose(0, 2, 1, 3)]
        together = [both] if len(classes) == 1 else [[each] for each in both]
        found = all_likely_offsets(together, order, crew, progress, gpu, either_way=True)
        offsets = np.concatenate(found).reshape(2, len(order), PERIOD)
        across, down = (
            from_other_end(likely, first_line(size))
            for likely, size in zip(offsets, (width, height), strict=True)
        )
        seen = {
            LEFT: (across, from_other_end(down, height)),
            RIGHT: (from_other_end(across, width), down),
            TOP: (down, across),
            BOTTOM: (from_other_end(down, height), from_other_end(across, width)),
        }
        along, meeting = {}, {}
        for facing in classes:
            lines = [
                np.stack([seen[toward][which] for toward in facing.near.towards], axis=1)
                for which in range(2)
            ]
            length = height if is_across(facing.near.first) else width
            along[facing] = Lines(lines[0].reshape(-1, PERIOD), 0)
            meeting[facing] = Lines(lines[1].reshape(-1, PERIOD), length)
        return cls(along, meeting)

    @property
    def say_something(self) -> bool:
        """Whether anything of this is believed."""
        return any(lines.weight > 0 for lines in (*self.along.values(), *self.meeting.values()))

    def traits(self, reading: Reading) -> list[np.ndarray]:
        """Return what tells sides apart that look the same: where their pieces were cut."""
        return [
            lines.likely.argmax(axis=1)
            for of_kind in (self.along, self.meeting)
            for facing, lines in of_kind.items()
            if facing.near == reading and lines.weight > 0
        ]

    def said(self, pairs: Pairs, facing: Facing) -> np.ndarray:
        """Return what offsets say for seams between near and far sides, (m,) float32."""
        found = self.along[facing].log_ratios(pairs)
        found += self.meeting[facing].log_ratios(pairs)
        return found

    def vouched_for(self, choices: Mapping[Facing, Choices]) -> TurnedOffsets:
        """Return the offsets with periods and weights that suit sides known to touch.

        The lines along the sides of one class are those that meet the sides of the other; with
        quarter turns there is but one.
        """
        classes = list(self.along)
        along, meeting = dict(self.along), dict(self.meeting)
        for facing, other in zip(classes, classes[::-1], strict=True):
            asked = (along[facing], choices[facing]), (meeting[other], choices[other])
            along[facing], meeting[other] = _vouched_for(*asked)
        return TurnedOffsets(along, meeting)


def _vouched_for(*asked: tuple[Lines, Choices]) -> list[Lines]:
    """Return lines of the grid with the period and the weight by which known ones stand out most.

    If they do not stand out, nothing is said.
    """
    best, most = [replace(lines, weight=0.0) for lines, _ in asked], LEAST_GAIN
    for period in PERIODS:
        folded = [(lines.folded(period), choices) for lines, choices in asked]
        ratios = [
            lines.log_ratios((np.repeat(ones, others.shape[1]), others.ravel())).reshape(
                others.shape
            )
            for lines, (ones, others) in folded
        ]
        for weight in WEIGHTS:
            gain = gained([weight * ratio for ratio in ratios])
            if gain > most:
                best, most = [replace(lines, weight=weight) for lines, _ in folded], gain
    return best


def from_other_end(likely: np.ndarray, length: int) -> np.ndarray:
    """Return how likely places are, (n, period), counted from the other end of a length."""
    period = likely.shape[1]
    return likely[:, (length - np.arange(period)) % period]
