"""The cheapest partners of every side, found on a GPU: whole rows of the all-pairs matrix at once.

What is kept and what it costs is the same as in `all_pairs.py`, but for what products in single
precision leave in doubt at the end of a shortlist.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from jigsolve._kernels.costs import GRADIENTS, MAGNITUDES, row_read
from jigsolve._kernels.facing import FACING, Facing
from jigsolve._kernels.geometry import SIDES
from jigsolve.execution.crew import Progress, spans
from jigsolve.gpu import Device
from jigsolve.seams.all_pairs import factors_of, precision_of, shortlisted

RULES = {MAGNITUDES: "magnitudes", GRADIENTS: "gradients"}
"""Rules that there are kernels for, and what these are called."""

AT_ONCE = 1 << 29
"""Pairs handled together at most: more keep no GPU busier."""

BYTES_PER_PLACE = 64
"""What a place in a shortlist takes, until it is ranked."""


def candidates_on(
    device: Device,
    borders: np.ndarray,
    rule: int,
    poses: int,
    partners: np.ndarray,
    costs: np.ndarray,
    progress: Progress | None = None,
) -> bool:
    """Fill in the candidates of all sides; say that it is done."""
    there = device.xp.asarray(borders)
    for index, facing in enumerate(FACING[poses]):
        _fill_class(device, there, rule, facing, partners, costs)
        if progress:
            progress(index + 1, len(FACING[poses]))
    return True


def _fill_class(
    device: Device,
    borders: Any,
    rule: int,
    facing: Facing,
    partners: np.ndarray,
    costs: np.ndarray,
) -> None:
    """Fill in the candidates of the sides of a class; borders are on the device."""
    xp, pieces = device.xp, len(partners) // SIDES
    sides = [reading.sides(pieces) for reading in facing]
    rows = [
        xp.asarray(row_read(borders, own, reading.clockwise).astype(np.int32))
        for own, reading in zip(sides, facing, strict=True)
    ]
    members, kept = len(sides[0]), partners.shape[1]
    keep = shortlisted(kept, rule, facing, members)
    precision = precision_of(rule)
    factors = factors_of(borders[rows[0]], borders[rows[1]], rule, precision)
    bytes_per_row = members * precision.itemsize + keep * BYTES_PER_PLACE
    rows_at_once = device.at_once(max(1, AT_ONCE // members), bytes_per_row)
    asking = ((0, 1),) if facing.is_turned else ((0, 1), (1, 0))
    for own, other in asking:
        found = xp.empty((members, kept), np.int64)
        for first, last in spans(members, rows_at_once):
            values = factors[own][first:last] @ factors[other].T
            ids = device.kernels.cheapest(values, first, facing.bits, keep)
            del values
            exact = device.kernels.seam_costs(
                RULES[rule], borders, rows[own][first:last], rows[other], ids
            )
            # No cost is negative, so that their bits have the order they have.
            keys = exact.view(np.int32).astype(np.int64) << 32 | ids
            keys.sort(axis=1)
            found[first:last] = keys[:, :kept]
        theirs = xp.asarray(sides[other].astype(np.int32))[found & 0xFFFFFFFF]
        partners[sides[own]] = xp.asnumpy(theirs)
        costs[sides[own]] = xp.asnumpy((found >> 32).astype(np.int32)).view(np.float32)
