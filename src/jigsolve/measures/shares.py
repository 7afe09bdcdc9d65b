"""From the scores of seams to costs: what share a score has among those of a side.

What a seam costs is a negative log-probability: -log of the share its score has among the scored
candidates of one of its sides, plus the same for the other side.
"""

from __future__ import annotations

import numpy as np

from jigsolve._kernels.costs import FAR, SIDES, SeamArrays
from jigsolve.measures.network import SeamNetwork, Sides

UNLISTED = 0.005
"""Share of sides whose partner is not among those scored."""

STEPS = 1024
"""Costs are whole multiples of 1 / STEPS: products differ from machine to machine in the last
digits, and results shall not."""


def negative_log_shares(
    near: Sides,
    far: Sides,
    ones: np.ndarray,
    others: np.ndarray,
    scores: np.ndarray,
    alone: float,
) -> np.ndarray:
    """Return what the scored seams cost, where a known share of sides has no partner."""
    network = SeamNetwork.load()
    costs = np.zeros(len(scores))
    for sides, which in ((near, ones), (far, others)):
        order = np.argsort(which, kind="stable")
        starts = np.flatnonzero(np.diff(which[order], prepend=-1))
        totals = np.full(len(sides.scales), -np.inf)
        totals[which[order][starts]] = np.logaddexp.reduceat(
            scores[order].astype(np.float64), starts
        )
        none = _settled(network.none_of_these(sides), totals, alone + UNLISTED)
        costs += np.logaddexp(totals, none)[which] - scores
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
    table: SeamArrays, side: int, mine: np.ndarray, theirs: np.ndarray, seam_costs: np.ndarray
) -> None:
    """Write the scored partners of a side of every piece, cheapest first."""
    order = np.lexsort((theirs, seam_costs, mine))
    piece = mine[order]
    starts = np.flatnonzero(np.diff(piece, prepend=-1))
    counts = np.diff(starts, append=len(piece))
    rank = np.arange(len(piece)) - np.repeat(starts, counts)
    fits = rank < table.partners.shape[1]
    rows = SIDES * piece[fits] + side
    table.partners[rows, rank[fits]] = SIDES * theirs[order][fits] + (side ^ 1)
    table.costs[rows, rank[fits]] = seam_costs[order][fits]
    table.scored[SIDES * piece[starts] + side] = np.minimum(counts, table.partners.shape[1])
