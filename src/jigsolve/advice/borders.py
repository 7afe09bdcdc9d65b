"""Borders between parts of a picture, and between ever larger ones."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from jigsolve.advice.seams import BoardSeams


class Border(NamedTuple):
    """Where two parts meet."""

    seam: int
    """The seam that says most of it: its pieces are of large parts, and held well by them."""
    chance: float
    """How certain its seams are, on average."""
    fewer: int
    """Cells of the smaller part."""


class _Meeting(NamedTuple):
    """All seams between two groups of parts."""

    total: float
    """How certain they are, added up."""
    seams: int
    is_cut: bool
    """Whether one of them is known not to hold."""
    best: tuple[int, float, int]
    """The one that says most: cells of the smaller of its parts, how well its pieces are held, and
    its number, negative."""

    @property
    def chance(self) -> float:
        return self.total / self.seams

    def with_others(self, other: _Meeting) -> _Meeting:
        return _Meeting(
            self.total + other.total,
            self.seams + other.seams,
            self.is_cut or other.is_cut,
            max(self.best, other.best),
        )


def borders_of(seams: BoardSeams, part: np.ndarray) -> Iterator[Border]:
    """Put parts together, the surest border first; yield each border as it is crossed.

    `part` is that of each cell. A border with a seam that is known not to hold is not crossed.
    """
    size = np.bincount(part, minlength=len(part)).tolist()
    meeting = _meetings(seams, part)
    waiting = [
        (-met.chance, one, other)
        for one, others in meeting.items()
        for other, met in others.items()
        if one < other and not met.is_cut
    ]
    heapq.heapify(waiting)
    while waiting:
        chance, one, other = heapq.heappop(waiting)
        met = meeting.get(one, {}).get(other)
        if met is None or met.is_cut or met.chance != -chance:
            continue  # it has changed since, and waits again if it is still one
        yield Border(-met.best[2], met.chance, min(size[one], size[other]))
        if len(meeting[one]) < len(meeting[other]):
            one, other = other, one
        size[one] += size[other]
        for third, beside in meeting.pop(other).items():
            del meeting[third][other]
            if third == one:
                continue
            before = meeting[one].get(third)
            now = beside if before is None else before.with_others(beside)
            meeting[one][third] = meeting[third][one] = now
            if not now.is_cut:
                heapq.heappush(waiting, (-now.chance, min(one, third), max(one, third)))


def _meetings(seams: BoardSeams, part: np.ndarray) -> dict[int, dict[int, _Meeting]]:
    """Return what lies between every two parts that meet."""
    sizes = np.bincount(part, minlength=len(part))
    within = part[seams.one] == part[seams.other]
    held = np.zeros(len(part))
    for ends in (seams.one, seams.other):
        np.add.at(held, ends[within], seams.chance[within])
    across = np.flatnonzero(~within)
    ends = np.stack([seams.one[across], seams.other[across]])
    found: dict[int, dict[int, _Meeting]] = {}
    for seam, one, other, chance, is_cut, fewer, firmly in zip(
        across.tolist(),
        *part[ends].tolist(),
        seams.chance[across].tolist(),
        seams.parted[across].tolist(),
        sizes[part[ends]].min(axis=0).tolist(),
        held[ends].min(axis=0).tolist(),
        strict=True,
    ):
        met = _Meeting(chance, 1, is_cut, (fewer, firmly, -seam))
        others = found.setdefault(one, {})
        if other in others:
            met = others[other].with_others(met)
        others[other] = found.setdefault(other, {})[one] = met
    return found
