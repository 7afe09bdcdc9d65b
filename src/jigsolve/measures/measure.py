"""What a measure is: how a side looks, and how differences add up."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from jigsolve.measures.colour import lab_from_rgb
from jigsolve.parallel import Progress, spans

UNITS = 32
"""L*a*b* is kept in fixed point, 32 units to 1; one step of 8-bit grey is worth 9 to 31 units.
Costs are in these units."""

VECTOR = 32
"""Borders are padded to whole cache lines of 16-bit numbers."""

PIECES_AT_ONCE = 2048
"""Colours are converted in double precision; this bounds what that takes."""


@dataclass(frozen=True)
class Measure:
    """A rule that gives a seam its cost: the distance of two borders."""

    name: str
    border: Callable[[np.ndarray, np.ndarray], np.ndarray]
    """From L*a*b* of the outermost and the next line of pixels to what a side looks like."""
    power: int
    """2 for the Euclidean distance of two borders, 1 for the sum of magnitudes."""

    def borders(
        self,
        pieces: np.ndarray,
        order: np.ndarray | None = None,
        *,
        progress: Progress | None = None,
    ) -> np.ndarray:
        """Return what each side of each piece looks like.

        Parameters
        ----------
        pieces
            Array of shape (n, height, width, 3), uint8.
        order
            The pieces in the order wanted; without it, as they are.
        progress
            Called with pieces done and pieces in all.

        Returns
        -------
        borders
            Array of shape (4n, width), int16; side `s` of piece `p` is row `4 p + s`, with
            sides in the order left, right, top, bottom.
        """
        n, height, width, _ = pieces.shape
        length = -(-3 * max(height, width) // VECTOR) * VECTOR
        result = np.zeros((n, 4, length), np.int16)
        for first, last in spans(n, PIECES_AT_ONCE):
            some = pieces[first:last] if order is None else pieces[order[first:last]]
            for side, (edge, inner) in enumerate(_outer_lines(some)):
                looks = self.border(lab_from_rgb(edge), lab_from_rgb(inner))
                filled = 3 * edge.shape[1]
                result[first:last, side, :filled] = np.rint(looks * UNITS).reshape(-1, filled)
            if progress:
                progress(last, n)
        return result.reshape(4 * n, length)


def _outer_lines(pieces: np.ndarray) -> tuple[tuple[np.ndarray, np.ndarray], ...]:
    """Return the outermost line of pixels of each side, and the next one."""
    _, height, width, _ = pieces.shape
    next_x, next_y = min(1, width - 1), min(1, height - 1)
    return (
        (pieces[:, :, 0], pieces[:, :, next_x]),
        (pieces[:, :, -1], pieces[:, :, -1 - next_x]),
        (pieces[:, 0, :], pieces[:, next_y, :]),
        (pieces[:, -1, :], pieces[:, -1 - next_y, :]),
    )
