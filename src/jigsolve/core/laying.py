"""Laying out what constraints say: joined pieces beside each other, fixed ones in their cells.

Joined pieces make a block: each has a place and a turn relative to the others. Where one of them
has a cell, all have. What clashes is named.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from jigsolve._kernels.geometry import (
    TURNS,
    cell_toward,
    piece_of,
    pose_beside,
    side_of,
    toward_of,
    toward_when_turned,
    turn_of,
    turned_cell,
)
from jigsolve.core.constraints import FACING, SIDES, Constraints, Fixed, Seam
from jigsolve.core.puzzle import Puzzle
from jigsolve.core.turns import NONE, QUARTER, possible_turns
from jigsolve.errors import InputError

Cell = tuple[int, int]


class Laying:
    """Puts joined pieces together, and fixed ones into their cells."""

    def __init__(self, constraints: Constraints, puzzle: Puzzle) -> None:
        self._constraints, self._puzzle = constraints, puzzle
        self._ways = possible_turns(puzzle.turns)
        self._check_entries()
        self._beside: dict[int, list[tuple[Seam, int, int]]] = {}
        for seam in constraints.joined:
            assert isinstance(seam, Seam)
            side, partner = _sides_of(seam)
            for one, other in ((side, partner), (partner, side)):
                self._beside.setdefault(piece_of(one), []).append((seam, one, other))
        self.place: dict[int, Cell] = {}
        """Row and column of each joined piece within its block."""
        self.turn: dict[int, int] = {}
        """And its turn there."""
        self.loose: list[list[int]] = []
        """The blocks that have no cells."""
        self._by: dict[int, Seam] = {}  # the seam that gave a piece its place in its block
        self._cell: dict[int, Cell] = {}
        self._turned: dict[int, int] = {}  # how a piece lies in its cell
        self._why: dict[int, Fixed] = {}

    def lay(self) -> None:
        """Give pieces their places and cells; raise where constraints clash."""
        self._fix()
        for piece in self._beside:
            if piece not in self.place:
                block = self._block_of(piece)
                if not self._fix_block(block):
                    self.loose.append(block)
        for piece, entry in self._why.items():
            if piece not in self._turned:
                self._turned[piece] = self._own_turn(entry)
        self._check_cells()

    def in_cells(self) -> Iterator[tuple[Cell, tuple[int, int]]]:
        """Iterate over the cells that are known, with the piece in each and its turn."""
        for piece, cell in self._cell.items():
            yield cell, (piece, self._turned[piece])

    def parted(self, neighbours: np.ndarray) -> np.ndarray:
        """Return the sides that must not touch; raise if some of them have to."""
        pairs = set()
        for seam in self._constraints.parted:
            assert isinstance(seam, Seam)
            side, partner = _sides_of(seam)
            if neighbours.flat[side] == partner:
                said = self._said_of(seam.other if seam.other in self._by else seam.piece)
                raise InputError(f"constraints: parted {seam} and {said} clash: they would touch")
            pairs.add((side, partner))
        return np.array(sorted(pairs), np.int32).reshape(-1, 2)

    def _check_entries(self) -> None:
        """Raise where an entry does not go with the puzzle."""
        most, turns = len(self._puzzle) - 1, self._puzzle.turns
        for name in ("joined", "parted", "fixed", "turned"):
            for entry in getattr(self._constraints, name):
                is_one = name in ("fixed", "turned")
                pieces = (entry.piece,) if is_one else (entry.piece, entry.other)
                if not all(0 <= piece <= most for piece in pieces):
                    raise InputError(f"{name}: expected pieces from 0 to {most:,}, found {entry}")
                if is_one:
                    if entry.turn is not None and entry.turn not in self._ways:
                        allowed = ", ".join(map(str, self._ways))
                        raise InputError(
                            f"{name}: expected turns of {allowed} where turns are {turns}, found "
                            f"{entry}"
                        )
                elif turns != NONE and entry.other_side is None:
                    raise InputError(
                        f"{name}: expected [piece, side, piece, side] where pieces may be turned, "
                        f"found {entry}"
                    )
                elif _turn_between(entry) not in self._ways:
                    raise InputError(
                        f"{name}: expected sides that may touch where turns are {turns}, found "
                        f"{entry}"
                    )

    def _block_of(self, first: int) -> list[int]:
        """Give the pieces joined to one, whatever they are joined by, places relative to it."""
        self.place[first], self.turn[first] = (0, 0), 0
        block, taken = [first], {(0, 0): first}
        for piece in block:
            for seam, side, partner in self._beside[piece]:
                other = piece_of(partner)
                way = toward_when_turned(toward_of(side), self.turn[piece])
                there = cell_toward(*self.place[piece], way)
                turn = int(turn_of(pose_beside(partner, way)))
                if other not in self.place:
                    if (lies := taken.get(there)) is not None:
                        before = self._by.get(lies) or self._beside[lies][0][0]
                        raise _clash(before, seam, "put two pieces in one place")
                    self.place[other], self.turn[other] = there, turn
                    taken[there] = other
                    self._by[other] = seam
                    block.append(other)
                elif self.place[other] != there or self.turn[other] != turn:
                    before = self._by.get(other) or self._by.get(piece, seam)
                    raise _clash(before, seam, "do not close a circle")
        self._check_span(block)
        return block

    def _check_span(self, block: list[int]) -> None:
        """Raise if a block exceeds the board, whichever way up it may lie."""
        ends, spans = [], []
        for axis in (0, 1):
            lowest = min(block, key=lambda piece: self.place[piece][axis])
            highest = max(block, key=lambda piece: self.place[piece][axis])
            ends.append((lowest, highest))
            spans.append(self.place[highest][axis] - self.place[lowest][axis] + 1)
        board = self._puzzle.board
        for axis in (0, 1):
            room, what = board[axis], ("rows", "columns")[axis]
            if self._puzzle.turns == QUARTER:
                is_longer = spans[axis] > spans[1 - axis]
                room, what = (max(board) if is_longer else min(board)), "cells in a line"
                if spans[0] == spans[1]:
                    room = min(board)
            if spans[axis] > room:
                one, other = (self._by.get(p) or self._beside[p][0][0] for p in ends[axis])
                raise _clash(one, other, f"make {spans[axis]} {what} of a board of {room}")

    def _fix(self) -> None:
        """Take note of the cells that are given."""
        board, taken = self._puzzle.board, dict[Cell, Fixed]()
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
        board = self._puzzle.board
        # A piece whose turn is given says most; where none is, two cells together may say it.
        first = next((piece for piece in known if self._why[piece].turn is not None), known[0])
        ways = [way for way in self._ways if self._agrees(first, known, way)]
        given = self._why[first].turn
        if len(ways) > 1:
            raise self._asks_for_turn(self._why[first])
        way = ways[0] if ways else ((given or 0) - self.turn[first]) % TURNS
        for piece in block:
            cell, turn = self._moved(piece, first, way), (self.turn[piece] + way) % TURNS
            by = self._by.get(piece) or self._beside[piece][0][0]
            if piece in self._why and not self._is_as_said(piece, cell, turn):
                turned = f", turn {turn}" if self._puzzle.turns != NONE else ""
                raise InputError(
                    f"constraints: fixed {self._why[piece]} and joined {by} clash: by fixed "
                    f"{self._why[first]} the piece would be in row {cell[0]}, column {cell[1]}"
                    f"{turned}"
                )
            if not (0 <= cell[0] < board.rows and 0 <= cell[1] < board.columns):
                raise InputError(
                    f"constraints: fixed {self._why[first]} and joined {by} put piece {piece} "
                    f"beside the board of {board.rows} rows and {board.columns} columns"
                )
            self._cell[piece], self._turned[piece] = cell, turn
        return True

    def _agrees(self, first: int, known: list[int], way: int) -> bool:
        """Whether all cells that are given of a block hold if it is turned by so much."""
        return all(
            self._is_as_said(
                piece, self._moved(piece, first, way), (self.turn[piece] + way) % TURNS
            )
            for piece in known
        )

    def _is_as_said(self, piece: int, cell: Cell, turn: int) -> bool:
        said = self._why[piece]
        return (said.row, said.column) == cell and said.turn in (None, turn)

    def _moved(self, piece: int, first: int, way: int) -> Cell:
        """Return the cell of a piece of a block that is turned about another, which has its."""
        away = (
            here - there for here, there in zip(self.place[piece], self.place[first], strict=True)
        )
        down, right = turned_cell(*away, way)
        return self._why[first].row + down, self._why[first].column + right

    def _own_turn(self, entry: Fixed) -> int:
        """Return the turn of a piece that is joined to none; raise if it is not said."""
        if entry.turn is None and len(self._ways) > 1:
            raise self._asks_for_turn(entry)
        return entry.turn or 0

    @staticmethod
    def _asks_for_turn(entry: Fixed) -> InputError:
        return InputError(
            f"fixed: expected [piece, row, column, turn] where pieces may be turned, found {entry}"
        )

    def _check_cells(self) -> None:
        taken: dict[Cell, int] = {}
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


def _sides_of(seam: Seam) -> tuple[int, int]:
    """Return the numbers of a seam's two sides."""
    facing = seam.other_side or FACING[seam.side]
    return (
        int(side_of(seam.piece, SIDES.index(seam.side))),
        int(side_of(seam.other, SIDES.index(facing))),
    )


def _turn_between(seam: Seam) -> int:
    """Return by how much the second piece of a seam is turned if the first is not."""
    side, partner = _sides_of(seam)
    return int(turn_of(pose_beside(partner, toward_of(side))))


def _clash(one: Seam, other: Seam, what: str) -> InputError:
    return InputError(f"constraints: joined {one} and joined {other} {what}")
