"""Arrangements of poses, as solvers have them, and placements, as everybody else does."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from jigsolve._kernels.geometry import pose_of, posed_piece, turn_of
from jigsolve.core.turns import NONE, Placement, possible_turns


def poses_of(arrangement: np.ndarray, turns: np.ndarray | None = None) -> np.ndarray:
    """Return pieces and how they are turned as poses, int32; -1 where a cell is empty."""
    poses = pose_of(arrangement, 0 if turns is None else turns)
    return np.where(arrangement < 0, -1, poses).astype(np.int32)


def pieces_of(poses: np.ndarray) -> np.ndarray:
    """Return the pieces of poses, int32; -1 where a cell is empty."""
    return np.where(poses < 0, -1, posed_piece(poses)).astype(np.int32)


def turned_poses(poses: np.ndarray, turn: int) -> np.ndarray:
    """Return an arrangement of poses, the whole turned clockwise by so many quarters."""
    if turn == 0:
        return poses
    found = np.rot90(poses, -turn)
    further = pose_of(posed_piece(found), (turn_of(found) + turn) % 4)
    return np.where(found < 0, -1, further).astype(np.int32)


def placement_of(poses: np.ndarray, order: np.ndarray) -> Placement:
    """Return poses as pieces, by the given number of each, and turns."""
    pieces = np.append(order, -1)[pieces_of(poses)].astype(np.int32)
    return Placement(pieces, np.where(poses < 0, 0, turn_of(poses)).astype(np.int8))


def as_most_lie(placement: Placement, turns: str, said: np.ndarray | None = None) -> Placement:
    """Return a placement the way up that most of its pieces lie.

    Where it is said how some are turned, by their numbers and -1 for others, the way up that most
    of these do. A board that is not square stays as it is.
    """
    ways = ways_up(turns, placement.pieces.shape)
    if len(ways) == 1:
        return placement

    def upright(way: Placement) -> tuple[int, int]:
        agree = 0
        if said is not None:
            agree = int(np.count_nonzero(np.append(said, -1)[way.pieces] == way.turns))
        return agree, lying_upright(way)

    return max((placement.turned(turn) for turn in ways), key=upright)


def ways_up(turns: str, board: tuple[int, ...]) -> Sequence[int]:
    """Return the turns of a whole after which it is on the same board."""
    if turns == NONE:
        return (0,)
    return possible_turns(turns) if board[0] == board[1] else (0, 2)


def lying_upright(placement: Placement) -> int:
    """Return how many pieces of a placement lie as they were given."""
    return int(np.count_nonzero((placement.turns == 0) & (placement.pieces >= 0)))
