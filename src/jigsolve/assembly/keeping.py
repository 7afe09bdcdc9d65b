"""What arrangements must keep, as kernels take it."""

from __future__ import annotations

import numpy as np

from jigsolve._kernels.geometry import pose_of
from jigsolve._kernels.keeping import Kept
from jigsolve.core import Board
from jigsolve.core.layout import Layout


def kept_by(layout: Layout | None, board: Board) -> Kept:
    """Return what constraints say; nothing if there are none."""
    if layout is None:
        none = np.empty((0, 3), np.int32)
        return Kept(none, np.zeros(1, np.int32), none, np.empty((0, 2), np.int32))
    pieces = np.flatnonzero(layout.cells >= 0)
    cells = layout.cells[pieces]
    poses = pose_of(pieces, layout.turns[pieces])
    fixed = np.column_stack([poses, cells // board.columns, cells % board.columns])
    blocks = [np.empty((0, 3), np.int32), *layout.blocks]
    starts = np.cumsum([len(block) for block in blocks])
    return Kept(
        fixed=np.ascontiguousarray(fixed, np.int32),
        starts=starts.astype(np.int32),
        members=np.concatenate(blocks).astype(np.int32),
        parted=np.ascontiguousarray(layout.parted, np.int32),
    )
