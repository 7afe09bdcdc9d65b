"""Which tile belongs where: as a table, and as files with names that say it."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import Protocol

import numpy as np
from PIL import Image

from jigsolve.core.turns import Placement
from jigsolve.errors import InputError
from jigsolve.io.containers import Place, tile_files
from jigsolve.io.files import replacing_folder
from jigsolve.io.pictures import QUICK
from jigsolve.io.tile_file import is_tile_name
from jigsolve.io.turning import turned_file
from jigsolve.seams.confidence import Confidence
from jigsolve.solvers.solution import Solution

COLUMNS = (
    "row", "column", "piece", "file", "confidence", "confidence_right", "confidence_below"
)  # fmt: skip


LONGEST_STEM = 50
"""Characters of a stray's own name that its new one has; up to 255 bytes are allowed in all."""


class Picture(Protocol):
    """What a table needs to know of a picture that was put together."""

    @property
    def placement(self) -> Placement:
        """Which piece lies where, and how it is turned."""

    def confidence(self) -> Confidence | None:
        """How likely it is right."""


def as_csv(solution: Solution) -> str:
    """Return a table with a line for every cell, and one for every piece that has none.

    Rows and columns count from 0, as in `solution.arrangement`. What is not known is empty. If
    pieces are turned there is a column `turn`: quarters clockwise that the piece needs.
    """
    table = _Table(solution.puzzle.names, turned=solution.turns is not None)
    table.add_picture(solution)
    table.add_strays(solution.strays)
    return table.text.getvalue()


def bag_as_csv(
    pictures: Sequence[Picture],
    strays: Sequence[int],
    names: Sequence[str] | None = None,
    *,
    turned: bool = False,
) -> str:
    """Return the table of several pictures; the column `picture` counts them from 1."""
    table = _Table(names, turned=turned, several=True)
    for number, picture in enumerate(pictures, 1):
        table.add_picture(picture, number)
    table.add_strays(strays)
    return table.text.getvalue()


class _Table:
    """Lines of CSV, with columns for turns and pictures where there are any."""

    def __init__(self, names: Sequence[str] | None, *, turned: bool, several: bool = False) -> None:
        self.text = io.StringIO()
        # A carriage return ends a line for readers of tables, and `csv` would not quote it.
        self._names = [name.replace("\r", "\\r") for name in names or ()]
        where = ["picture"] * several + ["row", "column"] + ["turn"] * turned
        self._columns = [*where, *COLUMNS[2:]]
        self._writer = csv.DictWriter(self.text, self._columns, restval="", lineterminator="\n")
        self._writer.writeheader()

    def add_picture(self, picture: Picture, number: int = 1) -> None:
        """Add a line for every cell."""
        confidence = picture.confidence()
        grids = (confidence.pieces, confidence.right, confidence.below) if confidence else ()
        pieces, turns = picture.placement
        for (row, column), piece in np.ndenumerate(pieces):
            line = {"picture": number, "row": row, "column": column}
            if piece >= 0:
                shares = (_share(grid, row, column) for grid in grids)
                line |= self._piece(piece) | {"turn": turns[row, column]}
                line |= dict(zip(COLUMNS[4:], shares, strict=False))
            self._write(line)

    def add_strays(self, strays: Sequence[int]) -> None:
        """Add a line for every piece without a cell."""
        for piece in strays:
            self._write(self._piece(piece))

    def _piece(self, piece: int) -> dict[str, object]:
        return {"piece": piece, "file": self._names[piece] if self._names else ""}

    def _write(self, line: dict[str, object]) -> None:
        self._writer.writerow({name: line[name] for name in line if name in self._columns})


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
    of a shuffled picture, and those that have to be turned, are written upright as PNG. Pieces
    without a cell are called stray-NUMBER-NAME.
    The folder must be new or empty; `force` also replaces one that holds nothing but tiles.
    """
    names, turns = _new_names(solution), _turns(solution)
    with replacing_folder(Path(folder), is_tile_name if force else None) as beside:
        for piece, ending, content in _contents(solution, source):
            if content is None:
                upright = np.rot90(solution.puzzle.pieces[piece], -turns[piece])
                picture = Image.fromarray(np.ascontiguousarray(upright))
                picture.save(beside / f"{names[piece]}.png", compress_level=QUICK)
            elif turns[piece]:
                upright_file = turned_file(content, int(turns[piece]), names[piece])
                (beside / f"{names[piece]}.png").write_bytes(upright_file)
            else:
                (beside / f"{names[piece]}{ending}").write_bytes(content)


def _turns(solution: Solution) -> np.ndarray:
    """Return the turn that each piece needs, (n,); 0 for those without a cell."""
    turns = np.zeros(len(solution.puzzle), int)
    pieces, found = solution.placement
    turns[pieces[pieces >= 0]] = found[pieces >= 0]
    return turns


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
