"""A puzzle: pieces, and the board they fill."""

from __future__ import annotations

import operator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple, overload

import numpy as np

from jigsolve.core import turns as turning
from jigsolve.core.checks import check_seed, whole_number
from jigsolve.core.pieces import PieceSize, checked_names, checked_pieces, laid, pixels_of
from jigsolve.core.turns import NONE, Placement, check_turns
from jigsolve.damage import UNDAMAGED, Damage, Places
from jigsolve.errors import InputError, OddSizeError


class Board(NamedTuple):
    """The frame of a puzzle, in pieces."""

    rows: int
    columns: int


@dataclass(frozen=True, eq=False)
class Puzzle:
    """Equal rectangular pieces and the board they fill.

    Parameters
    ----------
    pieces
        Array of shape (n, height, width, 3), uint8. A piece's id is its index, which says
        nothing about where it belongs.
    board
        Rows and columns; their product is n, less the strays, plus the holes.
    names
        What the pieces are called, their files say; no solver looks at them.
    holes
        The most cells that may stay empty.
    strays
        How many pieces are left over if so many cells do. Which ones is for the solver to find.
    damage
        What happened to the pieces after the picture was cut.
    places
        Where they lay in the shuffled picture, if they are from one; after `shuffle` that would
        be the truth.
    turns
        What turns pieces may need: "none", "half" or "quarter".

    Examples
    --------
    >>> import numpy as np
    >>> picture = np.arange(6 * 8 * 3, dtype=np.uint8).reshape(6, 8, 3)
    >>> puzzle = Puzzle.cut(picture, piece=2)
    >>> puzzle.board
    Board(rows=3, columns=4)
    >>> shuffled, truth = puzzle.shuffle(seed=1)
    >>> bool((shuffled.image(truth) == picture).all())
    True
    """

    pieces: np.ndarray
    board: Board
    names: tuple[str, ...] | None = None
    holes: int = 0
    strays: int = 0
    damage: Damage = UNDAMAGED
    places: Places | None = None
    turns: str = NONE

    def __post_init__(self) -> None:
        pieces = checked_pieces(self.pieces)
        object.__setattr__(self, "pieces", pieces)
        try:
            board = Board(*map(operator.index, self.board))
        except TypeError:
            raise InputError(f"expected a board as (rows, columns), found {self.board!r}") from None
        if min(board) < 1:
            raise InputError(
                f"expected a board of at least one row and column, found {board.rows} rows x "
                f"{board.columns} columns"
            )
        object.__setattr__(self, "board", board)
        self._check_numbers()
        object.__setattr__(self, "names", checked_names(self.names, len(pieces)))
        check_turns(self.turns, *pieces.shape[1:3])
        if self.places is not None and len(self.places.windows) != len(pieces):
            raise InputError(f"expected {len(pieces)} places, found {len(self.places.windows)}")

    def _check_numbers(self) -> None:
        """Raise unless there are as many pieces as the board, its holes and the strays say."""
        found, cells = len(self.pieces), self.board.rows * self.board.columns
        for name in ("holes", "strays"):
            most = cells if name == "holes" else found
            number = whole_number(name, getattr(self, name), 0, most)
            object.__setattr__(self, name, number)
        expected = cells - self.holes + self.strays
        if expected != found:
            but = f" with {self.holes} holes and {self.strays} strays"
            raise InputError(
                f"a board of {self.board.rows} rows x {self.board.columns} columns"
                f"{but if self.holes or self.strays else ''} expects {expected} pieces, "
                f"found {found}"
            )
        if min(found - self.strays, cells) < 2:
            raise InputError(
                f"expected at least two pieces and cells, found {found - self.strays} and {cells}"
                if found > 1
                else f"expected at least two pieces, found {found}"
            )

    def __len__(self) -> int:
        return len(self.pieces)

    @property
    def piece_size(self) -> PieceSize:
        """Height and width of a piece."""
        return PieceSize(*self.pieces.shape[1:3])

    @classmethod
    def cut(
        cls,
        image: np.ndarray | str | Path,
        piece: int | tuple[int, int] = 28,
        *,
        crop: bool = True,
    ) -> Puzzle:
        """Cut a picture into pieces, numbered row by row.

        Parameters
        ----------
        image
            A file, or an array of shape (height, width, 3) or (height, width), uint8.
        piece
            The side of a square piece in pixels, or (height, width).
        crop
            Leave out what is too narrow for a piece at the right and the bottom; otherwise
            a picture that is not a whole number of pieces is refused.
        """
        name = f"{image}: " if isinstance(image, str | Path) else ""
        pixels = pixels_of(image)
        size = PieceSize.of(piece)
        found = PieceSize(*pixels.shape[:2])
        rows, columns = found.height // size.height, found.width // size.width
        if rows * columns < 2:
            raise InputError(
                f"{name}expected room for at least two pieces of {size} pixels, "
                f"found a picture of {found}"
            )
        whole = PieceSize(rows * size.height, columns * size.width)
        if whole != found and not crop:
            raise OddSizeError(
                f"{name}expected a picture of whole {size} pieces, found {found}; "
                f"its whole pieces measure {whole}"
            )
        pieces = (
            pixels[: whole.height, : whole.width]
            .reshape(rows, size.height, columns, size.width, 3)
            .swapaxes(1, 2)
            .reshape(rows * columns, size.height, size.width, 3)
        )
        return cls(np.ascontiguousarray(pieces), Board(rows, columns))

    @overload
    def shuffle(self, seed: int, turns: Literal["none"] = ...) -> tuple[Puzzle, np.ndarray]: ...

    @overload
    def shuffle(self, seed: int, turns: str) -> tuple[Puzzle, np.ndarray | Placement]: ...

    def shuffle(self, seed: int, turns: str = NONE) -> tuple[Puzzle, np.ndarray | Placement]:
        """Return the puzzle with its pieces in random order, and the truth.

        The truth is the arrangement, in ids of the shuffled puzzle, that restores this puzzle's
        order; if pieces are turned, too, by "half" or "quarter" turns, a `Placement`. Keep it for
        `score`; no solver asks for it. Where pieces were in a picture is left out: it would be the
        truth, too.
        """
        check_seed(seed)
        check_turns(turns, *self.piece_size)
        if self.holes or self.strays:
            raise InputError("expected a whole puzzle to shuffle, found one with holes or strays")
        order = np.random.default_rng(seed).permutation(len(self)).astype(np.int32)
        truth = np.argsort(order).astype(np.int32).reshape(self.board)
        names = None if self.names is None else tuple(self.names[i] for i in order)
        if turns == NONE:
            pieces = self.pieces[order]
            return Puzzle(pieces, self.board, names, damage=self.damage, turns=self.turns), truth
        needed = turning.random_turns(len(self), turns, seed)
        pieces = turning.turned_pieces(self.pieces[order], (4 - needed) % 4)
        widest = max(turns, self.turns, key=lambda kind: turning.POSES[kind])
        shuffled = Puzzle(pieces, self.board, names, damage=self.damage, turns=widest)
        return shuffled, Placement(truth, needed[truth])

    def image(
        self, arrangement: np.ndarray | None = None, turns: np.ndarray | None = None
    ) -> np.ndarray:
        """Return the picture an arrangement makes; without one, the pieces in order.

        Empty cells, -1, are grey. Turns say how many quarters clockwise the piece in each cell is
        turned.
        """
        rows, columns = self.board
        if arrangement is None:
            in_order = np.arange(rows * columns)
            cells = np.where(in_order < len(self), in_order, -1)
        else:
            cells = checked_arrangement(arrangement, self).ravel()
        if turns is not None:
            turns = turning.checked_turns(turns, cells, self.turns).reshape(self.board)
        return laid(self.pieces, cells.reshape(self.board), turns)


def checked_arrangement(arrangement: np.ndarray, puzzle: Puzzle) -> np.ndarray:
    """Return an arrangement as a (rows, columns) array; raise unless it is one of the puzzle's.

    Where there are holes, -1 stands for an empty cell.
    """
    cells = np.asarray(arrangement)
    board = puzzle.board
    size = board.rows * board.columns
    if cells.shape not in (board, (size,)) or cells.dtype.kind not in "iu":
        raise InputError(
            f"expected an arrangement as whole numbers of shape {tuple(board)} or ({size},), "
            f"found {cells.dtype} of shape {cells.shape}"
        )
    lowest = -1 if puzzle.holes else 0
    if cells.min() < lowest or cells.max() >= len(puzzle):
        raise InputError(
            f"expected an arrangement of pieces from {lowest} to {len(puzzle) - 1}, "
            f"found {cells.min()} to {cells.max()}"
        )
    placed = cells[cells >= 0]
    if len(np.unique(placed)) < placed.size:
        raise InputError(
            f"expected an arrangement with each of {len(puzzle)} pieces once, "
            f"found {len(np.unique(placed))} different ids in {placed.size} cells"
        )
    return cells.reshape(board)
