"""A bag: pieces of one or several pictures, and nothing said of their boards."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from jigsolve.core.pieces import PieceSize, checked_names, checked_pieces
from jigsolve.core.turns import NONE, check_turns
from jigsolve.damage import UNDAMAGED, Damage
from jigsolve.errors import InputError


@dataclass(frozen=True, eq=False)
class Bag:
    """Equal rectangular pieces of one or several pictures.

    Parameters
    ----------
    pieces
        Array of shape (n, height, width, 3), uint8. A piece's id is its index.
    names
        What the pieces are called, their files say; no solver looks at them.
    damage
        What happened to the pieces after the pictures were cut.
    turns
        What turns pieces may need: "none", "half" or "quarter".
    """

    pieces: np.ndarray
    names: tuple[str, ...] | None = None
    damage: Damage = UNDAMAGED
    turns: str = NONE

    def __post_init__(self) -> None:
        pieces = checked_pieces(self.pieces)
        object.__setattr__(self, "pieces", pieces)
        if len(pieces) < 2:
            raise InputError(f"expected at least two pieces, found {len(pieces)}")
        object.__setattr__(self, "names", checked_names(self.names, len(pieces)))
        check_turns(self.turns, *pieces.shape[1:3])

    def __len__(self) -> int:
        return len(self.pieces)

    @property
    def piece_size(self) -> PieceSize:
        """Height and width of a piece."""
        return PieceSize(*self.pieces.shape[1:3])
