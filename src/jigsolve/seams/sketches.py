"""Sketches of borders: a few numbers each, by which `_kernels.search` rules out most of them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jigsolve._kernels.costs import row_read
from jigsolve._kernels.facing import FACING, Facing, member_side
from jigsolve._kernels.geometry import SIDES, toward_of
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
        readings = _readings(edges, facing, many)
        both = edges[np.stack([reading.rows for reading in readings], axis=1)].astype(np.float32)
        both -= both.mean(axis=(0, 1))
        with one_thread_per_product():  # several wait for each other, for seconds on a busy machine
            components = _components(both)
        for index, reading in enumerate(readings):
            alike = _first_alike(twins[reading.sides])
            seen = components[alike, index]
            if reading.asks:
                looks[reading.sides] = seen
            if (which := reading.sought_as) >= 0:
                by_first = np.lexsort((alike, seen[:, 0]))
                order[which] = reading.sides[by_first]
                sketches[which] = seen[by_first]
                begins = np.flatnonzero(np.diff(alike[by_first], prepend=-1))
                equals[which] = np.repeat(begins, np.diff(begins, append=many))
        for asking in (reading for reading in readings if reading.asks):
            sought = sketches[sought_by(int(toward_of(asking.sides[0])), poses), :, 0]
            places[asking.sides] = np.searchsorted(sought, looks[asking.sides, 0])
    return {
        "order": order,
        "sketches": sketches,
        "equals": equals,
        "places": places,
        "looks": looks,
    }


class _Reading(NamedTuple):
    """Sides of a class, read in one sense."""

    sides: np.ndarray
    rows: np.ndarray
    asks: bool
    """Whether sides that ask are read so."""
    sought_as: int
    """Which of the orders they stand in, read so; -1 for none."""


def _readings(edges: np.ndarray, facing: Facing, many: int) -> tuple[_Reading, _Reading]:
    """Return the two readings of a class: those of one are compared with those of the other."""
    members = np.arange(many)
    if facing.turned:
        sides = member_side(facing.bits, facing.near, members)
        sought_as = sought_by(facing.near, facing.per_piece)
        return (
            _Reading(sides, row_read(edges, sides, 1), True, -1),
            _Reading(sides, row_read(edges, sides, 0), False, sought_as),
        )
    far, near = (
        _Reading(sides, sides, True, int(toward_of(sides[0])))
        for sides in (member_side(0, first, members) for first in (facing.far, facing.near))
    )
    return far, near


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
