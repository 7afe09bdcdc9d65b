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

from jigsolve._kernels.costs import FAR, SIDES, seam_cost
from jigsolve._kernels.jit import kernel
from jigsolve._kernels.randomness import GOLDEN, below, scramble, unit

OUTSIDE = -1
"""In the cells around the board, and the place of pieces that are not on it."""

BEND = 7.0
GENTLE = 0.4
"""Costs beyond BEND count so much: there they hardly say any more what is right."""

LEAST_UNLISTED = BEND + GENTLE * (FAR - BEND)
"""Seams that are not scored cost more than FAR."""

SINGLE = 0.4
"""How often a body is a single piece."""
DEAREST = 12.0
"""Bodies are held together by seams that cost less than something up to this."""
SMALLEST_ROOM, LARGEST_ROOM = 4, 64
"""The most pieces of a body that grows: mostly few, or else the sure part of the picture would be
walked through all the time."""
LARGER = 0.56
"""How often it may be twice as large."""

TRIES = 8
"""How often a side is drawn until one is found that may be moved."""
SETTLED = 1.0
LEFT_ALONE = 0.7
"""How often a side is left alone whose seam costs less than SETTLED."""
WIDEST = 8
"""A body moves to one of so many candidates, the first ones most often."""


class Site(NamedTuple):
    """An arrangement with one cell more all around; cells are numbered row by row."""

    width: int  # cells in a row, those around the board included
    grid: np.ndarray  # (cells,) int32: the piece in each cell, numbers past the last if empty
    place: np.ndarray  # (n + empty,) int32: the cell of each piece
    across: np.ndarray  # (cells,) float32: energy of the seam to the right
    down: np.ndarray  # (cells,) float32: and of that to the bottom
    mark: np.ndarray  # (cells,) int64: when a cell was last part of a body or its aim
    cells: np.ndarray  # (2 room,) int32: the cells a move touches, the body's own first
    before: np.ndarray  # (2 room,) int32: what lay there
    hints: np.ndarray  # (4n, 4) uint64: bits of those that may be among a side's candidates


class Bodies(NamedTuple):
    """Bodies that are known; one whose pieces were moved apart does not move any more."""

    starts: np.ndarray  # (bodies + 1,) int64: where each begins among the members
    members: np.ndarray  # int32: pieces
    offsets: np.ndarray  # int32: how far each is from the body's first, in cells


@kernel
def energy(seams, first, toward, second):
    """Return the energy of a seam, to the right or the bottom of the first piece."""
    if first == OUTSIDE or second == OUTSIDE:
        return np.float32(0.0)
    cost = seam_cost(seams, SIDES * np.int64(first) + toward, SIDES * np.int64(second) + toward - 1)
    if cost < BEND:
        return np.float32(cost)
    return np.float32(BEND + GENTLE * (cost - BEND))


@kernel
def hint_of(twin):
    """Return the word and the bit that stand for a side and its twins in a side's hints."""
    mixed = scramble(np.uint64(twin) + GOLDEN)
    return np.int64(mixed & np.uint64(3)), np.uint64(1) << (mixed >> np.uint64(58))


@kernel
def gather_hints(seams, hints):
    """Set the bits of all scored candidates; few of the others share one."""
    hints[:] = 0
    for side in range(hints.shape[0]):
        for rank in range(seams.scored[side]):
            word, bit = hint_of(seams.twins[seams.partners[side, rank]])
            hints[side, word] |= bit


@kernel
def least_energy(seams, site, first, toward, second):
    """Return the energy of a seam, or if it is not scored the least that it can be.

    Most seams that are tried are not, which hints tell without a search.
    """
    pieces = seams.partners.shape[0] // SIDES
    if min(first, second) >= 0 and max(first, second) < pieces:
        side = SIDES * np.int64(first) + toward
        partner = SIDES * np.int64(second) + (toward ^ 1)
        word, bit = hint_of(seams.twins[partner])
        if not site.hints[side, word] & bit:
            word, bit = hint_of(seams.twins[side])
            if not site.hints[partner, word] & bit:
                return np.float32(LEAST_UNLISTED)
    return energy(seams, first, toward, second)


@kernel
def held(site, cell, toward):
    """Return what is noted of the seam on one side of a cell."""
    if toward == 0:
        return site.across[cell - 1]
    if toward == 1:
        return site.across[cell]
    if toward == 2:
        return site.down[cell - site.width]
    return site.down[cell]


@kernel
def beside(site, cell, toward):
    """Return the cell on one side of another."""
    if toward < 2:
        return cell + (2 * toward - 1)
    return cell + (2 * toward - 5) * site.width


@kernel
def price(seams, site):
    """Fill in the energies of all seams."""
    for cell in range(site.width, site.grid.shape[0] - site.width):
        site.across[cell] = energy(seams, site.grid[cell], 1, site.grid[cell + 1])
        site.down[cell] = energy(seams, site.grid[cell], 3, site.grid[cell + site.width])


@kernel
def grow_body(seams, site, number, seed, stream):
    """Mark the body around a cell; return how many pieces it has, 0 if too many."""
    pieces = seams.partners.shape[0] // SIDES
    dearest = 0.0 if unit(stream) < SINGLE else DEAREST * unit(stream) ** 1.5
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
            other = beside(site, cell, toward)
            if site.mark[other] == number or not 0 <= site.grid[other] < pieces:
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
    """Choose a side of the body and where it shall go: return the shift in cells, 0 for none."""
    pieces = seams.partners.shape[0] // SIDES
    for _ in range(TRIES):
        cell = np.int64(site.cells[below(stream, count)])
        toward = below(stream, SIDES)
        other = beside(site, cell, toward)
        if site.mark[other] == number:
            continue
        if (
            site.grid[other] != OUTSIDE
            and held(site, cell, toward) < SETTLED
            and unit(stream) < LEFT_ALONE
        ):
            continue
        side = SIDES * np.int64(site.grid[cell]) + toward
        rank = np.int64(min(WIDEST, seams.partners.shape[1]) * unit(stream) ** 2)
        partner = np.int64(seams.partners[side, rank]) // SIDES
        if not 0 <= partner < pieces:
            return 0
        spot = np.int64(site.place[partner])
        if spot == OUTSIDE or site.mark[spot] == number:
            return 0
        return beside(site, spot, toward ^ 1) - cell
    return 0


@kernel
def fits(site, count, shift):
    """Whether a body, shifted, lies on the board.

    Its pieces touch each other, and there is a rim of cells around the board: it cannot leave over
    one side and come back over the other without a piece on the rim.
    """
    for index in range(count):
        aim = np.int64(site.cells[index]) + shift
        if not 0 <= aim < site.grid.shape[0] or site.grid[aim] == OUTSIDE:
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
    """Whether all seams of the touched cells have more energy than `most`, as far as hints tell."""
    grid = site.grid
    width = site.width
    total = 0.0
    for index in range(touched):
        cell = np.int64(site.cells[index])
        total += least_energy(seams, site, grid[cell], 1, grid[cell + 1])
        total += least_energy(seams, site, grid[cell], 3, grid[cell + width])
        if site.mark[cell - 1] < number:
            total += least_energy(seams, site, grid[cell - 1], 1, grid[cell])
        if site.mark[cell - width] < number:
            total += least_energy(seams, site, grid[cell - width], 3, grid[cell])
        if total > most:
            return True
    return False


@kernel
def touched_energy(seams, site, number, touched):
    """Return the energy of all seams of the touched cells."""
    grid = site.grid
    width = site.width
    total = 0.0
    for index in range(touched):
        cell = np.int64(site.cells[index])
        total += energy(seams, grid[cell], 1, grid[cell + 1])
        total += energy(seams, grid[cell], 3, grid[cell + width])
        if site.mark[cell - 1] < number:
            total += energy(seams, grid[cell - 1], 1, grid[cell])
        if site.mark[cell - width] < number:
            total += energy(seams, grid[cell - width], 3, grid[cell])
    return total


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
def settle(seams, site, touched):
    """Make a move final: note where pieces lie and what their seams say."""
    grid = site.grid
    width = site.width
    for index in range(touched):
        cell = np.int64(site.cells[index])
        site.place[grid[cell]] = cell
        site.across[cell] = energy(seams, grid[cell], 1, grid[cell + 1])
        site.down[cell] = energy(seams, grid[cell], 3, grid[cell + width])
        site.across[cell - 1] = energy(seams, grid[cell - 1], 1, grid[cell])
        site.down[cell - width] = energy(seams, grid[cell - width], 3, grid[cell])


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
        shift = choose_aim(seams, site, number, count, stream)
        if shift == 0 or not fits(site, count, shift):
            continue
        touched = shift_body(site, number, count, shift)
        most = held_energy(site, number, touched)
        most -= temperature * math.log(1.0 - unit(stream))
        if (
            not is_dearer(seams, site, number, touched, most)
            and touched_energy(seams, site, number, touched) <= most
        ):
            settle(seams, site, touched)
            made += 1
        else:
            for index in range(touched):
                site.grid[site.cells[index]] = site.before[index]
    return made
