"""The linear programme: where bodies lie so that matches are violated by least in all.

The sum of w |x_j - x_i - d| over all matches is least where its dual is greatest: a flow along the
matches, at most w each way, that is conserved everywhere and gains d on its way. That programme has
a row for each body and a column for each match, and no more; places are its multipliers. Rows and
columns of the board are two programmes that do not know each other.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from jigsolve._kernels.geometry import (
    TURNS,
    cell_toward,
    opposite,
    piece_of,
    pose_with,
    toward_of,
    toward_when_turned,
    turn_of,
)
from jigsolve._kernels.segments import Segments
from jigsolve.assembly.outside import Matches
from jigsolve.errors import InputError
from jigsolve.execution.stop import TIME, Stop, Stopped
from jigsolve.solvers.yu.matches import weights_of

NEAR = 1e-4
"""A match is met if it is violated by no more."""

OUT_OF_TIME = 1
"""What SciPy says of a programme whose time was up."""
LEAST_SECONDS = 1e-3

APART = 1e5
"""So far from the middle lie the ways up of the piece that most is known of."""


class Bodies(NamedTuple):
    """What lies where within what: a piece's body, and its place and turn within it."""

    body: np.ndarray
    row: np.ndarray
    column: np.ndarray
    turn: np.ndarray


def single_bodies(pieces: int) -> Bodies:
    """Return every piece as a body of its own."""
    none = np.zeros(pieces, np.int64)
    return Bodies(np.arange(pieces), none, none, none)


def bodies_of(clusters: Segments) -> Bodies:
    """Return clusters as bodies."""
    parts = (clusters.segment, clusters.row, clusters.column, clusters.turn)
    return Bodies(*(part.astype(np.int64) for part in parts))


def met_matches(
    bodies: Bodies, matches: Matches, poses: int, stop: Stop | None = None
) -> np.ndarray:
    """Return which matches the best places of bodies meet.

    Where pieces may be turned, every body is there in each of its turns, and the ways up of one
    lie far apart: a match is met if it is in any of them.

    A programme cannot be interrupted, but it ends when its time is up: `Stopped` is raised then,
    and before the next one if a stop was asked for meanwhile.
    """
    links, away = _links(bodies, matches, poses)
    weights = np.tile(weights_of(matches), poses)
    pinned = _pinned(bodies, matches, poses)
    met = np.ones(len(weights), bool)
    stop = stop or Stop()
    nodes = len(bodies.body) * poses
    for axis in (0, 1):
        places = _places(nodes, links, away[:, axis], weights, pinned[axis], stop)
        violated = places[links[:, 1]] - places[links[:, 0]] - away[:, axis]
        met &= np.abs(violated) <= NEAR
    return np.asarray(met.reshape(poses, -1).any(axis=0))


def _links(bodies: Bodies, matches: Matches, poses: int) -> tuple[np.ndarray, np.ndarray]:
    """Return which two bodies, in which turns, each match links, and how far apart they belong.

    For one turn of the first body after another.
    """
    piece, other = piece_of(matches.sides), piece_of(matches.partners)
    quarters = TURNS // poses
    links, away = [], []
    for turn in range(0, TURNS, quarters):
        way = toward_when_turned(toward_of(matches.sides), (bodies.turn[piece] + turn) % TURNS)
        posed = turn_of(pose_with(matches.partners, opposite(way)))
        their_turn = (posed - bodies.turn[other]) % TURNS
        row, column = _turned(bodies, piece, np.full(len(piece), turn))
        row, column = cell_toward(row, column, way)
        their_row, their_column = _turned(bodies, other, their_turn)
        nodes = bodies.body[piece] * poses + turn // quarters
        their_nodes = bodies.body[other] * poses + their_turn // quarters
        links.append(np.stack([nodes, their_nodes], axis=1))
        away.append(np.stack([row - their_row, column - their_column], axis=1))
    return np.concatenate(links), np.concatenate(away).astype(np.float64)


def _turned(bodies: Bodies, pieces: np.ndarray, turn: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return where pieces lie within their bodies once these are turned about row 0, column 0."""
    row, column = bodies.row[pieces], bodies.column[pieces]
    ways = [turn == 1, turn == 2, turn == 3]
    rows = np.select(ways, [column, -row, -column], row)
    return rows, np.select(ways, [-row, -column, row], column)


def _pinned(bodies: Bodies, matches: Matches, poses: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows and columns of bodies that are given, and NaN for all others."""
    support = np.zeros(len(bodies.body))
    np.add.at(support, bodies.body[piece_of(matches.sides)], weights_of(matches))
    np.add.at(support, bodies.body[piece_of(matches.partners)], weights_of(matches))
    best = int(support.argmax())
    given = np.full((2, len(bodies.body) * poses), np.nan)
    corners = {1: ((0.0, 0.0),), 2: ((-APART, -APART), (APART, APART))}
    corners[4] = ((-APART, -APART), (-APART, APART), (APART, APART), (APART, -APART))
    given[:, best * poses : (best + 1) * poses] = np.transpose(corners[poses])
    return given[0], given[1]


def _places(
    nodes: int,
    links: np.ndarray,
    away: np.ndarray,
    weights: np.ndarray,
    given: np.ndarray,
    stop: Stop,
) -> np.ndarray:
    """Return where nodes lie along one axis so that links are violated by least in all."""
    linprog, coo_array = _scipy()
    is_free = np.isnan(given)
    number = np.where(is_free, np.cumsum(is_free) - 1, -1)
    places = np.where(is_free, 0.0, given)
    used = (links[:, 0] != links[:, 1]) & is_free[links].any(axis=1)
    ends, gain = links[used], away[used] + places[links[used, 0]] - places[links[used, 1]]
    if not len(ends):
        return places
    column = np.arange(len(ends))
    rows = np.concatenate([number[ends[:, 0]], number[ends[:, 1]]])
    signs = np.repeat([-1.0, 1.0], len(ends))
    inside = rows >= 0
    matrix = coo_array(
        (signs[inside], (rows[inside], np.concatenate([column, column])[inside])),
        (int(is_free.sum()), len(ends)),
    ).tocsr()
    limits = np.stack([-weights[used], weights[used]], axis=1)
    stop.check()
    left = stop.left()
    flow = linprog(
        -gain,
        A_eq=matrix,
        b_eq=np.zeros(matrix.shape[0]),
        bounds=limits,
        options={"time_limit": max(left, LEAST_SECONDS)} if left < np.inf else {},
    )
    if flow.status == OUT_OF_TIME:
        raise Stopped(TIME)
    if flow.status != 0:
        raise InputError(f"solver yu: expected a programme that can be solved: {flow.message}")
    places[is_free] = -flow.eqlin.marginals
    return places


def _scipy() -> tuple[Any, Any]:
    try:
        from scipy.optimize import linprog
        from scipy.sparse import coo_array
    except ImportError:
        raise InputError(
            "solver yu: expected SciPy, found none: pip install 'jigsolve[field]'"
        ) from None
    return linprog, coo_array
