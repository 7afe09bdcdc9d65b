"""Making puzzles as people have them: tiles missing, tiles of other pictures, odd sizes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from jigsolve.core.checks import check_seed, whole_number
from jigsolve.core.puzzle import Board, PieceSize, Puzzle
from jigsolve.errors import InputError
from jigsolve.execution.memory import require_memory
from jigsolve.io.tiles import MOST_ODD_LINES, resized

Picture = np.ndarray | str | Path
Amount = int | float
"""A number of tiles, or as a float a share of the board's cells."""

MOST_GAP = 1000
"""Pixels between tiles, or around all of them."""

_CHOICES, _NAMES, _JITTER = range(1, 4)
"""Random streams apart from the shuffle's, which is that of `Puzzle.shuffle`."""


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

    @property
    def pieces(self) -> np.ndarray:
        """All tiles in one size, (n, height, width, 3)."""
        return np.stack([resized(tile, *self.piece_size) for tile in self.tiles])

    def truth_by_names(self, names: Sequence[str]) -> np.ndarray:
        """Return the truth in ids of tiles that were read from files of these names."""
        numbers = {Path(name).stem: number for number, name in enumerate(names)}
        ids = np.array([*(numbers.get(name, -1) for name in self.names), -1], np.int32)
        return np.asarray(ids[self.truth])

    def as_dict(self) -> dict[str, object]:
        """Return the record that JSON can hold."""
        return {
            "format": "jigsolve-truth",
            "board": {"rows": self.board.rows, "columns": self.board.columns},
            "piece": {"width": self.piece_size.width, "height": self.piece_size.height},
            "seed": self.seed,
            "arrangement": self.truth.ravel().tolist(),
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
    """
    check_seed(seed)
    whole_number("jitter", jitter, 0, MOST_ODD_LINES)
    cut = Puzzle.cut(image, piece)
    cells = len(cut)
    rng = np.random.default_rng([seed, _CHOICES])
    left_out = rng.permutation(cells)[: _count("missing", missing, cells, cells - 2)]
    kept = np.setdiff1d(np.arange(cells), left_out)
    twice = rng.choice(kept, _count("duplicates", duplicates, cells, len(kept)), replace=False)
    jittered = _Jitter(jitter, np.random.default_rng([seed, _JITTER]))
    pool = [jittered.tiles(cut, where) for where in (kept, twice)]
    for picture, amount in strays:
        pool.append(_strays(picture, amount, cut, jittered, rng))
    tiles = [tile for some in pool for tile in some]
    order = np.random.default_rng(seed).permutation(len(tiles))
    number = np.argsort(order)  # of each tile in the pool
    truth = np.full(cells, -1, np.int32)
    truth[kept] = number[: len(kept)]
    copies = number[len(kept) : len(kept) + len(twice)]
    return CutTiles(
        board=cut.board,
        piece_size=cut.piece_size,
        tiles=tuple(tiles[i] for i in order),
        names=_random_names(len(tiles), seed),
        truth=truth.reshape(cut.board),
        strays=tuple(sorted(number[len(kept) + len(twice) :].tolist())),
        duplicates=tuple(sorted(zip(copies.tolist(), truth[twice].tolist(), strict=True))),
        seed=seed,
    )


class _Jitter:
    """Tiles cut with random lines too many."""

    def __init__(self, most: int, rng: np.random.Generator) -> None:
        self._most = most
        self._rng = rng

    def tiles(self, cut: Puzzle, where: np.ndarray) -> list[np.ndarray]:
        """Return the pieces of these cells, each with up to so many lines of its neighbours."""
        if not self._most:
            return [cut.pieces[cell] for cell in where]
        pixels = cut.image()
        corners = np.stack(np.unravel_index(where, cut.board), axis=1) * cut.piece_size
        found = []
        for corner in corners:
            extra = self._rng.integers(0, self._most + 1, 2)
            size = np.minimum(cut.piece_size + extra, pixels.shape[:2])
            first = corner - self._rng.integers(0, extra + 1)
            top, left = np.clip(first, 0, np.array(pixels.shape[:2]) - size)
            found.append(pixels[top : top + size[0], left : left + size[1]])
        return found


def _strays(
    picture: Picture, amount: Amount, cut: Puzzle, jittered: _Jitter, rng: np.random.Generator
) -> list[np.ndarray]:
    name = f"{picture}" if isinstance(picture, str | Path) else "the strays' picture"
    other = Puzzle.cut(picture, cut.piece_size)
    wanted = _count("strays", amount, len(cut), 10**9)
    if wanted > len(other):
        raise InputError(f"{name}: expected {wanted:,} tiles or more, found {len(other):,}")
    return jittered.tiles(other, rng.permutation(len(other))[:wanted])


def _count(name: str, amount: Amount, cells: int, most: int) -> int:
    """Return how many tiles an amount is; a share is rounded, to one at least."""
    if isinstance(amount, float):
        if not 0 <= amount <= 1:
            raise InputError(f"{name}: expected a share from 0 to 1, found {amount!r}")
        amount = max(round(amount * cells), 1) if amount else 0
    return whole_number(name, amount, 0, most)


def _random_names(count: int, seed: int) -> tuple[str, ...]:
    """Return so many different names of eight hexadecimal digits."""
    rng = np.random.default_rng([seed, _NAMES])
    names: dict[str, None] = {}
    while len(names) < count:
        names.update((f"{number:08x}", None) for number in rng.integers(0, 2**32, count))
    return tuple(names)[:count]


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
