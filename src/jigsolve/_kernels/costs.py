"""What a seam costs, and what an arrangement costs.

Borders are whole numbers (L*a*b* in fixed point), so sums over them are exact: the same on
every machine, for every vector width, whichever of two sides asks.
"""

import math
from typing import NamedTuple

import numpy as np

from jigsolve._kernels.geometry import (
    SIDES,
    reads_clockwise,
)
from jigsolve._kernels.jit import apart, kernel, shared
from jigsolve._kernels.known import SAYS_NOTHING, known_cost, known_cost_of_hole


class SeamArrays(NamedTuple):
    """The seam table as kernels see it. Rows are sides, numbered as `side_of` does.

    Where pieces may be turned, borders and edges have another 4n rows: the same sides, read from
    their other ends (see `row_against`).
    """

    borders: np.ndarray  # (4n or 8n, width) int16: what a side looks like
    edges: np.ndarray  # (4n or 8n, width) int16: what of it a Euclidean search compares
    partners: np.ndarray  # (4n, k) int32: the k cheapest partner sides, cheapest first
    costs: np.ndarray  # (4n, k) float32: what they cost
    buddies: np.ndarray  # (4n,) int32: the one best buddy, NO_BUDDY, or SEVERAL_BUDDIES
    twins: np.ndarray  # (4n,) int32: the same number for sides that look the same
    nearest: np.ndarray  # (4n,) int32: the cheapest partner, close together in memory
    nearest_cost: np.ndarray  # (4n,) float32: what it costs
    runner_up_cost: np.ndarray  # (4n,) float32: what the next cheapest costs
    # For each of f kinds of sides that may be sought, m each: 4 and n, unless pieces may be turned.
    order: np.ndarray  # (f, m) int32: sides sorted by their first component
    sketches: np.ndarray  # (f, m, 4) float32: four principal components, in that order
    equals: np.ndarray  # (f, m) int32: the first place in that order with the same border
    places: np.ndarray  # (4n,) int32: where a side would stand among those that face it
    looks: np.ndarray  # (4n, 4) float32: the components of a side
    scored: np.ndarray  # (4n,) int32: how many of the first candidates LOOKUP finds, at least one
    rule: int  # how a seam gets its cost, see below
    poses: int  # in how many ways a piece may lie: 1, 2 or 4
    hole: float  # what a seam with an empty cell costs
    touching: np.ndarray  # (4n,) int32: the side that each must touch, OPEN or SOME_PARTED; or (0,)
    parted: np.ndarray  # (p,) int64, sorted: 4n times a side, plus a side that it must not touch


MAGNITUDES, EUCLIDEAN, GRADIENTS, LOOKUP, FORETOLD, POWERS = 1, 2, 3, 4, 5, 6
"""How borders are compared: by the sum of the magnitudes of their differences; by their Euclidean
distance; by how well each side's gradients foretell the other (see `gradient_cost`). Or they are
not: what a seam costs is looked up among the candidates of its sides. The last two compare the
pixels that each side foretells with those of the other: by the sum of magnitudes, or by that of
their powers (see `power_cost`)."""

FAR = 20.0
"""Where costs are looked up: the most that one of them can be. Seams not among them cost more."""

NO_BUDDY = -1
SEVERAL_BUDDIES = -2


class Rivals(NamedTuple):
    """Whom sides could have: of all, as a table's firsts, or of those that are left."""

    nearest: np.ndarray  # (4n,) int32: the cheapest partner, negative if there is none
    nearest_cost: np.ndarray  # (4n,) float32: what it costs
    runner_up_cost: np.ndarray  # (4n,) float32: what the next cheapest costs


@shared
def firsts_of(seams):
    """Return whom the sides of a table could have where all are still to be had."""
    return Rivals(seams.nearest, seams.nearest_cost, seams.runner_up_cost)


@shared
def costs_are_logarithms(seams):
    """Whether costs are negative logarithms of probabilities: those that are looked up are."""
    return seams.rule == LOOKUP


@kernel
def pieces_in(seams):
    """Return how many pieces a table is of."""
    return seams.partners.shape[0] // SIDES


@shared
def row_read(borders, side, clockwise):
    """Return the row of a side's border as it is read clockwise (1) or counterclockwise (0)."""
    return side + (reads_clockwise(side) ^ clockwise) * (borders.shape[0] >> 1)


@shared
def row_against(borders, side, partner):
    """Return the row of a partner's border that a side's own row is compared with.

    It is read in the other sense than the side is kept in. Unless pieces may be turned, that is how
    it is kept: there are no other rows in such tables.
    """
    return row_read(borders, partner, 1 ^ reads_clockwise(side))


@kernel
def squared_distance(borders, side, partner):
    """Return the squared Euclidean distance of two borders, by their rows."""
    total = np.int64(0)
    for i in range(borders.shape[1]):
        # The difference fits 16 bits; saying so lets the compiler use 16-bit lanes.
        difference = np.int16(borders[side, i] - borders[partner, i])
        total += np.int32(difference) * np.int32(difference)
    return total


@kernel
def sum_of_magnitudes(borders, side, partner):
    """Return the sum of the magnitudes of the differences of two borders, by their rows."""
    total = np.int64(0)
    for i in range(borders.shape[1]):
        total += abs(np.int32(np.int16(borders[side, i] - borders[partner, i])))
    return total


FORM = 10
"""Borders compared by gradients end with so many numbers: those of an upper triangular matrix W,
row by row, for each row the power of two it is a multiple of, and an unused one. Before them
stand the pixels of the side, and the pixels it foretells beyond, three colours each."""


@kernel
def gradient_cost(borders, side, partner):
    """Return how far a partner is from what a side foretells, in that side's own measure.

    Sum over pixels of |W d|^2, where W' W is the inverse covariance of the side's gradients. The
    sums over pixels are exact. Both are given by their rows.
    """
    half = (borders.shape[1] - FORM) // 2
    form = 2 * half
    s_00 = s_01 = s_02 = s_11 = s_12 = s_22 = np.int64(0)
    for i in range(0, half - 2, 3):
        d_0 = np.int32(borders[partner, i]) - borders[side, half + i]
        d_1 = np.int32(borders[partner, i + 1]) - borders[side, half + i + 1]
        d_2 = np.int32(borders[partner, i + 2]) - borders[side, half + i + 2]
        s_00 += d_0 * d_0
        s_01 += d_0 * d_1
        s_02 += d_0 * d_2
        s_11 += d_1 * d_1
        s_12 += d_1 * d_2
        s_22 += d_2 * d_2
    a = np.float64(borders[side, form])
    b = np.float64(borders[side, form + 1])
    c = np.float64(borders[side, form + 2])
    first = a * a * s_00 + b * b * s_11 + c * c * s_22
    first += 2.0 * (a * b * s_01 + a * c * s_02 + b * c * s_12)
    b = np.float64(borders[side, form + 3])
    c = np.float64(borders[side, form + 4])
    second = b * b * s_11 + c * c * s_22 + 2.0 * b * c * s_12
    c = np.float64(borders[side, form + 5])
    total = math.ldexp(first, 2 * np.int64(borders[side, form + 6]))
    total += math.ldexp(second, 2 * np.int64(borders[side, form + 7]))
    total += math.ldexp(c * c * s_22, 2 * np.int64(borders[side, form + 8]))
    return max(total, 0.0)  # a square, but for rounding


@apart
def foretold_cost(borders, side, partner):
    """Return how far a partner is from what a side foretells: the sum of magnitudes, by their rows.

    Such borders have the pixels of the side, then those it foretells beyond.
    """
    half = borders.shape[1] // 2
    total = np.int64(0)
    for i in range(half):
        total += abs(np.int32(np.int16(borders[side, half + i] - borders[partner, i])))
    return total


POWER = 0.3
ROOT = 5 / 24
"""(L_p)^q with p = 0.3 and q = 1/16 is the sum of p-th powers, to the power q / p."""
STEPS_OF_POWERS = 4096.0
RAISED = np.rint(np.arange(1 << 16, dtype=np.float64) ** POWER * STEPS_OF_POWERS).astype(np.int32)
"""Powers of magnitudes in fixed point, so that their sums are exact."""


@apart
def power_cost(borders, side, partner):
    """Return how far two sides are from what each foretells of the other, by (L_p)^q."""
    half = borders.shape[1] // 2
    total = np.int64(0)
    for i in range(half):
        total += RAISED[abs(np.int32(borders[side, half + i]) - borders[partner, i])]
        total += RAISED[abs(np.int32(borders[partner, half + i]) - borders[side, i])]
    return (total / STEPS_OF_POWERS) ** ROOT


@kernel
def border_cost(borders, rule, side, partner):
    """Return what a seam costs by its two borders."""
    facing = row_against(borders, side, partner)
    if rule == GRADIENTS:
        return np.float32(
            gradient_cost(borders, side, facing) + gradient_cost(borders, facing, side)
        )
    if rule == MAGNITUDES:
        return np.float32(sum_of_magnitudes(borders, side, facing))
    if rule == FORETOLD:
        return np.float32(
            foretold_cost(borders, side, facing) + foretold_cost(borders, facing, side)
        )
    if rule == POWERS:
        return np.float32(power_cost(borders, side, facing))
    return np.float32(math.sqrt(squared_distance(borders, side, facing)))


@kernel
def border_costs(borders, rule, sides, partners, costs):
    """Fill in what seams cost by their borders."""
    for index in range(sides.shape[0]):
        costs[index] = border_cost(borders, rule, sides[index], partners[index])


@kernel
def far_cost(cheap_cost):
    """Return the cost of a seam that was not scored, from what a cheap measure says."""
    return np.float32(FAR + 0.01 + max(math.log1p(np.float64(cheap_cost)) - 5.0, 0.0))


@kernel
def looked_up_cost(seams, nearest, nearest_cost, side, partner):
    """Return the cost of a seam as it stands among the candidates of its sides, or their twins.

    The one nearest to the side, of those it could have, comes first: it need not be scored.
    """
    twins = seams.twins
    first = nearest[side]
    if first >= 0 and twins[partner] == twins[first]:
        return nearest_cost[side]
    for rank in range(seams.scored[side]):
        if twins[seams.partners[side, rank]] == twins[partner]:
            return seams.costs[side, rank]
    for rank in range(seams.scored[partner]):
        if twins[seams.partners[partner, rank]] == twins[side]:
            return seams.costs[partner, rank]
    facing = row_against(seams.borders, side, partner)
    return far_cost(sum_of_magnitudes(seams.borders, side, facing))


@kernel
def seam_cost(seams, side, partner):
    """Return what a seam costs. Numbers past the last piece are those of empty cells."""
    return cost_given(seams, seams.nearest, seams.nearest_cost, side, partner)


@kernel
def one_sided_cost(seams, side, partner):
    """Return what one side says of a seam of two pieces.

    That is half of what it costs, unless the measure has each side foretell the other: what is
    foretold from one side is not what is foretold from the other.
    """
    if seams.rule == FORETOLD and known_cost(seams, side, partner) == SAYS_NOTHING:
        facing = row_against(seams.borders, side, partner)
        return np.float32(foretold_cost(seams.borders, side, facing))
    return np.float32(0.5) * seam_cost(seams, side, partner)


@kernel
def seam_cost_among(seams, rivals, side, partner):
    """Return what a seam costs where sides could have these rivals."""
    return cost_given(seams, rivals.nearest, rivals.nearest_cost, side, partner)


@kernel
def cost_given(seams, nearest, nearest_cost, side, partner):
    """Return what a seam costs, given the cheapest partner that each side could have.

    They are handed on as arrays, so that no tuple is made for every seam.
    """
    if max(side, partner) >= seams.partners.shape[0]:
        known = known_cost_of_hole(seams, min(side, partner))
        return np.float32(seams.hole) if known == SAYS_NOTHING else known
    known = known_cost(seams, side, partner)
    if known != SAYS_NOTHING:
        return known
    if seams.rule == LOOKUP:
        return looked_up_cost(seams, nearest, nearest_cost, side, partner)
    return border_cost(seams.borders, seams.rule, side, partner)
