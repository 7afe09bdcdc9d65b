"""Sides that look the same.

In a plain sky hundreds of sides may have the same pixels. Nothing that is seen tells them apart:
one of them is looked at for all, and takes one place among the candidates of a side, not hundreds.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from jigsolve._kernels.candidates import hash_borders
from jigsolve.execution.crew import spans

ROWS_AT_ONCE = 1024
MULTIPLIER = 0x9E3779B97F4A7C15


def first_of_same(
    words: np.ndarray, are_same: Callable[[np.ndarray, np.ndarray], np.ndarray]
) -> np.ndarray:
    """Return for each thing the first one that is the same, (n,) int64.

    Things that are the same have the same 64-bit word. That two others have, too, is one chance in
    2^64: `are_same`, given the numbers of things and of others, makes it none.
    """
    _, first, group = np.unique(words, return_index=True, return_inverse=True)
    first = first[group.ravel()]
    for begin, end in spans(len(words), ROWS_AT_ONCE):
        own = np.arange(begin, end)
        own = own[first[own] != own]
        different = own[~are_same(own, first[own])]
        first[different] = different
    return first


def _in_pairs(rows: np.ndarray) -> np.ndarray:
    """Return rows of bytes as rows of int16, half as many if they can be."""
    even = rows.shape[1] % 2 == 0
    return np.ascontiguousarray(rows).view(np.int16) if even else rows.astype(np.int16)


@dataclass(frozen=True)
class Kinds:
    """Which of some sides look the same."""

    first: np.ndarray
    """For each side the first one of its kind, (n,)."""

    @classmethod
    def of(cls, lines: np.ndarray, traits: Sequence[np.ndarray] = ()) -> Kinds:
        """Find the kinds of sides by their pixels, (n, ...) uint8, and by traits, (n,) each."""
        rows = lines.reshape(len(lines), -1)
        words = np.empty(len(rows), np.uint64)
        for begin, end in spans(len(rows), ROWS_AT_ONCE):
            hash_borders(_in_pairs(rows[begin:end]), words[begin:end])
        for trait in traits:
            words = words * np.uint64(MULTIPLIER) + trait.astype(np.uint64)
        told = [rows, *(trait[:, None] for trait in traits)]

        def are_same(ones: np.ndarray, others: np.ndarray) -> np.ndarray:
            same = [(each[ones] == each[others]).all(axis=1) for each in told]
            return np.asarray(np.logical_and.reduce(same))

        return cls(first_of_same(words, are_same))

    @functools.cached_property
    def many(self) -> np.ndarray:
        """How many sides are of the kind of each first one, (n,)."""
        return np.bincount(self.first, minlength=len(self.first))

    @functools.cached_property
    def members(self) -> np.ndarray:
        """The sides kind by kind, (n,)."""
        return np.argsort(self.first, kind="stable")

    @functools.cached_property
    def starts(self) -> np.ndarray:
        """Where the kind of each first side begins among the members, (n + 1,)."""
        return np.concatenate([[0], np.cumsum(self.many)])
