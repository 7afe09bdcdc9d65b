"""Which seams cheap measures propose for the network to look at."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from jigsolve._kernels.costs import SeamArrays
from jigsolve._kernels.facing import Facing, Reading, member_of, member_side
from jigsolve._kernels.geometry import SIDES
from jigsolve.execution.crew import Executor, spans
from jigsolve.measures.kinds import Kinds

SIDES_AT_ONCE = 2048

SURE = 0.6
"""Sides that are each other's cheapest, costing less than this share of the next ones, are taken
for granted; on photographs two or three in a thousand of them are wrong."""


def listed(pieces: int, poses: int = 1) -> int:
    """Return how many candidates of each measure are scored where they leave doubt.

    The more pieces there are, the more of them look alike. Where a piece may lie in several ways
    there are as many more as there would be of so many times the pieces.
    """
    return int(np.clip(round(3 * math.log2(pieces)) - 15, 8, 24)) + 3 * (poses.bit_length() - 1)


def is_sure(table: SeamArrays, second: SeamArrays) -> np.ndarray:
    """Say which sides have a partner that the cheap measures are sure of."""
    clear = table.nearest_cost < SURE * table.runner_up_cost
    mutual = table.nearest[table.nearest] == np.arange(len(table.nearest))
    return np.asarray(clear & clear[table.nearest] & mutual & (second.nearest == table.nearest))


def likeliest_partners(theirs: np.ndarray, said: np.ndarray, most: int) -> np.ndarray:
    """Say which of the ranked partners of sides, (n, ranks), are likeliest, offsets considered.

    Of those of a kind only the first is one. At rank r of a cheap measure about one in r is right.
    """
    order = np.argsort(theirs, axis=1, kind="stable")
    again = np.zeros(theirs.shape, np.bool_)
    repeated = np.diff(np.take_along_axis(theirs, order, axis=1), axis=1) == 0
    np.put_along_axis(again, order[:, 1:], repeated, axis=1)
    unlikely = np.log(np.cumsum(~again, axis=1, dtype=np.float32)) - said
    unlikely[again] = np.inf
    first = np.argsort(unlikely, axis=1, kind="stable")[:, :most]
    likeliest = np.zeros(said.shape, np.bool_)
    np.put_along_axis(likeliest, first, True, axis=1)
    return likeliest & ~again


def distinct(keys: np.ndarray) -> np.ndarray:
    """Return keys, each once, sorted; NumPy's own way of millions of them is far slower."""
    keys = np.sort(keys)
    return np.asarray(keys[np.diff(keys, prepend=-1) != 0])


def proposed_by(
    tables: tuple[SeamArrays, SeamArrays],
    facing: Facing,
    kinds: tuple[Kinds, Kinds],
    sure: np.ndarray,
    most: int,
    said_of: Callable[[tuple[np.ndarray, np.ndarray], Facing], np.ndarray],
    crew: Executor,
) -> tuple[np.ndarray, np.ndarray]:
    """Return the near and far members of the seams of a class that tables propose.

    Of a side that is sure that is one seam, of others at most so many from each table.
    """
    count = len(sure) // SIDES << facing.bits
    near, far = kinds
    asking = [(facing.near, far)] if facing.is_turned else [(facing.near, far), (facing.far, near)]
    jobs = [
        (table, own, kinds, span)
        for table in tables
        for own, kinds in asking
        for span in spans(count, SIDES_AT_ONCE)
    ]

    def propose(
        job: tuple[SeamArrays, Reading, Kinds, tuple[int, int]],
    ) -> tuple[np.ndarray, np.ndarray]:
        table, own, kinds, span = job
        members = np.arange(*span)
        sides = member_side(own.bits, own.first, members)
        theirs = kinds.first[member_of(own.bits, table.partners[sides])]
        mine = np.repeat(members[:, None], theirs.shape[1], axis=1)
        one, other = (mine, theirs) if own is facing.near else (theirs, mine)
        said = said_of((one.ravel(), other.ravel()), facing).reshape(one.shape)
        wanted = likeliest_partners(theirs, said, most)
        wanted[sure[sides]] = np.arange(said.shape[1]) < 1
        return one[wanted], other[wanted]

    ones, others = zip(*crew.map(propose, jobs), strict=True)
    return np.concatenate(ones), np.concatenate(others)
