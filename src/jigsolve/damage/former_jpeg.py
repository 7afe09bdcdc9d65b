"""Finding out that a lossless picture was a JPEG once, after it was shuffled.

The coefficients of a JPEG's blocks are whole multiples of its quantization steps, and still are
when its pixels are stored without loss. Where blocks that straddle a cut show that, the picture was
compressed after it had been shuffled; those within pieces may be older.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from jigsolve.damage.damage import UNDAMAGED, Blocks, Damage
from jigsolve.damage.places import Places

BLOCK = 8
MOST_BLOCKS = 3000
FEWEST_BLOCKS = 24
FEWEST_LEVELS = 32
"""Graphics in a few colours have few coefficients, which may fit some table by chance."""
_TO_LIGHT = np.array([0.299, 0.587, 0.114], np.float32)
_TO_BLUE = np.array([-0.168736, -0.331264, 0.5], np.float32)
QUALITIES = range(20, 96)
"""Steps of better ones are as small as the rounding of pixels."""
CLEAR = 0.35
"""How regular coefficients must be, from 0 (not at all) to 1; rounding and clipping cost some."""
NEARLY = 0.85
"""A step's half is nearly as regular as the step itself: the largest of such steps is taken."""
LOW = 5
"""Frequencies that are looked at: higher ones are zero nearly everywhere."""

# Annex K of ITU-T T.81, which nearly all encoders scale.
_LIGHT = np.array(
    [
        [16, 11, 10, 16, 24, 40, 51, 61], [12, 12, 14, 19, 26, 58, 60, 55],
        [14, 13, 16, 24, 40, 57, 69, 56], [14, 17, 22, 29, 51, 87, 80, 62],
        [18, 22, 37, 56, 68, 109, 103, 77], [24, 35, 55, 64, 81, 104, 113, 92],
        [49, 64, 78, 87, 103, 121, 120, 101], [72, 92, 95, 98, 112, 100, 103, 99],
    ]
)  # fmt: skip
_COLOUR = np.full((BLOCK, BLOCK), 99)
_COLOUR[:4, :4] = [[17, 18, 24, 47], [18, 21, 26, 66], [24, 26, 56, 99], [47, 66, 99, 99]]


def former_jpeg(pixels: np.ndarray, places: Places) -> Damage:
    """Return the damage of a picture that was a JPEG after it was shuffled, else none.

    Where all cuts lie between blocks of lightness, those of halved colours may still straddle one.
    """
    straddling = _straddling(places, BLOCK)
    is_straddled = any(len(lines) for lines in straddling)
    light = _plane(pixels, _TO_LIGHT)
    blocks = _blocks(light, straddling if is_straddled else None)
    if (
        len(blocks) < FEWEST_BLOCKS
        or len(np.unique(pixels[:: BLOCK + 1, :: BLOCK + 1])) < FEWEST_LEVELS
    ):
        return UNDAMAGED
    regular = np.array([_regularity(blocks, _scaled(_LIGHT, quality)) for quality in QUALITIES])
    if regular.max() < CLEAR:
        return UNDAMAGED
    quality = QUALITIES[int(np.argmax(regular >= NEARLY * regular.max()))]
    tables = _scaled(_LIGHT, quality), _scaled(_COLOUR, quality)
    damage = Damage(
        "jpeg",
        Blocks((BLOCK, BLOCK), (2 * BLOCK, 2 * BLOCK)),
        (float(tables[0].mean()), float(tables[1].mean())),
    )
    blue = _plane(pixels, _TO_BLUE)
    if is_straddled:
        if _regularity(_blocks(blue, straddling), tables[1]) >= CLEAR:
            return replace(damage, blocks=Blocks((BLOCK, BLOCK), (BLOCK, BLOCK)))
        return damage
    halved = _halved(_halved(blue).T).T
    mixed = _blocks(halved, _straddling(places, 2 * BLOCK))
    return damage if _regularity(mixed, tables[1]) >= CLEAR else UNDAMAGED


def _plane(pixels: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return lightness or a colour difference, in single precision."""
    return np.asarray(pixels.astype(np.float32) @ weights)


def _straddling(places: Places, block: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the columns and the rows of blocks that hold a cut within."""
    found = []
    for axis in (0, 1):
        cuts = np.unique(np.rint(places.cells[:, axis]).astype(np.int64))
        found.append(np.unique(cuts[cuts % block != 0] // block))
    return found[0], found[1]


def _halved(plane: np.ndarray) -> np.ndarray:
    """Return the half of a plane's columns of which a decoder made the whole ones.

    Each pair it makes is three parts its own and one part the next column on either side.
    """
    pairs = plane[:, : plane.shape[1] // 2 * 2].reshape(len(plane), -1, 2).mean(axis=2)
    halved = pairs
    for _ in range(12):  # each round leaves a third of the error
        beside = np.pad(halved, ((0, 0), (1, 1)), mode="edge")
        halved = (8 * pairs - beside[:, :-2] - beside[:, 2:]) / 6
    return np.asarray(halved)


def _blocks(plane: np.ndarray, straddling: tuple[np.ndarray, np.ndarray] | None) -> np.ndarray:
    """Return coefficients of all blocks, or of those in some columns or rows, (n, BLOCK, BLOCK)."""
    high, wide = (extent // BLOCK for extent in plane.shape)
    wanted = np.ones((high, wide), np.bool_)
    if straddling is not None:
        columns, rows = (
            np.isin(np.arange(count), lines)
            for count, lines in zip((wide, high), straddling, strict=True)
        )
        wanted = columns[None] | rows[:, None]
    chosen = np.argwhere(wanted)
    chosen = chosen[:: -(-len(chosen) // MOST_BLOCKS) or 1]
    grid = plane[: high * BLOCK, : wide * BLOCK].reshape(high, BLOCK, wide, BLOCK)
    blocks = grid[chosen[:, 0], :, chosen[:, 1]]
    at = np.arange(BLOCK)
    basis = np.cos(np.pi * at[:, None] * (2 * at + 1) / (2 * BLOCK)) / 2
    basis[0] /= np.sqrt(2)
    return np.asarray(basis @ blocks @ basis.T)


def _regularity(blocks: np.ndarray, table: np.ndarray) -> float:
    """Return how far coefficients that are not zero are multiples of their steps, at most 1."""
    found = []
    for u in range(LOW):
        for v in range(LOW - u):
            values, step = blocks[:, u, v], table[u, v]
            values = values[np.abs(values) > 0.6 * step]
            if (u or v) and len(values) >= FEWEST_BLOCKS // 2:
                found.append(np.cos(2 * np.pi * values / step).mean())
    return float(np.mean(found)) if len(found) >= LOW else 0.0


def _scaled(table: np.ndarray, quality: int) -> np.ndarray:
    """Return a table at a quality, as libjpeg scales it."""
    percent = 5000 // quality if quality < 50 else 200 - 2 * quality
    return np.asarray(np.clip((table * percent + 50) // 100, 1, 255))
