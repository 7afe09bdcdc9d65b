"""Equally spaced lines of a picture that stand out: which spacing, where, and how many."""

from jigsolve._kernels.jit import kernel

PHASE_STEP = 0.5
"""Pixels between two places at which the first line is tried."""


@kernel
def between(heights, x):
    """Return the height at a place between two lines."""
    low = int(x)
    share = x - low
    if low + 1 < heights.shape[0]:
        return heights[low] * (1.0 - share) + heights[low + 1] * share
    return heights[low]


@kernel
def best_runs(heights, pitches, threshold, fewest, scores, starts, counts):
    """For each pitch, find the run of lines that exceed the threshold by most in all.

    `heights[x]` is that of the line before pixel x. Filled are what the best run exceeds the
    threshold by, added up, its first line and how many lines it has; 0 where there is none of
    so few lines.
    """
    last = heights.shape[0] - 1
    for index in range(pitches.shape[0]):
        pitch = pitches[index]
        scores[index] = 0.0
        starts[index] = 0.0
        counts[index] = 0
        phase = 0.0
        while phase < pitch:
            total = 0.0
            first = 0
            number = 0
            x = phase
            while x <= last:
                total += between(heights, x) - threshold
                number += 1
                if total <= 0.0:
                    total = 0.0
                    first = number
                elif total > scores[index] and number - first >= fewest:
                    scores[index] = total
                    starts[index] = phase + first * pitch
                    counts[index] = number - first
                x = phase + number * pitch
            phase += PHASE_STEP
