"""Sides that look the same.

In a plain sky hundreds of sides may have the same pixels. Nothing that is seen tells them apart:
one of them is looked at for all, and takes one place among the candidates of a side, not hundreds.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Kinds:
    """Which of some sides look the same."""

    first: np.ndarray
    """For each side the first one of its kind, (n,)."""

    @classmethod
    def of(cls, lines: np.ndarray, traits: Sequence[np.ndarray] = ()) -> Kinds:
        """Find the kinds of sides by their pixels, (n, ...) uint8, and by traits, (n,) each."""
        rows = np.ascontiguousarray(lines).reshape(len(lines), -1)
        as_bytes = rows.view(np.dtype((np.void, rows.shape[1])))[:, 0]
        kinds = np.unique(as_bytes, return_inverse=True)[1].ravel()
        for trait in traits:
            kinds = kinds * (int(trait.max(initial=0)) + 1) + trait
        _, first, kinds = np.unique(kinds, return_index=True, return_inverse=True)
        return cls(first[kinds.ravel()])

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
