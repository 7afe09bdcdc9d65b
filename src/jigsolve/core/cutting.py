"""Making puzzles as people have them: tiles missing, tiles of other pictures, odd sizes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from jigsolve.core.checks import whole_number
from jigsolve.core.mixing import Amount, Picture, mix
from jigsolve.core.pieces import PieceSize
from jigsolve.core.puzzle import Board, Puzzle
from jigsolve.core.turns import Placement
from jigsolve.execution.memory import require_memory
from jigsolve.io.tiles import resized

MOST_GAP = 1000
"""Pixels between tiles, or around all of them."""


@dataclass(frozen=True, eq=False)
class CutTiles:
    """Shuffled tiles of a picture, and the truth about them."""

    board: Board
    piece_size: PieceSize
    tiles: tuple[np.ndarray, ...] = field(repr=False)
    """The pixels of each; sizes differ if they were jittered."""
    names: tuple[str, ...] = field(repr=False)
    """Names of files, without endings; they say nothing about the order."""
    truth: np.ndarray = field(repr=False)
    """The right arrangement, (rows, columns) int32; -1 where a tile is missing."""
    strays: tuple[int, ...]
    """Tiles of other pictures."""
    duplicates: tuple[tuple[int, int], ...]
    """Tiles that are in the truth once more: (copy, original)."""
    seed: int
    turns: np.ndarray | None = field(default=None, repr=False)
    """Quarter turns clockwise that the tile in each cell needs, (rows, columns) int8, if tiles are
    turned."""

    @property
    def pieces(self) -> np.ndarray:
        """All tiles in one size, (n, height, width, 3)."""
        return np.stack([resized(tile, *self.piece_size) for tile in self.tiles])

    def truth_by_names(self, names: Sequence[str]) -> np.ndarray | Placement:
        """Return the truth in ids of tiles that were read from files of these names.

        It is a placement if tiles are turned.
        """
        numbers = {Path(name).stem: number for number, name in enumerate(names)}
        ids = np.array([*(numbers.get(name, -1) for name in self.names), -1], np.int32)
        pieces = np.asarray(ids[self.truth])
        return pieces if self.turns is None else Placement(pieces, self.turns)

    def as_dict(self) -> dict[str, object]:
        """Return the record that JSON can hold."""
        return {
            "format": "jigsolve-truth",
            "board": {"rows": self.board.rows, "columns": self.board.columns},
            "piece": {"width": self.piece_size.width, "height": self.piece_size.height},
            "seed": self.seed,
            "arrangement": self.truth.ravel().tolist(),
            **({} if self.turns is None else {"turns": self.turns.ravel().tolist()}),
            "names": list(self.names),
            "strays": list(self.strays),
            "duplicates": [list(pair) for pair in self.duplicates],
        }


def cut_tiles(
    image: Picture,
    piece: int | tuple[int, int] = 28,
    *,
    seed: int = 0,
    missing: Amount = 0,
    strays: Sequence[tuple[Picture, Amount]] = (),
    duplicates: Amount = 0,
    jitter: int = 0,
    turned: bool = False,
) -> CutTiles:
    """Cut a picture into tiles and shuffle them, with the faults that found puzzles have.

    Parameters
    ----------
    image, piece
        As in `Puzzle.cut`; what is too narrow for a piece is left out.
    seed
        Of all random choices. Without faults the order is that of `Puzzle.shuffle`.
    missing
        How many tiles are taken away.
    strays
        Other pictures, and how many random tiles of each are mixed in.
    duplicates
        How many of the tiles are there twice.
    jitter
        Tiles reach up to so many lines over their borders, on either side.
    turned
        Whether tiles are turned at random: by quarters, or by halves if they are not square.
    """
    cut = Puzzle.cut(image, piece)
    mixed = mix(
        [cut],
        seed=seed,
        missing=missing,
        strays=strays,
        duplicates=duplicates,
        jitter=jitter,
        turned=turned,
    )
    (placement,) = mixed.truth
    return CutTiles(
        board=cut.board,
        piece_size=cut.piece_size,
        tiles=mixed.tiles,
        names=mixed.names,
        truth=placement.pieces,
        strays=mixed.strays,
        duplicates=mixed.duplicates,
        seed=seed,
        turns=placement.turns if turned else None,
    )


def lay_out(
    tiles: Sequence[np.ndarray],
    columns: int,
    *,
    gap: int = 0,
    border: int = 0,
    colour: tuple[int, int, int] = (255, 255, 255),
) -> np.ndarray:
    """Return tiles of one size in one picture, row by row, gaps and a border between and around.

    Cells left over in the last row have the colour of the gaps.
    """
    for name, value in (("gap", gap), ("border", border)):
        whole_number(name, value, 0, MOST_GAP)
    height, width = tiles[0].shape[:2]
    rows = -(-len(tiles) // columns)
    size = [
        2 * border + count * (side + gap) - gap
        for count, side in ((rows, height), (columns, width))
    ]
    require_memory(3 * size[0] * size[1], f"a picture of {size[1]} x {size[0]} pixels")
    picture = np.full((*size, 3), colour, np.uint8)
    for number, tile in enumerate(tiles):
        row, column = divmod(number, columns)
        top, left = border + row * (height + gap), border + column * (width + gap)
        picture[top : top + height, left : left + width] = tile
    return picture
