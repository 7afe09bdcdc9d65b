"""The layers along a seam, from what the first one says to a score.

Layers keep four readings of a seam: as it is, swapped (read from its other side), reversed (read
from its other end), and both. Weights are tied so that swapping or reversing a seam only exchanges
readings. Sums and differences of readings therefore pass through a layer independently of each
other, and even and odd parts of its taps as well: four small products instead of a large one.

A seam goes through all layers before the next one does: what lies between them stays in the cache.
Channels are in blocks of `COLUMNS`. A row of an array has the channels of a block, position after
position, and zeros before the first and behind the last. Rows of `hidden` and `products` are
numbered by reading (or sum) and block, those of `mixed` by sum, tap and block.
"""

from typing import NamedTuple

import numpy as np

from jigsolve._kernels.jit import kernel
from jigsolve._kernels.products import COLUMNS, SPARE_ROWS, multiply

CEILING = np.float32(32.0)

EDGE = 2
"""Positions before the first one: so far the taps reach."""

TAPS = 3
"""Taps see what lies at a position, and sums or differences of what lies on both hands."""

READINGS = 4


class Layers(NamedTuple):
    """Weights of all layers but the first, in blocks of columns."""

    taps: np.ndarray  # (layers, sums, blocks, TAPS channels, COLUMNS)
    biases: np.ndarray  # (layers, sums, blocks, COLUMNS): of the sum of all readings only
    head: np.ndarray  # (blocks of the head, 2 channels, COLUMNS)
    by_scalars: np.ndarray  # (blocks of the head, numbers, COLUMNS)
    head_bias: np.ndarray  # (blocks of the head, COLUMNS)
    score: np.ndarray  # (blocks of the head, COLUMNS)


class Scratch(NamedTuple):
    """Where a thread keeps what lies between the layers."""

    hidden: np.ndarray
    products: np.ndarray
    mixed: np.ndarray
    pooled: np.ndarray  # (READINGS, 2 channels), and spare rows
    told: np.ndarray  # (blocks of the head, COLUMNS)
    judged: np.ndarray  # (READINGS and spare rows, COLUMNS)


def scratch(layers: Layers, length: int) -> Scratch:
    """Return what seams of so many positions take."""
    rows = READINGS * layers.taps.shape[2]
    row = (EDGE + length + SPARE_ROWS) * COLUMNS
    return Scratch(
        hidden=np.zeros((rows, row), np.float32),
        products=np.zeros((rows, row), np.float32),
        mixed=np.zeros((TAPS * rows, row), np.float32),
        pooled=np.zeros((READINGS + SPARE_ROWS, layers.head.shape[1]), np.float32),
        told=np.zeros(layers.score.shape, np.float32),
        judged=np.zeros((READINGS + SPARE_ROWS, COLUMNS), np.float32),
    )


@kernel
def score_of(layers, scratch, length, scalars):
    """Return the score of a seam, the products of whose first layer are made."""
    hidden, products, mixed, pooled, told, judged = scratch
    blocks = layers.taps.shape[2]
    begin = EDGE * COLUMNS
    end = begin + length * COLUMNS
    for layer in range(layers.taps.shape[0]):
        if layer == 0:
            mix_two(products, blocks, begin, end, mixed)
        else:
            mix_four(hidden, blocks, begin, end, mixed)
        for part in range(READINGS):
            seen = mixed[part * TAPS * blocks, begin:]
            # After two readings there is no third odd tap.
            parts = (TAPS - 1 if layer == 0 and part > 1 else TAPS) * blocks
            for block in range(blocks):
                weights = layers.taps[layer, part, block]
                bias = layers.biases[layer, part, block]
                made = products[part * blocks + block, begin:]
                multiply(seen, length, COLUMNS, parts, mixed.shape[1], COLUMNS, weights, bias, made)
        read_back(products, blocks, begin, end, layer > 0, hidden)
    pool(hidden, blocks, begin, length, products, pooled)
    tell(layers, scalars, told)
    width = pooled.shape[1]
    total = np.float32(0)
    for block in range(layers.head.shape[0]):
        multiply(pooled, READINGS, width, 1, 0, width, layers.head[block], told[block], judged)
        for column in range(COLUMNS):
            said = np.float32(0)
            for reading in range(READINGS):
                said += max(judged[reading, column], np.float32(0))
            total += said * layers.score[block, column]
    return total / np.float32(READINGS)


@kernel
def mix_two(products, blocks, begin, end, mixed):
    """Limit what the first layer says, and lay out what the five taps of the next one see.

    There are two readings only, so even and odd parts of its taps are products of their own.
    """
    for row in range(2 * blocks):
        limit(products[row, begin:end])
    for block in range(blocks):
        ones = products[block, begin:end]
        others = products[blocks + block, begin:end]
        for sign in range(2):
            row = sign * TAPS * blocks + block
            if sign:
                subtract(ones, others, mixed[row, begin:end])
            else:
                add(ones, others, mixed[row, begin:end])
            for step in range(1, 3):
                after = mixed[row, begin + step * COLUMNS : end + step * COLUMNS]
                before = mixed[row, begin - step * COLUMNS : end - step * COLUMNS]
                add(after, before, mixed[row + step * blocks, begin:end])
                odd = row + (2 * TAPS + step - 1) * blocks
                subtract(after, before, mixed[odd, begin:end])


@kernel
def mix_four(hidden, blocks, begin, end, mixed):
    """Lay out what the three taps of a later layer see."""
    for block in range(blocks):
        h_0 = hidden[block, begin:end]
        h_1 = hidden[blocks + block, begin:end]
        h_2 = hidden[2 * blocks + block, begin:end]
        h_3 = hidden[3 * blocks + block, begin:end]
        every = TAPS * blocks
        m_0 = mixed[block, begin:end]
        m_1 = mixed[every + block, begin:end]
        m_2 = mixed[2 * every + block, begin:end]
        m_3 = mixed[3 * every + block, begin:end]
        for i in range(m_0.shape[0]):
            m_0[i] = (h_0[i] + h_1[i]) + (h_2[i] + h_3[i])
        for i in range(m_0.shape[0]):
            m_1[i] = (h_0[i] - h_1[i]) + (h_2[i] - h_3[i])
        for i in range(m_0.shape[0]):
            m_2[i] = (h_0[i] + h_1[i]) - (h_2[i] + h_3[i])
        for i in range(m_0.shape[0]):
            m_3[i] = (h_0[i] - h_1[i]) - (h_2[i] - h_3[i])
        for part in range(4):
            own = part * every + block
            crossed = mixed[(part ^ 2) * every + block]
            add(
                mixed[own, begin + COLUMNS : end + COLUMNS],
                mixed[own, begin - COLUMNS : end - COLUMNS],
                mixed[own + blocks, begin:end],
            )
            subtract(
                crossed[begin + COLUMNS : end + COLUMNS],
                crossed[begin - COLUMNS : end - COLUMNS],
                mixed[own + 2 * blocks, begin:end],
            )


@kernel
def read_back(products, blocks, begin, end, is_residual, hidden):
    """Turn sums and differences into readings again, and keep what is positive."""
    for block in range(blocks):
        p_0 = products[block, begin:end]
        p_1 = products[blocks + block, begin:end]
        p_2 = products[2 * blocks + block, begin:end]
        p_3 = products[3 * blocks + block, begin:end]
        h_0 = hidden[block, begin:end]
        h_1 = hidden[blocks + block, begin:end]
        h_2 = hidden[2 * blocks + block, begin:end]
        h_3 = hidden[3 * blocks + block, begin:end]
        if not is_residual:
            h_0[:] = np.float32(0)
            h_1[:] = np.float32(0)
            h_2[:] = np.float32(0)
            h_3[:] = np.float32(0)
        for i in range(h_0.shape[0]):
            h_0[i] += max((p_0[i] + p_1[i]) + (p_2[i] + p_3[i]), np.float32(0))
        for i in range(h_0.shape[0]):
            h_1[i] += max((p_0[i] - p_1[i]) + (p_2[i] - p_3[i]), np.float32(0))
        for i in range(h_0.shape[0]):
            h_2[i] += max((p_0[i] + p_1[i]) - (p_2[i] + p_3[i]), np.float32(0))
        for i in range(h_0.shape[0]):
            h_3[i] += max((p_0[i] - p_1[i]) - (p_2[i] - p_3[i]), np.float32(0))


@kernel
def limit(values):
    for i in range(values.shape[0]):
        values[i] = min(max(values[i], np.float32(0)), CEILING)


@kernel
def add(ones, others, sums):
    for i in range(sums.shape[0]):
        sums[i] = ones[i] + others[i]


@kernel
def subtract(ones, others, differences):
    for i in range(differences.shape[0]):
        differences[i] = ones[i] - others[i]


@kernel
def copy(values, copies):
    for i in range(copies.shape[0]):
        copies[i] = values[i]


@kernel
def add_to(sums, more):
    for i in range(sums.shape[0]):
        sums[i] += more[i]


@kernel
def raise_to(largest, others):
    for i in range(largest.shape[0]):
        largest[i] = max(largest[i], others[i])


@kernel
def pool(hidden, blocks, begin, length, sums, pooled):
    """Fill in mean and maximum along the seam, for each reading; `hidden` and `sums` are used up.

    Positions are folded, half of them onto the others, until one is left.
    """
    end = begin + length * COLUMNS
    for row in range(READINGS * blocks):
        of_sum = sums[row]
        of_most = hidden[row]
        copy(of_most[begin:end], of_sum[begin:end])
        count = length
        while count > 1:
            folded = count // 2 * COLUMNS
            last = begin + count * COLUMNS
            add_to(of_sum[begin : begin + folded], of_sum[last - folded : last])
            raise_to(of_most[begin : begin + folded], of_most[last - folded : last])
            count -= count // 2
        reading = row // blocks
        column = row % blocks * COLUMNS
        for i in range(COLUMNS):
            pooled[reading, column + i] = of_sum[begin + i] / np.float32(length)
            pooled[reading, blocks * COLUMNS + column + i] = of_most[begin + i]


@kernel
def tell(layers, scalars, told):
    """Fill in what the head makes of what is known of a seam besides."""
    for block in range(told.shape[0]):
        for column in range(COLUMNS):
            told[block, column] = layers.head_bias[block, column]
        for number in range(scalars.shape[0]):
            for column in range(COLUMNS):
                told[block, column] += scalars[number] * layers.by_scalars[block, number, column]
