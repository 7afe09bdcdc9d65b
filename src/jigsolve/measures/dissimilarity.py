"""The paper's measure: colour difference along the seam (equation 1).

Reference: Cho, Avidan and Freeman, "A probabilistic image jigsaw puzzle solver", CVPR 2010,
in the form used by Sholomon, David and Netanyahu.
"""

import numpy as np

from jigsolve.measures.colour import lab_from_rgb

UNITS = 32
"""L*a*b* is kept in fixed point, 32 units to 1: a fifteenth of what one step of 8-bit grey
is worth at most. Costs are in these units."""

VECTOR = 32
"""Borders are padded to whole cache lines of 16-bit numbers."""


def borders(pieces: np.ndarray) -> np.ndarray:
    """Return what each side of each piece looks like.

    Two sides that face each other cost the Euclidean distance of their rows.

    Parameters
    ----------
    pieces
        Array of shape (n, height, width, 3), uint8.

    Returns
    -------
    borders
        Array of shape (4n, width), int16; side `s` of piece `p` is row `4 p + s`, with sides
        in the order left, right, top, bottom.
    """
    n, height, width, _ = pieces.shape
    length = -(-3 * max(height, width) // VECTOR) * VECTOR
    result = np.zeros((n, 4, length), np.int16)
    strips = (pieces[:, :, 0], pieces[:, :, -1], pieces[:, 0, :], pieces[:, -1, :])
    for side, strip in enumerate(strips):
        values = np.rint(lab_from_rgb(strip) * UNITS)
        result[:, side, : 3 * strip.shape[1]] = values.reshape(n, -1)
    return result.reshape(4 * n, length)
