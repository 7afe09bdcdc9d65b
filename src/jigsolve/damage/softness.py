"""Finding out that a picture was scaled or blurred after it was shuffled.

Scaling mixes the pixels beside a cut with a stranger's: there, neighbouring lines of a piece differ
more than lines further in. In a picture that is as it was cut they differ alike.
"""

from __future__ import annotations

import numpy as np

SOFT = 0.13
"""Share of sides, beyond what chance makes, whose outermost lines differ much more than inner ones
do, from which on it is believed: at most 0.09 in photographs as they were cut, from 0.14 on in most
that were scaled or blurred."""
SOFT_IF_COMPRESSED = 0.62
"""Compression alone makes up to 0.51."""
ERRORS = 3.0
"""Standard errors to spare, for few pieces."""

MUCH, AT_LEAST = 1.5, 0.3
"""More than so many times as much, and by more than so many steps of 8-bit colour."""

LINES = 8
INNER = 4
MOST_PIECES = 4096


def is_soft(pieces: np.ndarray, *, compressed: bool) -> bool:
    """Say whether pixels beside cuts were mixed, from pieces (n, height, width, 3) uint8."""
    step = -(-len(pieces) // MOST_PIECES)
    some = pieces[::step]
    turned = some.swapaxes(1, 2)
    steps = [
        np.abs(np.diff(sides[:, :, :LINES].astype(np.int16), axis=2)).mean(axis=(1, 3))
        for sides in (some, some[:, :, ::-1], turned, turned[:, :, ::-1])
        if sides.shape[2] >= 2 * LINES
    ]
    if not steps:
        return False
    every = np.concatenate(steps)
    outer = _share_of_much(every[:, 0], every[:, INNER:])
    inner = _share_of_much(every[:, INNER], every[:, INNER + 1 :])
    error = np.sqrt((outer + inner) / len(every))
    return bool(outer - inner > (SOFT_IF_COMPRESSED if compressed else SOFT) + ERRORS * error)


def _share_of_much(line: np.ndarray, others: np.ndarray) -> float:
    return float(np.mean(line > MUCH * others.mean(axis=1) + AT_LEAST))
