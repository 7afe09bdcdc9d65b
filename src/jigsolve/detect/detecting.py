"""Finding out how a shuffled picture was cut: size of the pieces, border, gaps, odd strips.

The picture alone is looked at, first for a board that fills it (`filling.py`), then for one that
is a part of it or was scaled (`anywhere.py`). What is known beforehand narrows it down.
"""

from __future__ import annotations

import dataclasses
import math
from pathlib import Path

import numpy as np

from jigsolve.core.pieces import PieceSize, pixels_of
from jigsolve.detect.anywhere import find_anywhere
from jigsolve.detect.combs import heights_of
from jigsolve.detect.filling import find_filling, frame_around, has_room
from jigsolve.detect.grid import SURE, Candidate, Detection, Grid
from jigsolve.detect.known import Known, whole_box
from jigsolve.detect.lattice import Lattice
from jigsolve.detect.lines import SMALLEST
from jigsolve.detect.single_lines import find_single_lines
from jigsolve.errors import InputError, OddSizeError

_SHOWN = 5
_FLAT_SHARE = 0.9
_ONLY_FLAT = 0.3  # confidence where pieces are flat: they may be parts of larger ones
_FEW, _ONLY_FEW = 6, 0.8
"""Of so few pieces some may lie beside their true neighbours, and a row be two in truth."""
_WITHIN = 0.4  # of a cut's height, from which on regular lines within cells may be cuts
_SURELY_WITHIN = 0.6  # and from which on they are none of the picture's own
_ROUNDED_BY = 0.5  # pixels between the size that somebody gives and that of the cells
_REGULAR = 4  # cells in which a line at the same place is hardly chance


def detect_grid(image: np.ndarray | str | Path, known: Known | None = None) -> Detection:
    """Find out how a shuffled picture was cut into pieces.

    Pieces of 7 pixels and more, up to half the picture or all of it in one direction, are looked
    for; a border or gaps must be of one colour. The picture may have been scaled, and the board
    may be a part of it. What is known need not be looked for.

    Examples
    --------
    >>> import jigsolve
    >>> shuffled, _ = jigsolve.Puzzle.cut(jigsolve.demo_photo(), (40, 25)).shuffle(seed=1)
    >>> found = detect_grid(shuffled.image())
    >>> found.grid.piece, found.is_sure
    (PieceSize(height=40, width=25), True)
    >>> detect_grid(shuffled.image(), Known(piece=(80, 50))).grid.board
    Board(rows=5, columns=12)
    """
    known = known or Known()
    pixels = pixels_of(image)
    try:
        box = known.box(*pixels.shape[:2])
        if known.piece is not None:
            return _of_known_piece(pixels, known, box)
        rows, columns = whole_box(box)
        if not has_room(rows, columns):
            raise InputError(
                f"expected room for two pieces of at least {SMALLEST} pixels, found a picture of "
                f"{columns.stop - columns.start} x {rows.stop - rows.start}"
            )
        found = _looked_for(pixels[rows, columns], known)
        return found.moved(columns.start, rows.start)
    except InputError as error:
        if isinstance(image, str | Path):
            raise type(error)(f"{image}: {error}") from None
        raise


def _has_cells_of(grid: Grid, piece: tuple[float, float]) -> bool:
    """Whether the cells of a grid are those that were asked for, and not only nearly so."""
    cells = grid.down.cell, grid.across.cell
    return all(abs(cell - wanted) <= _ROUNDED_BY for cell, wanted in zip(cells, piece, strict=True))


def _of_known_piece(
    pixels: np.ndarray, known: Known, box: tuple[float, float, float, float]
) -> Detection:
    """Return the grid of pieces of a known size; raise unless they fill the box or are found."""
    assert known.piece is not None
    left, top, right, bottom = box
    rows, columns = whole_box(box)
    part = pixels[rows, columns]
    if known.is_whole and not known.begins and float(known.gap or 0).is_integer():
        size = PieceSize(int(known.piece[0]), int(known.piece[1]))
        gap = None if known.gap is None else int(known.gap)
        if framed := frame_around(part, size, gap):
            return Detection(framed.moved(columns.start, rows.start), 1.0, ())
    lattices = (
        Lattice.over(_whole(top), _whole(bottom), _whole(known.piece[0]), _whole(known.gap or 0)),
        Lattice.over(_whole(left), _whole(right), _whole(known.piece[1]), _whole(known.gap or 0)),
    )
    size_text = f"{known.piece[1]:g} x {known.piece[0]:g}"
    extent = f"{right - left:g} x {bottom - top:g}"
    filled = not any(lattice.strip for lattice in lattices)
    if math.prod(lattice.count for lattice in lattices) < 2:
        raise InputError(
            f"expected room for at least two pieces of {size_text} pixels, found a picture of "
            f"{extent}"
        )
    if filled or known.crop:
        return Detection(Grid(*lattices), 1.0, ())
    boards = [
        board
        for board in find_anywhere(part, known.piece, known.gap)
        if board.confidence >= SURE
        and known.allows(board.grid)
        and _has_cells_of(board.grid, known.piece)
    ]
    if boards:
        found = Detection(boards[0].grid, boards[0].confidence, tuple(boards[1:_SHOWN]))
        return found.moved(columns.start, rows.start)
    down, across = (lattice.count * lattice.pitch - lattice.gap for lattice in lattices)
    raise OddSizeError(
        f"expected a picture of whole {size_text} pieces, found {extent}; its whole pieces measure "
        f"{across:g} x {down:g}"
    )


def _whole(length: float) -> float:
    """Return a whole number as such: cells of whole pixels are cut as they always were."""
    return int(length) if float(length).is_integer() else length


def _looked_for(pixels: np.ndarray, known: Known) -> Detection:
    """Return a board of pieces of a size that is not known."""
    fills = [board for board in find_filling(pixels) if known.allows(board.grid)]
    found = _checked(pixels, fills) if fills else None
    within = _lines_within(pixels, found.grid) if found and found.is_sure else 0.0
    if found and found.is_sure and within < _WITHIN:
        return found
    boards = [b for b in find_anywhere(pixels, gap=known.gap) if known.allows(b.grid)]
    other = _checked(pixels, boards) if boards else None
    if other and other.is_sure and (not found or _explains_more(other.grid, found)):
        return other
    if found and found.is_sure:
        return (
            found if within <= _SURELY_WITHIN else dataclasses.replace(found, confidence=_ONLY_FEW)
        )
    if not known.begins and not known.gap and (lines := find_single_lines(pixels)):
        return Detection(lines[0].grid, lines[0].confidence, ())
    if not (likeliest := [one for one in (found, other) if one]):
        raise InputError(
            "expected cuts that agree with what is known of the pieces, found none; give "
            "`piece`, or less"
        )
    return max(likeliest, key=lambda one: one.confidence)


def _explains_more(grid: Grid, than: Detection) -> bool:
    """Whether a grid that is sure is to be preferred: where another is sure, if it is finer."""
    return not than.is_sure or math.prod(grid.board) > math.prod(than.grid.board)


def _lines_within(pixels: np.ndarray, grid: Grid) -> float:
    """Return how high lines within cells are, as a share of the cuts' height.

    Where a multiple of a pitch that is no whole number of pixels is one, the cells of the multiple
    have lines that divide them equally. And where a gap was taken for a part of the piece, each
    cell has a line at the same place.
    """
    highest = 0.0
    rows, columns = (
        slice(int(lattice.start), math.ceil(lattice.start + lattice.pitch * lattice.count))
        for lattice in (grid.down, grid.across)
    )
    board = pixels[rows, columns]
    for part, lattice in ((board, grid.across), (board.swapaxes(0, 1), grid.down)):
        if lattice.count < 2:
            continue
        heights = heights_of(part).clip(0.0)
        places, firsts = np.arange(len(heights)), np.arange(lattice.count) * lattice.pitch
        cuts = max(float(np.interp(firsts[1:], places, heights).mean()), 1.0)
        for parts in range(2, min(int(lattice.cell // SMALLEST), 12) + 1):
            numbers = np.arange(lattice.count * parts)
            between = numbers[numbers % parts != 0] * (lattice.pitch / parts)
            highest = max(highest, float(np.interp(between, places, heights).mean()) / cuts)
        if not lattice.gap and lattice.count >= _REGULAR:
            within = firsts[:, None] + np.arange(1, int(lattice.pitch))
            each = np.minimum(np.interp(within, places, heights), cuts)
            highest = max(highest, float(each.mean(axis=0).max()) / cuts)
    return highest


def _checked(pixels: np.ndarray, found: list[Candidate]) -> Detection:
    """Return the detection; it is not sure of flat pieces, nor of a few in a row."""
    best, *others = found[:_SHOWN]
    pieces = best.grid.cut(pixels).pieces
    flat = (pieces == pieces[:, :1, :1]).all(axis=(1, 2, 3)).mean()
    confidence = min(best.confidence, _ONLY_FLAT) if flat > _FLAT_SHARE else best.confidence
    if 1 in best.grid.board and len(pieces) < _FEW:
        confidence = min(confidence, _ONLY_FEW)
    return Detection(best.grid, confidence, tuple(others))
