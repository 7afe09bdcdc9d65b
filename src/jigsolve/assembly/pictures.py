"""Which pictures a bag holds, as far as seams tell.

Pieces are joined without a frame, surest joins first, and joins of a picture end at its rim. What
is sure of it nearly always spans its board, even where pieces within are still missing; and what is
joined at last are, together, nearly always the pieces of one picture, even where some lie in the
wrong place.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from jigsolve.assembly.joining import Assembly, Segment
from jigsolve.core import Board
from jigsolve.core.shapes import shapes
from jigsolve.execution.crew import Executor, Progress
from jigsolve.measures.calibration import COUNTED
from jigsolve.seams.table import SeamTable

ANYBODY = COUNTED.evidence._replace(rival_most=COUNTED.evidence.rival_even)
"""What seams say in a bag. In one picture whatever is left must be joined somewhere, so that a seam
without a better rival speaks for its join. In a bag that is said of no seam: the rims of pictures
are left in the end, and have no rivals."""

SURE, LIKELY, POSSIBLE = 5.0, 3.0, 1.0
"""How much has to speak for a join: for those that boards are told from, and for the last ones."""

SMALLEST = 12
"""What has fewer pieces is no picture, but a part that found no place in one."""

NARROW = 4
"""What has fewer rows or columns may be a strip of a picture."""

OBLONG, FEW_MORE = 4, 8
"""Boards that nothing but the number of pieces speaks for are at most so oblong, and take at most
so many of the spare pieces."""

ASKED_ABOUT, FEWEST_ASKED = 200_000, 4
"""To ask for which board most speaks takes as long as to join its pieces: at most boards of so many
pieces together are asked, the smallest ones, but what the core spans and a few in any case."""

ROOM = 0.9
"""What is sure may be wrong, too: boards must have room for so much of what it spans."""

NEARLY_FULL = 0.95
"""What is sure leaves no doubt about a board if it fills this share of it."""

SPARSE = 0.5
"""A line at the rim of what is sure with a smaller share of its cells filled may be a mistake."""


@dataclass(frozen=True, eq=False)
class Picture:
    """What is known of a picture before it is solved."""

    core: Segment
    """What is sure of it."""
    pieces: np.ndarray
    """All that seem to belong to it, those of the core included, (k,)."""

    @property
    def is_complete(self) -> bool:
        """Whether what is sure of it leaves no doubt about its board."""
        board = spanned(self.core)
        return self._fills(board) and min(board) >= NARROW

    def _fills(self, board: Board) -> bool:
        """Whether there is no doubt that the board which the core spans is the one.

        A few pieces more than it has cells are no further line of it.
        """
        few, cells = len(self.pieces), _cells(board)
        nearly = len(self.core.pieces) >= NEARLY_FULL * cells
        return few == cells or (nearly and few < cells + SPARSE * min(board))

    def with_part(self, other: Picture) -> Picture:
        """Return it with another one as a part of it."""
        return Picture(self.core, np.concatenate([self.pieces, other.pieces]))

    def boards(self, spare: int) -> list[Board]:
        """Return the boards it may fill, if so many pieces of the bag belong to no picture.

        The one that the core spans, unless it is too small, and with sparse lines at its rim; those
        that share a side with it and that the picture's pieces fill, with some of the spare ones at
        most; and any others that its pieces fill, if they are not too oblong. Of many the smallest.
        """
        rows, columns = spanned(self.core)
        few, many = len(self.pieces), len(self.pieces) + spare
        if self._fills(Board(rows, columns)):
            return [Board(rows, columns)]
        boards = [Board(rows, columns)] if rows * columns > few else []
        extent = self.core.extent
        if few <= _cells(extent) <= many and extent not in boards:
            boards.append(extent)
        first = len(boards)
        boards += [Board(rows, c) for c in range(-(-few // rows), many // rows + 1)]
        boards += [Board(r, columns) for r in range(-(-few // columns), many // columns + 1)]
        for pieces in range(few, min(many, few + FEW_MORE) + 1):
            boards += [board for board in shapes(pieces) if max(board) <= OBLONG * min(board)]
        with_room = [b for b in boards if b.rows >= ROOM * rows and b.columns >= ROOM * columns]
        boards = list(dict.fromkeys(with_room or boards)) or [Board(rows, columns)]
        most = max(FEWEST_ASKED, ASKED_ABOUT // many)
        if len(boards) > most:
            boards = boards[:first] + sorted(boards[first:], key=_cells)[: most - first]
        return boards


def _cells(board: Board) -> int:
    return board.rows * board.columns


@dataclass(frozen=True)
class Pictures:
    """The pictures of a bag."""

    found: list[Picture]
    """The largest first."""
    is_clear: bool
    """Whether their number is: it is the same however sure joins must be."""


def find_pictures(
    table: SeamTable, crew: Executor, number: int | None = None, *, progress: Progress | None = None
) -> Pictures:
    """Find the pictures of a bag, or the largest ones if their number is given."""
    assembly = Assembly(table, Board(table.pieces, table.pieces), crew, says=ANYBODY)
    levels = []
    for done, least in enumerate((SURE, LIKELY, POSSIBLE), 1):
        assembly.join_down_to(least)
        levels.append(_largest(assembly))
        if progress:
            progress(done, 3)
    cores = [segment.pieces[0] for segment in levels[0]]
    likely = [part for part in levels[-1] if np.isin(part.pieces, cores).any()]
    chosen = _chosen(likely, table.pieces, number)
    found = [_picture(part, levels[0]) for part in chosen]
    clear = len(_chosen(levels[0], table.pieces, None)) == len(chosen)
    return Pictures(found, clear or number is not None)


def _largest(assembly: Assembly) -> list[Segment]:
    """Return the segments that may be pictures, the largest first."""
    numbers, sizes = np.unique(assembly.work.segment, return_counts=True)
    order = np.argsort(-sizes, kind="stable")
    return [assembly.of(int(numbers[index])) for index in order if sizes[index] >= SMALLEST]


def _chosen(segments: list[Segment], pieces: int, number: int | None) -> list[Segment]:
    """Return the segments that are pictures: until the rest has room in what these leave open."""
    if number is not None:
        return segments[:number]
    chosen: list[Segment] = []
    left, room = pieces, 0
    for segment in segments:
        if left <= room:
            break
        chosen.append(segment)
        rows, columns = spanned(segment)
        left -= len(segment.pieces)
        room += max(rows * columns - len(segment.pieces), 0)
    return chosen


def _picture(part: Segment, sure: list[Segment]) -> Picture:
    """Return a picture, with the largest sure segment among its pieces as its core."""
    core = next(segment for segment in sure if segment.pieces[0] in part.pieces)
    return Picture(core.turned(_turn_back(core)), part.pieces)


def _turn_back(segment: Segment) -> int:
    """Return the turn after which most pieces of a segment lie as they were given."""
    return -int(np.bincount(segment.turns, minlength=4).argmax()) % 4


def spanned(segment: Segment) -> Board:
    """Return rows and columns of a segment, but for sparse ones at its rim."""
    filled = np.zeros(segment.extent, np.bool_)
    filled[*segment.places.T] = True
    while filled.size > 1:
        ends = [filled[0], filled[-1], filled[:, 0], filled[:, -1]]
        sparse = [float(line.mean()) for line in ends]
        which = int(np.argmin(sparse))
        if sparse[which] >= SPARSE:
            break
        keep: tuple[slice, slice] = (
            np.s_[1:, :],
            np.s_[:-1, :],
            np.s_[:, 1:],
            np.s_[:, :-1],
        )[which]
        filled = filled[keep]
    return Board(*filled.shape)
