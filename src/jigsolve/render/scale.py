"""The colours of confidence."""

from __future__ import annotations

import numpy as np

SUSPICIOUS = 0.7
"""Seams less likely right than this are marked."""

LOWEST = 0.5
"""Where the scale begins. What a solver leaves in its solution is hardly ever less sure."""

SCALE = np.array(
    [[73, 0, 86], [163, 18, 92], [222, 83, 48], [248, 166, 54], [253, 231, 150]], np.float32
)
"""From the lowest confidence to full, in even steps of lightness."""

MARK, MARK_RIM = (0, 114, 255), (255, 255, 255)
INK, PAPER = (34, 34, 34), (255, 255, 255)
HATCH_DARK, HATCH_LIGHT = (150, 150, 150), (205, 205, 205)

STRONGEST = 0.85
"""Share of the tint where there is least confidence; the picture still shines through."""
PALEST, DARKEST = 235, 70
"""Greys of the picture are moved between these, where tints are well seen."""


def tinted(grey: np.ndarray, confidence: np.ndarray) -> np.ndarray:
    """Lay the colours of confidence over grey pixels of the same shape; not a number is sure."""
    sure = np.nan_to_num(confidence, nan=1.0).astype(np.float32)
    doubt = np.clip((1 - sure) / (1 - LOWEST), 0, 1)
    place = (1 - doubt) * (len(SCALE) - 1)
    below = np.minimum(place.astype(int), len(SCALE) - 2)
    along = (place - below)[..., None]
    colour = SCALE[below] * (1 - along) + SCALE[below + 1] * along
    share = (STRONGEST * doubt**0.8)[..., None]
    shade = DARKEST + grey.astype(np.float32)[..., None] * ((PALEST - DARKEST) / 255)
    blend: np.ndarray = np.rint(shade * (1 - share) + colour * share)
    return blend.astype(np.uint8)


def hatched(shape: tuple[int, ...]) -> np.ndarray:
    """Return diagonal stripes of two greys, (height, width, 3)."""
    stripe = max(2, max(shape) // 200)
    diagonal = np.add.outer(np.arange(shape[0]), np.arange(shape[1])) // stripe % 2
    return np.where(diagonal[..., None] == 0, HATCH_DARK, HATCH_LIGHT).astype(np.uint8)
