"""Which pieces a cell may hold, and where a piece may lie."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from jigsolve._kernels.costs import FAR
from jigsolve._kernels.evidence import Evidence
from jigsolve._kernels.fitting import costs_in_cell, costs_in_cells
from jigsolve._kernels.geometry import SIDES, pose_of, posed_piece, turn_of
from jigsolve.assembly.gaps import with_rim
from jigsolve.core.checks import whole_number
from jigsolve.core.placing import checked_placement
from jigsolve.core.turns import Placement, possible_turns
from jigsolve.errors import InputError
from jigsolve.measures.calibration import COUNTED
from jigsolve.pricing.prepared import Prepared

MOST = 1_000_000


class Candidate(NamedTuple):
    """A piece that a cell may hold."""

    piece: int
    turn: int
    cost: float
    """Of its seams with the cells around, together."""
    probability: float | None
    """That it belongs there, if one of all does; None with measures that cannot say."""


class Fit(NamedTuple):
    """A cell that a piece may lie in."""

    row: int
    column: int
    turn: int
    cost: float
    """Of its seams with the cells around, together."""
    probability: float | None
    """That it belongs there, if it belongs to one; None with measures that cannot say."""


def candidates(
    prepared: Prepared,
    placement: Placement | np.ndarray,
    row: int,
    column: int,
    count: int = 24,
    among: Sequence[int] | np.ndarray | None = None,
) -> list[Candidate]:
    """Return the pieces that cost least in a cell, the cheapest first, whatever lies there now.

    Of all pieces, or among those that are named. Pieces that lie elsewhere count as well; those
    that lie beside the cell leave an empty one. Where nothing lies around the cell there are none.
    """
    whole_number("count", count, 1, MOST)
    own = _poses(prepared, placement)
    rows, columns = own.shape
    if not (0 <= row < rows and 0 <= column < columns):
        raise InputError(
            f"row, column: expected a cell of {rows} rows and {columns} columns, found {row}, "
            f"{column}"
        )
    grid = with_rim(own)
    cell = (row + 1) * grid.shape[1] + column + 1
    turns = np.array(possible_turns(prepared.puzzle.turns))
    pieces = np.arange(len(prepared.puzzle))
    if among is not None:
        pieces = prepared.numbers[:-1][np.unique(np.asarray(among, np.int64))]
    poses = pose_of(pieces[:, None], turns).ravel().astype(np.int32)
    costs = np.empty((len(poses), SIDES))
    costs_in_cell(prepared.plain.arrays, grid.shape[1], grid.ravel(), cell, poses, costs)
    best, chances = _ranked(prepared, costs, count)
    return [
        Candidate(
            int(prepared.order[posed_piece(poses[index])]),
            int(turn_of(poses[index])),
            float(np.nansum(costs[index])),
            chance,
        )
        for index, chance in zip(best, chances, strict=True)
    ]


def fits(
    prepared: Prepared, placement: Placement | np.ndarray, piece: int, count: int = 24
) -> list[Fit]:
    """Return the cells where a piece fits best, whatever lies there now.

    The place that the piece lies in is one of them, and is empty for all others. Cells with
    nothing around them are none.
    """
    whole_number("count", count, 1, MOST)
    whole_number("piece", piece, 0, len(prepared.puzzle) - 1)
    own = _poses(prepared, placement)
    rows, columns = own.shape
    grid = with_rim(own)
    inner = (np.arange(1, rows + 1)[:, None] * grid.shape[1] + np.arange(1, columns + 1)).ravel()
    turns = possible_turns(prepared.puzzle.turns)
    poses = [pose_of(int(prepared.numbers[piece]), turn) for turn in turns]
    costs = np.empty((len(poses), len(inner), SIDES))
    for pose, said in zip(poses, costs, strict=True):
        arrays = prepared.plain.arrays
        costs_in_cells(arrays, grid.shape[1], grid.ravel(), inner.astype(np.int32), pose, said)
    flat = costs.reshape(-1, SIDES)
    best, chances = _ranked(prepared, flat, count)
    places = [divmod(int(index % len(inner)), columns) for index in best]
    lying = [poses[index // len(inner)] for index in best]
    return [
        Fit(place[0], place[1], int(turn_of(pose)), float(np.nansum(flat[index])), chance)
        for place, pose, index, chance in zip(places, lying, best, chances, strict=True)
    ]


def _poses(prepared: Prepared, placement: Placement | np.ndarray) -> np.ndarray:
    return prepared.poses(*checked_placement("placement", placement, prepared.puzzle))


def _ranked(
    prepared: Prepared, costs: np.ndarray, count: int
) -> tuple[np.ndarray, list[float | None]]:
    """Return the best rows of seam costs, NaN where there is no seam, and how likely each is.

    Of all rows one is right, and before seams are looked at each may be. Where it is known how much
    likelier a cost is of a right seam than of a wrong one, all seams of a row say together how much
    likelier the row is. Else the one with the lowest mean is best.
    """
    there = np.flatnonzero(~np.isnan(costs).all(axis=1))
    costs = costs[there]
    total = np.nansum(costs, axis=1)
    if not prepared.plain.costs_are_logarithms:
        order = np.lexsort((total, np.nanmean(costs, axis=1)))[:count]
        return there[order], [None] * len(order)
    said = np.nansum(_speaking_for(costs), axis=1)
    order = np.lexsort((total, -said))[:count]
    likelier = np.exp(said - said.max(initial=0.0))
    return there[order], (likelier[order] / likelier.sum()).tolist()


def _speaking_for(costs: np.ndarray, says: Evidence = COUNTED.evidence) -> np.ndarray:
    """Return how much likelier costs are of right seams than of wrong ones, as a logarithm.

    What the sides could have instead is left out: it is among the rows.
    """
    within, beyond = np.minimum(costs, says.bend), np.maximum(costs - says.bend, 0.0)
    scored = says.free - says.steep * within - says.gentle * beyond
    return np.where(costs > FAR, says.unscored, scored)
