"""Pieces: equal rectangles of pixels, their names, and the pictures they make."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from jigsolve.core import turns as turning
from jigsolve.errors import InputError
from jigsolve.io.pictures import read_picture

EMPTY = 128
"""What a cell without a piece looks like: grey."""


class PieceSize(NamedTuple):
    """The size of a piece, in pixels."""

    height: int
    width: int

    @classmethod
    def of(cls, piece: int | tuple[int, int]) -> PieceSize:
        """Take one number for a square, or (height, width)."""
        try:
            sides = piece if isinstance(piece, tuple | list) else (piece, piece)
            height, width = (operator.index(side) for side in sides)
        except (TypeError, ValueError):
            raise InputError(
                f"expected a piece size as a whole number or (height, width), found {piece!r}"
            ) from None
        if height < 1 or width < 1:
            raise InputError(f"expected a piece of at least 1 x 1 pixels, found {width} x {height}")
        return cls(height, width)

    def __str__(self) -> str:
        return f"{self.width} x {self.height}"


def checked_pieces(pieces: np.ndarray) -> np.ndarray:
    """Return pieces as an array; raise unless they are pictures of one size."""
    pieces = np.asarray(pieces)
    if pieces.ndim != 4 or pieces.shape[3] != 3 or pieces.dtype != np.uint8:
        raise InputError(
            "expected pieces as uint8 of shape (n, height, width, 3), "
            f"found {pieces.dtype} of shape {pieces.shape}"
        )
    if 0 in pieces.shape:
        raise InputError(f"expected pieces with pixels, found shape {pieces.shape}")
    return pieces


def checked_names(names: Sequence[str] | None, pieces: int) -> tuple[str, ...] | None:
    """Return names of pieces, if there are any; raise unless there is one for each."""
    if names is None:
        return None
    if len(names) != pieces:
        raise InputError(f"expected {pieces} names, found {len(names)}")
    return tuple(names)


def laid(pieces: np.ndarray, arrangement: np.ndarray, turns: np.ndarray | None) -> np.ndarray:
    """Return the picture of pieces in their cells; empty ones, -1, are grey."""
    rows, columns = arrangement.shape
    height, width = pieces.shape[1:3]
    shown: np.ndarray = pieces[arrangement.ravel()]
    if turns is not None:
        shown = turning.turned_pieces(shown, turns.ravel())
    shown[arrangement.ravel() < 0] = EMPTY
    return (
        shown.reshape(rows, columns, height, width, 3)
        .swapaxes(1, 2)
        .reshape(rows * height, columns * width, 3)
    )


def pixels_of(image: np.ndarray | str | Path) -> np.ndarray:
    """Return a file's or an array's pixels, (height, width, 3); raise unless it is a picture."""
    pixels = read_picture(image) if isinstance(image, str | Path) else np.asarray(image)
    if pixels.ndim == 2:
        pixels = np.repeat(pixels[:, :, None], 3, axis=2)
    if pixels.ndim != 3 or pixels.shape[2] != 3 or pixels.dtype != np.uint8:
        raise InputError(
            "expected a picture as uint8 of shape (height, width, 3) or (height, width), "
            f"found {pixels.dtype} of shape {pixels.shape}"
        )
    return pixels
