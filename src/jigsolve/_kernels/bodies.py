"""Bodies, pieces that stay together: which, where they may go, and what takes their place."""

from typing import NamedTuple

import numpy as np

from jigsolve._kernels.costs import pieces_in
from jigsolve._kernels.geometry import (
    SIDES,
    beside,
    opposite,
    piece_of,
    pose_with,
    side_at,
    toward_of,
    toward_when_turned,
    turn_of,
)
from jigsolve._kernels.jit import kernel
from jigsolve._kernels.randomness import below, unit
from jigsolve._kernels.site import OUTSIDE, held

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
