"""What a code may say: its mode and length make the beginning and the padding known.

Padding is most of a code with a short text, and text of plain ASCII leaves the highest bit of
every byte zero. Nothing is believed of it unless the check sums confirm it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jigsolve.qr.codewords import blocks_of, data_order
from jigsolve.qr.symbol import UNKNOWN, Format, data_places, mask_bits, size_of

MODES = {"byte": 0b0100, "alphanumeric": 0b0010, "numeric": 0b0001}
COUNT_BITS = {"byte": (8, 16, 16), "alphanumeric": (9, 11, 13), "numeric": (10, 12, 14)}
"""How long the number of characters is in versions up to 9, up to 26 and above."""

MODE_BITS = 4
END_BITS = 4
PADDING = (0b11101100, 0b00010001)


class Content(NamedTuple):
    """What a code may hold."""

    mode: str
    length: int
    gap: int
    """Zero bytes before the padding: none, or one as a widespread encoder writes."""


def contents(version: int, level: str) -> list[Content]:
    """Return every mode and length that fit, short ones first."""
    room = 8 * blocks_of(version, level).capacity
    found = []
    for mode in MODES:
        length = 1
        while (used := _used(version, mode, length)) <= room:
            found += [(used, Content(mode, length, gap)) for gap in (0, 1)]
            length += 1
    return [content for _, content in sorted(found)]


def header_bits(version: int, mode: str) -> int:
    """Return how many bits stand before the text."""
    return MODE_BITS + COUNT_BITS[mode][(version > 9) + (version > 26)]


def _used(version: int, mode: str, length: int) -> int:
    """Return how many bits the text takes, with its header."""
    return (
        header_bits(version, mode)
        + {
            "byte": 8 * length,
            "alphanumeric": 11 * (length // 2) + 6 * (length % 2),
            "numeric": 10 * (length // 3) + (0, 4, 7)[length % 3],
        }[mode]
    )


def content_bits(version: int, level: str, content: Content) -> np.ndarray:
    """Return the bits of data a content makes known, UNKNOWN elsewhere, in reading order."""
    room = 8 * blocks_of(version, level).capacity
    mode, length, gap = content
    begin, used = header_bits(version, mode), _used(version, mode, length)
    header = MODES[mode] << (begin - MODE_BITS) | length
    bits = np.full(room, UNKNOWN, np.int8)
    bits[:begin] = [header >> i & 1 for i in range(begin - 1, -1, -1)]
    if mode == "byte":
        bits[begin:used:8] = 0
    padded = min(-(-(used + END_BITS) // 8) * 8, room) + 8 * gap
    bits[used:padded] = 0
    padding = np.unpackbits(np.array(PADDING, np.uint8))
    bits[padded:] = np.resize(padding, max(room - padded, 0))
    return bits


def as_modules(version: int, chosen: Format, bits: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the numbers, rising, and the values of the modules that bits of data make known."""
    known = np.flatnonzero(bits != UNKNOWN)
    places = data_order(version, chosen.level)[known]
    rows, columns = data_places(version)[places].T
    numbers = rows * size_of(version) + columns
    values = bits[known] ^ mask_bits(version, chosen.mask)[places]
    order = np.argsort(numbers)
    return numbers[order], values[order]
