"""Energies of seams that are scored, found quickly.

They are asked for hundreds of millions of times, mostly for moves that are not made. So there are
hints: for each side the tags of its scored candidates, a byte each, and their energies, rounded
down to a byte. Two lines of memory tell the least energy that a seam can have, and that nearly
always decides.
"""

import numpy as np

from jigsolve._kernels.costs import far_cost, row_against, sum_of_magnitudes
from jigsolve._kernels.geometry import SIDES, opposite, posed_piece, side_at, side_of
from jigsolve._kernels.hardware import fetch_ahead, lowest_bit
from jigsolve._kernels.jit import kernel
from jigsolve._kernels.known import SAYS_NOTHING, known_cost, known_cost_of_hole
from jigsolve._kernels.randomness import GOLDEN, scramble
from jigsolve._kernels.site import OUTSIDE, bent

NOT_SCORED = np.float32(np.inf)
"""In place of the energy of a seam that is not scored."""

BYTES = 8
"""Hints are compared eight at a time: so many bytes a word has."""
BITS = np.uint64(8)
BYTE = np.uint64(0xFF)
ONES = np.uint64(0x0101010101010101)
HIGHS = np.uint64(0x8080808080808080)

LINE = 8
"""Memory is loaded in lines of so many words."""

ASKED_BOTH = 256
"""Added to the tag of a side that may be listed by others which it does not list itself."""
STEP = 1 / 16
"""Hints know energies in such steps, rounded down."""


@kernel
def tag_of(twin):
    """Return a byte, not zero, that stands for a side and its twins."""
    return 1 + (scramble(np.uint64(twin) + GOLDEN) >> np.uint64(32)) % np.uint64(255)


@kernel
def matches(word, tag):
    """Return a word whose lowest bit says which is the first byte that has a tag; 0 if none."""
    differing = word ^ (np.uint64(tag) * ONES)
    return (differing - ONES) & ~differing & HIGHS


@kernel
def note_candidates(seams, site):
    """Note tags and energies of all scored candidates, cheapest first."""
    twins = seams.twins
    site.hints[:] = 0
    for side in range(site.hints.shape[0]):
        site.tags[side] = tag_of(twins[side])
    for side in range(site.hints.shape[0]):
        for rank in range(seams.scored[side]):
            word = 2 * (rank // BYTES)
            place = BITS * np.uint64(rank % BYTES)
            steps = min(bent(site.scale, seams.costs[side, rank]) / STEP, 255.0)
            tag = site.tags[seams.partners[side, rank]] & 255
            site.hints[side, word] |= np.uint64(tag) << place
            site.hints[side, word + 1] |= np.uint64(steps) << place


@kernel
def note_one_sided(seams, site, counts):
    """Note of which sides others know more than they do themselves."""
    counts[:] = 0
    for side in range(site.hints.shape[0]):
        counts[seams.twins[side]] += 1
    for side in range(site.hints.shape[0]):
        if counts[seams.twins[side]] > 1:
            site.tags[side] |= ASKED_BOTH
        for rank in range(seams.scored[side]):
            partner = np.int64(seams.partners[side, rank])
            if rank_of(seams, site, partner, side) < 0:
                site.tags[partner] |= ASKED_BOTH


@kernel
def rank_of(seams, site, side, partner):
    """Return which scored candidate of a side is a partner or a twin of it; -1 if none is."""
    tag = site.tags[partner] & 255
    twin = seams.twins[partner]
    for word in range(0, site.hints.shape[1], 2):
        found = matches(site.hints[side, word], tag)
        while found:
            rank = np.int64(BYTES * (word >> 1) + (lowest_bit(found) >> 3))
            if rank < seams.scored[side] and seams.twins[seams.partners[side, rank]] == twin:
                return rank
            found &= found - np.uint64(1)
    return np.int64(-1)


@kernel
def least_listed(site, side, tag):
    """Return the least energy that a seam can have by the candidates of one of its sides."""
    for word in range(0, site.hints.shape[1], 2):
        tags = site.hints[side, word]
        found = matches(tags, tag)
        if found:
            steps = (site.hints[side, word + 1] >> np.uint64(lowest_bit(found) - 7)) & BYTE
            return min(np.float32(steps) * np.float32(STEP), site.scale.least_unscored)
        if tags >> np.uint64(56) == 0:  # the list ends here
            break
    return site.scale.least_unscored


@kernel
def least_energy(seams, site, own, toward, other):
    """Return the least energy that a seam can have, on one side of a pose."""
    if own == OUTSIDE or other == OUTSIDE:
        return np.float32(0.0)
    side = side_at(np.int64(own), toward)
    partner = side_at(np.int64(other), opposite(toward))
    if max(side, partner) >= seams.partners.shape[0]:
        known = known_cost_of_hole(seams, min(side, partner))
        return bent(site.scale, np.float32(seams.hole) if known == SAYS_NOTHING else known)
    known = known_cost(seams, side, partner)
    if known != SAYS_NOTHING:
        return bent(site.scale, known)
    tag = np.int64(site.tags[side])
    least = least_listed(site, side, site.tags[partner] & 255)
    if tag >= ASKED_BOTH:
        least = min(least, least_listed(site, partner, tag & 255))
    return least


@kernel
def energy_listed(seams, site, side, partner):
    """Return the energy of a seam if its partner, or a twin of it, is scored for this side."""
    rank = rank_of(seams, site, side, partner)
    return NOT_SCORED if rank < 0 else bent(site.scale, seams.costs[side, rank])


@kernel
def energy_if_scored(seams, site, first, toward, second):
    """Return the energy of a seam, NOT_SCORED if it is not."""
    if first == OUTSIDE or second == OUTSIDE:
        return np.float32(0.0)
    side = side_at(np.int64(first), toward)
    partner = side_at(np.int64(second), opposite(toward))
    if max(side, partner) >= seams.partners.shape[0]:
        known = known_cost_of_hole(seams, min(side, partner))
        return bent(site.scale, np.float32(seams.hole) if known == SAYS_NOTHING else known)
    known = known_cost(seams, side, partner)
    if known != SAYS_NOTHING:
        return bent(site.scale, known)
    found = energy_listed(seams, site, side, partner)
    if found == NOT_SCORED:
        found = energy_listed(seams, site, partner, side)
    return found


@kernel
def energy_unscored(seams, site, first, toward, second):
    """Return the energy of a seam that is not scored."""
    side = side_at(np.int64(first), toward)
    partner = side_at(np.int64(second), opposite(toward))
    other = row_against(seams.borders, side, partner)
    return bent(site.scale, far_cost(sum_of_magnitudes(seams.borders, side, other)))


@kernel
def fetch_hints(site, cell):
    """Begin to load the hints of the piece in a cell."""
    pose = np.int64(site.grid[cell])
    if 0 <= pose < site.hints.shape[0]:
        for own in range(SIDES):
            for word in range(0, site.hints.shape[1], LINE):
                fetch_ahead(site.hints, side_of(posed_piece(pose), own), word)
