"""Whatever holds a puzzle: a shuffled picture, or tiles in a folder, an archive or files."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from jigsolve.core.puzzle import Board, Puzzle
from jigsolve.core.turns import NONE
from jigsolve.damage import UNDAMAGED, Damage, Places
from jigsolve.damage.files import damage_of_file
from jigsolve.damage.former_jpeg import former_jpeg
from jigsolve.damage.softness import is_soft
from jigsolve.detect.detecting import detect_grid
from jigsolve.detect.grid import Detection
from jigsolve.detect.known import Known
from jigsolve.errors import InputError, OddSizeError
from jigsolve.execution.crew import Progress
from jigsolve.io.containers import Place, is_one_picture
from jigsolve.io.pictures import read_picture
from jigsolve.io.tiles import read_tiles

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
    damage: Damage = UNDAMAGED
    """What the files, or the pixels, say happened after the picture was cut."""
    places: Places | None = None
    """Where the pieces lay in the shuffled picture, as in `Puzzle`."""
    turns: str = NONE
    """How pieces may be turned."""

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
        return Puzzle(
            self.pieces, board, self.names, holes, strays, self.damage, self.places, self.turns
        )


def read_source(
    places: Sequence[Place], *, known: Known | None = None, progress: Progress | None = None
) -> Source:
    """Read the pieces of a shuffled picture, or tiles (see `read_tiles`).

    Parameters
    ----------
    places
        A picture, a folder, a pattern or an archive; or several files of tiles.
    known
        How a shuffled picture was cut, as far as it is known; the rest is detected.
    progress
        Told how many files of tiles are read.
    """
    known = known or Known()
    if is_one_picture(places):
        return _cut_shuffled(places[0], known)
    if known != Known():
        raise InputError(
            "expected `piece`, `crop`, `gap`, `border`, `offset` and `region` with a shuffled "
            "picture only, found tiles"
        )
    tiles = read_tiles(places, progress=progress)
    damage = _with_softness(tiles.damage, tiles.pieces)
    return Source(tiles.pieces, tiles.names, None, tiles.notes, damage=damage)


def _cut_shuffled(path: Place, known: Known) -> Source:
    """Cut a shuffled picture: as is known, and for the rest as is detected for sure.

    The detection comes with it where there was something to detect.
    """
    pixels = read_picture(path)
    try:
        found = detect_grid(pixels, known)
        _check_sure(found)
        puzzle = found.grid.cut(pixels)
    except OddSizeError as error:
        raise InputError(f"{path}: {error}; `crop` uses those") from None
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
    said = known.piece is not None and found.grid.is_plain
    notes = () if said else (f"found {found.describe()}",)
    return Source(
        puzzle.pieces,
        None,
        puzzle.board,
        notes,
        None if said else found,
        _damage_of(path, pixels, found.grid.is_whole, puzzle),
        puzzle.places,
    )


def _damage_of(path: Place, pixels: np.ndarray, is_whole: bool, puzzle: Puzzle) -> Damage:
    """Return what the file says, or what its pixels say of a file before it."""
    damage = damage_of_file(path)
    if damage.is_none and puzzle.places:
        damage = former_jpeg(pixels, puzzle.places)
    if not is_whole:
        return dataclasses.replace(damage, soft=True)
    return _with_softness(damage, puzzle.pieces)


def _with_softness(damage: Damage, pieces: np.ndarray) -> Damage:
    """Add that pictures were scaled or blurred, if pieces show it."""
    soft = is_soft(pieces, compressed=bool(damage.codec))
    return dataclasses.replace(damage, soft=True) if soft else damage


def _check_sure(found: Detection) -> None:
    if found.is_sure:
        return
    likeliest = [(found.grid, found.confidence)]
    likeliest += [(other.grid, other.confidence) for other in found.runners_up[:2]]
    sizes = ", ".join(f"{grid.in_short()} ({sure:.3f})" for grid, sure in likeliest)
    raise InputError(
        "expected cuts that show the size of the pieces, found none that are clear; "
        f"give `piece` (likeliest, with confidence: {sizes}), and give `region` if the pieces are "
        "a part of the picture"
    )
