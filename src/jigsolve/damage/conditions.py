"""What the network for damaged borders is told about a side: which of its lines to trust.

A block that straddles a cut holds pixels of two strangers, and compressing it mixes them. Which
lines of a piece lie in such blocks follows from where it lay in the picture.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from jigsolve.damage.damage import Damage
from jigsolve.damage.places import Places

LINES = 14
"""Lines of pixels that the network sees."""

LEFT, RIGHT, TOP, BOTTOM = range(4)

GENERAL = 12
FEATURES = GENERAL + 2 * LINES


@dataclass(frozen=True, eq=False)
class Conditions:
    """What is known about one side of all pieces."""

    features: np.ndarray
    """(n, FEATURES) float32: kind and strength, and which lines straddle a cut, for lightness
    and for colours."""
    ends: np.ndarray
    """Positions at the beginning and the end of the side that straddle another cut, for lightness
    and for colours, (n, 4) int32."""

    @classmethod
    def of(
        cls,
        damage: Damage,
        places: Places | None,
        pieces: int,
        size: tuple[int, int],
        side: int,
    ) -> Conditions:
        """Describe a side of pieces of some (height, width)."""
        across = 0 if side in (LEFT, RIGHT) else 1
        breadth = size[1 - across]
        features = np.zeros((pieces, FEATURES), np.float32)
        ends = np.zeros((pieces, 4), np.int32)
        features[:, 0] = damage.codec == "jpeg"
        features[:, 1] = damage.codec == "webp"
        features[:, 2] = damage.soft
        features[:, 3] = damage.eroded
        features[:, 4] = damage.apart
        if damage.steps is not None:
            features[:, 5] = 1.0
            features[:, 6:8] = np.log(np.maximum(damage.steps, 1.0)) / 4.0
        if damage.lost is not None:
            features[:, 8] = damage.lost / 4.0
        elif damage.eroded:
            features[:, 8] = -1.0
        if places is None:
            return cls(features, ends)
        beyond = _beyond_the_cut(places, size, side)
        features[:, 9] = beyond
        if damage.blocks is None or damage.apart:
            return cls(features, ends)
        features[:, 10] = 1.0
        features[:, 11] = damage.blocks.colour[across] / 16.0
        own, facing = (TOP, BOTTOM) if across else (LEFT, RIGHT)
        if side in (RIGHT, BOTTOM):
            own, facing = facing, own
        first, last = (LEFT, RIGHT) if across else (TOP, BOTTOM)
        lines = np.minimum(np.arange(LINES), breadth - 1)  # the last stands for missing ones
        for number, blocks in enumerate(damage.blocks):
            near = straddling(places, size, own, blocks[across])[:, None]
            far = straddling(places, size, facing, blocks[across])[:, None]
            at = GENERAL + number * LINES
            features[:, at : at + LINES] = (lines < near) | (lines >= breadth - far)
            ends[:, 2 * number] = straddling(places, size, first, blocks[1 - across])
            ends[:, 2 * number + 1] = straddling(places, size, last, blocks[1 - across])
        return cls(features, ends)

    def from_other_end(self) -> Conditions:
        """Return what is known of the side read from its other end."""
        return Conditions(self.features, self.ends[:, [1, 0, 3, 2]])


def straddling(places: Places, size: tuple[int, int], side: int, block: int) -> np.ndarray:
    """Return how many of a side's lines lie in blocks that hold a stranger's pixels, (n,)."""
    across = 0 if side in (LEFT, RIGHT) else 1
    begin = places.windows[:, across]
    cut = places.cells[:, across + (2 if side in (RIGHT, BOTTOM) else 0)]
    cut = np.round(cut.astype(np.float64), 3)  # or a cut between two blocks may lie beside it
    if side in (LEFT, TOP):
        lines = np.ceil(cut / block) * block - begin
        alone = cut <= 0
    else:
        lines = begin + size[1 - across] - np.floor(cut / block) * block
        alone = cut >= places.extent[across]
    return np.where(alone, 0, np.maximum(lines, 0)).astype(np.int32)


def _beyond_the_cut(places: Places, size: tuple[int, int], side: int) -> np.ndarray:
    """Return how far the pixels taken reach over the cut, negative if they end before it."""
    across = 0 if side in (LEFT, RIGHT) else 1
    begin = places.windows[:, across]
    if side in (LEFT, TOP):
        return np.asarray(places.cells[:, across] - begin)
    return np.asarray(begin + size[1 - across] - places.cells[:, across + 2])
