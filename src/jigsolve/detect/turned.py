"""Are pieces turned? A sample of sides whose partner is beyond doubt says so.

Sides are compared with all sides that they might touch if pieces were turned. In a picture whose
pieces are not, right sides find left ones and bottom sides top ones; where pieces are turned at
random only some do.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from jigsolve._kernels.geometry import (
    BOTTOM,
    LEFT,
    RIGHT,
    TOP,
    opposite,
    reads_clockwise,
)
from jigsolve.core.turns import HALF, NONE, QUARTER

SAMPLE = 400
"""So many sides are asked for their partner."""
CLEAR = 0.6
"""A partner is beyond doubt that differs by less than this share of what the next one does, and
that would have no other itself."""
STEP = 0.35
"""Sides are carried on by so many pixels, as the measure `extrapolation` does."""
PIXELS = 64
"""The most pixels of a side that are compared."""
NARROW = 3
"""Pieces less wide than this are lines: both of their long sides look alike."""
ENOUGH = 12
"""Fewer seams say nothing."""
MOSTLY, PARTLY = 0.9, 0.7
"""If more of the seams than this would be there unturned, pieces are not turned; if fewer than
that, they are. With half turns half of them are expected, with quarter turns a quarter."""
AT_ONCE = 8192


@dataclass(frozen=True)
class FoundTurns:
    """What a sample of seams says of turns."""

    turns: str
    """"none", "half" or "quarter"; "none" where nothing is sure."""
    seams: int
    """How many seams of the sample are beyond doubt."""
    facing: int
    """How many of these are between sides that face each other unturned."""
    is_sure: bool

    def describe(self) -> str:
        """Say what was found."""
        if not self.is_sure:
            return "too little is sure to tell whether pieces are turned: taken for not turned"
        counted = f"{self.facing} of {self.seams} sure seams need no turn"
        return f"the pieces are {'not ' if self.turns == NONE else ''}turned: {counted}"


def find_turns(pieces: np.ndarray) -> FoundTurns:
    """Say whether pieces, (n, height, width, 3) uint8, are turned.

    Square ones may be turned by quarters, others by halves.
    """
    height, width = pieces.shape[1:3]
    if min(height, width) < NARROW:
        return FoundTurns(NONE, 0, 0, is_sure=False)
    kinds = [(LEFT, RIGHT, TOP, BOTTOM)] if height == width else [(LEFT, RIGHT), (TOP, BOTTOM)]
    facing = seams = 0
    for kind in kinds:
        for side, partner in _sure_seams(pieces, kind, SAMPLE // len(kinds)):
            seams += 1
            facing += partner == opposite(side)
    share = facing / max(seams, 1)
    if seams < ENOUGH or PARTLY <= share <= MOSTLY:
        return FoundTurns(NONE, seams, facing, is_sure=False)
    turned = QUARTER if height == width else HALF
    return FoundTurns(NONE if share > MOSTLY else turned, seams, facing, is_sure=True)


def _sure_seams(pieces: np.ndarray, kind: tuple[int, ...], sample: int) -> list[tuple[int, int]]:
    """Return, for a sample of sides, which side of a piece found which, where that is sure."""
    clockwise = _read_clockwise(pieces, kind)
    many = len(kind)
    asking = np.random.default_rng(0).permutation(len(clockwise))[:sample]
    found, nearest, second = _two_nearest(clockwise, asking, many)
    sure = nearest < CLEAR**2 * second
    asking, found = asking[sure], found[sure]
    if not len(asking):
        return []
    back, _, _ = _two_nearest(clockwise, found, many)
    mutual = back == asking
    return [
        (kind[one % many], kind[other % many])
        for one, other in zip(asking[mutual].tolist(), found[mutual].tolist(), strict=True)
    ]


def _read_clockwise(pieces: np.ndarray, kind: tuple[int, ...]) -> np.ndarray:
    """Return sides of all pieces, carried on, read clockwise, (n sides, pixels, 3) float32."""
    lines = {
        LEFT: (np.s_[:, :, 0], np.s_[:, :, 1:2]),
        RIGHT: (np.s_[:, :, -1], np.s_[:, :, -2:-1]),
        TOP: (np.s_[:, 0], np.s_[:, 1:2]),
        BOTTOM: (np.s_[:, -1], np.s_[:, -2:-1]),
    }
    read = []
    for side in kind:
        outer, inner = lines[side]
        edge = pieces[outer].astype(np.float32)
        behind = pieces[inner].astype(np.float32).reshape(len(pieces), -1, 3)
        if behind.shape == edge.shape:  # or the piece is one pixel wide
            edge += STEP * (edge - behind)
        read.append(edge if reads_clockwise(side) else edge[:, ::-1])
    sides = np.stack(read, axis=1)
    some = sides[:, :, _same_from_both_ends(sides.shape[2])]
    return np.ascontiguousarray(some.reshape(-1, some.shape[2], 3))


def _same_from_both_ends(length: int) -> np.ndarray:
    """Return which pixels of a side are compared: the same ones, read from either end."""
    if length <= PIXELS:
        return np.arange(length)
    first = np.arange(PIXELS // 2) * (length - 1) // (PIXELS - 1)
    return np.concatenate([first, length - 1 - first[::-1]])


def _two_nearest(
    clockwise: np.ndarray, asking: np.ndarray, many: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the nearest side of another piece for each that asks; how far it and the next are.

    Squared distances; partners are read from their other ends.
    """
    ask = clockwise[asking].reshape(len(asking), -1)
    best = np.full((2, len(asking)), np.inf, np.float32)
    found = np.zeros(len(asking), np.int64)
    squares = np.einsum("ij,ij->i", ask, ask)
    for first in range(0, len(clockwise), AT_ONCE):
        some = clockwise[first : first + AT_ONCE, ::-1].reshape(-1, ask.shape[1])
        apart = squares[:, None] - 2 * ask @ some.T + np.einsum("ij,ij->i", some, some)
        apart = np.maximum(apart, 0)
        own = (first + np.arange(len(some)))[None] // many == asking[:, None] // many
        apart[own] = np.inf
        order = np.argpartition(apart, min(1, apart.shape[1] - 1), axis=1)[:, :2]
        near = np.take_along_axis(apart, order, axis=1)
        rank = np.argsort(near, axis=1, kind="stable")
        near, order = (np.take_along_axis(each, rank, axis=1) for each in (near, order))
        closer = near[:, 0] < best[0]
        found = np.where(closer, first + order[:, 0], found)
        merged = np.sort(np.concatenate([best.T, near], axis=1), axis=1)
        best = np.ascontiguousarray(merged[:, :2].T)
    return found, best[0], best[1]
