"""Lines of a picture that stand out and are equally far apart, wherever they begin and end.

Cuts are such lines, also in pictures that were scaled after they were shuffled, where they are no
whole number of pixels apart, and in a board that is only a part of the picture.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from jigsolve._kernels.combs import best_runs
from jigsolve.detect.lines import SMALLEST, jumpiness

AWAY = 3
"""Lines up to so far away belong to the same cut: scaling makes jumps a few lines wide."""

_COMPARED = (2, 3)
"""Lines so far away are compared with; of a gap just as wide, both ends would be as high."""

_HIGHEST = 20.0  # deviations: a page's edge must not outweigh all cuts
_THRESHOLDS = (2.5, 7.0)  # deviations: first guesses of half the height of a cut
_FEWEST = 3
_DRIFT = 0.5  # pixels by which the last line may be missed
_SAME = 0.03  # of a pitch: nearer ones are the same
_FITS = 3
_SHARE = 0.3  # of the highest line's height that makes another one a part of the same cut
_SNAP = 0.3  # pixels by which the last line may differ for whole numbers to be taken instead


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


def standing_out(pixels: np.ndarray) -> np.ndarray:
    """Return by how many octaves each line of axis 1 exceeds those a few lines away."""
    return np.asarray(np.maximum(*(jumpiness(pixels, away) for away in _COMPARED)))


def heights_of(pixels: np.ndarray) -> np.ndarray:
    """Return how far each line of axis 1 stands out, in deviations of most lines."""
    if pixels.shape[1] < 2 * AWAY + 2 or not pixels.shape[0]:
        return np.zeros(pixels.shape[1] + 1)
    heights = np.append(standing_out(pixels), 0.0)
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
    """Return a run with the pitch and place that its lines have; whole pixels if nearly so.

    A cut that scaling has put between two lines is a part of both: where it is, is their centre.
    """
    numbers = np.arange(run.count)
    start, pitch = run.start, run.pitch
    for _ in range(_FITS):
        nodes = np.rint(start + pitch * numbers).astype(int)[:, None] + np.arange(-1, 2)
        nodes = nodes.clip(0, len(heights) - 1)
        near = heights[nodes].clip(0.0)
        near = np.where(near > _SHARE * near.max(axis=1, keepdims=True), near, 0.0)
        mass = near.sum(axis=1)
        seen = mass > 0
        if seen.sum() < 2:
            break
        centres = (nodes * near).sum(axis=1)[seen] / mass[seen]
        weights = np.minimum(mass[seen], np.median(mass[seen]))
        pitch, start = np.polyfit(numbers[seen], centres, 1, w=weights)
    if abs(pitch - round(pitch)) * (run.count - 1) < _SNAP:
        middle = start + pitch * (run.count - 1) / 2
        pitch = round(pitch)
        first = round(middle - pitch * (run.count - 1) / 2)
        places = np.arange(len(heights))
        # A narrow gap has lines on both sides: one of them is taken, not what is between them.
        start = max(
            (first, first - 1, first + 1),
            key=lambda place: np.interp(place + pitch * numbers, places, heights).sum(),
        )
    return Run(float(start), float(pitch), run.count, run.score)
