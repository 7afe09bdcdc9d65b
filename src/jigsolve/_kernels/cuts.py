"""Groups of pieces that their border, all of its seams together, does not hold to their part.

A group grows from a weak seam, and always the piece is next that the group holds most firmly: so it
fills what belongs together before it goes on over a weak border. Of all groups on the way, the
one that is held least is cut off.

Related: Stoer and Wagner, J. ACM 44, 1997 (the order of growing, for cuts where nothing repels);
Kernighan and Lin, Bell System Technical Journal 49, 1970 (the best of all groups on the way).
"""

from typing import NamedTuple

import numpy as np

from jigsolve._kernels.geometry import SIDES, beside
from jigsolve._kernels.jit import kernel
from jigsolve._kernels.site import OUTSIDE, held

SMALLEST = 4
"""Fewer pieces are not cut off: single ones find their places without."""
ALIKE = 64
"""Groups around the first pieces of one in vain are not looked for: they would be much the same."""


class Parts(NamedTuple):
    """The parts of an arrangement with one cell more all around, numbered row by row."""

    width: int  # cells in a row, those around the board included
    part: np.ndarray  # (cells,) int32: the part of the piece in each cell, OUTSIDE if there is none
    across: np.ndarray  # (cells,) float64: how firmly the seam to the right holds
    down: np.ndarray  # (cells,) float64: and that to the bottom
    state: np.ndarray  # (cells,) int64: which group last touched a cell or took it
    pull: np.ndarray  # (cells,) float64: how firmly that group holds the piece
    tried: np.ndarray  # (cells,) bool: cells around which no other group need be looked for
    group: np.ndarray  # (room,) int32: the cells of a group in the order they were taken
    heap: np.ndarray  # (4 room + 1,) int32: cells that it may take, the firmest at the top
    keys: np.ndarray  # (4 room + 1,) float64: how firmly they were held when they were entered


@kernel
def comes_before(parts, one, other):
    """Whether an entry of the heap is above another."""
    if parts.keys[one] != parts.keys[other]:
        return parts.keys[one] > parts.keys[other]
    return parts.heap[one] < parts.heap[other]


@kernel
def exchange(parts, one, other):
    """Exchange two entries of the heap."""
    parts.keys[one], parts.keys[other] = parts.keys[other], parts.keys[one]
    parts.heap[one], parts.heap[other] = parts.heap[other], parts.heap[one]


@kernel
def push(parts, entries, cell):
    """Enter a cell; return how many entries there are."""
    parts.heap[entries] = cell
    parts.keys[entries] = parts.pull[cell]
    child = entries
    while child > 0 and comes_before(parts, child, (child - 1) // 2):
        exchange(parts, child, (child - 1) // 2)
        child = (child - 1) // 2
    return entries + 1


@kernel
def pop(parts, entries):
    """Move the topmost of so many entries behind the others; return how many these are."""
    entries -= 1
    exchange(parts, 0, entries)
    parent = 0
    while 2 * parent + 1 < entries:
        child = 2 * parent + 1
        if child + 1 < entries and comes_before(parts, child + 1, child):
            child += 1
        if not comes_before(parts, child, parent):
            break
        exchange(parts, child, parent)
        parent = child
    return entries


@kernel
def grow_group(parts, number, seed):
    """Let a group grow around a cell.

    Returns how many pieces it has, how many it had when it was held least, and how firmly then.

    It ends when it is the whole part or there is no room for more. Cells in reach have the state
    `number`, those taken one more.
    """
    part = parts.part[seed]
    parts.pull[seed] = 0.0
    parts.state[seed] = number
    entries = push(parts, 0, seed)
    count = fewest = 0
    holds = least = 0.0
    while entries > 0 and count < parts.group.shape[0]:
        entries = pop(parts, entries)
        cell = np.int64(parts.heap[entries])
        if parts.state[cell] > number or parts.keys[entries] != parts.pull[cell]:
            continue  # taken, or entered again since
        parts.state[cell] = number + 1
        parts.group[count] = cell
        count += 1
        for toward in range(SIDES):
            other = beside(parts.width, cell, toward)
            if parts.part[other] != part:
                continue
            firm = held(parts, cell, toward)
            if parts.state[other] > number:
                holds -= firm
                continue
            holds += firm
            if parts.state[other] < number:
                parts.state[other] = number
                parts.pull[other] = 0.0
            parts.pull[other] += firm
            entries = push(parts, entries, other)
        if count >= SMALLEST and holds < least:
            fewest = count
            least = holds
    return count, fewest, least


@kernel
def cut_groups(parts, seeds, weak, visits, unused):
    """Make parts of their own of groups that hold to theirs less than `weak`; return how many.

    Groups grow around the seeds in turn, until so many cells have been visited. New parts have
    numbers from `unused` on.
    """
    cuts = 0
    parts.state[:] = 0
    parts.tried[:] = False
    number = np.int64(0)
    for index in range(seeds.shape[0]):
        seed = np.int64(seeds[index])
        if parts.part[seed] == OUTSIDE or parts.tried[seed]:
            continue
        if visits <= 0:
            break
        number += 2
        count, fewest, least = grow_group(parts, number, seed)
        visits -= count
        is_weak = least < weak and fewest < count  # or else it might be weaker still, with room
        for taken in range(fewest if is_weak else min(ALIKE, count)):
            parts.tried[parts.group[taken]] = True
            if is_weak:
                parts.part[parts.group[taken]] = unused + cuts
        cuts += is_weak
    return cuts
