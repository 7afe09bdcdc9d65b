"""Where the pieces of a picture lie, and how sure that is."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from jigsolve.core.pieces import PieceSize, pixels_of
from jigsolve.core.puzzle import Board, Puzzle
from jigsolve.damage import Places
from jigsolve.detect.frame import Colour
from jigsolve.detect.lattice import Lattice

SURE = 0.9
"""A confidence from here on is taken for granted."""


@dataclass(frozen=True)
class Grid:
    """Where the pieces of a picture lie: along its height, and along its width."""

    down: Lattice
    across: Lattice
    colour: Colour | None = None
    """Of the border and the gaps, where there are any."""

    @property
    def piece(self) -> PieceSize:
        """Height and width of a piece, in whole pixels."""
        return PieceSize(self.down.size, self.across.size)

    @property
    def board(self) -> Board:
        """Rows and columns of whole pieces."""
        return Board(self.down.count, self.across.count)

    def cut(self, image: np.ndarray | str | Path) -> Puzzle:
        """Cut a picture along the grid; border, gaps and odd strips are left out.

        The pieces remember where in the picture they were.
        """
        pixels = pixels_of(image)
        pieces = Puzzle.cut(self.without_frame(pixels), self.piece).pieces
        return Puzzle(pieces, self.board, places=self.places(pixels))

    def without_frame(self, pixels: np.ndarray) -> np.ndarray:
        """Return the pieces of a picture as they lie, side by side."""
        if not (self.down.gap or self.across.gap) and self.is_whole:
            (top, left), (height, width) = (self.down.start, self.across.start), self.piece
            rows, columns = self.board
            top, left = int(top), int(left)
            return pixels[top : top + rows * height, left : left + columns * width]
        return np.ascontiguousarray(pixels[self.down.pixels()[:, None], self.across.pixels()])

    @property
    def is_whole(self) -> bool:
        """Whether cells begin and end between pixels; in scaled pictures they do not."""
        return self.down.is_whole and self.across.is_whole

    @property
    def is_plain(self) -> bool:
        """Whether pieces lie side by side from the top left corner on."""
        starts, gaps = (self.down.start, self.across.start), (self.down.gap, self.across.gap)
        return self.is_whole and not any((*starts, *gaps))

    def places(self, pixels: np.ndarray) -> Places:
        """Return where in a picture its pieces lie, row by row."""
        corners = _row_by_row(self.across.cells(), self.down.cells())
        ends = corners + np.array([self.across.cell, self.down.cell], np.float32)
        windows = _row_by_row(self.across.windows(), self.down.windows()).astype(np.int64)
        extent = pixels.shape[1], pixels.shape[0]
        return Places(windows, np.concatenate([corners, ends], axis=1), extent)

    def moved(self, x: float, y: float) -> Grid:
        """Return the grid as seen from a part of the picture that begins so much earlier."""
        return dataclasses.replace(self, down=self.down.moved(y), across=self.across.moved(x))

    def describe(self) -> str:
        """Say in words what the grid is, and what of the picture is no piece."""
        board, gaps = self.board, (self.across.gap, self.down.gap)
        cells = f"{_short(self.across.cell)} x {_short(self.down.cell)}"
        parts = [f"{board.columns} x {board.rows} pieces of {cells} pixels"]
        if cells != str(self.piece):
            parts.append(f"cut as {self.piece}")
        if any(gaps):
            widths = dict.fromkeys(map(_short, gaps))
            colour = f" in colour {self.colour}" if self.colour else ""
            parts.append(f"gaps of {' x '.join(widths)}{colour}")
        if self.across.start or self.down.start:
            parts.append(f"from ({_short(self.across.start)}, {_short(self.down.start)}) on")
        for strip, place in ((self.across.strip, "right"), (self.down.strip, "bottom")):
            if strip:
                parts.append(f"a strip of {strip} at the {place} left out")
        return ", ".join(parts)

    def in_short(self) -> str:
        """Return the size of a cell, and where the first one is, as options take them."""
        size = f"{_short(self.across.cell)}x{_short(self.down.cell)}"
        if not (self.across.start or self.down.start):
            return size
        return f"{size} from {_short(self.across.start)},{_short(self.down.start)} on"

    def as_dict(self) -> dict[str, object]:
        """Return the grid for JSON."""
        across, down = self.across, self.down
        return {
            "piece": {"width": across.size, "height": down.size},
            "board": {"rows": down.count, "columns": across.count},
            "cell": {"width": _number(across.cell), "height": _number(down.cell)},
            "origin": {"x": _number(across.start), "y": _number(down.start)},
            "gap": {"x": _number(across.gap), "y": _number(down.gap)},
            "strip": {"right": across.strip, "bottom": down.strip},
            "colour": None if self.colour is None else list(self.colour),
        }


def _row_by_row(across: np.ndarray, down: np.ndarray) -> np.ndarray:
    """Return x and y of the cells of a board, (n, 2) float32."""
    x, y = np.meshgrid(across, down)
    return np.stack([x.ravel(), y.ravel()], axis=1).astype(np.float32)


def _number(length: float) -> float:
    """Return pixels for JSON, a whole number as such."""
    return int(length) if float(length).is_integer() else round(float(length), 4)


def _short(length: float) -> str:
    """Return pixels as people write them: 28, 19.6, 126.75."""
    return f"{length:.2f}".rstrip("0").rstrip(".")


@dataclass(frozen=True)
class Candidate:
    """A grid, and how likely it is the right one."""

    grid: Grid
    confidence: float


@dataclass(frozen=True)
class Detection:
    """How a picture was probably cut, and how else it may have been."""

    grid: Grid
    confidence: float
    """How likely the grid is right, from 0 to 1."""
    runners_up: tuple[Candidate, ...]

    @property
    def is_sure(self) -> bool:
        """Whether the grid can be used without asking."""
        return self.confidence >= SURE

    def moved(self, x: float, y: float) -> Detection:
        """Return the detection as seen from a part of the picture that begins so much earlier."""
        others = (Candidate(one.grid.moved(x, y), one.confidence) for one in self.runners_up)
        return Detection(self.grid.moved(x, y), self.confidence, tuple(others))

    def describe(self) -> str:
        """Say in one line what was found, and what else it could be."""
        others = [f"{other.grid.piece} {other.confidence:.3f}" for other in self.runners_up[:2]]
        next_ones = f"; next {', '.join(others)}" if others else ""
        return f"{self.grid.describe()} (confidence {self.confidence:.3f}{next_ones})"

    def as_dict(self) -> dict[str, object]:
        """Return the detection for JSON."""
        return {
            **self.grid.as_dict(),
            "confidence": round(self.confidence, 6),
            "runners_up": [
                {**other.grid.as_dict(), "confidence": round(other.confidence, 6)}
                for other in self.runners_up
            ],
        }
