"""Whatever holds a puzzle: a shuffled picture, or tiles in a folder, an archive or files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from jigsolve.errors import InputError
from jigsolve.parallel import Progress
from jigsolve.puzzle.containers import Place, is_one_picture
from jigsolve.puzzle.puzzle import Board, Puzzle
from jigsolve.puzzle.tiles import Tiles, read_tiles


class Source(NamedTuple):
    """A puzzle as it was found."""

    puzzle: Puzzle
    notes: tuple[str, ...]
    """What was left out or changed on the way, in words."""


def read_source(
    places: Sequence[Place],
    *,
    piece: int | tuple[int, int] = 28,
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
        How to cut a shuffled picture, as in `Puzzle.cut`.
    board
        What tiles fill; a picture has its own.
    progress
        Told how many files of tiles are read.
    """
    if is_one_picture(places):
        puzzle = Puzzle.cut(places[0], piece, crop=crop)
        if board is not None and board != puzzle.board:
            raise InputError(
                f"{places[0]}: expected a picture of {board.columns} x {board.rows} pieces of "
                f"{puzzle.piece_size} pixels, found {puzzle.board.columns} x {puzzle.board.rows}"
            )
        return Source(puzzle, ())
    tiles = read_tiles(places, progress=progress)
    return Source(Puzzle(tiles.pieces, board_of(tiles, board), tiles.names), tiles.notes)


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
