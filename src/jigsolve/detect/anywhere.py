"""Finding a board of pieces wherever it lies in a picture, and at whatever scale.

Cuts are lines that stand out and are equally far apart (`combs.py`). Those of one direction tell
where to look for those of the other. What is found is cut and laid side by side, and has to look
like shuffled pieces then (`lines.py`): text and the blocks of a JPEG have regular lines, too.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from jigsolve.detect.cells import ECHO, Cells, cells_between, columns_at
from jigsolve.detect.combs import AWAY, Run, find_runs, heights_of, refined
from jigsolve.detect.frame import Colour
from jigsolve.detect.grid import SURE, Candidate, Grid
from jigsolve.detect.lines import SMALLEST, periods
from jigsolve.detect.settling import settled

_MOST = 0.999
_NEAR = 0.02  # of a pitch, by which it may change when it is looked at more closely
_TRIED = 2  # runs of each direction
_HIGH = 8.0  # deviations that few lines but the edge of a board have
_FINER = 1.4  # times as many pieces: more than a row or column too many
_NARROW = 3  # pixels at the rim of a picture in which no line is seen
_ONLY_DOUBTFUL = 0.8


def find_anywhere(
    pixels: np.ndarray,
    cell: tuple[float | None, float | None] = (None, None),
    gap: float | None = None,
) -> list[Candidate]:
    """Return boards in a picture, the likeliest first; none where no lines stand out.

    Parameters
    ----------
    pixels
        The picture, or the part of it that is looked at.
    cell
        Height and width of a piece, where they are known.
    gap
        Pixels between pieces, where they are known.
    """
    found: dict[Grid, float] = {}
    turned = pixels.swapaxes(0, 1)
    for down, across in _sides(pixels, cell[1], cell[0], gap):
        _add(found, pixels, down, across)
    if not any(sure >= SURE and min(grid.board) > 1 for grid, sure in found.items()):
        for across, down in _sides(turned, cell[0], cell[1], gap):
            _add(found, pixels, down, across)
    return sorted(
        (Candidate(grid, min(sure, 1 - _of_finer(grid, found))) for grid, sure in found.items()),
        key=_rank,
    )


def _of_finer(grid: Grid, found: dict[Grid, float]) -> float:
    """Return how likely a grid is that has cuts where this one has none."""
    most = _FINER * math.prod(grid.board)
    return max(
        (sure for other, sure in found.items() if math.prod(other.board) > most), default=0.0
    )


def _rank(board: Candidate) -> tuple[bool, int, float, float]:
    """Of boards that are sure, the one of more pieces and wider gaps explains more lines."""
    if board.confidence < SURE:
        return True, 0, 0.0, -board.confidence
    grid = board.grid
    gaps = round(grid.down.gap + grid.across.gap, 1)
    return False, -math.prod(grid.board), -gaps, -board.confidence


def _add(
    found: dict[Grid, float], pixels: np.ndarray, down: Cells | None, across: Cells | None
) -> None:
    height, width = pixels.shape[:2]
    if not (down and across):
        return
    across, doubt_across = settled(pixels, across, down)
    down, doubt_down = settled(pixels.swapaxes(0, 1), down, across)
    if (down.stop - down.first) * (across.stop - across.first) < 2:
        return
    lattices = down.lattice(height), across.lattice(width)
    if any(lattice.count < 1 or lattice.size < 1 for lattice in lattices):
        return
    grid = Grid(*lattices, _colour(pixels, down, across))
    if grid not in found:
        # Gaps in one direction only are rather not seen in the other.
        uneven = min(grid.board) > 1 and bool(down.gap) != bool(across.gap)
        doubt = _ONLY_DOUBTFUL if doubt_across or doubt_down or uneven else _MOST
        found[grid] = min(_agreement(pixels, grid), doubt)


def _sides(
    pixels: np.ndarray, width: float | None, height: float | None, gap: float | None
) -> Iterator[tuple[Cells, Cells]]:
    """Yield cells of axis 0 and 1; those of axis 1 are found first, and tell where to look."""
    turned = pixels.swapaxes(0, 1)
    for rough in find_runs(heights_of(pixels), _about(width, gap), most=_TRIED):
        columns = slice(max(int(rough.start), 0), math.ceil(rough.stop))
        heights = heights_of(turned[columns])
        for run in find_runs(heights, _about(height, gap), most=_TRIED):
            down = cells_between(turned[columns], refined(run, heights), heights, gap)
            rows = down.span(pixels.shape[0])
            if across := _closer(pixels[rows], rough, gap):
                yield down, across
        if height is None or abs(height - pixels.shape[0]) < SMALLEST:
            seen = _visible(pixels, rough)
            if seen and (across := _closer(pixels[seen], rough, gap)):
                yield Cells(seen.start, seen.stop - seen.start, 0.0, 0, 1), across


def _about(cell: float | None, gap: float | None) -> tuple[float, float] | None:
    """Return the pitches to look at where a cell's size is known."""
    if cell is None:
        return None
    if gap is None:
        return cell * (1 - _NEAR), cell * (1 + _NEAR) + SMALLEST
    return (cell + gap) * (1 - _NEAR), (cell + gap) * (1 + _NEAR)


def _closer(pixels: np.ndarray, rough: Run, gap: float | None) -> Cells | None:
    """Return the cells of a run, as the rows of the board alone show them."""
    heights = heights_of(pixels)
    near = (rough.pitch * (1 - _NEAR), rough.pitch * (1 + _NEAR))
    runs = find_runs(heights, near, most=1)
    return cells_between(pixels, refined(runs[0], heights), heights, gap) if runs else None


def _visible(pixels: np.ndarray, run: Run) -> slice | None:
    """Return the rows in which a run's lines are seen, for cells as high as the board.

    None where several lines may be the board's edge.
    """
    extent = pixels.shape[0]
    lines = np.rint(run.lines()).astype(int)
    lines = lines[(lines > AWAY) & (lines < pixels.shape[1] - AWAY)]
    jumps = np.abs(np.diff(pixels.astype(np.int16), axis=1)).sum(axis=2)
    around = np.maximum(jumps[:, lines - 1 - AWAY], jumps[:, lines - 1 + AWAY])
    seen = np.log2((jumps[:, lines - 1] + 9.0) / (around + 9.0)).mean(axis=1)
    wide = min(max(extent // 40, 5), 25)
    smooth = np.convolve(np.pad(seen, wide, mode="edge"), np.ones(wide) / wide, "same")[wide:-wide]
    usual = float(np.quantile(smooth, 0.8))
    inside = np.flatnonzero(smooth > usual / 3)
    if not len(inside) or usual <= 0:
        return slice(0, extent)
    ends = [int(inside[0]), int(inside[-1]) + 1]
    heights = heights_of(pixels[:, lines[0] : lines[-1]].swapaxes(0, 1))
    for end, rim in ((0, 0), (1, extent)):
        near = np.arange(max(ends[end] - wide, 0), min(ends[end] + wide, extent) + 1)
        highest = int(near[heights[near].argmax()])
        at_rim = abs(ends[end] - rim) <= wide // 2 + _NARROW and heights[highest] < _HIGH
        ends[end] = rim if at_rim else highest
        others = near[np.abs(near - highest) > AWAY]
        if not at_rim and len(others) and heights[others].max() > ECHO * heights[highest]:
            return None
    return slice(ends[0], max(ends[1], ends[0] + 1))


def _colour(pixels: np.ndarray, down: Cells, across: Cells) -> Colour | None:
    """Return the colour of the gaps, where there are any."""
    for part, side in ((pixels, across), (pixels.swapaxes(0, 1), down)):
        if side.gap and len(side.cuts()):
            gaps = columns_at(part, side.cuts() - side.gap / 2)
            colour = np.median(gaps, axis=(0, 1))
            return int(colour[0]), int(colour[1]), int(colour[2])
    return None


def _agreement(pixels: np.ndarray, grid: Grid) -> float:
    """Return how likely the pieces of a grid, laid side by side, are pieces of this size."""
    inset = 0 if grid.is_whole else 1
    kept, sizes = [], []
    for lattice in (grid.down, grid.across):
        size = lattice.size - 2 * inset
        if size < SMALLEST and lattice.count > 1:
            return 0.0
        kept.append((lattice.windows()[:, None] + inset + np.arange(size)).ravel())
        sizes.append(size)
    joined = pixels[kept[0][:, None], kept[1]]
    likely = 1.0
    for part, size in zip((joined.swapaxes(0, 1), joined), sizes, strict=True):
        # Where there is one row, its size is that of no cut at all.
        likely *= sum(p.probability for p in periods(part) if p.size == size)
    return likely
