"""Segments: groups of pieces whose places relative to each other are taken for granted.

They are what evolution begins with. An arrangement is repaired in the same way: what in it speaks
for itself is kept, what remains is joined anew. Much that competed before is then out of the way.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from jigsolve._kernels.costs import firsts_of
from jigsolve._kernels.evidence import Evidence, board_evidence
from jigsolve.assembly.cuts import cut_apart
from jigsolve.assembly.joining import MOMENTS, Assembly, Segment
from jigsolve.core import Board
from jigsolve.core.layout import Layout
from jigsolve.execution.crew import Executor, Progress
from jigsolve.measures.calibration import COUNTED
from jigsolve.seams.table import SeamTable

CAUTION = 2.0
"""How much more, with caution: so many times the logarithm of the smaller part's pieces."""


@dataclass(frozen=True)
class Segments:
    """The segments of a puzzle at several moments, from few sure joins to many."""

    neighbours: np.ndarray
    """A neighbour table per moment, (moments, n, 4) int32: the side that each side touches, -1
    where that is not known."""
    largest: list[Segment]
    """The largest segment at each moment."""

    @classmethod
    def assemble(
        cls,
        table: SeamTable,
        board: Board,
        crew: Executor,
        layout: Layout | None = None,
        *,
        progress: Progress | None = None,
    ) -> Segments:
        """Join pieces to segments, none larger than the board."""
        return cls.assembled(Assembly(table, board, crew, layout), progress=progress)

    @classmethod
    def assembled(cls, assembly: Assembly, *, progress: Progress | None = None) -> Segments:
        """Join the segments of an assembly in all rounds."""
        neighbours, largest = assembly.moments(progress)
        return cls(np.stack(neighbours), largest)

    @classmethod
    def so_far(cls, assembly: Assembly) -> Segments:
        """Return what an assembly has joined so far."""
        return cls(assembly.work.neighbours.copy()[None], [assembly.largest()])

    @staticmethod
    def surest_extent(table: SeamTable, crew: Executor) -> Board:
        """Return rows and columns of the largest segment that very sure joins make, unframed."""
        return _unframed(table, crew, MOMENTS[0], CAUTION).largest().extent

    @staticmethod
    def surest(table: SeamTable, crew: Executor) -> np.ndarray:
        """Return what sure joins make, unframed, as a neighbour table, (n, 4)."""
        return _unframed(table, crew, MOMENTS[1]).work.neighbours

    @classmethod
    def reassemble(
        cls,
        table: SeamTable,
        board: Board,
        crew: Executor,
        arrangement: np.ndarray,
        layout: Layout | None = None,
        *,
        cautious: bool = False,
    ) -> Segments | None:
        """Keep what speaks for itself in an arrangement of poses, and join it anew.

        With caution, more of what few seams hold together is taken apart. And where costs are
        logarithms there are two more moments: all new joins, or only the surest ones, and beside
        them what is left of the arrangement. Else what was good enough would be lost with what is
        mended. Returns None where all is kept.
        """
        anew = _kept(table, board, crew, arrangement, layout, CAUTION if cautious else 0.0)
        if len(anew.largest().pieces) == np.count_nonzero(arrangement >= 0):
            return None
        # Tried with costs that are logarithms only, which are annealed after each round.
        return cls._beside(anew, arrangement, restores=cautious and table.costs_are_logarithms)

    @classmethod
    def going_on(
        cls,
        table: SeamTable,
        board: Board,
        crew: Executor,
        arrangement: np.ndarray,
        layout: Layout | None = None,
        *,
        progress: Progress | None = None,
    ) -> Segments:
        """Take an arrangement of poses apart and join it anew, -1 where a cell is empty.

        As `reassemble` does with caution, also where nothing has to be taken apart: pieces that
        have no cell are joined as well.
        """
        anew = _kept(table, board, crew, arrangement, layout, CAUTION)
        return cls._beside(
            anew, arrangement, restores=table.costs_are_logarithms, progress=progress
        )

    @classmethod
    def _beside(
        cls,
        anew: Assembly,
        arrangement: np.ndarray,
        *,
        restores: bool,
        progress: Progress | None = None,
    ) -> Segments:
        """Join what is kept of an arrangement, in all rounds."""
        sure = anew.copy() if restores else None
        neighbours, largest = anew.moments(progress)
        if sure:
            sure.join_down_to(MOMENTS[0])
            for assembly in (anew, sure):
                assembly.restore(arrangement)
                neighbours.append(assembly.work.neighbours)
                largest.append(assembly.largest())
        return cls(np.stack(neighbours), largest)


def _unframed(table: SeamTable, crew: Executor, least: float, caution: float = 0.0) -> Assembly:
    """Make all joins for which so much speaks, on a board without limits."""
    assembly = Assembly(table, Board(table.pieces, table.pieces), crew)
    assembly.join_down_to(least, caution)
    return assembly


def _kept(
    table: SeamTable,
    board: Board,
    crew: Executor,
    arrangement: np.ndarray,
    layout: Layout | None = None,
    caution: float = 0.0,
) -> Assembly:
    """Make the joins of an arrangement for which enough speaks.

    Where costs are logarithms, not those over weak borders.
    """
    part = None
    if table.costs_are_logarithms:
        every = Assembly(table, board, crew, layout)
        every.keep(arrangement)
        part = cut_apart(table, arrangement, every.work.segment)
        if part is every.work.segment and not caution:
            return every
    assembly = Assembly(table, board, crew, layout)
    assembly.keep(arrangement, caution, part)
    return assembly


def kept_together(
    table: SeamTable,
    board: Board,
    crew: Executor,
    arrangement: np.ndarray,
    layout: Layout | None = None,
) -> np.ndarray:
    """Return for each piece the number of the part of an arrangement that it is in, (n,).

    Parts are what `Segments.reassemble` begins with if it is not cautious.
    """
    return _kept(table, board, crew, arrangement, layout).work.segment


def evidence(
    table: SeamTable, arrangement: np.ndarray, says: Evidence = COUNTED.evidence
) -> tuple[np.ndarray, np.ndarray]:
    """Return how much each seam of an arrangement speaks for being right.

    The first array holds the seams to the right, (rows, columns - 1), the second those to the
    bottom, (rows - 1, columns). Beside empty cells, -1, it is nothing.
    """
    rows, columns = arrangement.shape
    across, down = np.empty((rows, columns - 1)), np.empty((rows - 1, columns))
    grid = np.ascontiguousarray(arrangement, np.int32)
    seams = table.arrays
    board_evidence(seams, firsts_of(seams), says, grid, across, down)
    return across, down
