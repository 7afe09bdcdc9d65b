"""Which piece looks most like which cell, and giving every cell one of its own."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

ROWS_AT_ONCE = 1024
CHOICES = 16
"""Pieces considered for a cell in one round of giving them out."""
ROUNDS = 60
SWAPS = 20


class Nearest(NamedTuple):
    """The rows of one matrix nearest to each row of another, nearest first."""

    which: np.ndarray
    """(n, k) int."""
    distance: np.ndarray
    """(n, k) float32: root mean square, in grey levels."""


def nearest(asking: np.ndarray, among: np.ndarray, k: int, jitter: float = 0.0) -> Nearest:
    """Return the k nearest rows, without holding all distances at once.

    Jitter, in grey levels, is added to distances at random: equal rows are then listed in another
    order for everyone who asks.
    """
    k = min(k, len(among))
    which = np.empty((len(asking), k), np.int64)
    distance = np.empty((len(asking), k), np.float32)
    centre = among.mean(axis=0)  # smaller numbers, smaller rounding
    asking, among = asking - centre, among - centre
    squares = np.einsum("ij,ij->i", among, among)
    rng = np.random.default_rng(0)
    for first in range(0, len(asking), ROWS_AT_ONCE):
        some = asking[first : first + ROWS_AT_ONCE]
        found = some @ (-2 * among.T)
        found += squares
        found += np.einsum("ij,ij->i", some, some)[:, None]
        if jitter:
            found += rng.random(found.shape, np.float32) * np.float32(jitter**2 * some.shape[1])
        listed = np.argpartition(found, k - 1, axis=1)[:, :k] if k < found.shape[1] else None
        if listed is None:
            listed = np.broadcast_to(np.arange(k), found.shape)
        values = np.take_along_axis(found, listed, axis=1)
        values = np.sqrt(np.maximum(values, 0) / some.shape[1])
        order = np.argsort(values, axis=1, kind="stable")
        which[first : first + len(some)] = np.take_along_axis(listed, order, axis=1)
        distance[first : first + len(some)] = np.take_along_axis(values, order, axis=1)
    return Nearest(which, distance)


def distances(rows: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Return the root mean square difference of pairs of rows."""
    difference = rows - others
    return np.asarray(np.sqrt(np.einsum("ij,ij->i", difference, difference) / rows.shape[1]))


def give_out(
    cells: np.ndarray, pieces: np.ndarray, limits: np.ndarray, jitter: float, poses: int = 1
) -> np.ndarray:
    """Give each cell a piece like it, no piece twice; -1 once there are no more.

    Each piece has so many rows, one for each way it may lie; what is given is one of these.

    The closest pairs go first, and afterwards pieces are swapped while that brings both
    together closer to their cells, as a share of the cells' limits. Beyond its limit nothing is
    worse: no piece is moved to make room for one that belongs nowhere.
    """
    given = np.full(len(cells), -1, np.int64)
    free_cells, free_pieces = np.arange(len(cells)), np.arange(len(pieces))
    for _ in range(ROUNDS):
        if not len(free_cells) or not len(free_pieces):
            break
        listed = nearest(cells[free_cells], pieces[free_pieces], CHOICES, jitter)
        order = np.argsort(listed.distance, axis=None, kind="stable")
        who, what = order // listed.which.shape[1], listed.which.ravel()[order]
        taken_cells = np.zeros(len(free_cells), bool)
        taken = np.zeros(len(free_pieces) // poses, bool)  # all rows of a piece are free, or none
        for cell, row in zip(who.tolist(), what.tolist(), strict=True):
            if not taken_cells[cell] and not taken[row // poses]:
                taken_cells[cell] = taken[row // poses] = True
                given[free_cells[cell]] = free_pieces[row]
        free_cells, free_pieces = free_cells[~taken_cells], free_pieces[~np.repeat(taken, poses)]
    rest = min(len(free_cells), len(free_pieces) // poses)
    given[free_cells[:rest]] = free_pieces[: rest * poses : poses]
    _swap(cells, pieces, limits, given, poses)
    return given


def _swap(
    cells: np.ndarray, pieces: np.ndarray, limits: np.ndarray, given: np.ndarray, poses: int
) -> None:
    """Swap pieces of two cells where both together come closer, the largest gains first."""
    wanted = nearest(cells, pieces, CHOICES).which

    def cost(of: np.ndarray, held: np.ndarray) -> np.ndarray:
        return np.asarray(np.minimum(distances(cells[of], pieces[held]) / limits[of], 1) ** 2)

    def best_way(of: np.ndarray, held: np.ndarray) -> np.ndarray:
        ways = held[:, None] // poses * poses + np.arange(poses)
        away = [distances(cells[of], pieces[way]) for way in ways.T]
        return np.asarray(np.take_along_axis(ways.T, np.argmin(away, axis=0)[None], axis=0)[0])

    for _ in range(SWAPS):
        holder = np.full(len(pieces) // poses, -1)
        holder[given[given >= 0] // poses] = np.flatnonzero(given >= 0)
        here = np.repeat(np.arange(len(cells)), wanted.shape[1])
        there = holder[wanted.ravel() // poses]
        useful = (there >= 0) & (there != here) & (given[here] >= 0)
        here, there, theirs = here[useful], there[useful], wanted.ravel()[useful]
        mine = best_way(there, given[here]) if poses > 1 else given[here]
        now = cost(here, given[here]) + cost(there, given[there])
        gain = now - cost(here, theirs) - cost(there, mine)
        touched = np.zeros(len(cells), bool)
        for index in np.argsort(-gain, kind="stable")[: int((gain > 1e-6).sum())].tolist():
            a, b = here[index], there[index]
            if not touched[a] and not touched[b]:
                touched[a] = touched[b] = True
                given[a], given[b] = theirs[index], mine[index]
        if not touched.any():
            return
