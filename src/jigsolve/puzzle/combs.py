"""Lines of a picture that stand out and are equally far apart, wherever they begin and end.

Cuts are such lines, also in pictures that were scaled after they were shuffled, where they are no
whole number of pixels apart, and in a board that is only a part of the picture.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from jigsolve._kernels.combs import best_runs
from jigsolve.puzzle.lines import SMALLEST, jumpiness

AWAY = 2
"""Lines so far away are compared with: scaling makes jumps a few lines wide."""

_HIGHEST = 20.0  # deviations: a page's edge must not outweigh all cuts
_THRESHOLDS = (2.5, 7.0)  # deviations: first guesses of half the height of a cut
_FEWEST = 3
_DRIFT = 0.5  # pixels by which the last line may be missed
_SAME = 0.03  # of a pitch: nearer ones are the same
_SNAP = 0.98  # share of the best sum for which whole numbers are taken instead


@dataclass(frozen=True)
class Run:
    """Lines that stand out: the first one, how far apart they are, how many."""

    start: float
    pitch: float
    count: int
    score: float
    """By how many deviations they exceed half of their mean, added up."""

    @property
    def stop(self) -> float:
        """The last line."""
        return self.start + self.pitch * (self.count - 1)

    def lines(self) -> np.ndarray:
        """Return where the lines are."""
        return self.start + self.pitch * np.arange(self.count)


def heights_of(pixels: np.ndarray) -> np.ndarray:
    """Return how far each line of axis 1 stands out, in deviations of most lines."""
    if pixels.shape[1] < 2 * AWAY + 2 or not pixels.shape[0]:
        return np.zeros(pixels.shape[1] + 1)
    heights = np.append(jumpiness(pixels, AWAY), 0.0)
    heights -= np.median(heights)
    deviation = 1.5 * float(np.median(np.abs(heights))) + 1e-3
    heights[[0, -1]] = 0.0
    return np.asarray(heights / deviation)


def find_runs(
    heights: np.ndarray, pitches: tuple[float, float] | None = None, most: int = 3
) -> list[Run]:
    """Return runs of different pitches, the ones that stand out most first.

    They are looked for from the smallest piece to half the extent, or between two pitches.
    """
    extent = len(heights) - 1
    tried = _pitches(extent, *(pitches or (SMALLEST, extent / 2 + 1)))
    clipped = heights.clip(-_HIGHEST, _HIGHEST)
    found: list[Run] = []
    for threshold in _THRESHOLDS:
        if run := _best_run(clipped, tried, threshold):
            half = max((run.score / run.count + threshold) / 2, 1.0)
            near = tried[np.abs(tried / run.pitch - 1) < _SAME]
            found.append(_best_run(clipped, near, half) or run)
    found.sort(key=lambda run: -run.score)
    different: list[Run] = []
    for run in found:
        if all(abs(run.pitch / other.pitch - 1) > _SAME for other in different):
            different.append(run)
    return different[:most]


def _best_run(heights: np.ndarray, pitches: np.ndarray, threshold: float) -> Run | None:
    scores, starts = np.zeros(len(pitches)), np.zeros(len(pitches))
    counts = np.zeros(len(pitches), np.int64)
    best_runs(heights, pitches, threshold, _FEWEST, scores, starts, counts)
    if not counts.any():
        return None
    best = int(scores.argmax())
    return Run(starts[best], pitches[best], int(counts[best]), float(scores[best]))


def _pitches(extent: int, low: float, high: float) -> np.ndarray:
    """Return pitches so close to each other that none of a picture's lines can be missed."""
    if high <= low or extent < 2 * SMALLEST:
        return np.empty(0)
    steps = int(np.log(high / low) * extent / _DRIFT) + 1
    return np.asarray(low * np.exp(np.arange(steps + 1) * (np.log(high / low) / steps)))


def refined(run: Run, heights: np.ndarray) -> Run:
    """Return a run with the pitch and place for which its lines are highest; whole if nearly so."""
    shifts = np.linspace(-1, 1, 41)
    stretches = np.linspace(-1, 1, 41) / max(run.count - 1, 1)
    middle = (run.count - 1) / 2
    number = np.arange(run.count) - middle
    centre = run.start + middle * run.pitch

    def total(places: np.ndarray) -> np.ndarray:
        values = np.interp(places, np.arange(len(heights)), heights)
        return np.asarray(values.sum(axis=-1))

    places = (centre + shifts)[:, None, None] + (run.pitch + stretches)[:, None] * number
    sums = total(places)
    shift, stretch = np.unravel_index(int(sums.argmax()), sums.shape)
    pitch = run.pitch + stretches[stretch]
    start = centre + shifts[shift] - middle * pitch
    whole = [
        (float(total(first + round(pitch) * np.arange(run.count))), first)
        for first in range(round(start) - 1, round(start) + 2)
    ]
    if max(whole)[0] >= _SNAP * sums.max():
        return Run(float(max(whole)[1]), float(round(pitch)), run.count, run.score)
    return Run(float(start), float(pitch), run.count, run.score)
