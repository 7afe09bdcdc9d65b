"""Which tile belongs where: as a table, and as files with names that say it."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath

import numpy as np
from PIL import Image

from jigsolve.errors import InputError
from jigsolve.io.containers import Place, tile_files
from jigsolve.io.files import replacing_folder
from jigsolve.io.pictures import QUICK
from jigsolve.io.tile_file import is_tile_name
from jigsolve.solvers.solution import Solution

COLUMNS = (
    "row", "column", "piece", "file", "confidence", "confidence_right", "confidence_below"
)  # fmt: skip


LONGEST_STEM = 50
"""Characters of a stray's own name that its new one has; up to 255 bytes are allowed in all."""


def as_csv(solution: Solution) -> str:
    """Return a table with a line for every cell, and one for every piece that has none.

    Rows and columns count from 0, as in `solution.arrangement`. What is not known is empty.
    """
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(COLUMNS)
    confidence = solution.confidence()
    # A carriage return ends a line for readers of tables, and `csv` would not quote it.
    names = [name.replace("\r", "\\r") for name in solution.puzzle.names or ()]
    for (row, column), piece in np.ndenumerate(solution.arrangement):
        shown = ["", "", ""]
        if confidence and piece >= 0:
            grids = (confidence.pieces, confidence.right, confidence.below)
            shown = [_share(grid, row, column) for grid in grids]
        name = names[piece] if names and piece >= 0 else ""
        table.writerow([row, column, piece if piece >= 0 else "", name, *shown])
    for piece in solution.strays:
        table.writerow(["", "", piece, names[piece] if names else "", "", "", ""])
    return text.getvalue()


def _share(grid: np.ndarray, row: int, column: int) -> str:
    if row >= grid.shape[0] or column >= grid.shape[1] or np.isnan(grid[row, column]):
        return ""
    return f"{grid[row, column]:.4f}"


def rename_into(
    folder: str | Path,
    solution: Solution,
    source: Sequence[Place] = (),
    *,
    force: bool = False,
) -> None:
    """Copy tiles to names such as 003_012.png: row and column, counted from 0.

    Tiles that were read from files or an archive, the `source`, are copied byte for byte; those
    of a shuffled picture are written as PNG. Pieces without a cell are called stray-NUMBER-NAME.
    The folder must be new or empty; `force` also replaces one that holds nothing but tiles.
    """
    names = _new_names(solution)
    with replacing_folder(Path(folder), is_tile_name if force else None) as beside:
        for piece, ending, content in _contents(solution, source):
            if content is None:
                picture = Image.fromarray(solution.puzzle.pieces[piece])
                picture.save(beside / f"{names[piece]}.png", compress_level=QUICK)
            else:
                (beside / f"{names[piece]}{ending}").write_bytes(content)


def _new_names(solution: Solution) -> dict[int, str]:
    digits = max(3, len(str(max(solution.arrangement.shape) - 1)))
    cells = np.ndenumerate(solution.arrangement)
    names = {
        int(piece): f"{row:0{digits}}_{column:0{digits}}"
        for (row, column), piece in cells
        if piece >= 0
    }
    own = solution.puzzle.names
    for piece in solution.strays:
        # Two strays of different folders may have the same name; their numbers differ.
        stem = f"-{_plain(PurePosixPath(own[piece]).stem)}" if own else ""
        names[piece] = f"stray-{piece}{stem}"
    return names


def _plain(name: str) -> str:
    """Return a name that any system takes as part of a longer one."""
    return "".join(c for c in name if c.isprintable())[:LONGEST_STEM]


def _contents(
    solution: Solution, source: Sequence[Place]
) -> Iterator[tuple[int, str, bytes | None]]:
    """Yield every piece with the ending and content of its file, if it has one."""
    names = solution.puzzle.names
    if names is None:
        yield from ((piece, "", None) for piece in range(len(solution.puzzle.pieces)))
        return
    left = {name: piece for piece, name in enumerate(names)}
    for file in tile_files(source) if source else ():
        if file.skipped is None and file.name in left:
            ending = PurePosixPath(file.name).suffix
            known = is_tile_name(f"000_000{ending}")  # others would not be replaced by `force`
            yield left.pop(file.name), ending if known else "", file.content
    if left:
        raise InputError(
            f"{next(iter(left))}: expected it among the tiles as before, found it gone"
        )
