"""Where pieces lay in the shuffled picture."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class Places:
    """Where pieces lay in the picture they were cut from, in its pixels.

    That is the shuffled picture: it says which lines of a piece share a block with a stranger,
    and nothing about where the piece belongs.
    """

    windows: np.ndarray
    """Left and top of the pixels taken, (n, 2) whole numbers."""
    cells: np.ndarray
    """Left, top, right and bottom of the piece itself, (n, 4); a scaled one may end anywhere."""
    extent: tuple[int, int]
    """Width and height of the picture."""

    def taken(self, which: np.ndarray) -> Places:
        """Return the places of some pieces, in the order given."""
        return Places(self.windows[which], self.cells[which], self.extent)
