"""Sketches of borders: a few numbers each, by which `_kernels.search` rules out most of them."""

from __future__ import annotations

import numpy as np

from jigsolve._kernels.costs import row_read
from jigsolve._kernels.facing import FACING
from jigsolve._kernels.geometry import SIDES
from jigsolve._kernels.search import COMPONENTS, sought_by
from jigsolve.execution.crew import one_thread_per_product

WIDE = 1024
"""Numbers in a border above which a square matrix of so many takes seconds."""


def sketch(edges: np.ndarray, twins: np.ndarray, poses: int) -> dict[str, np.ndarray]:
    """Sort the sides that may be sought by their first principal component; see `_kernels.search`.

    Sides with the same edge get the same components, to the last bit, and stand together.
    """
    pieces = len(twins) // SIDES
    orders, many = SIDES // poses, poses * pieces
    order = np.empty((orders, many), np.int32)
    sketches = np.empty((orders, many, COMPONENTS), np.float32)
    equals = np.empty((orders, many), np.int32)
    looks = np.empty((SIDES * pieces, COMPONENTS), np.float32)
    places = np.empty(SIDES * pieces, np.int32)
    for facing in FACING[poses]:
        readings = facing.far, facing.near
        sides = [reading.sides(pieces) for reading in readings]
        rows = [
            row_read(edges, members, reading.clockwise)
            for members, reading in zip(sides, readings, strict=True)
        ]
        both = edges[np.stack(rows, axis=1)].astype(np.float32)
        both -= both.mean(axis=(0, 1))
        with one_thread_per_product():  # several wait for each other, for seconds on a busy machine
            components = principal_components(both, COMPONENTS)
        alike = [_first_alike(twins[members]) for members in sides]
        # Where both are the same sides, those that ask are read in one sense, those sought in the
        # other; else all sides ask, and all are sought.
        for asking, sought in ((1, 0),) if facing.is_turned else ((1, 0), (0, 1)):
            which = sought_by(readings[asking].first, poses)
            seen = components[alike[sought], sought]
            by_first = np.lexsort((alike[sought], seen[:, 0]))
            order[which] = sides[sought][by_first]
            sketches[which] = seen[by_first]
            begins = np.flatnonzero(np.diff(alike[sought][by_first], prepend=-1))
            equals[which] = np.repeat(begins, np.diff(begins, append=many))
            look = components[alike[asking], asking]
            looks[sides[asking]] = look
            places[sides[asking]] = np.searchsorted(sketches[which, :, 0], look[:, 0])
    return {
        "order": order,
        "sketches": sketches,
        "equals": equals,
        "places": places,
        "looks": looks,
    }


def _first_alike(twins: np.ndarray) -> np.ndarray:
    """Return for each of some sides the first of them that is its twin."""
    _, first, group = np.unique(twins, return_index=True, return_inverse=True)
    return np.asarray(first[group])


def principal_components(centred: np.ndarray, count: int) -> np.ndarray:
    """Return the first principal components of vectors along the last axis, which add up to 0.

    Their directions are orthonormal, so that distances in components are lower bounds. Where
    vectors are wide, the small matrix of their own products is used, and of many vectors some
    are enough.
    """
    rows = centred.reshape(-1, centred.shape[-1])
    if min(len(rows), WIDE) >= rows.shape[1]:
        # The directions of largest spread come last.
        _, directions = np.linalg.eigh((rows.T @ rows).astype(np.float64))
        return np.asarray(centred @ directions[:, : -count - 1 : -1].astype(np.float32))
    step = -(-len(rows) // WIDE) | 1  # odd: rows are of two sides in turn
    exact = rows[::step].astype(np.float64)
    _, weights = np.linalg.eigh(exact @ exact.T)
    # Sums of vectors with these weights lie in the directions wanted. Where vectors are alike some
    # are nothing but rounding; any directions that are orthonormal will do.
    directions, _ = np.linalg.qr(exact.T @ weights[:, : -count - 1 : -1])
    return np.asarray((centred @ directions).astype(np.float32))
