"""Sketches of borders: a few numbers each, by which `_kernels.search` rules out most of them."""

from __future__ import annotations

import numpy as np

from jigsolve._kernels.geometry import ACROSS, DOWN, SIDES, opposite
from jigsolve._kernels.search import COMPONENTS
from jigsolve.execution.crew import one_thread_per_product

WIDE = 1024
"""Numbers in a border above which a square matrix of so many takes seconds."""


def sketch(edges: np.ndarray, twins: np.ndarray) -> dict[str, np.ndarray]:
    """Sort the sides of each kind by their first principal component; see `_kernels.search`.

    Sides with the same edge get the same components, to the last bit, and stand together.
    """
    by_side = edges.reshape(-1, SIDES, edges.shape[1])
    pieces = len(by_side)
    order = np.empty((SIDES, pieces), np.int32)
    sketches = np.empty((SIDES, pieces, COMPONENTS), np.float32)
    looks = np.empty((pieces, SIDES, COMPONENTS), np.float32)
    places = np.empty((pieces, SIDES), np.int32)
    equals = np.empty((SIDES, pieces), np.int32)
    for facing in (ACROSS, DOWN):
        both = by_side[:, facing].astype(np.float32)
        both -= both.mean(axis=(0, 1))
        with one_thread_per_product():  # several wait for each other, for seconds on a busy machine
            components = _components(both)
        for index, side in enumerate(facing):
            alike = _first_alike(twins[side::SIDES])
            looks[:, side] = components[alike, index]
            order[side] = np.lexsort((alike, looks[:, side, 0]))
            sketches[side] = looks[order[side], side]
            sorted_alike = alike[order[side]]
            begins = np.flatnonzero(np.diff(sorted_alike, prepend=-1))
            equals[side] = np.repeat(begins, np.diff(begins, append=pieces))
        for side in facing:
            places[:, side] = np.searchsorted(sketches[opposite(side), :, 0], looks[:, side, 0])
    return {
        "order": order,
        "sketches": sketches,
        "equals": equals,
        "places": places.reshape(-1),
        "looks": looks.reshape(-1, COMPONENTS),
    }


def _first_alike(twins: np.ndarray) -> np.ndarray:
    """Return for each of some sides the first of them that is its twin."""
    _, first, group = np.unique(twins, return_index=True, return_inverse=True)
    return np.asarray(first[group])


def _components(centred: np.ndarray) -> np.ndarray:
    """Return the first principal components of vectors along the last axis, which add up to 0.

    Their directions are orthonormal, so that distances in components are lower bounds. Where
    vectors are wide, the small matrix of their own products is used, and of many vectors some
    are enough.
    """
    rows = centred.reshape(-1, centred.shape[-1])
    if min(len(rows), WIDE) >= rows.shape[1]:
        # The directions of largest spread come last.
        _, directions = np.linalg.eigh((rows.T @ rows).astype(np.float64))
        return np.asarray(centred @ directions[:, : -COMPONENTS - 1 : -1].astype(np.float32))
    step = -(-len(rows) // WIDE) | 1  # odd: rows are of two sides in turn
    exact = rows[::step].astype(np.float64)
    _, weights = np.linalg.eigh(exact @ exact.T)
    # Sums of vectors with these weights lie in the directions wanted. Where vectors are alike some
    # are nothing but rounding; any directions that are orthonormal will do.
    directions, _ = np.linalg.qr(exact.T @ weights[:, : -COMPONENTS - 1 : -1])
    return np.asarray((centred @ directions).astype(np.float32))
