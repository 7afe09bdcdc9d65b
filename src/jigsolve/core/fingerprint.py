"""What tells a puzzle from others: files that belong to one puzzle name it."""

from __future__ import annotations

import hashlib
import json

import numpy as np

from jigsolve.core.constraints import Constraints
from jigsolve.core.puzzle import Puzzle
from jigsolve.core.turns import NONE


def fingerprint(puzzle: Puzzle, constraints: Constraints | None = None) -> str:
    """Return what tells a puzzle, in its given order and with what is known, from others."""
    shape = np.array([*puzzle.board, *puzzle.piece_size, puzzle.holes], np.int64)
    digest = hashlib.sha256(shape.tobytes())
    digest.update(np.ascontiguousarray(puzzle.pieces).data)
    if not puzzle.damage.is_none:  # what seams cost depends on it, and on where pieces lay
        digest.update(repr(puzzle.damage).encode())
        if puzzle.places:
            digest.update(np.ascontiguousarray(puzzle.places.cells, np.float32).data)
    if puzzle.turns != NONE:
        digest.update(puzzle.turns.encode())
    if constraints:
        digest.update(json.dumps(constraints.as_record()).encode())
    return digest.hexdigest()
