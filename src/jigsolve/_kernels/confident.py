"""Placing the piece one is most confident of, again and again.

Every side ranks its candidates by what it says of them itself. Its confidence in one of them is how
much less that one costs than the second best. Two sides that rank each other first are best
buddies; buddies of placed pieces wait in a pool, a heap by confidence. When the pool is empty, what
can no longer be is left out of all ranks, and confidences are worked out anew.
"""

from typing import NamedTuple

import numpy as np

from jigsolve._kernels.costs import one_sided_cost
from jigsolve._kernels.floating import (
    NOWHERE,
    PLACED,
    drop_first,
    is_open_cell,
    push,
    put,
)
from jigsolve._kernels.geometry import (
    SIDES,
    beside,
    opposite,
    piece_of,
    pose_with,
    side_of,
    toward_of,
    toward_when_turned,
    turn_of,
)
from jigsolve._kernels.jit import kernel
from jigsolve._kernels.known import BARRED

NOBODY = -1
EQUALS, UNSURE = np.float32(0.001), np.float32(-1e9)
"""The confidence of a side that has several of which nothing tells it apart: in one of them, and in
any other."""


class Ranks(NamedTuple):
    """What every side says of its candidates, and of whom it can still have."""

    partners: np.ndarray  # (4n, k) int32: candidates, those it likes best first
    costs: np.ndarray  # (4n, k) float32: what it says of them
    head: np.ndarray  # (4n,) int32: the rank before which all are gone
    first: np.ndarray  # (4n,) int32: the best it can have, or NOBODY
    first_cost: np.ndarray  # (4n,) float32
    second_cost: np.ndarray  # (4n,) float32: what it says of the next best


class Pool(NamedTuple):
    """Seams of a placed piece with one that is not placed."""

    keys: np.ndarray  # (m,) float32: how confident both sides are
    sides: np.ndarray  # (m,) int64: the side of the placed piece, and its partner, as one number
    size: np.ndarray  # (1,) int64


@kernel
def rank_all(seams, ranks, first, last):
    """Rank the candidates of the sides `first`..`last`-1 by what these say themselves."""
    many = ranks.partners.shape[1]
    for side in range(first, last):
        for rank in range(many):
            partner = np.int64(seams.partners[side, rank])
            cost = np.float32(BARRED)
            if partner != side:
                cost = one_sided_cost(seams, np.int64(side), partner)
            place = rank
            while place > 0 and ranks.costs[side, place - 1] > cost:
                ranks.costs[side, place] = ranks.costs[side, place - 1]
                ranks.partners[side, place] = ranks.partners[side, place - 1]
                place -= 1
            ranks.costs[side, place] = cost
            ranks.partners[side, place] = partner
        ranks.head[side] = 0


@kernel
def cell_beside(floating, side):
    """Return the cell that a side of a placed piece points to."""
    cell = np.int64(floating.place[piece_of(side)])
    turn = turn_of(np.int64(floating.grid[cell]))
    return beside(floating.width, cell, toward_when_turned(toward_of(side), turn))


@kernel
def is_to_be_had(floating, side, partner):
    """Whether two sides can still come to touch: one of them at least is of a piece not placed."""
    if partner == side:
        return False
    if floating.place[piece_of(partner)] == NOWHERE:
        return True
    if floating.place[piece_of(side)] != NOWHERE:
        return False
    return is_open_cell(floating, cell_beside(floating, partner))


@kernel
def look_again(ranks, floating, side):
    """Find the two that a side likes best of those it can still have."""
    many = ranks.partners.shape[1]
    ranks.first[side] = NOBODY
    is_placed = floating.place[piece_of(side)] != NOWHERE
    if is_placed and not is_open_cell(floating, cell_beside(floating, side)):
        ranks.head[side] = many
    ranks.first_cost[side] = ranks.costs[side, many - 1]
    ranks.second_cost[side] = ranks.costs[side, many - 1]
    for rank in range(ranks.head[side], many):
        if not is_to_be_had(floating, side, np.int64(ranks.partners[side, rank])):
            continue
        if ranks.first[side] == NOBODY:
            ranks.head[side] = rank
            ranks.first[side] = ranks.partners[side, rank]
            ranks.first_cost[side] = ranks.costs[side, rank]
        else:
            ranks.second_cost[side] = ranks.costs[side, rank]
            return
    if ranks.first[side] == NOBODY:
        ranks.head[side] = many


@kernel
def look_again_at_all(ranks, floating):
    """Find whom all sides can still have."""
    for side in range(ranks.first.shape[0]):
        if ranks.head[side] < ranks.partners.shape[1]:
            look_again(ranks, floating, np.int64(side))
        else:
            ranks.first[side] = NOBODY


@kernel
def confidence(ranks, side, cost):
    """Return a side's confidence in one of which it says so much."""
    if ranks.second_cost[side] <= 0.0:
        return EQUALS if cost <= 0.0 else UNSURE
    return np.float32(1.0) - cost / ranks.second_cost[side]


@kernel
def are_buddies(ranks, side, partner):
    """Whether two sides like each other best, and no other as well."""
    return (
        partner != NOBODY
        and ranks.first[side] == partner
        and ranks.first[partner] == side
        and ranks.first_cost[side] < ranks.second_cost[side]
        and ranks.first_cost[partner] < ranks.second_cost[partner]
    )


@kernel
def mutual_confidence(seams, ranks, side, partner):
    """Return the mean confidence of two sides in each other, the second the first's best."""
    own = confidence(ranks, side, ranks.first_cost[side])
    said = ranks.first_cost[partner]
    if ranks.first[partner] != side:
        said = one_sided_cost(seams, partner, side)
    return np.float32(0.5) * (own + confidence(ranks, partner, said))


@kernel
def buddies_of(ranks, piece):
    """Return how many best buddies a piece has."""
    count = 0
    for toward in range(SIDES):
        side = side_of(piece, toward)
        count += are_buddies(ranks, side, np.int64(ranks.first[side]))
    return count


@kernel
def best_start(seams, ranks, buddies):
    """Return the piece to begin with: most buddies, whose buddies have most; then confidence.

    `buddies` is room for a number for each piece.
    """
    pieces = buddies.shape[0]
    for piece in range(pieces):
        buddies[piece] = buddies_of(ranks, np.int64(piece))
    best = np.int64(0)
    most = -1.0
    for piece in range(pieces):
        distinct = SIDES * buddies[piece]
        total = 0.0
        for toward in range(SIDES):
            side = side_of(np.int64(piece), toward)
            partner = np.int64(ranks.first[side])
            if are_buddies(ranks, side, partner):
                distinct += buddies[piece_of(partner)]
                total += mutual_confidence(seams, ranks, side, partner)
        if distinct + 0.2 * total > most:
            most = distinct + 0.2 * total
            best = np.int64(piece)
    return best


@kernel
def enter(seams, ranks, pool, side, partner):
    """Enter a seam into the pool."""
    key = mutual_confidence(seams, ranks, side, partner)
    value = np.int64(side) * ranks.first.shape[0] + partner
    pool.size[0] = push(pool.keys, pool.sides, pool.size[0], key, value)


@kernel
def enter_buddies(seams, ranks, floating, pool, piece):
    """Enter the seams of a placed piece with its buddies that are not placed."""
    for toward in range(SIDES):
        side = side_of(piece, toward)
        partner = np.int64(ranks.first[side])
        if (
            are_buddies(ranks, side, partner)
            and floating.place[piece_of(partner)] == NOWHERE
            and is_open_cell(floating, cell_beside(floating, side))
        ):
            enter(seams, ranks, pool, side, partner)


@kernel
def refill(seams, ranks, floating, pool):
    """Work out confidences anew; enter all buddies of placed pieces, or the one seam that is best.

    Returns whether there is any.
    """
    look_again_at_all(ranks, floating)
    pool.size[0] = 0
    best = np.int64(NOBODY)
    highest = np.float32(-np.inf)
    for piece in range(floating.place.shape[0]):
        if floating.place[piece] == NOWHERE:
            continue
        enter_buddies(seams, ranks, floating, pool, np.int64(piece))
        if pool.size[0] > 0:
            continue
        for toward in range(SIDES):
            side = side_of(np.int64(piece), toward)
            partner = np.int64(ranks.first[side])
            if partner == NOBODY:
                continue
            mutual = mutual_confidence(seams, ranks, side, partner)
            if mutual > highest:
                highest = mutual
                best = side
    if pool.size[0] == 0 and best != NOBODY:
        enter(seams, ranks, pool, best, np.int64(ranks.first[best]))
    return pool.size[0] > 0


@kernel
def place_confidently(seams, ranks, floating, pool, most, wanted):
    """Place up to `most` pieces, until so many are placed; return whether more can be.

    Working out confidences anew counts as well: it takes as long as placing many.
    """
    done = 0
    while done < most:
        if floating.reach[PLACED] >= wanted:
            return False
        if pool.size[0] == 0:
            done += 1 + ranks.first.shape[0] // 256
            if not refill(seams, ranks, floating, pool):
                return False
        value = pool.sides[0]
        pool.size[0] = drop_first(pool.keys, pool.sides, pool.size[0])
        side = value // ranks.first.shape[0]
        partner = value % ranks.first.shape[0]
        cell = cell_beside(floating, side)
        if floating.place[piece_of(partner)] != NOWHERE or not is_open_cell(floating, cell):
            continue
        turn = turn_of(np.int64(floating.grid[floating.place[piece_of(side)]]))
        way = toward_when_turned(toward_of(side), turn)
        put(floating, cell, pose_with(partner, opposite(way)))
        enter_buddies(seams, ranks, floating, pool, piece_of(partner))
        done += 1
    return True
