"""What every QR code of a version has in common: modules that are known, and the way data goes.

Reference: ISO/IEC 18004. Modules are 1 where dark, 0 where light, UNKNOWN where data decides.
"""

from __future__ import annotations

import functools
from typing import NamedTuple

import numpy as np

UNKNOWN = -1
VERSIONS = range(1, 41)
TIMING = 6
"""The row and the column of the timing patterns."""
FINDER = 7

LEVELS = "MLHQ"
"""Levels of error correction, in the order of the two bits that stand for them."""

MASKS = (
    lambda i, j: (i + j) % 2 == 0,
    lambda i, j: i % 2 == 0,
    lambda i, j: j % 3 == 0,
    lambda i, j: (i + j) % 3 == 0,
    lambda i, j: (i // 2 + j // 3) % 2 == 0,
    lambda i, j: i * j % 2 + i * j % 3 == 0,
    lambda i, j: (i * j % 2 + i * j % 3) % 2 == 0,
    lambda i, j: ((i + j) % 2 + i * j % 3) % 2 == 0,
)


class Format(NamedTuple):
    """What the format information says: the level of error correction and the mask."""

    level: str
    mask: int


FORMATS = [Format(level, mask) for level in LEVELS for mask in range(8)]


def size_of(version: int) -> int:
    """Return how many modules wide and high a version is."""
    return 17 + 4 * version


def known_modules(version: int, chosen: Format | None = None) -> np.ndarray:
    """Return the modules that do not depend on the data, (size, size) int8.

    Without a format its modules are UNKNOWN, too.

    Examples
    --------
    >>> known_modules(1)[:8, :10]
    array([[ 1,  1,  1,  1,  1,  1,  1,  0, -1, -1],
           [ 1,  0,  0,  0,  0,  0,  1,  0, -1, -1],
           [ 1,  0,  1,  1,  1,  0,  1,  0, -1, -1],
           [ 1,  0,  1,  1,  1,  0,  1,  0, -1, -1],
           [ 1,  0,  1,  1,  1,  0,  1,  0, -1, -1],
           [ 1,  0,  0,  0,  0,  0,  1,  0, -1, -1],
           [ 1,  1,  1,  1,  1,  1,  1,  0,  1,  0],
           [ 0,  0,  0,  0,  0,  0,  0,  0, -1, -1]], dtype=int8)
    """
    known = _patterns(version).copy()
    if chosen is not None:
        bits = _bits(_format_word(chosen), 15)
        for places in _format_places(version):
            known[*places.T] = bits
    return known


@functools.cache
def _patterns(version: int) -> np.ndarray:
    size = size_of(version)
    known = np.full((size, size), UNKNOWN, np.int8)
    known[TIMING] = known[:, TIMING] = 1 - np.arange(size) % 2
    centres = alignment_centres(version)
    corners = {(centres[0], centres[0]), (centres[0], centres[-1]), (centres[-1], centres[0])}
    for row in centres[: len(centres) if version > 1 else 0]:
        for column in centres:
            if (row, column) not in corners:
                known[row - 2 : row + 3, column - 2 : column + 3] = _rings(2) != 1
    finder = np.pad((_rings(3) != 2).astype(np.int8), 1)  # with its separator
    known[:8, :8], known[:8, -8:], known[-8:, :8] = finder[1:, 1:], finder[1:, :-1], finder[:-1, 1:]
    known[-8, 8] = 1
    if version >= 7:
        bits = _bits(_version_word(version), 18)[::-1].reshape(6, 3)
        known[:6, -11:-8] = bits
        known[-11:-8, :6] = bits.T
    return known


def _rings(radius: int) -> np.ndarray:
    """Return how far each module of a square is from the middle one."""
    away = np.abs(np.arange(-radius, radius + 1))
    return np.maximum.outer(away, away)


def alignment_centres(version: int) -> list[int]:
    """Return the rows, and columns, on which alignment patterns are centred."""
    last = size_of(version) - FINDER
    if version == 1:
        return [TIMING]
    many = version // 7 + 2
    step = 26 if version == 32 else (version * 4 + many * 2 + 1) // (many * 2 - 2) * 2
    return [TIMING, *(last - i * step for i in range(many - 2, -1, -1))]


def _format_places(version: int) -> tuple[np.ndarray, np.ndarray]:
    """Return where the two copies of the format stand, its first bit first."""
    size = size_of(version)
    beside = [*range(6), 7, 8]
    one = [(8, j) for j in beside] + [(i, 8) for i in (7, 5, 4, 3, 2, 1, 0)]
    other = [(size - 1 - i, 8) for i in range(7)] + [(8, size - 8 + j) for j in range(8)]
    return np.array(one), np.array(other)


def _format_word(chosen: Format) -> int:
    data = LEVELS.index(chosen.level) << 3 | chosen.mask
    return _with_check_bits(data, 10, 0b10100110111) ^ 0b101010000010010


def _version_word(version: int) -> int:
    return _with_check_bits(version, 12, 0b1111100100101)


def _with_check_bits(data: int, checks: int, generator: int) -> int:
    """Return data followed by the remainder of its division, a BCH code."""
    rest = data << checks
    while rest.bit_length() > checks:
        rest ^= generator << (rest.bit_length() - checks - 1)
    return data << checks | rest


def _bits(word: int, many: int) -> np.ndarray:
    return np.array([word >> i & 1 for i in range(many - 1, -1, -1)], np.int8)


@functools.cache
def data_places(version: int) -> np.ndarray:
    """Return the modules of data in their order, (bits, 2): two columns at a time, up and down."""
    free = known_modules(version, FORMATS[0]) == UNKNOWN
    size = len(free)
    places = []
    right_columns = [*range(size - 1, TIMING, -2), *range(TIMING - 1, 0, -2)]
    for turn, right in enumerate(right_columns):
        rows = range(size) if turn % 2 else range(size - 1, -1, -1)
        places += [(i, j) for i in rows for j in (right, right - 1) if free[i, j]]
    return np.array(places)


def mask_bits(version: int, mask: int) -> np.ndarray:
    """Return which modules of data a mask inverts, in their order."""
    rows, columns = data_places(version).T
    return np.asarray(MASKS[mask](rows, columns)).astype(np.int8)
