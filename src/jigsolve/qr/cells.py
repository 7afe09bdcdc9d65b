"""The cells of a board over the modules of a code, and which pieces they may hold."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jigsolve._kernels.geometry import BOTTOM, RIGHT, beside, opposite
from jigsolve.qr.frames import Frame
from jigsolve.qr.matching import Matching
from jigsolve.qr.raster import Raster
from jigsolve.qr.symbol import size_of


class Line(NamedTuple):
    """A row of cells (or a column) over the modules it shows."""

    phase: int
    """Pixels before the first module that begins in it."""
    modules: np.ndarray
    """The row of each module seen, the first and the last maybe in part; -1 in the margin."""
    cuts: bool
    """Whether its end cuts modules that go on in the next line."""


def _lines(many: int, length: int, before: int, module: int, size: int) -> list[Line]:
    found = []
    for line in range(many):
        start = line * length - before
        modules = (start + samples(length, -start % module, module)) // module
        inside = (modules >= 0) & (modules < size)
        cuts = line < many - 1 and (start + length) % module != 0
        found.append(Line(-start % module, np.where(inside, modules, -1), cuts))
    return found


def samples(length: int, phase: int, module: int) -> np.ndarray:
    """Return a pixel of each module that a piece shows, the first of them maybe in part."""
    whole = np.arange(phase, length, module)
    return np.append(0, whole) if phase else whole


class Group(NamedTuple):
    """Cells whose pieces begin at the same place within a module."""

    cells: np.ndarray
    modules: np.ndarray
    """The numbers of the modules that each cell shows, (cells, modules), row by row; -1 outside."""
    bits: np.ndarray
    """What each piece would say of them, (n, modules) bool, dark or light."""
    in_phase: np.ndarray
    """Which pieces have modules that begin there, (n,) bool."""


class Cells:
    """The cells of a board over a code of some version.

    Possible pieces are (n, cells) bool, cells row by row.
    """

    def __init__(self, raster: Raster, frame: Frame) -> None:
        self.frame = frame
        self.module = raster.module
        self.size = size_of(frame.version)
        _, height, width = raster.dark.shape
        rows, columns = frame.board
        self._down = _lines(rows, height, frame.top, raster.module, self.size)
        self._across = _lines(columns, width, frame.left, raster.module, self.size)
        self._raster = raster
        self.groups = self._grouped()
        self.twins, self.sides = raster.twins, raster.sides
        self.cut_seams = self._cut_seams()
        self._matching = Matching(rows * columns)

    def _grouped(self) -> list[Group]:
        found = []
        for down_phase in {line.phase for line in self._down}:
            rows = [row for row, line in enumerate(self._down) if line.phase == down_phase]
            for across_phase in {line.phase for line in self._across}:
                columns = [c for c, line in enumerate(self._across) if line.phase == across_phase]
                found.append(self._group(rows, columns, down_phase, across_phase))
        return found

    def _group(self, rows: list[int], columns: list[int], down: int, across: int) -> Group:
        _, height, width = self._raster.dark.shape
        module = self._raster.module
        cells = [row * len(self._across) + column for row in rows for column in columns]
        modules = []
        for row in rows:
            for column in columns:
                i, j = np.meshgrid(
                    self._down[row].modules, self._across[column].modules, indexing="ij"
                )
                modules.append(np.where((i < 0) | (j < 0), -1, i * self.size + j).ravel())
        seen_rows, seen_columns = samples(height, down, module), samples(width, across, module)
        bits = self._raster.dark[:, seen_rows][:, :, seen_columns]
        phases = self._raster.phases
        in_phase = np.isin(phases[:, 0], (-1, down)) & np.isin(phases[:, 1], (-1, across))
        return Group(np.array(cells), np.array(modules), bits.reshape(len(bits), -1), in_phase)

    def _cut_seams(self) -> list[tuple[int, int, int]]:
        """Return the seams whose two sides show the same modules: cell, side, the other cell."""
        columns = len(self._across)
        cells = [(i, j) for i in range(len(self._down)) for j in range(columns)]
        right = [(i * columns + j, RIGHT) for i, j in cells if self._across[j].cuts]
        below = [(i * columns + j, BOTTOM) for i, j in cells if self._down[i].cuts]
        return [(cell, side, beside(columns, cell, side)) for cell, side in right + below]

    def possible(self, known: np.ndarray) -> np.ndarray:
        """Return which pieces contradict no known module, (n, cells)."""
        values = np.append(known.ravel(), 0)  # the margin is light
        found = np.empty((len(self.twins), len(self.twins)), bool)
        for group in self.groups:
            wanted = values[group.modules]
            bits = group.bits.astype(np.float32)
            wrong = bits @ (wanted == 0).T.astype(np.float32)
            wrong += (1 - bits) @ (wanted == 1).T.astype(np.float32)
            found[:, group.cells] = (wrong < 0.5) & group.in_phase[:, None]
        return found

    def allow(self, possible: np.ndarray, modules: np.ndarray, values: np.ndarray) -> bool:
        """Whether every cell that shows some of a few modules has a piece with their values."""
        for group in self.groups:
            shown = np.isin(group.modules, modules)
            for place in np.flatnonzero(shown.any(axis=1)):
                seen = group.modules[place, shown[place]]
                wanted = values[np.searchsorted(modules, seen)] == 1
                fits = (group.bits[:, shown[place]] == wanted).all(axis=1)
                if not (fits & possible[:, group.cells[place]]).any():
                    return False
        return True

    def narrowed(self, possible: np.ndarray) -> np.ndarray | None:
        """Return what is left of the possible pieces; None if no arrangement is.

        Each piece has one cell, and the halves of a module that is cut have one colour.
        """
        possible = possible.copy()
        while True:
            if not (possible.any(axis=0).all() and possible.any(axis=1).all()):
                return None
            before = possible.sum()
            self._compare_halves(possible)
            if self.cut_seams and possible.sum() < before:
                continue
            kept = self._matching.kept(possible)
            if kept is None or kept.sum() == before:
                return kept
            possible = kept

    def _compare_halves(self, possible: np.ndarray) -> None:
        for cell, side, other in self.cut_seams:
            ours, theirs = self.sides[:, side], self.sides[:, opposite(side)]
            possible[:, other] &= np.isin(theirs, ours[possible[:, cell]])
            possible[:, cell] &= np.isin(ours, theirs[possible[:, other]])

    def arrangement(self, possible: np.ndarray) -> np.ndarray:
        """Return one of the arrangements of possible pieces, (rows, columns)."""
        return np.asarray(self._matching.of(possible)).reshape(self.frame.board)

    def sure(self, possible: np.ndarray) -> np.ndarray:
        """Return which cells have one piece left, or pieces that look the same, (cells,) bool."""
        kinds = np.where(possible, self.twins[:, None], -1).max(axis=0)
        return np.asarray((~possible | (self.twins[:, None] == kinds)).all(axis=0))
