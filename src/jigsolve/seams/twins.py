"""Sides that look the same."""

from __future__ import annotations

import numpy as np

from jigsolve._kernels.candidates import hash_borders
from jigsolve._kernels.costs import row_read
from jigsolve._kernels.geometry import SIDES
from jigsolve.execution.crew import ALONE, Executor, spans

ROWS_AT_ONCE = 1024
ROWS_PER_JOB = 8192


def twins_of(borders: np.ndarray, pieces: int, crew: Executor = ALONE) -> np.ndarray:
    """Return the same number for sides with the same border.

    Where pieces may be turned, that is the border as it is read clockwise.
    """
    hashes = np.empty(len(borders), np.uint64)

    def word(span: tuple[int, int]) -> None:
        hash_borders(borders[slice(*span)], hashes[slice(*span)])

    crew.map(word, spans(len(borders), ROWS_PER_JOB))
    sides = np.arange(SIDES * pieces)
    rows = sides if len(borders) == len(sides) else row_read(borders, sides, 1)
    _, first, group = np.unique(hashes[rows], return_index=True, return_inverse=True)
    twins = first[group].astype(np.int32)
    for begin, end in spans(len(sides), ROWS_AT_ONCE):
        # A word says that two borders are equal, but for one chance in 2^64: make it none.
        own = sides[begin:end]
        own = own[twins[own] != own]
        same = (borders[rows[own]] == borders[rows[twins[own]]]).all(axis=1)
        twins[own[~same]] = own[~same]
    return twins
