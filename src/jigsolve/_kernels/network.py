"""What the seam network does between its matrix products.

Layers keep four readings of a seam: as it is, swapped (read from its other side), reversed (read
from its other end), and both. Weights are tied so that swapping or reversing a seam only exchanges
readings. Sums and differences of readings therefore pass through a layer independently of each
other, and even and odd parts of its taps as well: four small products instead of a large one.

Arrays: `hidden` is (seams, length, 4, channels), readings in the order above; `mixed` holds sums
and differences with what the taps see of them, (4, seams, length, 3 channels); `products` what a
layer makes of them, (4, seams, length, channels).
"""

import math

import numpy as np

from jigsolve._kernels.jit import kernel

CEILING = np.float32(32.0)


@kernel
def describe_sides(lines, levels, scales):
    """Fill in the mean colour near the seam, and the scale of the gradients, of every side.

    The lines of a side are (length, depth, 3), the outermost one first.
    """
    sides, length, depth, _ = lines.shape
    for side in range(sides):
        for colour in range(3):
            total = np.int64(0)
            for at in range(length):
                total += np.int64(lines[side, at, 0, colour]) + lines[side, at, 1, colour]
            levels[side, colour] = np.float32(total) / np.float32(2 * length)
        root = 0.0
        for at in range(length):
            for line in range(depth):
                for colour in range(3):
                    here = np.int64(lines[side, at, line, colour])
                    if line + 1 < depth:
                        root += math.sqrt(abs(here - lines[side, at, line + 1, colour]))
                    if at + 1 < length:
                        root += math.sqrt(abs(here - lines[side, at + 1, line, colour]))
        steps = 3 * (length * (depth - 1) + (length - 1) * depth)
        scales[side] = np.float32((root / steps) ** 2)


@kernel
def enter_seams(near, far, near_levels, far_levels, scales, ones, others, backwards, values):
    """Fill in the lines of both sides of seams, less their common level, over their scale.

    Far sides may be read from their other ends: backwards.
    """
    width = near.shape[2]
    for seam in range(ones.shape[0]):
        one = ones[seam]
        other = others[seam]
        inverse = np.float32(1.0) / scales[seam]
        for at in range(near.shape[1]):
            there = near.shape[1] - 1 - at if backwards else at
            for i in range(width):
                level = np.float32(0.5) * (near_levels[one, i % 3] + far_levels[other, i % 3])
                values[seam, at, i] = (np.float32(near[one, at, i]) - level) * inverse
                values[seam, at, width + i] = (np.float32(far[other, there, i]) - level) * inverse


@kernel
def first_readings(products, shifts, hidden):
    """Turn the products of the first layer into the two readings it has.

    Adds what each seam shifts them by, (seams, 2, channels), and limits them.
    """
    seams, length, _, channels = hidden.shape
    for seam in range(seams):
        for at in range(length):
            for reading in range(2):
                for channel in range(channels):
                    value = products[seam, at, reading * channels + channel]
                    value += shifts[seam, reading, channel]
                    hidden[seam, at, reading, channel] = min(max(value, np.float32(0)), CEILING)


@kernel
def add_sides(near, far, flags, shifts, scales, ones, others, backwards, hidden):
    """Fill in the two readings of seams whose sides have had their products made.

    Sides are given as their products (n, length, 2 channels), what is added for what is told of
    them (n, 2 channels), the positions at their ends that straddle another cut (n, 4), and, seam
    by seam, what their level changes (seams, 2 channels). `flags` is what such positions add. Far
    sides may be read from their other ends: backwards.
    """
    near_lines, near_told, near_ends, near_moved = near
    far_lines, far_told, far_ends, far_moved = far
    seams, length, _, channels = hidden.shape
    for seam in range(seams):
        one = ones[seam]
        other = others[seam]
        inverse = np.float32(1.0) / scales[seam]
        for at in range(length):
            beyond = length - 1 - at if backwards else at
            for reading in range(2):
                here = reading * channels
                there = (1 - reading) * channels  # read from the other side, far is near
                for channel in range(channels):
                    i = here + channel
                    j = there + channel
                    value = near_lines[one, at, i] + near_moved[seam, i]
                    value += far_lines[other, beyond, j] - far_moved[seam, j]
                    value = value * inverse + near_told[one, i] + far_told[other, j]
                    hidden[seam, at, reading, channel] = value + shifts[seam, reading, channel]
            for kind in range(2):
                if straddles(near_ends, one, kind, at, length):
                    for reading in range(2):
                        for channel in range(channels):
                            i = reading * channels + channel
                            hidden[seam, at, reading, channel] += flags[kind, i]
                if straddles(far_ends, other, kind, beyond, length):
                    for reading in range(2):
                        for channel in range(channels):
                            j = (1 - reading) * channels + channel
                            hidden[seam, at, reading, channel] += flags[kind, j]
            for reading in range(2):
                for channel in range(channels):
                    value = hidden[seam, at, reading, channel]
                    hidden[seam, at, reading, channel] = min(max(value, np.float32(0)), CEILING)


@kernel
def straddles(ends, side, kind, at, length):
    """Say whether a position lies in a block that straddles the cut at an end of the side."""
    return at < ends[side, 2 * kind] or at >= length - ends[side, 2 * kind + 1]


@kernel
def mix_two(hidden, mixed):
    """Lay out what the five taps of the layer after the first see.

    It has two readings only, so even and odd parts of its taps are products of their own.
    """
    seams, length, _, channels = hidden.shape
    for sign in range(2):
        for seam in range(seams):
            for at in range(length):
                evens = mixed[sign, seam, at]
                odds = mixed[2 + sign, seam, at]
                for channel in range(channels):
                    evens[channel] = of_two(hidden, seam, at, channel, sign)
                    odds[2 * channels + channel] = np.float32(0)
                for step in range(1, 3):
                    for channel in range(channels):
                        before = of_two(hidden, seam, at - step, channel, sign)
                        after = of_two(hidden, seam, at + step, channel, sign)
                        evens[step * channels + channel] = after + before
                        odds[(step - 1) * channels + channel] = after - before


@kernel
def of_two(hidden, seam, at, channel, sign):
    """Return the sum or the difference of two readings, 0 beyond the ends of the seam."""
    if at < 0 or at >= hidden.shape[1]:
        return np.float32(0)
    one = hidden[seam, at, 0, channel]
    other = hidden[seam, at, 1, channel]
    return one - other if sign else one + other


@kernel
def mix_four(hidden, mixed):
    """Lay out what the three taps of a later layer see."""
    seams, length, _, channels = hidden.shape
    for seam in range(seams):
        for at in range(length):
            for channel in range(channels):
                h_0 = hidden[seam, at, 0, channel]
                h_1 = hidden[seam, at, 1, channel]
                h_2 = hidden[seam, at, 2, channel]
                h_3 = hidden[seam, at, 3, channel]
                mixed[0, seam, at, channel] = (h_0 + h_1) + (h_2 + h_3)
                mixed[1, seam, at, channel] = (h_0 - h_1) + (h_2 - h_3)
                mixed[2, seam, at, channel] = (h_0 + h_1) - (h_2 + h_3)
                mixed[3, seam, at, channel] = (h_0 - h_1) - (h_2 - h_3)
        for part in range(4):
            sums = mixed[part, seam]
            crossed = mixed[part ^ 2, seam]
            for at in range(length):
                row = mixed[part, seam, at]
                for channel in range(channels):
                    even = odd = np.float32(0)
                    if at + 1 < length:
                        even += sums[at + 1, channel]
                        odd += crossed[at + 1, channel]
                    if at > 0:
                        even += sums[at - 1, channel]
                        odd -= crossed[at - 1, channel]
                    row[channels + channel] = even
                    row[2 * channels + channel] = odd


@kernel
def read_back(products, bias, is_residual, hidden):
    """Turn sums and differences into readings again, add the bias, and keep what is positive."""
    seams, length, _, channels = hidden.shape
    for seam in range(seams):
        for at in range(length):
            for channel in range(channels):
                p_0 = products[0, seam, at, channel]
                p_1 = products[1, seam, at, channel]
                p_2 = products[2, seam, at, channel]
                p_3 = products[3, seam, at, channel]
                r_0 = max((p_0 + p_1) + (p_2 + p_3) + bias[channel], np.float32(0))
                r_1 = max((p_0 - p_1) + (p_2 - p_3) + bias[channel], np.float32(0))
                r_2 = max((p_0 + p_1) - (p_2 + p_3) + bias[channel], np.float32(0))
                r_3 = max((p_0 - p_1) - (p_2 - p_3) + bias[channel], np.float32(0))
                if is_residual:
                    r_0 += hidden[seam, at, 0, channel]
                    r_1 += hidden[seam, at, 1, channel]
                    r_2 += hidden[seam, at, 2, channel]
                    r_3 += hidden[seam, at, 3, channel]
                hidden[seam, at, 0, channel] = r_0
                hidden[seam, at, 1, channel] = r_1
                hidden[seam, at, 2, channel] = r_2
                hidden[seam, at, 3, channel] = r_3


@kernel
def pool(hidden, pooled):
    """Fill in mean and maximum along the seam, for each reading, (seams, 4, 2 channels)."""
    seams, length, _, channels = hidden.shape
    inverse = np.float32(1.0) / np.float32(length)
    for seam in range(seams):
        for reading in range(4):
            row = pooled[seam, reading]
            for channel in range(channels):
                row[channel] = np.float32(0)
                row[channels + channel] = np.float32(0)  # nothing is negative
            for at in range(length):
                for channel in range(channels):
                    value = hidden[seam, at, reading, channel]
                    row[channel] += value
                    row[channels + channel] = max(row[channels + channel], value)
            for channel in range(channels):
                row[channel] *= inverse
