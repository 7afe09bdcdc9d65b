"""Bringing a lattice and the reference's tones into line with the pieces."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from jigsolve.core.turns import NONE, POSES
from jigsolve.reference.lattice import Guess
from jigsolve.reference.matching import nearest
from jigsolve.reference.sampling import (
    FINEST,
    Axis,
    Lattice,
    grid_for,
    sample_cells,
    sample_poses,
    tone_curves,
    toned,
)

CLEAR = 0.7
"""A match is clear if its distance is at most this share of the next best's."""
STEPS = (4, 4, FINEST, FINEST, FINEST)
"""Colours across a cell in each step of the alignment."""
LOOKED_AT = 1200
"""Cells that are looked at; thousands more would say the same."""
FEW = 6
"""Clear matches below which nothing is said of scale and tone."""


@dataclass(frozen=True)
class Alignment:
    """A reference cut into cells that can be compared with pieces."""

    lattice: Lattice
    """Its first cell is the first one within the reference."""
    cells: np.ndarray
    """Colours of the cells within the reference, (rows, columns, values)."""
    pieces: np.ndarray
    """Colours of the pieces in each turn they may need, (poses, values), in the reference's tones:
    see `sampling.sample_poses`."""
    clear: np.ndarray
    """Which of these clearly matches a cell, (rows, columns), or -1: of some cells only."""
    share: float
    """Of the cells looked at that could have a clear match, how many have."""


def align(pieces: np.ndarray, reference: np.ndarray, guess: Guess, turns: str = NONE) -> Alignment:
    """Move and stretch a lattice, and bend tones, until clear matches match best."""
    lattice, matches = guess.lattice, (guess.pieces, guess.rows, guess.columns)
    for step, finest in enumerate(STEPS):
        firsts, (rows, columns) = _within(lattice, reference)
        lattice = Lattice(
            *(Axis(a.begin + f * a.step, a.step) for a, f in zip(lattice, firsts, strict=True))
        )
        grid = grid_for(pieces.shape[1:3], lattice, finest)
        cells, own = sample_cells(reference, lattice, grid), sample_poses(pieces, grid, turns)
        clear = _in_cells(*matches, firsts, [rows, columns])
        known = clear >= 0
        if known.sum() >= FEW:
            own = toned(own, tone_curves(own[clear[known]], cells[known]))
        elif cells.size:
            own = toned(own, tone_curves(own, cells))  # both show the same, it is hoped
        some = _some_of(rows * columns)
        values = cells.reshape(rows * columns, -1)
        clear = np.full(rows * columns, -1)
        clear[some] = _clear_matches(values[some], own.reshape(len(own), -1), POSES[turns])
        clear = clear.reshape(rows, columns)
        known_rows, known_columns = np.nonzero(clear >= 0)
        matches = clear[clear >= 0], known_rows, known_columns
        if step < len(STEPS) - 1 and len(matches[0]) >= FEW:
            lattice = _moved(lattice, cells, own, clear)
    possible = min(len(some), len(pieces) * len(some) / max(rows * columns, 1))
    share = float((clear >= 0).sum() / max(possible, 1))
    shape = (rows, columns, -1) if cells.size else (rows, columns, 1)
    return Alignment(lattice, cells.reshape(shape), own.reshape(len(own), -1), clear, share)


def _within(lattice: Lattice, reference: np.ndarray) -> tuple[list[int], list[int]]:
    """Return the first row and column of cells within a reference, and how many there are."""
    found = [a.cells_within(length) for a, length in zip(lattice, reference.shape, strict=False)]
    return [first for first, _ in found], [count for _, count in found]


def _in_cells(
    pieces: np.ndarray, rows: np.ndarray, columns: np.ndarray, firsts: list[int], shape: list[int]
) -> np.ndarray:
    """Return matches as (rows, columns) cells, counted from the first ones within; or -1."""
    clear = np.full(shape, -1)
    rows, columns = rows - firsts[0], columns - firsts[1]
    inside = (rows >= 0) & (columns >= 0) & (rows < shape[0]) & (columns < shape[1])
    clear[rows[inside], columns[inside]] = pieces[inside]
    return clear


def _some_of(count: int) -> np.ndarray:
    return np.random.default_rng(0).permutation(count)[:LOOKED_AT]


def _clear_matches(cells: np.ndarray, pieces: np.ndarray, poses: int) -> np.ndarray:
    """Return for each cell what is clearly its nearest, no piece twice; or -1.

    There are so many rows for each piece, one for each way it may lie.
    """
    if not len(cells):
        return np.full(0, -1)
    found = nearest(cells, pieces, 2)
    best, distance = found.which[:, 0], found.distance
    # Where a cell is plain, nearness says nothing.
    clear = distance[:, 0] < np.minimum(CLEAR * distance[:, -1], contrast(cells))
    closest = np.full(len(pieces) // poses, np.inf)
    np.minimum.at(closest, best // poses, distance[:, 0])
    return np.where(clear & (distance[:, 0] == closest[best // poses]), best, -1)


def contrast(cells: np.ndarray) -> np.ndarray:
    """Return how much rows of colours differ from their mean colour, in grey levels."""
    colours = cells.reshape(len(cells), -1, 3)
    return np.asarray(np.sqrt(colours.var(axis=1).mean(axis=1)))


def _moved(lattice: Lattice, cells: np.ndarray, pieces: np.ndarray, clear: np.ndarray) -> Lattice:
    """Return a lattice that lies better, by what differs where matches are clear.

    Lucas and Kanade 1981: a small move changes colours by the slope times the move. The move of a
    cell is that of the first cell and its place times the stretch, in each direction.
    """
    rows, columns = np.nonzero(clear >= 0)
    there = cells[rows, columns]
    difference = pieces[clear[rows, columns]] - there
    spread = np.abs(difference).mean(axis=(1, 2, 3))
    keep = spread <= np.quantile(spread, 0.8)  # what matches worst may not match at all
    there, rows, columns = there[keep], rows[keep], columns[keep]
    equations = []
    for axis, place, direction in ((lattice.down, rows, 1), (lattice.across, columns, 2)):
        slope = np.zeros_like(there)
        if there.shape[direction] > 1:
            slope = np.gradient(there, axis.step / there.shape[direction], axis=direction)
        equations += [slope, slope * place[:, None, None, None]]
    matrix = np.stack([equation.ravel() for equation in equations], axis=1).astype(np.float64)
    wanted = difference[keep].ravel().astype(np.float64)
    moves = np.linalg.lstsq(matrix, wanted, rcond=None)[0].reshape(2, 2)
    axes = []
    for axis, (begin, stretch) in zip(lattice, moves, strict=True):
        begin = np.clip(begin, -axis.step / 3, axis.step / 3)
        stretch = np.clip(stretch, -axis.step / 20, axis.step / 20)
        axes.append(Axis(float(axis.begin + begin), float(axis.step + stretch)))
    return Lattice(*axes)
