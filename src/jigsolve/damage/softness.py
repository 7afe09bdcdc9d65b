"""Finding out that a picture was scaled or blurred after it was shuffled.

Scaling mixes the pixels beside a cut with a stranger's: there, neighbouring lines of a piece differ
more than lines further in. In a picture that is as it was cut they differ alike.
"""

from __future__ import annotations

import numpy as np

SOFT = 1.25
"""How many times as much the outermost lines differ as inner ones, from which on it is believed:
at most 1.1 in photographs as they were cut, from 1.3 on in most that were scaled or blurred."""
SOFT_IF_COMPRESSED = 3.0
"""Compression alone makes up to 2.6 times."""
CLEAR = 5.0
"""Standard errors by which they must differ."""

INNER = (4, 7)
MOST_PIECES = 4096


def is_soft(pieces: np.ndarray, *, compressed: bool) -> bool:
    """Say whether pixels beside cuts were mixed, from pieces (n, height, width, 3) uint8."""
    step = -(-len(pieces) // MOST_PIECES)
    some = pieces[::step].astype(np.int16)
    outer, inner = [], []
    for sides in (some, some[:, :, ::-1], some.swapaxes(1, 2), some.swapaxes(1, 2)[:, :, ::-1]):
        if sides.shape[2] > 2 * INNER[1]:
            steps = np.abs(np.diff(sides[:, :, : INNER[1] + 1], axis=2)).mean(axis=(1, 3))
            outer.append(steps[:, 0])
            inner.append(steps[:, slice(*INNER)].mean(axis=1))
    if not outer:
        return False
    excess = np.concatenate(outer) - np.concatenate(inner)
    if not excess.any():
        return False
    clear = excess.mean() > CLEAR * excess.std() / np.sqrt(len(excess))
    ratio = SOFT_IF_COMPRESSED if compressed else SOFT
    return bool(clear and np.sum(outer) > ratio * np.sum(inner))
