"""Whatever holds a puzzle: a shuffled picture, or tiles in a folder, an archive or files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from jigsolve.errors import InputError, OddSizeError
from jigsolve.parallel import Progress
from jigsolve.puzzle.containers import Place, is_one_picture
from jigsolve.puzzle.grid import Detection, detect_grid, frame_around
from jigsolve.puzzle.pictures import read_picture
from jigsolve.puzzle.puzzle import Board, PieceSize, Puzzle
from jigsolve.puzzle.tiles import Tiles, read_tiles


class Source(NamedTuple):
    """A puzzle as it was found."""

    puzzle: Puzzle
    notes: tuple[str, ...]
    """What was found, left out or changed on the way, in words."""
    detection: Detection | None = None
    """How the picture was cut, where that had to be found out."""


def read_source(
    places: Sequence[Place],
    *,
    piece: PieceSize | None = None,
    crop: bool = False,
    board: Board | None = None,
    progress: Progress | None = None,
) -> Source:
    """Read a puzzle from a shuffled picture, or from tiles (see `read_tiles`).

    Parameters
    ----------
    places
        A picture, a folder, a pattern or an archive; or several files of tiles.
    piece, crop
        How to cut a shuffled picture, as in `Puzzle.cut`; a size not given is detected.
    board
        What tiles fill; a picture has its own.
    progress
        Told how many files of tiles are read.
    """
    if is_one_picture(places):
        puzzle, detection = _cut_shuffled(places[0], piece, crop=crop)
        if board is not None and board != puzzle.board:
            raise InputError(
                f"{places[0]}: expected a picture of {board.columns} x {board.rows} pieces of "
                f"{puzzle.piece_size} pixels, found {puzzle.board.columns} x {puzzle.board.rows}"
            )
        notes = (f"found {detection.describe()}",) if detection else ()
        return Source(puzzle, notes, detection)
    if piece is not None or crop:
        raise InputError("expected --piece and --crop with a shuffled picture only, found tiles")
    tiles = read_tiles(places, progress=progress)
    return Source(Puzzle(tiles.pieces, board_of(tiles, board), tiles.names), tiles.notes)


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


def board_of(tiles: Tiles, board: Board | None) -> Board:
    """Return the board of tiles; raise unless it is given and has as many cells."""
    count = len(tiles.pieces)
    if board is None:
        raise InputError(f"expected --board COLSxROWS for {count:,} tiles, found none")
    if board.rows * board.columns != count:
        raise InputError(
            f"a board of {board.columns} x {board.rows} expects {board.rows * board.columns:,} "
            f"tiles, found {count:,}"
        )
    return board
