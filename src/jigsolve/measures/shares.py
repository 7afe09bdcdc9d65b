"""From the scores of seams to costs: what share a score has among those of a side.

What a seam costs is a negative log-probability: -log of the share its score has among the scored
candidates of one of its sides, plus the same for the other side. Candidates of the same kind, of
which one was scored, have a share each.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from jigsolve._kernels.costs import FAR, LOOKUP, SeamArrays
from jigsolve._kernels.facing import Facing, member_side
from jigsolve._kernels.geometry import SIDES, is_across
from jigsolve._kernels.learned import enter_members, fill_rest
from jigsolve.core import Board
from jigsolve.execution.crew import Executor, spans
from jigsolve.measures.kinds import Kinds

STEPS = 1024
"""Costs are whole multiples of 1 / STEPS: products differ from machine to machine in the last
digits, and results shall not."""

SIDES_AT_ONCE = 2048

COST_BITS = int(FAR * STEPS).bit_length()


def without_partner(board: Board, facing: Facing) -> float:
    """Return which share of the sides of a class lies at the rim of a board."""
    towards = facing.near.towards
    shares = [1 / (board.columns if is_across(toward) else board.rows) for toward in towards]
    return sum(shares) / len(shares)


def negative_log_shares(
    nones: Sequence[np.ndarray],
    ones: np.ndarray,
    others: np.ndarray,
    scores: np.ndarray,
    missing: float,
    kinds: tuple[Kinds, Kinds],
) -> np.ndarray:
    """Return what the scored seams cost, where a known share of sides has no partner.

    Seams are given by the first members of their kinds, near and far. A piece of a kind that fits
    its own side counts among its candidates: kinds have one share for all their members. `nones`
    are the scores of "none of these" for all near and all far sides. Where these are the same, so
    are the kinds.
    """
    near, far = kinds
    if near is far:
        mine, theirs, said = both_ways(ones, others, scores)
        totals = _totals(nones[0], near, mine, far, theirs, said, missing)
        costs = (totals[ones] - scores) + (totals[others] - scores)
    else:
        costs = _totals(nones[0], near, ones, far, others, scores, missing)[ones] - scores
        costs += _totals(nones[1], far, others, near, ones, scores, missing)[others] - scores
    return np.asarray(np.minimum(np.rint(costs * STEPS) / STEPS, FAR), np.float32)


def both_ways(
    ones: np.ndarray, others: np.ndarray, values: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return seams as each of their sides has them, where any side may touch any other.

    That of a kind with itself it has once.
    """
    apart = ones != others
    return (
        np.concatenate([ones, others[apart]]),
        np.concatenate([others, ones[apart]]),
        np.concatenate([values, values[apart]]),
    )


def _totals(
    none: np.ndarray,
    own: Kinds,
    which: np.ndarray,
    facing: Kinds,
    partners: np.ndarray,
    scores: np.ndarray,
    missing: float,
) -> np.ndarray:
    """Return for each side what the scores of its seams and "none of these" come to."""
    together = scores + np.log(facing.many[partners])
    order = np.argsort(which, kind="stable")
    starts = np.flatnonzero(np.diff(which[order], prepend=-1))
    totals = np.full(len(none), -np.inf)
    totals[which[order][starts]] = np.logaddexp.reduceat(together[order], starts)
    totals = totals[own.first]
    return np.asarray(np.logaddexp(totals, _settled(none, totals, missing)))


def _settled(none: np.ndarray, totals: np.ndarray, share: float) -> np.ndarray:
    """Shift the scores of "none of these" until it is as frequent as it must be."""
    low, high = -20.0, 20.0
    for _ in range(30):
        middle = (low + high) / 2
        found = float(np.mean(1 / (1 + np.exp(np.clip(totals - none - middle, -50, 50)))))
        low, high = (middle, high) if found < share else (low, middle)
    return none + low


class Scored(NamedTuple):
    """What was scored of a class, and what makes costs of it."""

    ones: np.ndarray
    others: np.ndarray
    """Near and far members of seams, the first of their kinds, (m,) each."""
    scores: np.ndarray
    kinds: tuple[Kinds, Kinds]
    nones: Sequence[np.ndarray]
    """The scores of "none of these" for all near and all far sides."""
    missing: float
    """Which share of sides has no partner."""


def filled_table(cheap: SeamArrays, every: Mapping[Facing, Scored], crew: Executor) -> SeamArrays:
    """Return the table of all scored seams, and what a cheap one has behind them."""

    def copied(array: np.ndarray) -> np.ndarray:
        copy = crew.empty(array.shape, array.dtype)
        copy[...] = array
        return copy

    table = cheap._replace(
        partners=copied(cheap.partners),
        costs=copied(cheap.costs),
        scored=np.zeros(len(cheap.partners), np.int32),
        twins=np.empty(len(cheap.partners), np.int32),
        rule=LOOKUP,
    )

    def cost(scored: Scored) -> np.ndarray:
        seams = scored.ones, scored.others, scored.scores
        return negative_log_shares(scored.nones, *seams, scored.missing, scored.kinds)

    costs = dict(zip(every, crew.map(cost, [*every.values()]), strict=True))

    def write(job: tuple[Facing, bool]) -> None:
        facing, is_far = job
        scored = every[facing]
        kinds = scored.kinds[::-1] if is_far else scored.kinds
        enter(table, facing, is_far, scored.ones, scored.others, costs[facing], kinds)
        own = facing.far if is_far else facing.near
        sides = own.sides(len(cheap.partners) // SIDES)
        table.twins[sides] = member_side(own.bits, own.first, kinds[0].first)

    crew.map(write, [(f, far) for f in every for far in (False, True)[: 2 - f.is_turned]])

    def fill(span: tuple[int, int]) -> None:
        some = slice(*span)
        filled = table.scored[some], table.partners[some], table.costs[some]
        fill_rest(cheap.partners[some], cheap.costs[some], *filled)

    crew.map(fill, spans(len(cheap.partners), SIDES_AT_ONCE))
    return table


def enter(
    table: SeamArrays,
    facing: Facing,
    is_far: bool,
    ones: np.ndarray,
    others: np.ndarray,
    seam_costs: np.ndarray,
    kinds: tuple[Kinds, Kinds],
) -> None:
    """Write the scored partners of the near or the far sides of a class, cheapest first.

    Seams are given by the first members of their kinds, near and far; kinds of the sides that are
    written come first. Where near and far sides are the same, the near ones are all.
    """
    own, back = facing[::-1] if is_far else facing
    mine, theirs = (others, ones) if is_far else (ones, others)
    if facing.is_turned:
        mine, theirs, seam_costs = both_ways(mine, theirs, seam_costs)
    own_kinds, their_kinds = kinds
    # As whole numbers they are sorted in a tenth of the time: costs are so many steps.
    steps = np.rint(np.maximum(seam_costs, 0.0) * STEPS).astype(np.int64)
    bits = len(their_kinds.first).bit_length()
    keys = np.sort((mine << COST_BITS | steps) << bits | theirs)
    theirs, keys = keys & ((1 << bits) - 1), keys >> bits
    seam_costs = ((keys & ((1 << COST_BITS) - 1)) / STEPS).astype(np.float32)
    starts = np.searchsorted(keys >> COST_BITS, np.arange(len(own_kinds.first) + 1))
    enter_members(
        own.bits,
        own.first,
        back.first,
        own_kinds.first,
        starts,
        theirs,
        seam_costs,
        their_kinds.first,
        their_kinds.members,
        their_kinds.starts,
        table.partners,
        table.costs,
        table.scored,
    )
