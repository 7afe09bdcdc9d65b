"""Cutting several pictures into one bag."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from jigsolve.core.bag import Bag
from jigsolve.core.mixing import Amount, Picture, mix
from jigsolve.core.pieces import PieceSize
from jigsolve.core.puzzle import Puzzle
from jigsolve.core.turns import NONE, Placement, widest_turns
from jigsolve.errors import InputError
from jigsolve.io.tiles import resized


@dataclass(frozen=True, eq=False)
class CutBag:
    """Shuffled tiles of several pictures, and the truth about them."""

    piece_size: PieceSize
    tiles: tuple[np.ndarray, ...] = field(repr=False)
    """The pixels of each; sizes differ if they were jittered."""
    names: tuple[str, ...] = field(repr=False)
    """Names of files, without endings; they say nothing."""
    truth: tuple[Placement, ...] = field(repr=False)
    """Which tile belongs where in each picture, and by how much it must be turned."""
    sources: tuple[str, ...]
    """What the pictures are called."""
    strays: tuple[int, ...]
    """Tiles of no picture."""
    duplicates: tuple[tuple[int, int], ...]
    """Tiles that are in the truth once more: (copy, original)."""
    seed: int
    turns: str

    @property
    def bag(self) -> Bag:
        """All tiles in one size, as a solver gets them."""
        pieces = np.stack([resized(tile, *self.piece_size) for tile in self.tiles])
        return Bag(pieces, self.names, turns=self.turns)

    def truth_by_names(self, names: Sequence[str]) -> list[Placement]:
        """Return the truth in ids of tiles that were read from files of these names."""
        numbers = {Path(name).stem: number for number, name in enumerate(names)}
        ids = np.array([*(numbers.get(name, -1) for name in self.names), -1], np.int32)
        return [Placement(ids[pieces], turns) for pieces, turns in self.truth]

    def as_dict(self) -> dict[str, object]:
        """Return the record that JSON can hold; pictures count from 1, rows and columns from 0."""
        where: dict[int, dict[str, object]] = {}
        for number, (pieces, turns) in enumerate(self.truth, 1):
            for (row, column), tile in np.ndenumerate(pieces):
                cell: dict[str, object] = {"picture": number, "row": row, "column": column}
                turn = {} if self.turns == NONE else {"turn": int(turns[row, column])}
                where[int(tile)] = cell | turn
        nowhere = {"picture": None}  # a stray or a copy
        return {
            "format": "jigsolve-bag-truth",
            "piece": {"width": self.piece_size.width, "height": self.piece_size.height},
            "turns": self.turns,
            "seed": self.seed,
            "pictures": [
                {"file": name, "board": {"rows": len(pieces), "columns": len(pieces[0])}}
                for name, (pieces, _) in zip(self.sources, self.truth, strict=True)
            ],
            "tiles": [
                {"name": name, **where.get(tile, nowhere)} for tile, name in enumerate(self.names)
            ],
            "strays": list(self.strays),
            "duplicates": [list(pair) for pair in self.duplicates],
        }


def cut_bag(
    images: Sequence[Picture],
    piece: int | tuple[int, int] = 28,
    *,
    seed: int = 0,
    missing: Amount = 0,
    strays: Sequence[tuple[Picture, Amount]] = (),
    duplicates: Amount = 0,
    jitter: int = 0,
    turned: bool = False,
) -> CutBag:
    """Cut pictures into tiles of one size and shuffle all of them.

    Parameters are those of `cut_tiles`; shares are of all cells together.
    """
    if not images:
        raise InputError("expected pictures to cut, found none")
    cuts = [Puzzle.cut(image, piece) for image in images]
    mixed = mix(
        cuts,
        seed=seed,
        missing=missing,
        strays=strays,
        duplicates=duplicates,
        jitter=jitter,
        turned=turned,
    )
    size = cuts[0].piece_size
    return CutBag(
        piece_size=size,
        tiles=mixed.tiles,
        names=mixed.names,
        truth=mixed.truth,
        sources=tuple(
            Path(image).name if isinstance(image, str | Path) else f"picture {number}"
            for number, image in enumerate(images, 1)
        ),
        strays=mixed.strays,
        duplicates=mixed.duplicates,
        seed=seed,
        turns=widest_turns(*size) if turned else NONE,
    )
