"""What lies outside clusters: seams that can still be made, and how sure they are among those.

What has found its place is no longer a rival. So a seam's ratio, as Gallagher has it, is of the
sides that are left.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jigsolve._kernels.geometry import piece_of
from jigsolve._kernels.known import BARRED
from jigsolve._kernels.segments import NOTHING, Segments
from jigsolve._kernels.trees import TINY
from jigsolve.assembly.trees import join_surest
from jigsolve.execution.crew import Progress
from jigsolve.seams.table import SeamTable


class Matches(NamedTuple):
    """Pairs of sides that may touch."""

    sides: np.ndarray
    partners: np.ndarray
    ratios: np.ndarray
    """What each costs in terms of the best other that one of its sides could have."""

    def only(self, which: np.ndarray) -> Matches:
        """Return some of them."""
        return Matches(*(part[which] for part in self))

    def surest_first(self) -> Matches:
        """Return them in the order of their ratios."""
        return self.only(np.argsort(self.ratios, kind="stable"))

    def together(self, others: Matches) -> Matches:
        """Return both, each pair of sides as it stands here if both have it."""
        most = int(max(self.partners.max(initial=0), others.partners.max(initial=0))) + 1
        new = ~np.isin(others.sides * most + others.partners, self.sides * most + self.partners)
        return Matches(*(np.concatenate(both) for both in zip(self, others.only(new), strict=True)))


def outside_ratios(table: SeamTable, clusters: Segments) -> np.ndarray:
    """Return the ratio of every candidate, (4n, k), infinite for those that cannot be had.

    What can be had are sides that touch nothing yet, of other clusters.
    """
    partners, costs = table.arrays.partners, table.arrays.costs
    own = np.arange(len(partners))
    is_open = clusters.neighbours.ravel() == NOTHING
    cluster = clusters.segment[piece_of(own)]
    valid = is_open[:, None] & is_open[partners] & (cluster[:, None] != cluster[partners])
    valid &= (costs < BARRED) & (partners != own[:, None])
    prices = np.where(valid, costs, np.inf).astype(np.float64)
    first = prices.argmin(axis=1)
    lowest = prices[own, first]
    prices[own, first] = np.inf
    # Beyond the candidates there is nothing cheaper than the last of them.
    second = np.minimum(prices.min(axis=1), np.maximum(costs[:, -1], lowest))
    prices[own, first] = lowest
    favourite = partners[own, first]
    other = np.where(favourite[:, None] == partners, second[:, None], lowest[:, None])
    theirs = np.where(favourite[partners] == own[:, None], second[partners], lowest[partners])
    rivals = np.minimum(other, np.minimum(theirs, costs[partners, -1]))
    ratios = (prices + TINY) / (rivals + TINY)
    return np.where(valid, ratios, np.inf)


def join_outside(
    table: SeamTable, clusters: Segments, most: float, progress: Progress | None = None
) -> None:
    """Join clusters along what is left, surest first, of a ratio of at most so much."""
    ratios = outside_ratios(table, clusters)
    sides, ranks = np.nonzero(ratios <= most)
    partners = table.arrays.partners[sides, ranks].astype(np.int64)
    sure = Matches(sides, partners, ratios[sides, ranks]).surest_first()
    join_surest(clusters, sure.sides, sure.partners, progress)


def outside_bytes(pieces: int, candidates: int) -> int:
    """Return about how much memory ratios take at their peak."""
    return 4 * pieces * candidates * 60
