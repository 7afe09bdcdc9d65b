"""Sides that look the same."""

from __future__ import annotations

import numpy as np

from jigsolve._kernels.candidates import hash_borders
from jigsolve._kernels.costs import row_read
from jigsolve._kernels.geometry import SIDES
from jigsolve.execution.crew import ALONE, Executor, spans
from jigsolve.measures.kinds import first_of_same

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

    def are_same(ones: np.ndarray, others: np.ndarray) -> np.ndarray:
        return np.asarray((borders[rows[ones]] == borders[rows[others]]).all(axis=1))

    return first_of_same(hashes[rows], are_same).astype(np.int32)
