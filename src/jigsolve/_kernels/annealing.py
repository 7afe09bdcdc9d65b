"""Moving parts of an arrangement as bodies, at a temperature.

A move shifts a body, pieces that stay together, to where a candidate of one of its sides lies.
What lay there takes the cells that become free, in the same order. A move that lowers the energy is
made, one that raises it with a probability that falls with the temperature.

Related: Kirkpatrick, Gelatt and Vecchi, Science 220, 1983; Swendsen and Wang, Phys. Rev. Lett. 58,
1987 (moving clusters rather than single sites).
"""

import math
from typing import NamedTuple

import numpy as np

from jigsolve._kernels.bodies import Bodies, choose_aim, fits, grow_body, shift_body, take_body
from jigsolve._kernels.geometry import BOTTOM, LEFT, RIGHT, TOP, beside, onward, posed_piece
from jigsolve._kernels.hints import (
    NOT_SCORED,
    energy_if_scored,
    energy_unscored,
    fetch_hints,
    least_energy,
)
from jigsolve._kernels.jit import kernel
from jigsolve._kernels.randomness import GOLDEN, below, scramble, unit
from jigsolve._kernels.rotation import turn_body

AT_ONCE = 16
"""So many moves are drawn before they are priced."""
FETCHED = 8
"""Of so many pieces of a body at most it is loaded ahead what they are compared by."""


@kernel
def is_dearer(seams, site, number, touched, most):
    """Whether the seams of the touched cells have more energy than `most`; note what each has.

    The least that they can have nearly always tells.
    """
    total = 0.0
    for index in range(touched):
        cell = np.int64(site.cells[index])
        total += note_least(seams, site, index, cell, RIGHT)
        total += note_least(seams, site, index, cell, BOTTOM)
        if site.mark[cell - 1] < number:
            total += note_least(seams, site, index, cell, LEFT)
        if site.mark[cell - site.width] < number:
            total += note_least(seams, site, index, cell, TOP)
        if total > most:
            return True
    for index in range(touched):
        cell = np.int64(site.cells[index])
        total += note(seams, site, index, cell, RIGHT)
        total += note(seams, site, index, cell, BOTTOM)
        if site.mark[cell - 1] < number:
            total += note(seams, site, index, cell, LEFT)
        if site.mark[cell - site.width] < number:
            total += note(seams, site, index, cell, TOP)
        if total > most:
            return True
    return False


@kernel
def note_least(seams, site, index, cell, toward):
    """Note the least energy that a seam can have; return it."""
    other = site.grid[beside(site.width, cell, toward)]
    least = least_energy(seams, site, site.grid[cell], toward, other)
    site.after[index, toward] = least
    return least


@kernel
def note(seams, site, index, cell, toward):
    """Note the energy of a seam; return by how much it is more than the least it can have."""
    other = beside(site.width, cell, toward)
    first, second = site.grid[min(cell, other)], site.grid[max(cell, other)]
    least = site.after[index, toward]
    found = energy_if_scored(seams, site, first, onward(toward), second)
    if found == NOT_SCORED:
        found = energy_unscored(seams, site, first, onward(toward), second)
    site.after[index, toward] = found
    return np.float64(found) - np.float64(least)


@kernel
def held_energy(site, number, touched):
    """Return the energy that all seams of the touched cells had before."""
    total = 0.0
    for index in range(touched):
        cell = np.int64(site.cells[index])
        total += site.across[cell] + site.down[cell]
        if site.mark[cell - 1] < number:
            total += site.across[cell - 1]
        if site.mark[cell - site.width] < number:
            total += site.down[cell - site.width]
    return total


@kernel
def settle(site, number, touched):
    """Make a move final: note where pieces lie and what their seams say."""
    width = site.width
    for index in range(touched):
        cell = np.int64(site.cells[index])
        site.place[posed_piece(site.grid[cell])] = cell
        site.across[cell] = site.after[index, RIGHT]
        site.down[cell] = site.after[index, BOTTOM]
        if site.mark[cell - 1] < number:
            site.across[cell - 1] = site.after[index, LEFT]
        if site.mark[cell - width] < number:
            site.down[cell - width] = site.after[index, TOP]


class Moves(NamedTuple):
    """How moves are drawn."""

    active: np.ndarray  # int32: pieces around which bodies grow
    bodies: Bodies
    bodily: float  # the share of moves that move a known body
    temperature: float
    key: np.uint64  # what the stream of each move derives from


@kernel
def next_mark(site):
    """Return a mark above all marks so far, and so is the next number."""
    site.marks[0] += 2
    return np.int64(site.marks[0])


@kernel
def draw_move(seams, site, moves, move, number):
    """Draw a body and where it goes, from the move's own stream.

    Returns how many pieces it has, one of its cells, that cell's aim, and how the body turns about
    it; no pieces where there is nothing to move.
    """
    stream = site.stream
    stream[0] = scramble(moves.key ^ (np.uint64(move) * GOLDEN))
    known = moves.bodies.starts.shape[0] - 1
    if known > 0 and unit(stream) < moves.bodily:
        count = take_body(site, number, moves.bodies, below(stream, known))
    else:
        seed = np.int64(site.place[moves.active[below(stream, moves.active.shape[0])]])
        count = grow_body(seams, site, number, seed, stream)
    cell = aim = turn = np.int64(0)
    if count > 0:
        cell, aim, turn = choose_aim(seams, site, number, count, stream)
        if turn == 0 and (aim == cell or not fits(site, count, aim - cell)):
            count = 0
    return np.int64(count), cell, aim, turn


@kernel
def try_move(seams, site, moves, number, count, cell, aim, turn, is_made):
    """Whether a move is one to be made; make it if it is and `is_made`."""
    if turn == 0:
        touched = shift_body(site, number, count, aim - cell)
    else:
        touched = turn_body(site, number, count, cell, aim, turn)
        if touched == 0:
            return False
    most = held_energy(site, number, touched)
    most -= moves.temperature * math.log(1.0 - unit(site.stream))
    is_wanted = not is_dearer(seams, site, number, touched, most)
    if is_wanted and is_made:
        settle(site, number, touched)
    else:
        for index in range(touched):
            site.grid[site.cells[index]] = site.before[index]
    return is_wanted


@kernel
def try_moves(seams, site, moves, first, chosen, is_made):
    """Try those of the moves from `first` on that are chosen, as bits; return which are wanted.

    If they are made, each finds the board as the one before has left it. If not, all find the same:
    then all are drawn first, and what they are compared by is loaded meanwhile.
    """
    wanted = np.int64(0)
    begin = np.int64(0)
    while chosen >> begin:
        end = begin + 1 if is_made else np.int64(AT_ONCE)
        waiting = 0
        for bit in range(begin, end):
            if chosen >> bit & 1:
                number = next_mark(site)
                drawn = draw_move(seams, site, moves, first + bit, number)
                if drawn[0] > 0:
                    wait_for_price(site, waiting, bit, drawn)
                    waiting += 1
        for index in range(waiting):
            bit, count, cell, aim, turn = site.drawn[index]
            number = next_mark(site)
            for member in range(count):
                site.cells[member] = site.bodies[index, member]
                site.mark[site.cells[member]] = number
            site.stream[0] = site.streams[index]
            if try_move(seams, site, moves, number, count, cell, aim, turn, is_made):
                wanted |= np.int64(1) << bit
        begin = end
    return wanted


@kernel
def wait_for_price(site, waiting, bit, drawn):
    """Keep a move that was drawn, and load what it will be compared by."""
    count, cell, aim, turn = drawn
    kept = site.drawn[waiting]
    kept[0], kept[1], kept[2], kept[3], kept[4] = bit, count, cell, aim, turn
    site.streams[waiting] = site.stream[0]
    for index in range(count):
        site.bodies[waiting, index] = site.cells[index]
    if turn == 0:
        for index in range(min(count, FETCHED)):
            body_cell = np.int64(site.cells[index])
            fetch_hints(site, body_cell)
            fetch_hints(site, body_cell + aim - cell)


@kernel
def anneal(seams, site, moves, first, last):
    """Try the moves `first`..`last`-1, a few at once.

    They are priced on the same board. Those that would be made there are then tried again, in turn,
    on the board as it is by then.
    """
    begin = np.int64(first)
    wanted = np.int64(0)
    while begin < last:
        is_made = wanted != 0
        chosen = wanted if is_made else (np.int64(1) << min(AT_ONCE, last - begin)) - 1
        found = try_moves(seams, site, moves, begin, chosen, is_made)
        wanted = np.int64(0) if is_made else found
        if wanted == 0:
            begin += AT_ONCE
