"""Cells that known modules leave open are filled so that the check sums of the code are even.

The sums are brought into a form in which each is complete after as few cells as possible. Until
the first is, pieces are tried blindly; from then on nearly every wrong one is noticed at once.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jigsolve._kernels.geometry import SIDES, opposite
from jigsolve._kernels.parity import try_pieces
from jigsolve.qr.cells import Cells
from jigsolve.qr.codewords import parity_matrix
from jigsolve.qr.symbol import Format, data_places, mask_bits


class Step(NamedTuple):
    """A cell to fill."""

    cell: int
    pieces: np.ndarray
    """One of each kind that may lie there."""
    modules: np.ndarray
    """Modules of data that no earlier step shows: their places among the bits of data."""
    bits: np.ndarray
    """What each piece says of them, (pieces, modules) bool."""


class Outcome(NamedTuple):
    """What a search came to."""

    possible: np.ndarray | None
    """The pieces, all alike, of each cell in an arrangement whose sums are even, (n, cells) bool;
    None if none was found."""
    unique: bool
    """Whether it is the only one."""
    tried: int
    """How many pieces were tried."""


class Search:
    """The way to fill cells that are not sure, given what is possible, (n, cells) bool."""

    def __init__(self, cells: Cells, possible: np.ndarray, chosen: Format) -> None:
        self._cells = cells
        self._possible = possible
        self.format = chosen
        self._bit_of = np.full(cells.size**2, -1)
        rows, columns = data_places(cells.frame.version).T
        self._bit_of[rows * cells.size + columns] = np.arange(len(rows))
        sure = cells.sure(possible)
        shown: set[int] = set()
        self._sure = self._steps(np.flatnonzero(sure), shown)
        self._open = self._steps(np.flatnonzero(~sure), shown)

    def _steps(self, wanted: np.ndarray, shown: set[int]) -> list[Step]:
        """Return steps for some cells, those first whose choices tell the most bits each."""
        found = []
        for group in self._cells.groups:
            inside = np.isin(group.cells, wanted)
            for cell, modules in zip(group.cells[inside], group.modules[inside], strict=True):
                pieces = np.flatnonzero(self._possible[:, cell])
                pieces = pieces[np.unique(self._cells.twins[pieces], return_index=True)[1]]
                bits = np.where(modules >= 0, self._bit_of[modules], -1)
                seen = group.bits[pieces][:, bits >= 0]
                found.append(Step(int(cell), pieces, bits[bits >= 0], seen))
        found.sort(key=lambda s: (np.log2(len(s.pieces)) / (len(s.modules) + 0.1), s.cell))
        for i, step in enumerate(found):
            new = np.array([bit not in shown for bit in step.modules.tolist()], bool)
            shown.update(step.modules.tolist())
            found[i] = step._replace(modules=step.modules[new], bits=step.bits[:, new])
        return found

    def effort(self) -> float:
        """Return about how many pieces must be tried, as a logarithm to base 2.

        A sum becomes complete with every bit, once no more bits are open than there are sums.
        """
        bits = len(data_places(self._cells.frame.version))
        spare = len(self._matrix()) - (bits - sum(len(step.modules) for step in self._sure))
        paths, most = 0.0, 0.0
        for step in self._open:
            paths += float(np.log2(len(step.pieces)))
            most = max(most, paths)
            complete = max(spare + len(step.modules), 0) - max(spare, 0)
            spare += len(step.modules)
            paths = max(paths - complete, 0.0)
        return most

    def _matrix(self) -> np.ndarray:
        return parity_matrix(self._cells.frame.version, self.format.level)

    @property
    def missing(self) -> int:
        """How many bits of data no piece shows: what did not fill a piece was cut off."""
        shown = sum(len(step.modules) for step in (*self._sure, *self._open))
        return len(data_places(self._cells.frame.version)) - shown

    def margin(self) -> float:
        """Return by how much sums outnumber what they have to tell apart, in bits."""
        arrangements = sum(float(np.log2(len(step.pieces))) for step in self._open)
        return len(self._matrix()) - self.missing - arrangements

    def run(self, budget: int) -> Outcome:
        """Fill the cells, trying so many pieces at most."""
        sums, last = self._echelon()
        step_of = self._step_of_bits()
        ends = step_of[last]
        sums, ends = sums[ends < len(self._open)], ends[ends < len(self._open)]
        inverted = mask_bits(self._cells.frame.version, self.format.mask).astype(bool)
        start = _sums_of(sums, inverted)
        for step in self._sure:
            start ^= _sums_of(sums[:, step.modules], step.bits[0])
        if start[ends < 0].any():
            return Outcome(None, unique=False, tried=0)
        return self._tried(sums, ends, start, budget)

    def _step_of_bits(self) -> np.ndarray:
        """Return which step shows each bit: -1 for sure cells, behind all others if none does."""
        found = np.full(len(data_places(self._cells.frame.version)), len(self._open))
        for number, step in enumerate(self._open):
            found[step.modules] = number
        for step in self._sure:
            found[step.modules] = -1
        return found

    def _echelon(self) -> tuple[np.ndarray, np.ndarray]:
        """Return sums that end as early as possible, and the last bit of each."""
        order = np.argsort(-self._step_of_bits(), kind="stable")
        packed = np.packbits(self._matrix()[:, order], axis=1)
        done, last = 0, []
        for place, bit in enumerate(order.tolist()):
            has = packed[:, place // 8] >> (7 - place % 8) & 1 == 1
            rows = done + np.flatnonzero(has[done:])
            if not len(rows):
                continue
            packed[[done, rows[0]]] = packed[[rows[0], done]]
            packed[rows[1:]] ^= packed[done]
            done += 1
            last.append(bit)
        sums = np.empty((done, len(order)), bool)
        sums[:, order] = np.unpackbits(packed[:done], axis=1, count=len(order)).astype(bool)
        return sums, np.array(last, int)

    def _tried(self, sums: np.ndarray, ends: np.ndarray, start: np.ndarray, budget: int) -> Outcome:
        steps, twins = self._open, self._cells.twins
        choices = np.cumsum([0, *(len(step.pieces) for step in steps)])
        pieces = np.concatenate([np.empty(0, int), *(step.pieces for step in steps)])
        added = [_sums_of(sums[:, step.modules], step.bits) for step in steps]
        width = -(-len(sums) // 64) * 64
        left = np.bincount(twins)
        np.subtract.at(left, [twins[step.pieces[0]] for step in self._sure], 1)
        words = max(width // 64, 1)
        found = np.zeros((2, len(steps)), np.int64)
        many, tried = try_pieces(
            choices,
            twins[pieces],
            left,
            _packed(np.concatenate([np.empty((0, len(sums)), bool), *added]), words),
            _packed(start[None], words)[0],
            _packed(ends == np.arange(len(steps))[:, None], words),
            self._cells.sides[pieces],
            self._beside(),
            budget,
            np.zeros(len(steps), np.int64),
            np.zeros((len(steps) + 1, words), np.uint64),
            found,
        )
        if not many:
            return Outcome(None, unique=False, tried=tried)
        kept = np.zeros_like(self._possible)
        for step in self._sure:
            kept[:, step.cell] = twins == twins[step.pieces[0]]
        for step, choice in zip(steps, found[0], strict=True):
            kept[:, step.cell] = twins == twins[pieces[choice]]
        return Outcome(kept, unique=many == 1 and tried <= budget, tried=tried)

    def _beside(self) -> np.ndarray:
        """Return for each step and side the earlier step that shows the same modules, or -1."""
        number = {step.cell: i for i, step in enumerate(self._open)}
        found = np.full((len(self._open), SIDES), -1)
        for cell, side, other in self._cells.cut_seams:
            if cell in number and other in number:
                one, two = number[cell], number[other]
                found[max(one, two), side if one > two else opposite(side)] = min(one, two)
        return found


def _sums_of(sums: np.ndarray, bits: np.ndarray) -> np.ndarray:
    """Return what bits, (..., bits), make of sums, (sums, bits): which are odd, (..., sums)."""
    counted = bits.astype(np.float32) @ sums.T.astype(np.float32)
    return np.asarray(counted.astype(np.int64) % 2 == 1)


def _packed(rows: np.ndarray, words: int) -> np.ndarray:
    """Return rows of bits as 64-bit words."""
    room = np.zeros((len(rows), 64 * words), bool)
    room[:, : rows.shape[1]] = rows
    return np.packbits(room, axis=1).view(np.uint64)
