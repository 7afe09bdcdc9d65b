"""Selecting the k cheapest partners of every side from tiles of the all-pairs matrix.

A tile holds approximate squared distances of some sides (its rows) to some facing sides (its
columns), as members of a class of them (`facing`). Every row and every column keeps a buffer of
what may still be among its cheapest and a threshold nothing at or above which can be. Order is
(value, id), so what is kept does not depend on the order in which tiles arrive.
"""

from typing import NamedTuple

import numpy as np

from jigsolve._kernels.costs import NO_BUDDY, SEVERAL_BUDDIES, border_cost
from jigsolve._kernels.facing import member_side
from jigsolve._kernels.jit import kernel
from jigsolve._kernels.randomness import GOLDEN, scramble

CHUNK = 64


class Shortlists(NamedTuple):
    """For each of n sides, up to `ids.shape[1]` partners that may be the cheapest."""

    values: np.ndarray  # (n, capacity) float32 or float64
    ids: np.ndarray  # (n, capacity) int32
    filled: np.ndarray  # (n,) int64: entries used
    threshold: np.ndarray  # (n,) likewise: a partner above it is not wanted


def shortlists(sides: int, keep: int, precision: np.dtype) -> Shortlists:
    """Allocate empty shortlists that keep the `keep` cheapest partners of each side."""
    capacity = 2 * keep
    return Shortlists(
        values=np.empty((sides, capacity), precision),
        ids=np.empty((sides, capacity), np.int32),
        filled=np.zeros(sides, np.int64),
        threshold=np.full(sides, np.inf, precision),
    )


@kernel
def comes_before(value, identity, other_value, other_identity):
    return value < other_value or (value == other_value and identity < other_identity)


@kernel
def move_cheapest_first(values, ids, count, keep):
    """Partition so that the `keep` cheapest of the first `count` come first (quickselect)."""
    low = 0
    high = count - 1
    while low < high:
        middle = (low + high) // 2
        pivot = values[middle]
        pivot_id = ids[middle]
        i = low
        j = high
        while i <= j:
            while comes_before(values[i], ids[i], pivot, pivot_id):
                i += 1
            while comes_before(pivot, pivot_id, values[j], ids[j]):
                j -= 1
            if i <= j:
                values[i], values[j] = values[j], values[i]
                ids[i], ids[j] = ids[j], ids[i]
                i += 1
                j -= 1
        if keep - 1 <= j:
            high = j
        elif keep - 1 >= i:
            low = i
        else:
            return


@kernel
def offer(lists, side, value, identity):
    """Enter a partner into a side's shortlist; shrink the list when it is full."""
    capacity = lists.ids.shape[1]
    count = lists.filled[side]
    lists.values[side, count] = value
    lists.ids[side, count] = identity
    count += 1
    if count == capacity:
        keep = capacity // 2
        move_cheapest_first(lists.values[side], lists.ids[side], count, keep)
        highest = lists.values[side, 0]
        for i in range(1, keep):
            highest = max(highest, lists.values[side, i])
        lists.threshold[side] = highest
        count = keep
    lists.filled[side] = count


@kernel
def absorb_tile(tile, first_row, first_column, bits, row_lists, column_lists):
    """Offer every entry of a tile to the side of its row and to the side of its column.

    Sides of one piece do not touch. Where pieces may be turned (`bits`) rows and columns are the
    same sides, and those below the diagonal are left out: they were offered from above it. Entries
    are looked at in chunks; almost all chunks hold nothing wanted, and finding that out is a
    vector comparison.
    """
    rows, columns = tile.shape
    for i in range(rows):
        row = first_row + i
        for start in range(0, columns, CHUNK):
            # Slices, not sums of indices: those could be negative for all the compiler knows,
            # and the comparison would not become a vector one.
            values = tile[i, start : start + CHUNK]
            first = first_column + start
            limits = column_lists.threshold[first : first + CHUNK]
            limit = row_lists.threshold[row]
            wanted = False
            for j in range(values.shape[0]):
                wanted |= (values[j] <= limit) | (values[j] <= limits[j])
            if not wanted:
                continue
            for j in range(values.shape[0]):
                column = first + j
                if row >> bits == column >> bits or (bits > 0 and column < row):
                    continue
                value = values[j]
                if value <= row_lists.threshold[row]:
                    offer(row_lists, row, value, column)
                if value <= limits[j]:
                    offer(column_lists, column, value, row)


@kernel
def absorb_rows(tile, rows, columns, bits, lists):
    """Offer every entry of a tile to the side of its row, as `absorb_tile` does to both.

    The members that rows and columns are may be any; the first row has the first list.
    """
    for i in range(tile.shape[0]):
        for start in range(0, tile.shape[1], CHUNK):
            values = tile[i, start : start + CHUNK]
            limit = lists.threshold[i]
            wanted = False
            for j in range(values.shape[0]):
                wanted |= values[j] <= limit
            if not wanted:
                continue
            for j in range(values.shape[0]):
                column = columns[start + j]
                if rows[i] >> bits != column >> bits and values[j] <= lists.threshold[i]:
                    offer(lists, i, values[j], column)


@kernel
def rerank(lists, borders, rule, bits, near, far, members, partners, costs):
    """Write the cheapest far partners of near members, by exact cost; each has a list and a row."""
    keep = partners.shape[1]
    capacity = lists.ids.shape[1]
    for row in range(members.shape[0]):
        own = member_side(bits, near, members[row])
        count = lists.filled[row]
        exact = lists.values[row]
        ids = lists.ids[row]
        move_cheapest_first(exact, ids, count, min(count, capacity // 2))
        count = min(count, capacity // 2)
        for i in range(count):
            exact[i] = border_cost(borders, rule, own, member_side(bits, far, ids[i]))
        # Insertion sort: the shortlist is short.
        for i in range(1, count):
            cost = exact[i]
            identity = ids[i]
            j = i - 1
            while j >= 0 and comes_before(cost, identity, exact[j], ids[j]):
                exact[j + 1] = exact[j]
                ids[j + 1] = ids[j]
                j -= 1
            exact[j + 1] = cost
            ids[j + 1] = identity
        for i in range(keep):
            partners[row, i] = member_side(bits, far, ids[i])
            costs[row, i] = exact[i]


@kernel
def find_buddies(partners, costs, buddies):
    """Fill in the best buddy of every side: none, one, or several at the same cost."""
    for side in range(partners.shape[0]):
        cheapest = costs[side, 0]
        partner = partners[side, 0]
        if costs.shape[1] > 1 and costs[side, 1] == cheapest:
            buddies[side] = SEVERAL_BUDDIES
        elif costs[partner, 0] == cheapest:
            buddies[side] = partner
        else:
            buddies[side] = NO_BUDDY


@kernel
def hash_borders(borders, hashes):
    """Fill in a 64-bit word for every border; equal borders have equal words."""
    for side in range(borders.shape[0]):
        word = GOLDEN
        for i in range(borders.shape[1]):
            word = scramble(word ^ np.uint64(np.uint16(borders[side, i])))
        hashes[side] = word
