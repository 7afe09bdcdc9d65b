"""Matches: what each side likes best of what lies outside its cluster, and which are believed."""

from __future__ import annotations

import numpy as np

from jigsolve._kernels.geometry import BOTTOM, LEFT, RIGHT, SIDES, TOP, piece_of, toward_of
from jigsolve.assembly.outside import Matches
from jigsolve.seams.table import SeamTable

STEEPNESS = 5.0
LEAST_WEIGHT = 1e-6
"""Matches of less weight are left out: what solves programmes has a tolerance of a tenth of it."""

FILTERS = ANY, MUTUAL, UNCONTESTED, CLOSED = "any", "mutual", "uncontested", "closed"
"""Which matches that a programme met are kept: all; those that either side likes best; those that
no loop of four pieces contradicts; those that close such a loop."""

_CLOCKWISE = np.array([TOP, BOTTOM, RIGHT, LEFT])
_BACKWARD = np.array([BOTTOM, TOP, LEFT, RIGHT])


def best_matches(ratios: np.ndarray, table: SeamTable) -> Matches:
    """Return for every side what it likes best of what it can have, if that has any weight."""
    first = np.isfinite(ratios).argmax(axis=1)
    own = np.arange(len(ratios))
    found = Matches(own, table.arrays.partners[own, first].astype(np.int64), ratios[own, first])
    return found.only(weights_of(found) >= LEAST_WEIGHT)


def weights_of(matches: Matches) -> np.ndarray:
    """Return how much each match counts in a programme."""
    return np.asarray(np.exp(-STEEPNESS * matches.ratios**2))


def filtered(matches: Matches, which: str, sides: int) -> Matches:
    """Return the matches that a filter keeps."""
    if which == ANY or not len(matches.sides):
        return matches
    liked = np.full(sides + 1, sides)  # the last one is nobody
    liked[matches.sides] = matches.partners
    if which == MUTUAL:
        return matches.only(liked[matches.partners] == matches.sides)
    # Who names nobody is content with the surest of those that name it, which is entered last.
    silent = matches.only(liked[matches.partners] == sides).surest_first()
    liked[silent.partners[::-1]] = silent.sides[::-1]
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
