"""What constraints say together: where pieces must lie, beside whom, and beside whom not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from jigsolve.core.constraints import FACING, SIDES, STEPS, Constraints, Fixed, Seam
from jigsolve.core.puzzle import Puzzle
from jigsolve.errors import InputError


@dataclass(frozen=True, eq=False)
class Layout:
    """What constraints say together, of every piece of a puzzle."""

    neighbours: np.ndarray
    """The pieces that must lie beside each, (n, 4) int32; -1 where that is open."""
    cells: np.ndarray
    """The cell that each must lie in, row by row, (n,) int32; -1 where that is open."""
    blocks: tuple[np.ndarray, ...]
    """Pieces that must lie together in one way, those of fixed cells aside: for each block the
    piece, its row and its column within the block, (k, 3) int32; the largest block first."""
    parted: np.ndarray
    """Pairs of sides that must not touch, (m, 2) int32, side s of piece p as 4 p + s."""

    def renumbered(self, numbers: np.ndarray) -> Layout:
        """Return the same with other numbers of the pieces, -1 the last of them."""
        order = np.argsort(numbers[:-1])
        blocks = tuple(
            np.column_stack([numbers[block[:, 0]], block[:, 1:]]).astype(np.int32)
            for block in self.blocks
        )
        parted = 4 * numbers[self.parted // 4] + self.parted % 4
        return Layout(
            neighbours=np.asarray(numbers[self.neighbours[order]], np.int32),
            cells=self.cells[order],
            blocks=blocks,
            parted=np.asarray(parted, np.int32),
        )

    def kept_seams(self, arrangement: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return which seams of an arrangement must hold: to the right, and below."""
        padded = np.vstack([self.neighbours, np.full((1, 4), -2, np.int32)])
        right = padded[arrangement[:, :-1], 1] == arrangement[:, 1:]
        below = padded[arrangement[:-1], 3] == arrangement[1:]
        return right & (arrangement[:, 1:] >= 0), below & (arrangement[1:] >= 0)

    def violated(self, arrangement: np.ndarray) -> int:
        """Return how many constraints an arrangement does not keep."""
        place = np.full((len(self.cells), 2), -9, np.int64)
        there = np.argwhere(arrangement >= 0)
        place[arrangement[arrangement >= 0]] = there
        fixed = self.cells >= 0
        cell = place[:, 0] * arrangement.shape[1] + place[:, 1]
        wrong = int(np.count_nonzero(cell[fixed] != self.cells[fixed]))
        for side in (1, 3):
            held = np.flatnonzero(self.neighbours[:, side] >= 0)
            away = place[self.neighbours[held, side]] - place[held]
            wrong += int(np.count_nonzero((away != STEPS[SIDES[side]]).any(axis=1)))
        pieces, sides = self.parted[:, 0] // 4, self.parted[:, 0] % 4
        steps = np.array([STEPS[name] for name in SIDES])
        away = place[self.parted[:, 1] // 4] - place[pieces]
        on_board = (place[pieces, 0] >= 0) & (place[self.parted[:, 1] // 4, 0] >= 0)
        touching = (away == steps[sides]).all(axis=1) & on_board
        return wrong + int(np.count_nonzero(touching))


def laid_out(constraints: Constraints, puzzle: Puzzle) -> Layout:
    """Return what constraints say together; raise where two of them clash."""
    return _Laying(constraints, puzzle).layout()


class _Laying:
    """Puts joined pieces together, and fixed ones into their cells."""

    def __init__(self, constraints: Constraints, puzzle: Puzzle) -> None:
        self._constraints, self._puzzle = constraints, puzzle
        self._check_numbers()
        self._beside: dict[int, list[tuple[Seam, str, int]]] = {}
        for seam in constraints.joined:
            assert isinstance(seam, Seam)
            ends = (
                (seam.piece, seam.side, seam.other),
                (seam.other, FACING[seam.side], seam.piece),
            )
            for piece, side, other in ends:
                self._beside.setdefault(piece, []).append((seam, side, other))
        self._place: dict[int, tuple[int, int]] = {}
        self._by: dict[int, Seam] = {}  # the seam that gave a piece its place in its block
        self._cell: dict[int, tuple[int, int]] = {}
        self._why: dict[int, Fixed] = {}

    def layout(self) -> Layout:
        board = self._puzzle.board
        self._fix()
        loose = []
        for piece in self._beside:
            if piece not in self._place:
                block = self._block_of(piece)
                if not self._fix_block(block):
                    loose.append(block)
        self._check_cells()
        neighbours = np.full((len(self._puzzle), 4), -1, np.int32)
        for block in loose:
            self._enter(neighbours, {self._place[piece]: piece for piece in block})
        self._enter(neighbours, {cell: piece for piece, cell in self._cell.items()})
        cells = np.full(len(self._puzzle), -1, np.int32)
        for piece, (row, column) in self._cell.items():
            cells[piece] = row * board.columns + column
        loose.sort(key=lambda block: (-len(block), min(block)))
        return Layout(
            neighbours,
            cells,
            tuple(self._as_array(block) for block in loose),
            self._parted(neighbours),
        )

    def _check_numbers(self) -> None:
        most = len(self._puzzle) - 1
        for name, entries in (
            ("joined", self._constraints.joined),
            ("parted", self._constraints.parted),
            ("fixed", self._constraints.fixed),
        ):
            for entry in entries:
                pieces = entry[:1] if name == "fixed" else (entry[0], entry[2])
                if not all(0 <= int(piece) <= most for piece in pieces):
                    raise InputError(f"{name}: expected pieces from 0 to {most:,}, found {entry}")

    def _block_of(self, first: int) -> list[int]:
        """Give the pieces joined to one, whatever they are joined by, places relative to it."""
        self._place[first] = (0, 0)
        block, taken = [first], {(0, 0): first}
        for piece in block:
            row, column = self._place[piece]
            for seam, side, other in self._beside[piece]:
                down, right = STEPS[side]
                there = (row + down, column + right)
                if other not in self._place:
                    if (lies := taken.get(there)) is not None:
                        before = self._by.get(lies) or self._beside[lies][0][0]
                        raise self._clash(before, seam, "put two pieces in one place")
                    self._place[other], taken[there] = there, other
                    self._by[other] = seam
                    block.append(other)
                elif self._place[other] != there:
                    before = self._by.get(other) or self._by.get(piece, seam)
                    raise self._clash(before, seam, "do not close a circle")
        for axis, room in ((0, self._puzzle.board.rows), (1, self._puzzle.board.columns)):
            lowest = min(block, key=lambda piece: self._place[piece][axis])
            highest = max(block, key=lambda piece: self._place[piece][axis])
            span = self._place[highest][axis] - self._place[lowest][axis] + 1
            if span > room:
                ends = [
                    self._by.get(piece) or self._beside[piece][0][0] for piece in (lowest, highest)
                ]
                what = ("rows", "columns")[axis]
                raise self._clash(ends[0], ends[1], f"make {span} {what} of a board of {room}")
        return block

    def _fix(self) -> None:
        """Take note of the cells that are given."""
        board, taken = self._puzzle.board, dict[tuple[int, int], Fixed]()
        for entry in self._constraints.fixed:
            assert isinstance(entry, Fixed)
            if not (0 <= entry.row < board.rows and 0 <= entry.column < board.columns):
                raise InputError(
                    f"fixed: expected rows below {board.rows} and columns below {board.columns}, "
                    f"found {entry}"
                )
            cell = (entry.row, entry.column)
            other = taken.get(cell) or self._why.get(entry.piece)
            if other is not None and other != entry:
                said = "fix one cell twice" if cell in taken else "fix one piece twice"
                raise InputError(f"constraints: fixed {other} and fixed {entry} {said}")
            taken[cell] = self._why[entry.piece] = entry
            self._cell[entry.piece] = cell

    def _fix_block(self, block: list[int]) -> bool:
        """Give all pieces of a block their cells if one of them has one; return whether."""
        known = [piece for piece in block if piece in self._why]
        if not known:
            return False
        board, first = self._puzzle.board, known[0]
        top, left = (
            cell - place for cell, place in zip(self._cell[first], self._place[first], strict=True)
        )
        for piece in block:
            row, column = self._place[piece]
            cell = (row + top, column + left)
            by = self._by.get(piece) or self._beside[piece][0][0]
            if piece in self._why and self._cell[piece] != cell:
                raise InputError(
                    f"constraints: fixed {self._why[piece]} and joined {by} clash: by fixed "
                    f"{self._why[first]} the piece would be in row {cell[0]}, column {cell[1]}"
                )
            if not (0 <= cell[0] < board.rows and 0 <= cell[1] < board.columns):
                raise InputError(
                    f"constraints: fixed {self._why[first]} and joined {by} put piece {piece} "
                    f"beside the board of {board.rows} rows and {board.columns} columns"
                )
            self._cell[piece] = cell
        return True

    def _check_cells(self) -> None:
        taken: dict[tuple[int, int], int] = {}
        for piece, cell in self._cell.items():
            if cell in taken:
                one, other = (self._said_of(each) for each in (taken[cell], piece))
                raise InputError(
                    f"constraints: {one} and {other} put two pieces in row {cell[0]}, column "
                    f"{cell[1]}"
                )
            taken[cell] = piece

    def _said_of(self, piece: int) -> str:
        if piece in self._why:
            return f"fixed {self._why[piece]}"
        return f"joined {self._by.get(piece) or self._beside[piece][0][0]}"

    @staticmethod
    def _enter(neighbours: np.ndarray, at: Mapping[tuple[int, int], int]) -> None:
        """Note which pieces lie side by side."""
        for (row, column), piece in at.items():
            for side, name in enumerate(SIDES):
                down, right = STEPS[name]
                neighbours[piece, side] = at.get((row + down, column + right), -1)

    def _as_array(self, block: list[int]) -> np.ndarray:
        places = np.array([self._place[piece] for piece in block])
        return np.column_stack([block, places - places.min(axis=0)]).astype(np.int32)

    def _parted(self, neighbours: np.ndarray) -> np.ndarray:
        """Return the sides that must not touch; raise if some of them have to."""
        pairs = set()
        for seam in self._constraints.parted:
            side = SIDES.index(seam[1])
            if neighbours[seam[0], side] == seam[2]:
                said = self._said_of(seam[2] if seam[2] in self._by else seam[0])
                raise InputError(f"constraints: parted {seam} and {said} clash: they would touch")
            pairs.add((4 * seam[0] + side, 4 * seam[2] + SIDES.index(FACING[seam[1]])))
        return np.array(sorted(pairs), np.int32).reshape(-1, 2)

    @staticmethod
    def _clash(one: Seam, other: Seam, what: str) -> InputError:
        return InputError(f"constraints: joined {one} and joined {other} {what}")
