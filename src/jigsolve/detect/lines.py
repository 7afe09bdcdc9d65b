"""What the lines of a picture say about the pieces it was shuffled in, one direction at a time.

At a cut, pixels jump: by more than on either side of it, and by as much as between pixels that
have nothing to do with each other. Both are measured for every line between two columns.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

SMALLEST = 7
"""Pixels of the smallest piece looked for."""

MOST_ROWS = 1536
"""Rows that are looked at: those of larger pictures say the same again."""

_WINDOWS = (3, 16)
"""Rows whose differences are added before they are compared: a jump adds up, noise does not."""
_BLOCK = 48  # a multiple of every window
_FLOOR = 3.0  # grey levels that are nothing, beside which no difference counts as a jump
_HIGHEST = 3.0  # no line counts for more than a jump of 2 ** 3 times what is around it
_LATTICES = (2, 4, 8, 16)
"""Lines that scaling and JPEG leave behind, in pictures that were packed before they were cut."""
_LATTICE_SHARE = 0.5  # of the height of a cut: what is higher is a cut itself
_COMPARED_ROWS = 256
_NOTHING = 0.4  # grey levels between unrelated pixels, below which a cut would not be seen
_BLOCKS, _TRACES = 8, 2.5
"""JPEG's blocks, and grey levels: lower jumps between them may have been made of nothing."""
_TEMPERATURE = 0.25
"""Lines are not independent, as the likelihood has it; it counts for so much of what it says."""
_BUSY = 0.2  # share of unequal neighbours from which on a picture is not mostly flat
_AGAINST = 40.0
"""What it says against a size that its lines, where cuts would be seen, are none."""
_NEGLIGIBLE = 7.0
_RIVAL = 0.3  # share of the evidence for the best size that makes another one as likely
_WHOLE, _ODD, _NONE = 0.6, 0.1, 0.3
"""How often pieces fill a picture, leave an odd strip, or lie in one row, before it is seen."""


@dataclass(frozen=True)
class Period:
    """A size of piece in one direction; where it is the picture's whole extent, no line is cut."""

    size: int
    probability: float
    evidence: float
    """Log-likelihood of its lines being cut, against none being; 0 for none."""


def periods(pixels: np.ndarray) -> list[Period]:
    """Return sizes of pieces in the direction of axis 1, likeliest first."""
    extent = pixels.shape[1]
    sizes = np.arange(SMALLEST, extent // 2 + 1)
    if not len(sizes):
        return [Period(extent, 1.0, 0.0)]
    heights, jumps = jumpiness(pixels), _Jumps(pixels)
    evidence = np.append(_evidence(heights, sizes), 0.0)
    steps = np.array([step for step in _LATTICES if step < extent // 2])
    for step, traces in zip(steps, _evidence(heights, steps), strict=True):
        # A lattice that is no cut is there without any pieces, too.
        evidence[-1] = max(evidence[-1], traces * (1 - jumps.trust(int(step))[0]))
    weights = jumps.weight * evidence + _prior(sizes, extent)
    checked = np.zeros(len(weights), bool)
    checked[-1] = True

    def check(index: int) -> None:
        speaks_for, against = jumps.trust(int(sizes[index]))
        lost = evidence[index] * (1 - speaks_for) + _AGAINST * against
        evidence[index] -= lost
        weights[index] -= jumps.weight * lost
        checked[index] = True

    while (doubtful := ~checked & (weights > weights[checked].max() - _NEGLIGIBLE)).any():
        check(int(np.where(doubtful, weights, -np.inf).argmax()))
    best = int(weights.argmax())
    if best < len(sizes):
        # Cuts explain those at multiples of their size, and no others: text has lines of its own.
        rivals = (evidence[:-1] > _RIVAL * evidence[best]) & (sizes % sizes[best] != 0)
        for index in np.flatnonzero(rivals):
            if not checked[index]:
                check(int(index))
            if evidence[index] > _RIVAL * evidence[best]:
                weights[index] = max(weights[index], weights[best] - 1.0)
    odds = np.exp(weights - weights.max())
    evidence = np.maximum(evidence - evidence[-1], 0.0)
    found = zip([*sizes, extent], odds / odds.sum(), evidence, strict=True)
    return sorted(
        (Period(int(size), float(share), float(said)) for size, share, said in found),
        key=lambda period: -period.probability,
    )


def _prior(sizes: np.ndarray, extent: int) -> np.ndarray:
    """Return the logarithm of how often each size is met, and last, that there is no line."""
    whole = extent % sizes == 0
    shares = np.where(whole, _WHOLE / max(whole.sum(), 1), _ODD / max((~whole).sum(), 1))
    return np.asarray(np.log(np.append(shares, _NONE)))


def jumpiness(pixels: np.ndarray, away: int = 1) -> np.ndarray:
    """Return by how much differences across each line exceed those on both sides of it.

    In octaves, averaged over rows; entry x is the line before column x. The outermost lines have
    no neighbours and hold the mean. Lines so far `away` are compared with: where a picture was
    scaled, a jump is wider than one line.
    """
    extent = pixels.shape[1]
    total = np.zeros(extent - 1 - 2 * away)
    for rows in _row_blocks(pixels.shape[0]):
        difference = np.diff(pixels[rows].astype(np.int16), axis=1)
        for window in _WINDOWS:
            window = min(window, len(difference))
            count = len(difference) // window
            added = difference[: count * window].reshape(count, window, extent - 1, -1).sum(axis=1)
            height = np.abs(added).sum(axis=2).astype(np.float32) + _FLOOR * math.sqrt(window)
            around = np.maximum(height[:, : -2 * away], height[:, 2 * away :])
            octaves = np.log2(height[:, away:-away] / around).clip(0.0, _HIGHEST)
            total += octaves.mean(axis=0) * len(difference)
    total /= len(_WINDOWS) * min(pixels.shape[0], MOST_ROWS)
    return np.pad(total, (away + 1, away), constant_values=total.mean())


def _row_blocks(height: int) -> list[slice]:
    """Spread blocks of rows over a picture, all of it if it is small."""
    if height <= MOST_ROWS:
        return [slice(first, first + _BLOCK) for first in range(0, height, _BLOCK)]
    firsts = np.linspace(0, height - _BLOCK, MOST_ROWS // _BLOCK).astype(int)
    return [slice(first, first + _BLOCK) for first in firsts]


def _evidence(jumpiness: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """Return the log-likelihood that just the multiples of each size jump, against none.

    Lines scatter about one mean where they are cut and about another where not. Every second
    line missing, as for twice the size, or every second too much, as for half of it, adds to
    the scatter. Where a size is a multiple of a lattice, its lines may have a mean of their own.
    """
    extent = len(jumpiness)
    height = jumpiness - jumpiness[2:-1].mean()
    scatter = float((height**2).sum()) + 1e-9
    lines = extent - 3
    lattices = {step: height[step : extent - 1 : step] for step in _LATTICES}
    evidence = np.zeros(len(sizes))
    for index, size in enumerate(sizes):
        cuts = height[size : extent - 1 : size]
        total, count = cuts.sum(), len(cuts)
        if total <= 0.0:
            continue
        best = total**2 * (1 / count + 1 / (lines - count))
        gain = _log_likelihood(best, scatter, lines)
        for step, lattice in lattices.items():
            if size % step == 0 and size > step and len(lattice) > count:
                explained = _explained_with_lattice(
                    total, count, lattice.sum() - total, len(lattice) - count, lines
                )
                said = _log_likelihood(explained, scatter, lines) - math.log(lines)
                gain = max(gain, said)
        evidence[index] = gain
    return evidence


def _explained_with_lattice(
    cut_total: float, cuts: int, lattice_total: float, lattice: int, lines: int
) -> float:
    """Return the scatter that means of cuts, of the lattice's lines and of the rest explain."""
    rest = lines - cuts - lattice
    if rest < 1:
        return 0.0
    rest_total = -(cut_total + lattice_total)
    low, high = rest_total / rest, cut_total / cuts
    if high <= low:
        return 0.0
    between = min(max(lattice_total / lattice, low), low + _LATTICE_SHARE * (high - low))
    return 2 * between * lattice_total - lattice * between**2 + cuts * high**2 + rest * low**2


def _log_likelihood(explained: float, scatter: float, lines: int) -> float:
    return -lines / 2 * math.log(1 - min(max(explained, 0.0) / scatter, 0.99999))


class _Jumps:
    """Compares jumps across lines with those between pixels far from each other."""

    def __init__(self, pixels: np.ndarray) -> None:
        step = math.ceil(pixels.shape[0] / _COMPARED_ROWS)
        self._pixels = pixels[::step].astype(np.int16)
        heights = np.abs(np.diff(self._pixels, axis=1))
        self._heights = heights.mean(axis=(0, 2))
        self.weight = _TEMPERATURE * min(np.count_nonzero(heights) / heights.size / _BUSY, 1.0)
        """What a unit of log-likelihood counts: little where little of the picture says it."""

    def share_cut(self, size: int) -> tuple[float, float]:
        """Return which share of the multiples of a size is cut, and by how many grey levels.

        The share is 1 where all are, half where only every other line is; of JPEG's lines hardly
        any. It is nan where pixels differ too little for a cut to be seen.
        """
        count = self._pixels.shape[1] // size
        near = self._heights[size - 1 :: size]
        within = (self._heights.sum() - near.sum()) / (len(self._heights) - len(near))
        first = self._pixels[:, : count * size : size]
        last = self._pixels[:, size - 1 : count * size : size]
        if count > 2:
            others = [np.roll(last, -away, axis=1) for away in range(1, min(count - 1, 8))]
        else:  # no two pieces but neighbours: other rows of the same piece, too
            others = [last, np.roll(last, len(last) // 2, axis=0)]
        far = float(np.mean([np.abs(first - other).mean() for other in others]))
        jump, unrelated = float(near.mean() - within), float(far - within)
        return (jump / unrelated if unrelated >= _NOTHING else math.nan), jump

    def trust(self, size: int) -> tuple[float, float]:
        """Return how much of what is said for a size counts, and of what is said against it."""
        share, jump = self.share_cut(size)
        if math.isnan(share):
            return 0.5, 0.0
        most = 0.5 if size % _BLOCKS == 0 and jump < _TRACES else 1.0
        cuts = self._pixels.shape[1] // size - 1  # one or two may join true neighbours by chance
        against = min(max((0.3 - share) / 0.2, 0.0), 1.0) * min(cuts / 3, 1.0)
        return min(max((share - 0.5) / 0.25, 0.0), most), against
