"""What constraints say together: where pieces must lie, beside whom, and beside whom not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from jigsolve._kernels.geometry import (
    BOTTOM,
    LEFT,
    RIGHT,
    SIDES,
    TOP,
    piece_of,
    pose_of,
    posed_piece,
    side_at,
    toward_of,
    turn_of,
)
from jigsolve.core.constraints import Constraints
from jigsolve.core.laying import Laying
from jigsolve.core.poses import as_most_lie, placement_of, poses_of, turned_poses
from jigsolve.core.puzzle import Puzzle
from jigsolve.core.turns import Placement


@dataclass(frozen=True, eq=False)
class Layout:
    """What constraints say together, of every piece of a puzzle.

    Sides and poses are numbered as `_kernels.geometry` does; where pieces are not turned all turns
    are 0.
    """

    neighbours: np.ndarray
    """The side that each side must touch, (n, 4) int32; -1 where that is open."""
    cells: np.ndarray
    """The cell that each piece must lie in, row by row, (n,) int32; -1 where that is open."""
    turns: np.ndarray
    """How it must be turned there, (n,) int32; 0 where that is open."""
    blocks: tuple[np.ndarray, ...]
    """Pieces that must lie together in one way, those of fixed cells aside: for each block the
    pose, its row and its column within the block, (k, 3) int32; the largest block first."""
    parted: np.ndarray
    """Pairs of sides that must not touch, (m, 2) int32."""
    lies: np.ndarray
    """How each piece is said to be turned, (n,) int32, which tells which way up the whole is; -1
    where nothing is said."""

    def renumbered(self, numbers: np.ndarray) -> Layout:
        """Return the same with other numbers of the pieces, -1 the last of them."""
        order = np.argsort(numbers[:-1])

        def other(sides: np.ndarray) -> np.ndarray:
            # Poses are numbered by pieces as sides are.
            found = SIDES * numbers[piece_of(sides)] + toward_of(sides)
            return np.where(sides < 0, -1, found).astype(np.int32)

        return replace(
            self,
            neighbours=other(self.neighbours[order]),
            cells=self.cells[order],
            turns=self.turns[order],
            blocks=tuple(
                np.column_stack([other(block[:, 0]), block[:, 1:]]).astype(np.int32)
                for block in self.blocks
            ),
            parted=other(self.parted),
            lies=self.lies[order],
        )

    @property
    def fixes_cells(self) -> bool:
        """Whether the cell of some piece is known, and with it which way up the whole is."""
        return bool((self.cells >= 0).any())

    def upright(self, poses: np.ndarray) -> np.ndarray:
        """Return an arrangement of poses the way up that its fixed cells say."""
        lies = np.flatnonzero(poses.ravel() >= 0)
        found = poses.ravel()[lies]
        fixed = np.flatnonzero(self.cells[posed_piece(found)] >= 0)
        if not len(fixed):
            return poses
        first = int(found[fixed[0]])
        return turned_poses(poses, (int(self.turns[posed_piece(first)]) - turn_of(first)) % 4)

    def kept_seams(
        self, arrangement: np.ndarray, turns: np.ndarray | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return which seams of an arrangement must hold: to the right, and below."""
        poses = poses_of(arrangement, turns)
        wanted = np.append(self.neighbours.ravel(), -1)

        def held(one: np.ndarray, toward: int, other: np.ndarray, facing: int) -> np.ndarray:
            both = (one >= 0) & (other >= 0)
            side = np.where(both, side_at(one, toward), -1)
            return np.asarray(both & (wanted[side] == side_at(other, facing)))

        return (
            held(poses[:, :-1], RIGHT, poses[:, 1:], LEFT),
            held(poses[:-1], BOTTOM, poses[1:], TOP),
        )

    def violated(self, arrangement: np.ndarray, turns: np.ndarray | None = None) -> int:
        """Return how many constraints an arrangement does not keep."""
        return self.violated_by(poses_of(arrangement, turns))

    def violated_by(self, poses: np.ndarray) -> int:
        """Return how many constraints an arrangement of poses does not keep."""
        touched = touching_sides(poses, len(self.cells)).ravel()
        lies = np.full(len(self.cells), -1)
        turn = np.full(len(self.cells), -1)
        there = np.flatnonzero(poses.ravel() >= 0)
        lies[posed_piece(poses.ravel()[there])] = there
        turn[posed_piece(poses.ravel()[there])] = turn_of(poses.ravel()[there])
        fixed = self.cells >= 0
        moved = (lies[fixed] != self.cells[fixed]) | (turn[fixed] != self.turns[fixed])
        wanted = self.neighbours.ravel()
        once = np.flatnonzero(wanted > np.arange(len(wanted)))
        broken = touched[once] != wanted[once]
        met = touched[self.parted[:, 0]] == self.parted[:, 1]
        return int(np.count_nonzero(moved) + np.count_nonzero(broken) + np.count_nonzero(met))


def touching_sides(poses: np.ndarray, pieces: int) -> np.ndarray:
    """Return the side that each side touches in an arrangement of poses, (n, 4); -1 for none."""
    touched = np.full(SIDES * pieces, -1, np.int32)
    for one, toward, other, facing in (
        (poses[:, :-1], RIGHT, poses[:, 1:], LEFT),
        (poses[:-1], BOTTOM, poses[1:], TOP),
    ):
        both = (one >= 0) & (other >= 0)
        sides, partners = side_at(one[both], toward), side_at(other[both], facing)
        touched[sides], touched[partners] = partners, sides
    return touched.reshape(pieces, SIDES)


def laid_out(constraints: Constraints, puzzle: Puzzle) -> Layout:
    """Return what constraints say together; raise where two of them clash."""
    laying = Laying(constraints, puzzle)
    laying.lay()
    neighbours = np.full((len(puzzle), SIDES), -1, np.int32)
    for block in laying.loose:
        at = {laying.place[piece]: pose_of(piece, laying.turn[piece]) for piece in block}
        _enter(neighbours, at)
    _enter(neighbours, {cell: pose_of(*pose) for cell, pose in laying.in_cells()})
    cells, turns = np.full(len(puzzle), -1, np.int32), np.zeros(len(puzzle), np.int32)
    for (row, column), (piece, turn) in laying.in_cells():
        cells[piece], turns[piece] = row * puzzle.board.columns + column, turn
    lies = np.full(len(puzzle), -1, np.int32)
    for piece, turn in constraints.turned:
        lies[piece] = turn
    blocks = sorted(laying.loose, key=lambda block: (-len(block), min(block)))
    return Layout(
        neighbours,
        cells,
        turns,
        tuple(_as_array(block, laying) for block in blocks),
        laying.parted(neighbours),
        lies,
    )


def way_up(poses: np.ndarray, order: np.ndarray, turns: str, layout: Layout | None) -> Placement:
    """Return poses as a placement, by the given number of each piece, the way up it belongs.

    Cells that are fixed say which way that is, or else pieces whose turn is known; where nothing is
    said it is the way that most pieces lie.
    """
    found = placement_of(poses, order)
    if layout is None:
        return as_most_lie(found, turns)
    if layout.fixes_cells:
        return found
    said = np.empty(len(order), np.int32)
    said[order] = layout.lies
    return as_most_lie(found, turns, said)


def _enter(neighbours: np.ndarray, at: Mapping[tuple[int, int], int]) -> None:
    """Note which sides touch where poses lie side by side."""
    for (row, column), pose in at.items():
        for toward, facing, beside in (
            (RIGHT, LEFT, (row, column + 1)),
            (BOTTOM, TOP, (row + 1, column)),
        ):
            if (other := at.get(beside)) is not None:
                side, partner = side_at(pose, toward), side_at(other, facing)
                neighbours.flat[side], neighbours.flat[partner] = partner, side


def _as_array(block: list[int], laying: Laying) -> np.ndarray:
    places = np.array([laying.place[piece] for piece in block])
    poses = [pose_of(piece, laying.turn[piece]) for piece in block]
    return np.column_stack([poses, places - places.min(axis=0)]).astype(np.int32)
