"""Matches: what each side of a cluster likes best of what lies outside, and how surely."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jigsolve._kernels.geometry import BOTTOM, LEFT, RIGHT, SIDES, TOP, piece_of, toward_of
from jigsolve._kernels.known import BARRED
from jigsolve._kernels.segments import NOTHING, Segments
from jigsolve._kernels.trees import TINY
from jigsolve.seams.table import SeamTable

STEEPNESS = 5.0
LEAST_WEIGHT = 1e-6
"""Matches of less weight are left out: what solves programmes has a tolerance of a tenth of it."""

FILTERS = ANY, MUTUAL, UNCONTESTED, CLOSED = "any", "mutual", "uncontested", "closed"
"""Which matches that a programme met are kept: all; those that either side likes best; those that
no loop of four pieces contradicts; those that close such a loop."""

_CLOCKWISE = np.array([TOP, BOTTOM, RIGHT, LEFT])
_BACKWARD = np.array([BOTTOM, TOP, LEFT, RIGHT])


class Matches(NamedTuple):
    """Pairs of sides that one of them likes best."""

    sides: np.ndarray
    partners: np.ndarray
    ratios: np.ndarray
    """What each costs in terms of the best other that one of its sides could have."""

    @property
    def weights(self) -> np.ndarray:
        """How much each counts in a programme."""
        return np.asarray(np.exp(-STEEPNESS * self.ratios**2))

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

    What can be had are sides that touch nothing yet, of other clusters. Ratios are of these, too.
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


def best_matches(ratios: np.ndarray, table: SeamTable) -> Matches:
    """Return for every side what it likes best of what it can have, if that has any weight."""
    first = np.isfinite(ratios).argmax(axis=1)
    own = np.arange(len(ratios))
    found = Matches(own, table.arrays.partners[own, first].astype(np.int64), ratios[own, first])
    with np.errstate(over="ignore"):
        return found.only(found.weights >= LEAST_WEIGHT)


def sure_matches(ratios: np.ndarray, table: SeamTable, most: float) -> Matches:
    """Return all candidates whose ratio is at most so much."""
    sides, ranks = np.nonzero(ratios <= most)
    partners = table.arrays.partners[sides, ranks].astype(np.int64)
    return Matches(sides, partners, ratios[sides, ranks])


def filtered(matches: Matches, which: str, sides: int) -> Matches:
    """Return the matches that a filter keeps."""
    if which == ANY or not len(matches.sides):
        return matches
    liked = np.full(sides + 1, sides)  # the last one is nobody
    liked[matches.sides] = matches.partners
    if which == MUTUAL:
        return matches.only(liked[matches.partners] == matches.sides)
    silent = liked[matches.partners] == sides
    liked[matches.partners[silent]] = matches.sides[silent]
    closed = np.zeros(len(matches.sides), bool)
    contested = closed.copy()
    for one, other in ((_CLOCKWISE, _BACKWARD), (_BACKWARD, _CLOCKWISE)):
        near = liked[_side_after(matches.sides, one, sides)]
        far = liked[_side_after(matches.partners, other, sides)]
        ends = _side_after(near, one, sides), _side_after(far, other, sides)
        whole = (near < sides) & (far < sides) & (liked[ends[0]] < sides)
        closes = whole & (liked[ends[0]] == ends[1])
        closed |= closes
        contested |= whole & ~closes
    return matches.only(closed if which == CLOSED else ~contested)


def _side_after(numbers: np.ndarray, order: np.ndarray, sides: int) -> np.ndarray:
    """Return the next side of the same piece in one sense; nobody's is nobody's."""
    next_one = SIDES * piece_of(numbers) + order[toward_of(numbers)]
    return np.where(numbers < sides, next_one, sides)
