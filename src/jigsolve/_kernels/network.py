"""Scores of seams: one pass for each, from what is known of its sides to what the network says.

Nothing is called meanwhile but compiled code, and the interpreter is not needed. `layers.py` has
the layers that come after the first.
"""

import math

import numpy as np

from jigsolve._kernels.jit import kernel
from jigsolve._kernels.layers import EDGE, score_of
from jigsolve._kernels.products import COLUMNS, SPARE_ROWS, multiply


@kernel
def read_lines(pieces, order, across, last, backwards, lines):
    """Copy the lines of pixels along one side of pieces, the outermost one first.

    Lines are (n, length, depth, 3); a piece that has fewer repeats its last. They lie across rows
    of pixels at the left and the right, of which `last` says which, and are read from their other
    ends: backwards.
    """
    count, length, depth, _ = lines.shape
    size = pieces.shape[2] if across else pieces.shape[1]
    for index in range(count):
        piece = order[index]
        for at in range(length):
            along = length - 1 - at if backwards else at
            for line in range(depth):
                inward = min(line, size - 1)
                if last:
                    inward = size - 1 - inward
                row = along if across else inward
                column = inward if across else along
                for colour in range(3):
                    lines[index, at, line, colour] = pieces[piece, row, column, colour]


@kernel
def describe_sides(lines, roots, levels, scales):
    """Fill in the mean colour near the seam, and the scale of the gradients, of every side.

    The lines of a side are (length, numbers), three colours of each line, the outermost one first.
    `roots` is room for a sum of each number.
    """
    sides, length, width = lines.shape
    for side in range(sides):
        for i in range(width):
            roots[i] = 0.0
        for colour in range(3):
            total = np.int64(0)
            for at in range(length):
                total += np.int64(lines[side, at, colour]) + lines[side, at, 3 + colour]
            levels[side, colour] = np.float32(total) / np.float32(2 * length)
        for at in range(length):
            here = lines[side, at]
            add_roots(here[: width - 3], here[3:], roots)
            if at + 1 < length:
                add_roots(here, lines[side, at + 1], roots)
        root = 0.0
        for i in range(width):
            root += roots[i]
        steps = length * (width - 3) + (length - 1) * width
        scales[side] = np.float32((root / steps) ** 2)


@kernel
def add_roots(ones, others, roots):
    """Add the roots of the differences of two lines."""
    for i in range(ones.shape[0]):
        roots[i] += math.sqrt(abs(np.int32(ones[i]) - np.int32(others[i])))


def lines_scratch(lines: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return room for the lines of both sides of a seam, and for a level."""
    _, length, width = lines.shape
    values = np.zeros((2, (length + SPARE_ROWS) * width), np.float32)
    return values, np.empty(width, np.float32)


@kernel
def score_whole(
    near,
    far,
    near_levels,
    far_levels,
    backwards,
    ones,
    others,
    scales,
    shifts,
    scalars,
    first,
    layers,
    scratch,
    values,
    levels,
    scores,
):
    """Score seams between sides as they were cut.

    Sides are their lines, (n, length, numbers), and mean colours. Far sides may be read from their
    other ends: backwards. The first layer sees lines less the common level of both, over their
    scale, and each seam shifts what it says, (seams, 2 blocks, COLUMNS). The head is told of
    `scalars` besides, (seams, numbers). `values` and `levels` are room for lines and for a level.
    """
    length, width = near.shape[1], near.shape[2]
    for seam in range(ones.shape[0]):
        one = ones[seam]
        other = others[seam]
        inverse = np.float32(1.0) / scales[seam]
        for i in range(width):
            colour = i % 3
            levels[i] = np.float32(0.5) * (near_levels[one, colour] + far_levels[other, colour])
        for at in range(length):
            there = length - 1 - at if backwards else at
            enter_line(near[one, at], levels, inverse, values[0, at * width : (at + 1) * width])
            enter_line(far[other, there], levels, inverse, values[1, at * width : (at + 1) * width])
        for row in range(first.shape[0]):
            products = scratch.products[row, EDGE * COLUMNS :]
            between = values.shape[1]
            multiply(
                values, length, width, 2, between, width, first[row], shifts[seam, row], products
            )
        scores[seam] = score_of(layers, scratch, length, scalars[seam])


@kernel
def enter_line(line, levels, inverse, values):
    """Fill in a line less its level, over its scale."""
    for i in range(line.shape[0]):
        values[i] = (np.float32(line[i]) - levels[i]) * inverse


@kernel
def score_damaged(
    near,
    far,
    backwards,
    ones,
    others,
    scales,
    shifts,
    scalars,
    flags,
    layers,
    scratch,
    added,
    scores,
):
    """Score seams between damaged sides, which have had the products of the first layer made.

    Sides are these products (n, length, 2 channels), what a step of each colour's level changes in
    them (n, 3, 2 channels), mean colours (n, 3), what is added for what is told of them (n, 2
    channels), and the positions at their ends that straddle another cut (n, 4). `flags` is what
    such positions add. Far sides may be read from their other ends: backwards. Each seam shifts
    the two readings, (seams, 2 channels). `added` is room for what all positions are given.
    """
    near_lines, near_by_level, near_levels, near_told, near_ends = near
    far_lines, far_by_level, far_levels, far_told, far_ends = far
    length, both = near_lines.shape[1], near_lines.shape[2]
    channels = both // 2
    rows = both // COLUMNS
    for seam in range(ones.shape[0]):
        one = ones[seam]
        other = others[seam]
        inverse = np.float32(1.0) / scales[seam]
        for i in range(both):
            j = (i + channels) % both  # read from the other side, far is near
            moved = np.float32(0)
            for colour in range(3):
                apart = np.float32(0.5) * (near_levels[one, colour] - far_levels[other, colour])
                moved += apart * (near_by_level[one, colour, i] - far_by_level[other, colour, j])
            told = near_told[one, i] + far_told[other, j]
            added[i] = moved * inverse + told + shifts[seam, i]
        for at in range(length):
            beyond = length - 1 - at if backwards else at
            place = (EDGE + at) * COLUMNS
            for row in range(rows):
                i = row * COLUMNS
                j = (i + channels) % both
                add_lines(
                    near_lines[one, at, i : i + COLUMNS],
                    far_lines[other, beyond, j : j + COLUMNS],
                    inverse,
                    added[i : i + COLUMNS],
                    scratch.products[row, place : place + COLUMNS],
                )
            for kind in range(2):
                is_near = straddles(near_ends, one, kind, at, length)
                is_far = straddles(far_ends, other, kind, beyond, length)
                if is_near or is_far:
                    for i in range(both):
                        more = np.float32(0)
                        if is_near:
                            more += flags[kind, i]
                        if is_far:
                            more += flags[kind, (i + channels) % both]
                        scratch.products[i // COLUMNS, place + i % COLUMNS] += more
        scores[seam] = score_of(layers, scratch, length, scalars[seam])


@kernel
def add_lines(near, far, inverse, added, values):
    """Fill in what the first layer says of a position."""
    for i in range(COLUMNS):
        values[i] = (near[i] + far[i]) * inverse + added[i]


@kernel
def straddles(ends, side, kind, at, length):
    """Say whether a position lies in a block that straddles the cut at an end of the side."""
    return at < ends[side, 2 * kind] or at >= length - ends[side, 2 * kind + 1]
