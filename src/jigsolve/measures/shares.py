"""From the scores of seams to costs: what share a score has among those of a side.

What a seam costs is a negative log-probability: -log of the share its score has among the scored
candidates of one of its sides, plus the same for the other side. Candidates of the same kind, of
which one was scored, have a share each.
"""

from __future__ import annotations

import numpy as np

from jigsolve._kernels.costs import FAR, SeamArrays
from jigsolve._kernels.learned import enter_members
from jigsolve.measures.kinds import Kinds

STEPS = 1024
"""Costs are whole multiples of 1 / STEPS: products differ from machine to machine in the last
digits, and results shall not."""


def negative_log_shares(
    nones: tuple[np.ndarray, np.ndarray],
    ones: np.ndarray,
    others: np.ndarray,
    scores: np.ndarray,
    missing: float,
    kinds: tuple[Kinds, Kinds],
) -> np.ndarray:
    """Return what the scored seams cost, where a known share of sides has no partner.

    Seams are given by the first pieces of their kinds, near and far. A piece of a kind that fits
    its own side counts among its candidates: kinds have one share for all their members. `nones`
    are the scores of "none of these" for the near and the far sides of all pieces.
    """
    costs = np.zeros(len(scores))
    for none, own, which, facing, partners in (
        (nones[0], kinds[0], ones, kinds[1], others),
        (nones[1], kinds[1], others, kinds[0], ones),
    ):
        together = scores + np.log(facing.many[partners])
        order = np.argsort(which, kind="stable")
        starts = np.flatnonzero(np.diff(which[order], prepend=-1))
        totals = np.full(len(none), -np.inf)
        totals[which[order][starts]] = np.logaddexp.reduceat(together[order], starts)
        totals = totals[own.first]
        settled = _settled(none, totals, missing)
        costs += np.logaddexp(totals, settled)[which] - scores
    return np.asarray(np.minimum(np.rint(costs * STEPS) / STEPS, FAR), np.float32)


def _settled(none: np.ndarray, totals: np.ndarray, share: float) -> np.ndarray:
    """Shift the scores of "none of these" until it is as frequent as it must be."""
    low, high = -20.0, 20.0
    for _ in range(30):
        middle = (low + high) / 2
        found = float(np.mean(1 / (1 + np.exp(np.clip(totals - none - middle, -50, 50)))))
        low, high = (middle, high) if found < share else (low, middle)
    return none + low


def enter(
    table: SeamArrays,
    side: int,
    mine: np.ndarray,
    theirs: np.ndarray,
    seam_costs: np.ndarray,
    kinds: tuple[Kinds, Kinds],
) -> None:
    """Write the scored partners of a side of every piece, cheapest first.

    Seams are given by the first pieces of their kinds; those of the side and of the one it faces
    are given.
    """
    own, facing = kinds
    order = np.lexsort((theirs, seam_costs, mine))
    starts = np.searchsorted(mine[order], np.arange(len(own.first) + 1))
    enter_members(
        side,
        own.first,
        starts,
        theirs[order],
        seam_costs[order],
        facing.first,
        facing.members,
        facing.starts,
        table.partners,
        table.costs,
        table.scored,
    )
