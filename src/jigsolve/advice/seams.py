"""The seams on a board in a list, with what is known of each."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from jigsolve._kernels.geometry import (
    BOTTOM,
    LEFT,
    RIGHT,
    SIDES,
    TOP,
    piece_of,
    side_at,
    side_of,
    toward_of,
)
from jigsolve.advice.doubt import BEST_FOR_BOTH, certainty_of
from jigsolve.advice.parts import joined_cells
from jigsolve.core.constraints import FACING, Constraints, Seam
from jigsolve.core.constraints import SIDES as NAMES
from jigsolve.core.poses import poses_of
from jigsolve.solvers.solution import Solution

SURE = 0.95
"""Parts that seams so sure hold together are taken for right: of such seams in photographs that
failed, hardly any is wrong."""


class BoardSeams(NamedTuple):
    """Seams between two pieces; cells are numbered row by row."""

    one: np.ndarray
    """The cell to the left or above."""
    other: np.ndarray
    """The cell to the right or below."""
    is_below: np.ndarray
    chance: np.ndarray
    """How certain each is."""
    joined: np.ndarray
    """Whether it is known to hold."""
    parted: np.ndarray
    """Whether it is known not to."""
    cells: int
    columns: int
    is_probability: bool
    """Whether certainty is one; see `Certainty`."""

    def place(self, seam: int) -> tuple[int, int, str]:
        """Return row and column of the first cell, and where the other lies."""
        row, column = divmod(int(self.one[seam]), self.columns)
        return row, column, "below" if self.is_below[seam] else "right"

    def parts(self, least: float) -> np.ndarray:
        """Return the part of each cell, (cells,), held together by seams that are so sure."""
        least = least if self.is_probability else BEST_FOR_BOTH
        sure = ((self.chance >= least) | self.joined) & ~self.parted
        return joined_cells(self.one[sure], self.other[sure], self.cells)


def seams_on_board(solution: Solution, answered: Constraints) -> BoardSeams:
    """Return the seams of a solution, and what a person has said of them."""
    rows, columns = solution.arrangement.shape
    cells = np.arange(rows * columns).reshape(rows, columns)
    one = np.concatenate([cells[:, :-1].ravel(), cells[:-1].ravel()])
    other = np.concatenate([cells[:, 1:].ravel(), cells[1:].ravel()])
    is_below = np.repeat([False, True], [rows * (columns - 1), (rows - 1) * columns])
    certainty = certainty_of(solution)
    chance = np.concatenate([certainty.right.ravel(), certainty.below.ravel()])
    there = ~np.isnan(chance)
    one, other, is_below, chance = (each[there] for each in (one, other, is_below, chance))
    poses = poses_of(*solution.placement).ravel()
    sides = np.where(is_below, side_at(poses[one], BOTTOM), side_at(poses[one], RIGHT))
    faced = np.where(is_below, side_at(poses[other], TOP), side_at(poses[other], LEFT))
    many = SIDES * len(solution.puzzle)
    keys = sides.astype(np.int64) * many + faced
    joined, parted = (
        np.isin(keys, keys_of(entries, many)) for entries in (answered.joined, answered.parted)
    )
    return BoardSeams(
        one, other, is_below, chance, joined, parted, cells.size, columns, certainty.is_probability
    )


def pieces_at(solution: Solution, seams: BoardSeams, which: np.ndarray) -> list[Seam]:
    """Return some seams as constraints name them."""
    poses = poses_of(*solution.placement).ravel()
    one, other, is_below = seams.one[which], seams.other[which], seams.is_below[which]
    sides = np.where(is_below, side_at(poses[one], BOTTOM), side_at(poses[one], RIGHT))
    faced = np.where(is_below, side_at(poses[other], TOP), side_at(poses[other], LEFT))
    are_turned = solution.turns is not None
    return [
        Seam(
            int(piece_of(side)),
            NAMES[toward_of(side)],
            int(piece_of(face)),
            NAMES[toward_of(face)] if are_turned else None,
        )
        for side, face in zip(sides.tolist(), faced.tolist(), strict=True)
    ]


def keys_of(entries: Iterable[Any], many: int) -> np.ndarray:
    """Return seams that were spoken of as one number each, from either side."""
    one, two = sides_of(entries).reshape(-1, 2).T
    return np.concatenate([one * many + two, two * many + one])


def sides_of(entries: Iterable[Any]) -> np.ndarray:
    """Return the sides of seams that were spoken of, both of each in turn."""
    sides = []
    for piece, toward, other, *facing in entries:
        back = facing[0] if facing and facing[0] else FACING[toward]
        sides += [side_of(piece, NAMES.index(toward)), side_of(other, NAMES.index(back))]
    return np.array(sides, np.int64)
