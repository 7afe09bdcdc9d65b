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

from jigsolve._kernels.costs import pieces_in
from jigsolve._kernels.geometry import (
    BOTTOM,
    LEFT,
    RIGHT,
    SIDES,
    TOP,
    beside,
    onward,
    opposite,
    piece_of,
    pose_with,
    posed_piece,
    side_at,
    toward_of,
    toward_when_turned,
    turn_of,
)
from jigsolve._kernels.jit import kernel
from jigsolve._kernels.randomness import below, unit
from jigsolve._kernels.rotation import turn_body
from jigsolve._kernels.site import (
    NOT_SCORED,
    OUTSIDE,
    energy_if_scored,
    energy_unscored,
    held,
)

SINGLE = 0.4
"""How often a body is a single piece."""
SMALLEST_ROOM, LARGEST_ROOM = 4, 64
"""The most pieces of a body that grows: mostly few, or else the sure part of the picture would be
walked through all the time."""
LARGER = 0.56
"""How often it may be twice as large."""

TRIES = 8
"""How often a side is drawn until one is found that may be moved."""
LEFT_ALONE = 0.7
"""How often a side is left alone whose seam is settled."""
WIDEST = 8
"""A body moves to one of so many candidates, the first ones most often."""


class Bodies(NamedTuple):
    """Bodies that are known; one whose pieces were moved apart does not move any more."""

    starts: np.ndarray  # (bodies + 1,) int64: where each begins among the members
    members: np.ndarray  # int32: pieces
    offsets: np.ndarray  # int32: how far each is from the body's first, in cells


@kernel
def grow_body(seams, site, number, seed, stream):
    """Mark the body around a cell; return how many pieces it has, 0 if too many."""
    end = seams.partners.shape[0]  # poses from there on are those of empty cells
    dearest = 0.0 if unit(stream) < SINGLE else site.scale.dearest * unit(stream) ** 1.5
    room = SMALLEST_ROOM
    while room < LARGEST_ROOM and unit(stream) < LARGER:
        room *= 2
    site.cells[0] = seed
    site.mark[seed] = number
    count = 1
    done = 0
    while done < count:
        cell = np.int64(site.cells[done])
        done += 1
        for toward in range(SIDES):
            if held(site, cell, toward) >= dearest:
                continue
            other = beside(site.width, cell, toward)
            if site.mark[other] == number or not 0 <= site.grid[other] < end:
                continue
            if count == room:
                return 0
            site.mark[other] = number
            site.cells[count] = other
            count += 1
    return count


@kernel
def take_body(site, number, bodies, body):
    """Mark a known body; return how many pieces it has, 0 if they are no longer together."""
    first = np.int64(bodies.starts[body])
    last = np.int64(bodies.starts[body + 1])
    origin = np.int64(site.place[bodies.members[first]])
    for index in range(first, last):
        cell = np.int64(site.place[bodies.members[index]])
        if cell != origin + bodies.offsets[index]:
            return 0
        site.cells[index - first] = cell
        site.mark[cell] = number
    return last - first


@kernel
def choose_aim(seams, site, number, count, stream):
    """Choose a side of the body and where it shall go.

    Returns the cell it is of and that cell's aim, and how the body has to turn; 0, 0, 0 for none.
    """
    pieces = pieces_in(seams)
    nothing = np.int64(0), np.int64(0), np.int64(0)
    for _ in range(TRIES):
        cell = np.int64(site.cells[below(stream, count)])
        toward = below(stream, SIDES)
        other = beside(site.width, cell, toward)
        if site.mark[other] == number:
            continue
        if (
            site.grid[other] != OUTSIDE
            and held(site, cell, toward) < site.scale.settled
            and unit(stream) < LEFT_ALONE
        ):
            continue
        side = side_at(np.int64(site.grid[cell]), toward)
        rank = np.int64(min(WIDEST, seams.partners.shape[1]) * unit(stream) ** 2)
        partner = np.int64(seams.partners[side, rank])
        if not 0 <= piece_of(partner) < pieces:
            return nothing
        spot = np.int64(site.place[piece_of(partner)])
        if spot == OUTSIDE or site.mark[spot] == number:
            return nothing
        way = toward_when_turned(toward_of(partner), turn_of(np.int64(site.grid[spot])))
        turn = turn_of(pose_with(np.int64(toward), opposite(way)))
        return cell, beside(site.width, spot, way), turn
    return nothing


@kernel
def fits(site, count, shift):
    """Whether a body, shifted, lies on the board and nothing moves that must stay.

    Its pieces touch each other, and there is a rim of cells around the board: it cannot leave over
    one side and come back over the other without a piece on the rim.
    """
    for index in range(count):
        cell = np.int64(site.cells[index])
        aim = cell + shift
        if not 0 <= aim < site.grid.shape[0] or site.grid[aim] == OUTSIDE:
            return False
        if site.still[cell] or site.still[aim]:
            return False
    return True


@kernel
def shift_body(site, number, count, shift):
    """Shift a body; return how many cells that touches, the body's own first.

    What lay where it goes takes the cells it leaves: each piece that of the row of cells, one
    shift apart, that it is in.
    """
    touched = count
    for index in range(count):
        aim = np.int64(site.cells[index]) + shift
        if site.mark[aim] != number:
            site.mark[aim] = number + 1
            site.cells[touched] = aim
            touched += 1
    for index in range(touched):
        site.before[index] = site.grid[site.cells[index]]
    for index in range(count, touched):
        free = np.int64(site.cells[index]) - shift
        while 0 <= free - shift < site.mark.shape[0] and site.mark[free - shift] == number:
            free -= shift
        site.grid[free] = site.before[index]
    for index in range(count):
        site.grid[np.int64(site.cells[index]) + shift] = site.before[index]
    return touched


@kernel
def is_dearer(seams, site, number, touched, most):
    """Whether the seams of the touched cells have more energy than `most`; note what each has.

    What seams cost that are not scored takes longest: the least that it can be often tells.
    """
    total = 0.0
    for index in range(touched):
        cell = np.int64(site.cells[index])
        total += note_if_scored(seams, site, index, cell, RIGHT)
        total += note_if_scored(seams, site, index, cell, BOTTOM)
        if site.mark[cell - 1] < number:
            total += note_if_scored(seams, site, index, cell, LEFT)
        if site.mark[cell - site.width] < number:
            total += note_if_scored(seams, site, index, cell, TOP)
        if total > most:
            return True
    total = 0.0
    for index in range(touched):
        cell = np.int64(site.cells[index])
        total += note(seams, site, index, cell, RIGHT)
        total += note(seams, site, index, cell, BOTTOM)
        if site.mark[cell - 1] < number:
            total += note(seams, site, index, cell, LEFT)
        if site.mark[cell - site.width] < number:
            total += note(seams, site, index, cell, TOP)
    return total > most


@kernel
def pieces_at(site, cell, toward):
    """Return the two poses at the seam on one side of a cell, the left or upper one first."""
    other = beside(site.width, cell, toward)
    return site.grid[min(cell, other)], site.grid[max(cell, other)]


@kernel
def note_if_scored(seams, site, index, cell, toward):
    """Note the energy of a seam if it is scored; return the least that it can be."""
    first, second = pieces_at(site, cell, toward)
    found = energy_if_scored(seams, site, first, onward(toward), second)
    site.after[index, toward] = found
    return min(found, site.scale.least_unscored)


@kernel
def note(seams, site, index, cell, toward):
    """Return the energy of a seam; note it if that was not done yet."""
    if site.after[index, toward] == NOT_SCORED:
        first, second = pieces_at(site, cell, toward)
        site.after[index, toward] = energy_unscored(seams, site, first, onward(toward), second)
    return site.after[index, toward]


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


@kernel
def anneal(seams, site, active, bodies, bodily, temperature, first, last, stream):
    """Try the moves `first`..`last`-1 of the site; return how many were made.

    A share `bodily` of them moves a known body, the others one that grows around a random one
    of the active pieces.
    """
    known = bodies.starts.shape[0] - 1
    made = 0
    for move in range(first, last):
        number = np.int64(2 * move + 2)  # above all marks so far, and so is the next one
        if known > 0 and unit(stream) < bodily:
            count = take_body(site, number, bodies, below(stream, known))
        else:
            seed = np.int64(site.place[active[below(stream, active.shape[0])]])
            count = grow_body(seams, site, number, seed, stream)
        if count == 0:
            continue
        cell, aim, turn = choose_aim(seams, site, number, count, stream)
        if turn == 0:
            if aim == cell or not fits(site, count, aim - cell):
                continue
            touched = shift_body(site, number, count, aim - cell)
        else:
            touched = turn_body(site, number, count, cell, aim, turn)
            if touched == 0:
                continue
        most = held_energy(site, number, touched)
        most -= temperature * math.log(1.0 - unit(stream))
        if is_dearer(seams, site, number, touched, most):
            for index in range(touched):
                site.grid[site.cells[index]] = site.before[index]
        else:
            settle(site, number, touched)
            made += 1
    return made
