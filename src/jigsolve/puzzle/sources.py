"""Whatever holds a puzzle: a shuffled picture, or tiles in a folder, an archive or files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from jigsolve.errors import InputError, OddSizeError
from jigsolve.parallel import Progress
from jigsolve.puzzle.containers import Place, is_one_picture
from jigsolve.puzzle.detecting import detect_grid, frame_around
from jigsolve.puzzle.grid import Detection
from jigsolve.puzzle.pictures import read_picture
from jigsolve.puzzle.puzzle import Board, PieceSize, Puzzle
from jigsolve.puzzle.tiles import read_tiles

MOST_UNLIKE = 2
"""A board has at most so many times as many cells as there are pieces, and the other way round."""


class Source(NamedTuple):
    """Pieces as they were found."""

    pieces: np.ndarray
    """Array of shape (n, height, width, 3), uint8."""
    names: tuple[str, ...] | None
    """Of the files they came from, if they did."""
    board: Board | None
    """That of a shuffled picture; of tiles it is not known."""
    notes: tuple[str, ...]
    """What was found, left out or changed on the way, in words."""
    detection: Detection | None = None
    """How the picture was cut, where that had to be found out."""

    def puzzle(self, board: Board, holes: int = 0) -> Puzzle:
        """Return the puzzle on a board, of which so many cells, or more if needed, may stay empty.

        Pieces that then have no cell are strays.
        """
        cells = board.rows * board.columns
        if not len(self.pieces) <= MOST_UNLIKE * cells <= MOST_UNLIKE**2 * len(self.pieces):
            raise InputError(
                f"expected a board of about {len(self.pieces):,} cells for as many pieces, "
                f"found {board.columns} x {board.rows} = {cells:,}"
            )
        holes = max(holes, cells - len(self.pieces))
        strays = len(self.pieces) + holes - cells
        return Puzzle(self.pieces, board, self.names, holes, strays)


def read_source(
    places: Sequence[Place],
    *,
    piece: PieceSize | None = None,
    crop: bool = False,
    progress: Progress | None = None,
) -> Source:
    """Read the pieces of a shuffled picture, or tiles (see `read_tiles`).

    Parameters
    ----------
    places
        A picture, a folder, a pattern or an archive; or several files of tiles.
    piece, crop
        How to cut a shuffled picture, as in `Puzzle.cut`; a size not given is detected.
    progress
        Told how many files of tiles are read.
    """
    if is_one_picture(places):
        puzzle, detection = _cut_shuffled(places[0], piece, crop=crop)
        notes = (f"found {detection.describe()}",) if detection else ()
        return Source(puzzle.pieces, None, puzzle.board, notes, detection)
    if piece is not None or crop:
        raise InputError("expected --piece and --crop with a shuffled picture only, found tiles")
    tiles = read_tiles(places, progress=progress)
    return Source(tiles.pieces, tiles.names, None, tiles.notes)


def _cut_shuffled(
    path: Place, piece: PieceSize | None, *, crop: bool
) -> tuple[Puzzle, Detection | None]:
    """Cut a shuffled picture: by a known size, or by one that is detected for sure.

    The detection comes with it where there was something to detect: of a known size, a border or
    gaps.
    """
    pixels = read_picture(path)
    try:
        if piece is None:
            found = detect_grid(pixels)
            _check_sure(found)
            return found.grid.cut(pixels), found
        grid = frame_around(pixels, piece)
        if grid is None:
            return Puzzle.cut(pixels, piece, crop=crop), None
        return grid.cut(pixels), Detection(grid, 1.0, ())
    except OddSizeError as error:
        raise InputError(f"{path}: {error}; --crop uses those") from None
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


def _check_sure(found: Detection) -> None:
    if found.is_sure:
        return
    likeliest = [(found.grid.piece, found.confidence)]
    likeliest += [(other.grid.piece, other.confidence) for other in found.runners_up[:2]]
    sizes = ", ".join(f"{size.width}x{size.height} ({sure:.3f})" for size, sure in likeliest)
    raise InputError(
        "expected cuts that show the size of the pieces, found none that are clear; "
        f"give --piece WxH (likeliest, with confidence: {sizes})"
    )
