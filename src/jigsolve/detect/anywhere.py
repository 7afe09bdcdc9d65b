"""Finding a board of pieces wherever it lies in a picture, and at whatever scale.

Cuts are lines that stand out and are equally far apart (`combs.py`). Those of one direction tell
where to look for those of the other. What is found is cut and laid side by side, and has to look
like shuffled pieces then (`lines.py`): text and the blocks of a JPEG have regular lines, too.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from jigsolve.detect.combs import AWAY, Run, find_runs, heights_of, refined, standing_out
from jigsolve.detect.frame import Colour
from jigsolve.detect.grid import SURE, Candidate, Grid
from jigsolve.detect.lattice import Lattice
from jigsolve.detect.lines import SMALLEST, periods

_MOST = 0.999
_NEAR = 0.02  # of a pitch, by which it may change when it is looked at more closely
_TRIED = 2  # runs of each direction
_ECHO = 0.4  # of a cut's height: the other end of a gap is as high at least
_PLAIN = 0.35  # of what pieces vary by: gaps vary by less
_HIGH = 8.0  # deviations that few lines but the edge of a board have
_FINER = 1.4  # times as many pieces: more than a row or column too many
_TWO_ENDS = 2.0  # pixels of the narrowest gap of which scaling leaves two lines
_BLURRED = 1.5  # pixels of a gap of which scaling has left one line
_OVER = 1.5  # pixels by which a board that fills a picture may seem to exceed it
_NARROW = 3  # pixels at the rim of a picture in which no line is seen
_BELONGS, _DOUBTFUL, _ALIEN = 0.5, 0.35, 0.2
"""Height of cuts in a line of cells, of what is usual: from where on it is taken for a part of the
board, or may be one, and below which it is taken for none."""
_ONLY_DOUBTFUL = 0.8
_FEW_IN_A_ROW = 12
"""Lines of text, and of tables, are as regular as so few pieces in one row."""


@dataclass(frozen=True)
class _Side:
    """The cells of one direction: where one of them begins, and which are taken for the board's."""

    start: float
    cell: float
    gap: float
    first: int
    stop: int

    @property
    def pitch(self) -> float:
        return self.cell + self.gap

    def begin(self, number: int) -> float:
        return self.start + number * self.pitch

    def pixels(self, number: int, extent: int) -> slice:
        """Return the pixels of a cell, without those at its ends."""
        first = max(math.ceil(self.begin(number)) + 1, 0)
        return slice(first, max(min(math.floor(self.begin(number) + self.cell) - 1, extent), first))

    def span(self, extent: int) -> slice:
        first = max(math.ceil(self.begin(self.first) - 0.5), 0)
        return slice(first, min(math.floor(self.begin(self.stop) - self.gap + 0.5), extent))

    def cuts(self) -> np.ndarray:
        """Return where all cells but the first begin."""
        return self.start + self.pitch * np.arange(self.first + 1, self.stop)

    def within(self, extent: int) -> range:
        """Return the numbers of all cells that have room in the picture."""
        low = math.ceil((-_OVER - self.start) / self.pitch)
        high = math.floor((extent + _OVER - self.start - self.cell) / self.pitch)
        return range(low, high + 1)

    def lattice(self, extent: int) -> Lattice:
        start, cell, count = self.begin(self.first), self.cell, self.stop - self.first
        end = start + count * self.pitch - self.gap
        whole = Lattice(start, cell, self.gap, count).is_whole
        if min(start, extent - end) < 0 or not whole:
            # What nearly fills the picture fills it: scaling left no rim.
            start = 0.0 if start < _OVER else start
            end = float(extent) if extent - end < _OVER else end
            cell = (end - start + self.gap) / count - self.gap
        lengths = [start, cell, self.gap]
        if all(float(length).is_integer() for length in lengths):
            return Lattice(int(start), int(cell), int(self.gap), count)
        return Lattice(start, cell, self.gap, count)


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
    found: dict[Grid, float], pixels: np.ndarray, down: _Side | None, across: _Side | None
) -> None:
    height, width = pixels.shape[:2]
    if not (down and across):
        return
    across, doubt_across = _settled(pixels, across, down)
    down, doubt_down = _settled(pixels.swapaxes(0, 1), down, across)
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
) -> Iterator[tuple[_Side, _Side]]:
    """Yield cells of axis 0 and 1; those of axis 1 are found first, and tell where to look."""
    turned = pixels.swapaxes(0, 1)
    for rough in find_runs(heights_of(pixels), _about(width, gap), most=_TRIED):
        columns = slice(max(int(rough.start), 0), math.ceil(rough.stop))
        heights = heights_of(turned[columns])
        for run in find_runs(heights, _about(height, gap), most=_TRIED):
            down = _side(turned[columns], refined(run, heights), heights, gap)
            rows = down.span(pixels.shape[0])
            if across := _closer(pixels[rows], rough, gap):
                yield down, across
        if height is None or abs(height - pixels.shape[0]) < SMALLEST:
            seen = _visible(pixels, rough)
            if seen and (across := _closer(pixels[seen], rough, gap)):
                yield _Side(seen.start, seen.stop - seen.start, 0.0, 0, 1), across


def _about(cell: float | None, gap: float | None) -> tuple[float, float] | None:
    """Return the pitches to look at where a cell's size is known."""
    if cell is None:
        return None
    if gap is None:
        return cell * (1 - _NEAR), cell * (1 + _NEAR) + SMALLEST
    return (cell + gap) * (1 - _NEAR), (cell + gap) * (1 + _NEAR)


def _closer(pixels: np.ndarray, rough: Run, gap: float | None) -> _Side | None:
    """Return the cells of a run, as the rows of the board alone show them."""
    heights = heights_of(pixels)
    near = (rough.pitch * (1 - _NEAR), rough.pitch * (1 + _NEAR))
    runs = find_runs(heights, near, most=1)
    return _side(pixels, refined(runs[0], heights), heights, gap) if runs else None


def _side(pixels: np.ndarray, run: Run, heights: np.ndarray, gap: float | None) -> _Side:
    """Return the cells between the lines of a run, with the gaps that there are."""
    width, begin = _gap_at(pixels, run, heights, gap)
    cell = run.pitch - width
    # A line with half a gap on either side is the end of a cell and the beginning of the next.
    count = run.count if begin in (0.0, -width) and width else run.count - 1
    start = run.start + begin + width - (run.pitch if width and begin == 0.0 else 0.0)
    return _Side(start, cell, width, 0, count)


def _gap_at(
    pixels: np.ndarray, run: Run, heights: np.ndarray, known: float | None
) -> tuple[float, float]:
    """Return how wide the gaps at a run's lines are, and where they begin, seen from the line.

    A gap has two ends, both of which stand out, and is of one colour. Of one that is narrow and
    was scaled, the ends are one line.
    """
    step, least = (1.0, 1.0) if run.pitch.is_integer() else (0.25, _TWO_ENDS)
    widths = np.arange(least, run.pitch / 3, step) if known is None else np.array([known])
    if not widths.any():
        return 0.0, 0.0
    places, numbers = np.arange(len(heights)), run.lines()
    height = float(np.interp(numbers, places, heights).mean())
    best = (_PLAIN, 0.0, 0.0)
    for follows in (False, True):
        ends = numbers[:, None] + (widths if follows else -widths)
        echo = np.interp(ends, places, heights).mean(axis=0)
        width = float(widths[int(echo.argmax())])
        if known is not None or echo.max() >= _ECHO * height:
            begin = 0.0 if follows else -width
            best = min(best, (_variation(pixels, numbers + begin, width, run.pitch), width, begin))
    if not best[1] and step < 1:
        width = _BLURRED if known is None else known
        begin = -width / 2
        best = min(best, (_variation(pixels, numbers + begin, width, run.pitch), width, begin))
    return best[1], best[2]


def _variation(pixels: np.ndarray, starts: np.ndarray, width: float, pitch: float) -> float:
    """Return what gaps vary by in colour, as a share of what is between them."""
    middles = starts + width / 2
    half = max(width / 2 - 1.0, 0.0)
    gaps = np.stack([_columns(pixels, middles + o) for o in (-half, 0.0, half)])
    pieces = np.stack([_columns(pixels, middles + o * pitch) for o in (0.3, 0.5, 0.7)])
    colour = np.median(gaps, axis=(0, 1, 2))
    usual = np.abs(pieces - np.median(pieces, axis=(0, 1, 2))).mean()
    # At the rim of the board there is no gap but something else beside the cells.
    each = np.abs(gaps - colour).mean(axis=(0, 1, 3))
    return float(np.median(each) / max(usual, 1.0))


def _columns(pixels: np.ndarray, places: np.ndarray) -> np.ndarray:
    inside = places.astype(int).clip(0, pixels.shape[1] - 1)
    return pixels[:: max(len(pixels) // 256, 1), inside].astype(np.int16)


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
        if not at_rim and len(others) and heights[others].max() > _ECHO * heights[highest]:
            return None
    return slice(ends[0], max(ends[1], ends[0] + 1))


def _settled(pixels: np.ndarray, across: _Side, down: _Side) -> tuple[_Side, bool]:
    """Return the cells of axis 1 that belong to the board, and whether that is in doubt.

    Those belong in which the cuts of the other direction are seen.
    """
    height, width = pixels.shape[:2]
    numbers = across.within(width)
    first, stop = max(across.first, numbers.start), min(across.stop, numbers.stop)
    cuts = down.cuts()
    if not len(cuts) or stop <= first:
        return _of_one_row(pixels[down.span(height)], across, first, stop)
    rows = down.span(height)
    strength = {
        n: _strength(pixels[rows, across.pixels(n, width)], cuts - rows.start) for n in numbers
    }
    usual = float(np.median([strength[n] for n in range(first, stop)]))
    while stop - first > 1 and strength[first] < _ALIEN * usual:
        first += 1
    while stop - first > 1 and strength[stop - 1] < _ALIEN * usual:
        stop -= 1
    while first - 1 in numbers and strength[first - 1] > _BELONGS * usual:
        first -= 1
    while stop in numbers and strength[stop] > _BELONGS * usual:
        stop += 1
    # A board that fills the picture but for one cell fills it, plain as that cell may be.
    at_rim = (across.begin(first) <= 1, across.begin(stop) - across.gap >= width - 1)
    if at_rim[1] and first - 1 in numbers and across.begin(first - 1) <= 1:
        first -= 1
    if at_rim[0] and stop in numbers and across.begin(stop) + across.cell >= width - 1:
        stop += 1
    outside = max(strength.get(first - 1, 0.0), strength.get(stop, 0.0))
    at_rim = (across.begin(first) <= 1, across.begin(stop) - across.gap >= width - 1)
    inside = min(
        math.inf if at_rim[0] else strength[first], math.inf if at_rim[1] else strength[stop - 1]
    )
    doubtful = outside > _DOUBTFUL * usual or inside < _DOUBTFUL * usual
    return _Side(across.start, across.cell, across.gap, first, stop), doubtful


def _of_one_row(pixels: np.ndarray, across: _Side, first: int, stop: int) -> tuple[_Side, bool]:
    """Return the cells of the only row: those between lines that stand out as cuts do."""
    width = pixels.shape[1]
    heights = heights_of(pixels)
    lines = np.arange(len(heights))

    def at(number: int) -> float:
        ends = (across.begin(number), across.begin(number) - across.gap)
        return float(max(np.interp(ends, lines, heights)))

    usual = float(np.median([at(number) for number in range(first, stop + 1)]))
    while stop - first > 1 and at(first) < _BELONGS * usual and across.begin(first) > 1:
        first += 1
    while stop - first > 1 and at(stop) < _BELONGS * usual and across.begin(stop) < width - 1:
        stop -= 1
    if abs(across.begin(first - 1)) <= 1:
        first -= 1
    if abs(across.begin(stop) + across.cell - width) <= 1:
        stop += 1
    rim = [n for n, place in ((first, 0), (stop, width)) if abs(across.begin(n) - place) > 1]
    doubtful = stop - first < _FEW_IN_A_ROW or any(at(n) < usual / 2 for n in rim)
    return _Side(across.start, across.cell, across.gap, first, stop), doubtful


def _strength(part: np.ndarray, cuts: np.ndarray) -> float:
    """Return how much lines of axis 0 stand out in a part of the picture."""
    if part.shape[1] < 1 or part.shape[0] < 2 * AWAY + 2:
        return 0.0
    heights = standing_out(part.swapaxes(0, 1))
    return float(np.interp(cuts, np.arange(len(heights)), heights).mean() - np.median(heights))


def _colour(pixels: np.ndarray, down: _Side, across: _Side) -> Colour | None:
    """Return the colour of the gaps, where there are any."""
    for part, side in ((pixels, across), (pixels.swapaxes(0, 1), down)):
        if side.gap and len(side.cuts()):
            gaps = _columns(part, side.cuts() - side.gap / 2)
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
