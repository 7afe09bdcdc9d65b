"""Which tile belongs where, as files with names that say it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath

import numpy as np
from PIL import Image

from jigsolve.core import Puzzle
from jigsolve.core.bag import Bag
from jigsolve.core.turns import Placement
from jigsolve.errors import InputError
from jigsolve.io.containers import Place, tile_files
from jigsolve.io.files import replacing_folder
from jigsolve.io.pictures import QUICK
from jigsolve.io.tile_file import is_tile_name
from jigsolve.io.turning import turned_file
from jigsolve.solvers.solution import Solution

LONGEST_STEM = 50
"""Characters of a stray's own name that its new one has; up to 255 bytes are allowed in all."""


def rename_into(
    folder: str | Path,
    solution: Solution,
    source: Sequence[Place] = (),
    *,
    force: bool = False,
) -> None:
    """Copy tiles to names such as 003_012.png: row and column, counted from 0.

    Tiles that were read from files or an archive, the `source`, are copied byte for byte; those
    of a shuffled picture, and those that have to be turned, are written upright as PNG. Pieces
    without a cell are called stray-NUMBER-NAME.
    The folder must be new or empty; `force` also replaces one that holds nothing but tiles.
    """
    names = _names_in(solution.placement) | _names_of_strays(solution.strays, solution.puzzle)
    _copy(Path(folder), solution.puzzle, [solution.placement], names, source, force=force)


def rename_bag_into(
    folder: str | Path,
    bag: Bag,
    pictures: Sequence[Placement],
    strays: Sequence[int],
    source: Sequence[Place] = (),
    *,
    force: bool = False,
) -> None:
    """Copy tiles of several pictures to names such as 1_003_012.png: picture, row and column.

    Pictures count from 1. All else is as in `rename_into`.
    """
    names = _names_of_strays(strays, bag)
    for number, picture in enumerate(pictures, 1):
        names |= {piece: f"{number}_{name}" for piece, name in _names_in(picture).items()}
    _copy(Path(folder), bag, pictures, names, source, force=force)


def _copy(
    folder: Path,
    tiles: Puzzle | Bag,
    placements: Sequence[Placement],
    names: dict[int, str],
    source: Sequence[Place],
    *,
    force: bool,
) -> None:
    turns = np.zeros(len(tiles), int)
    for pieces, needed in placements:
        turns[pieces[pieces >= 0]] = needed[pieces >= 0]
    with replacing_folder(folder, is_tile_name if force else None) as beside:
        for piece, ending, content in _contents(tiles, source):
            name, turn = names[piece], int(turns[piece])
            if content is None:
                upright = np.ascontiguousarray(np.rot90(tiles.pieces[piece], -turn))
                Image.fromarray(upright).save(beside / f"{name}.png", compress_level=QUICK)
            elif turn:
                (beside / f"{name}.png").write_bytes(turned_file(content, turn, name))
            else:
                (beside / f"{name}{ending}").write_bytes(content)


def _names_in(placement: Placement) -> dict[int, str]:
    """Return the new name of each piece that has a cell."""
    digits = max(3, len(str(max(placement.pieces.shape) - 1)))
    return {
        int(piece): f"{row:0{digits}}_{column:0{digits}}"
        for (row, column), piece in np.ndenumerate(placement.pieces)
        if piece >= 0
    }


def _names_of_strays(strays: Sequence[int], tiles: Puzzle | Bag) -> dict[int, str]:
    names = {}
    for piece in strays:
        # Two strays of different folders may have the same name; their numbers differ.
        stem = f"-{_plain(PurePosixPath(tiles.names[piece]).stem)}" if tiles.names else ""
        names[piece] = f"stray-{piece}{stem}"
    return names


def _plain(name: str) -> str:
    """Return a name that any system takes as part of a longer one."""
    return "".join(c for c in name if c.isprintable())[:LONGEST_STEM]


def _contents(
    tiles: Puzzle | Bag, source: Sequence[Place]
) -> Iterator[tuple[int, str, bytes | None]]:
    """Yield every piece with the ending and content of its file, if it has one."""
    if tiles.names is None:
        yield from ((piece, "", None) for piece in range(len(tiles)))
        return
    left = {name: piece for piece, name in enumerate(tiles.names)}
    for file in tile_files(source) if source else ():
        if file.skipped is None and file.name in left:
            ending = PurePosixPath(file.name).suffix
            known = is_tile_name(f"000_000{ending}")  # others would not be replaced by `force`
            yield left.pop(file.name), ending if known else "", file.content
    if left:
        raise InputError(
            f"{next(iter(left))}: expected it among the tiles as before, found it gone"
        )
