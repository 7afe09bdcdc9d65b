"""The redundancy of a QR code: which sums of its modules are even.

A Reed-Solomon code is linear, and so is every bit of its symbols: all of it is a matrix of bits
that gives zero for every code that can be read without correcting an error.
"""

from __future__ import annotations

import functools
from typing import NamedTuple

import numpy as np

from jigsolve.qr.symbol import data_places

# Codewords of error correction in a block, and blocks, of versions 1 to 40.
_CHECKS = {
    "L": "7 10 15 20 26 18 20 24 30 18 20 24 26 30 22 24 28 30 28 28 28 28 30 30 26 28 30 30 30 30 "
    "30 30 30 30 30 30 30 30 30 30",
    "M": "10 16 26 18 24 16 18 22 22 26 30 22 22 24 24 28 28 26 26 26 26 28 28 28 28 28 28 28 28 "
    "28 28 28 28 28 28 28 28 28 28 28",
    "Q": "13 22 18 26 18 24 18 22 20 24 28 26 24 20 30 24 28 28 26 30 28 30 30 30 30 28 30 30 30 "
    "30 30 30 30 30 30 30 30 30 30 30",
    "H": "17 28 22 16 22 28 26 26 24 28 24 28 22 24 24 30 28 28 26 28 30 24 30 30 30 30 30 30 30 "
    "30 30 30 30 30 30 30 30 30 30 30",
}
_BLOCKS = {
    "L": "1 1 1 1 1 2 2 2 2 4 4 4 4 4 6 6 6 6 7 8 8 9 9 10 12 12 12 13 14 15 16 17 18 19 19 20 21 "
    "22 24 25",
    "M": "1 1 1 2 2 4 4 4 5 5 5 8 9 9 10 10 11 13 14 16 17 17 18 20 21 23 25 26 28 29 31 33 35 37 "
    "38 40 43 45 47 49",
    "Q": "1 1 2 2 4 4 6 6 8 8 8 10 12 16 12 17 16 18 21 20 23 23 25 27 29 34 34 35 38 40 43 45 48 "
    "51 53 56 59 62 65 68",
    "H": "1 1 2 4 4 4 5 6 8 8 11 11 16 16 18 16 19 21 25 25 25 34 30 32 35 37 40 42 45 48 51 54 57 "
    "60 63 66 70 74 77 81",
}
FIELD = 0b100011101
"""The polynomial that makes bytes the field of 256 elements."""


class Blocks(NamedTuple):
    """How the codewords of a version and level are divided."""

    data: list[np.ndarray]
    """Of each block the places of its codewords of data in the sequence of all."""
    checks: list[np.ndarray]
    """And of those that check them."""

    @property
    def capacity(self) -> int:
        """How many codewords of data there are."""
        return sum(map(len, self.data))


@functools.cache
def blocks_of(version: int, level: str) -> Blocks:
    """Return the blocks of a version and level; codewords of blocks take turns."""
    many = int(_BLOCKS[level].split()[version - 1])
    checks = int(_CHECKS[level].split()[version - 1])
    codewords = len(data_places(version)) // 8
    shorter = codewords // many - checks
    longer = codewords % many  # so many blocks at the end have one more
    turns = np.arange(shorter * many).reshape(shorter, many).T
    data = list(turns)
    for extra in range(longer):
        block = many - longer + extra
        data[block] = np.append(data[block], shorter * many + extra)
    after = shorter * many + longer
    return Blocks(data, list(after + np.arange(checks * many).reshape(checks, many).T))


@functools.cache
def parity_matrix(version: int, level: str) -> np.ndarray:
    """Return sums that are even, (sums, bits) bool, over unmasked bits of data in their order."""
    powers = _powers()
    found = []
    for data, checks in zip(*blocks_of(version, level), strict=True):
        places = np.concatenate([data, checks])[::-1]
        # A syndrome is the sum of codewords times powers of 2: each bit of one, highest first,
        # is itself a power of 2.
        exponents = np.multiply.outer(np.arange(len(checks)), np.arange(len(places)))
        products = powers[(exponents[:, :, None] + np.arange(7, -1, -1)) % len(powers)]
        sums = products[:, None] >> np.arange(8)[:, None, None] & 1
        rows = np.zeros((len(checks), 8, len(data_places(version))), bool)
        rows[:, :, 8 * places[:, None] + np.arange(8)] = sums
        found.append(rows.reshape(8 * len(checks), -1))
    return np.concatenate(found)


@functools.cache
def _powers() -> np.ndarray:
    """Return the powers of 2 in the field, from the 0th to the 254th."""
    powers = [1]
    while len(powers) < 255:
        doubled = powers[-1] << 1
        powers.append(doubled ^ FIELD if doubled > 255 else doubled)
    return np.array(powers)


def data_order(version: int, level: str) -> np.ndarray:
    """Return the places of the bits of data, among all, in the order they are read."""
    codewords = np.concatenate(blocks_of(version, level).data)
    return np.asarray((8 * codewords[:, None] + np.arange(8)).ravel())
