"""The cheapest partners of every side, from all pairs of sides that face each other.

Pairs are visited in tiles of a matrix product. Each tile is offered to the shortlists of its rows
and of its columns; what these hold in the end is ranked by cost.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from threading import Lock
from typing import Any

import numpy as np

from jigsolve._kernels.candidates import Shortlists, absorb_tile, rerank, shortlists
from jigsolve._kernels.costs import EUCLIDEAN, FORETOLD, GRADIENTS, MAGNITUDES, POWERS, row_read
from jigsolve._kernels.facing import Facing, Reading, member_side
from jigsolve._kernels.geometry import SIDES
from jigsolve.execution.crew import ALONE, Executor, one_thread_per_product, spans
from jigsolve.seams.factors import distance_factors, gradient_factors

TILE = 1024
"""Sides to a tile of the all-pairs matrix: a tile and its shortlists stay in the cache."""

ROUNDS_AT_ONCE = 4
"""A round has few tiles for each of many threads: those that are done go on with the next one."""

SPARE = {EUCLIDEAN: 0, MAGNITUDES: 16, GRADIENTS: 16, FORETOLD: 64, POWERS: 128}
"""Partners shortlisted beyond k where another cost than the Euclidean distance ranks them: the more
the less the two have in common."""


def fill_candidates(
    borders: np.ndarray,
    rule: int,
    facing: Facing,
    partners: np.ndarray,
    costs: np.ndarray,
    crew: Executor,
) -> Iterator[tuple[int, int]]:
    """Fill in the candidates of the sides of a class.

    Yields how many rounds are done, and how many there are.
    """
    members = len(partners) // SIDES << facing.bits
    precision = precision_of(rule)
    keep = shortlisted(partners.shape[1], rule, facing, members)
    near = shortlists(members, keep, precision)
    far = near if facing.is_turned else shortlists(members, keep, precision)
    one, other = (
        borders[row_read(borders, reading.sides(members >> facing.bits), reading.clockwise)]
        for reading in facing
    )
    with one_thread_per_product():
        left, right = factors_of(one, other, rule, precision, crew)
    del one, other
    yield from _visit_all_pairs(left, right, facing, near, far, crew)
    del left, right

    def rank(job: tuple[Shortlists, Reading, Reading, tuple[int, int]]) -> None:
        lists, own, theirs, span = job
        some = np.arange(*span)
        sides = member_side(own.bits, own.first, some)
        part = Shortlists(*(array[slice(*span)] for array in lists))
        partners[sides], costs[sides] = ranked(part, borders, rule, own, theirs, some, kept)

    kept = partners.shape[1]
    both = [(near, facing.near, facing.far), (far, facing.far, facing.near)]
    listed = both[:1] if facing.is_turned else both
    crew.map(rank, [(*lists, span) for lists in listed for span in spans(members, TILE)])


def ranked(
    lists: Shortlists,
    borders: np.ndarray,
    rule: int,
    own: Reading,
    theirs: Reading,
    members: np.ndarray,
    kept: int,
) -> tuple[np.ndarray, np.ndarray]:
    """Return the cheapest partners of listed members, and what they cost, (m, kept) each."""
    partners = np.empty((len(members), kept), np.int32)
    costs = np.empty((len(members), kept), np.float32)
    rerank(lists, borders, rule, own.bits, own.first, theirs.first, members, partners, costs)
    return partners, costs


def precision_of(rule: int) -> np.dtype[Any]:
    """Return the precision of the products by which partners are shortlisted for a rule.

    Squared distances are whole numbers: in double precision the products give them exactly, and
    what is shortlisted is right. Where magnitudes or powers rank the shortlist, single precision
    and some to spare will do, and takes half the time. Gradient costs are small differences of
    large numbers.
    """
    return np.dtype(np.float64 if rule in (EUCLIDEAN, GRADIENTS) else np.float32)


def shortlisted(kept: int, rule: int, facing: Facing, members: int) -> int:
    """Return how many of a class's members are shortlisted for a side that keeps so many."""
    return min(kept + SPARE[rule], members - (1 << facing.bits))


def factors_of(
    near: Any, far: Any, rule: int, precision: np.dtype[Any], crew: Executor = ALONE
) -> tuple[Any, Any]:
    """Return two matrices whose product is what all pairs of near and far borders cost."""
    if rule == GRADIENTS:
        return gradient_factors(near, far, precision, crew)
    if rule in (FORETOLD, POWERS):
        # What each foretells stands across from the pixels of the other.
        far = np.roll(far, far.shape[1] // 2, axis=1)
    return distance_factors(near, far, precision, crew)


def _visit_all_pairs(
    left: np.ndarray,
    right: np.ndarray,
    facing: Facing,
    near: Shortlists,
    far: Shortlists,
    crew: Executor,
) -> Iterator[tuple[int, int]]:
    """Offer every pair of a near side and a far side of another piece to both shortlists.

    What shortlists hold in the end does not depend on the order of tiles, so that any number of
    threads gives the same lists. In each round every block of rows meets a different block of
    columns: threads seldom wait for a block that another one has. Where near and far sides are the
    same, two blocks meet once: in the round that their numbers add up to.
    """
    blocks = spans(len(left), TILE)
    count = len(blocks)
    rows = [Lock() for _ in blocks]
    columns = rows if facing.is_turned else [Lock() for _ in blocks]

    def visit(blocks_met: tuple[int, int]) -> None:
        one, other = blocks_met  # the lower number first where both are of the same sides
        (top, bottom), (first, last) = blocks[one], blocks[other]
        product = left[top:bottom] @ right[first:last].T
        with rows[one], nullcontext() if columns[other] is rows[one] else columns[other]:
            absorb_tile(product, top, first, facing.bits, near, far)

    def met_in(shift: int) -> list[tuple[int, int]]:
        if not facing.is_turned:
            return [(block, (block + shift) % count) for block in range(count)]
        meeting = [(block, (shift - block) % count) for block in range(count)]
        return [(one, other) for one, other in meeting if one <= other]

    with one_thread_per_product():
        for begin, end in spans(count, ROUNDS_AT_ONCE):
            crew.map(visit, [pair for shift in range(begin, end) for pair in met_in(shift)])
            yield end, count
