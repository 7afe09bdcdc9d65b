"""What the seam network does between its matrix products, for all seams at once.

The way of a library of arrays, for tests: twins of the kernels in `gpu/network.cu`, which a GPU
does it with.
"""

from __future__ import annotations

import numpy as np

from jigsolve._kernels.layers import CEILING


def enter_seams(
    near: np.ndarray,
    far: np.ndarray,
    near_levels: np.ndarray,
    far_levels: np.ndarray,
    scales: np.ndarray,
    ones: np.ndarray,
    others: np.ndarray,
    backwards: bool,
    values: np.ndarray,
) -> None:
    """Fill in the lines of both sides of seams, less their common level, over their scale."""
    width = near.shape[2]
    levels = np.float32(0.5) * (near_levels[ones] + far_levels[others])
    levels = levels[:, [i % 3 for i in range(width)]][:, None]
    inverse = (np.float32(1.0) / scales)[:, None, None]
    values[:, :, :width] = (near[ones] - levels) * inverse
    values[:, :, width:] = (_read(far[others], backwards) - levels) * inverse


def first_readings(products: np.ndarray, shifts: np.ndarray, hidden: np.ndarray) -> None:
    """Turn the products of the first layer into the two readings it has."""
    seams, length, _, channels = hidden.shape
    readings = products.reshape(seams, length, 2, channels) + shifts[:, None]
    hidden[:, :, :2] = readings.clip(0, CEILING)


def add_sides(
    near: tuple[np.ndarray, ...],
    far: tuple[np.ndarray, ...],
    flags: np.ndarray,
    shifts: np.ndarray,
    scales: np.ndarray,
    ones: np.ndarray,
    others: np.ndarray,
    backwards: bool,
    hidden: np.ndarray,
) -> None:
    """Fill in the two readings of seams whose sides have had their products made."""
    seams, length, _, channels = hidden.shape
    inverse = (np.float32(1.0) / scales)[:, None, None]
    here, there = (
        _of_sides(side, which, sign, inverse, flags)
        for side, which, sign in ((near, ones, 1), (far, others, -1))
    )
    there = _read(there, backwards)
    crossed = there.reshape(seams, length, 2, channels)[:, :, ::-1]
    readings = here.reshape(seams, length, 2, channels) + crossed + shifts[:, None]
    hidden[:, :, :2] = readings.clip(0, CEILING)


def _read(sides: np.ndarray, backwards: bool) -> np.ndarray:
    """Return what is along sides, (seams, length, numbers), from the end it is read from."""
    return sides[:, ::-1] if backwards else sides


def _of_sides(
    side: tuple[np.ndarray, ...],
    which: np.ndarray,
    sign: int,
    inverse: np.ndarray,
    flags: np.ndarray,
) -> np.ndarray:
    lines, told, ends, moved = side
    length = lines.shape[1]
    at = np.cumsum(np.ones_like(ends, shape=(length,)))[None, :, None] - 1
    begin, end = ends[which][:, None, 0::2], ends[which][:, None, 1::2]
    straddles = ((at < begin) | (at >= length - end)).astype(np.float32)
    values = (lines[which] + sign * moved[:, None]) * inverse + told[which][:, None]
    result: np.ndarray = values + straddles @ flags
    return result


def mix_two(hidden: np.ndarray, mixed: np.ndarray) -> None:
    """Lay out what the five taps of the layer after the first see."""
    seams, length, _, channels = hidden.shape
    sums = np.zeros_like(hidden, shape=(2, seams, length + 4, channels))
    np.add(hidden[:, :, 0], hidden[:, :, 1], out=sums[0, :, 2:-2])
    np.subtract(hidden[:, :, 0], hidden[:, :, 1], out=sums[1, :, 2:-2])
    evens, odds = (half.reshape(2, seams, length, 3, channels) for half in (mixed[:2], mixed[2:]))
    evens[..., 0, :] = sums[:, :, 2:-2]
    odds[..., 2, :] = 0
    for step in (1, 2):
        before = sums[:, :, 2 - step : 2 - step + length]
        after = sums[:, :, 2 + step : 2 + step + length]
        np.add(after, before, out=evens[..., step, :])
        np.subtract(after, before, out=odds[..., step - 1, :])


def mix_four(hidden: np.ndarray, mixed: np.ndarray) -> None:
    """Lay out what the three taps of a later layer see."""
    seams, length, _, channels = hidden.shape
    sums = np.zeros_like(hidden, shape=(4, seams, length + 2, channels))
    inner, before, after = sums[:, :, 1:-1], sums[:, :, :-2], sums[:, :, 2:]
    _exchange(hidden.transpose(2, 0, 1, 3), inner)
    parts = mixed.reshape(4, seams, length, 3, channels)
    parts[..., 0, :] = inner
    np.add(after, before, out=parts[..., 1, :])
    np.subtract(after[2:], before[2:], out=parts[:2, ..., 2, :])
    np.subtract(after[:2], before[:2], out=parts[2:, ..., 2, :])


def read_back(
    products: np.ndarray, bias: np.ndarray, is_residual: bool, hidden: np.ndarray
) -> None:
    """Turn sums and differences into readings again, add the bias, and keep what is positive."""
    _exchange(products, products)
    products += bias
    np.maximum(products, 0, out=products)
    readings = hidden.transpose(2, 0, 1, 3)
    if is_residual:
        readings += products
    else:
        readings[...] = products


def pool(hidden: np.ndarray, pooled: np.ndarray) -> None:
    """Fill in mean and maximum along the seam, for each reading."""
    channels = hidden.shape[3]
    pooled[..., :channels] = hidden.mean(axis=1)
    pooled[..., channels:] = hidden.max(axis=1)


def _exchange(four: np.ndarray, results: np.ndarray) -> None:
    """Fill in sums and differences of four readings, or readings from sums and differences."""
    plus, minus = four[0] + four[1], four[0] - four[1]
    reversed_plus, reversed_minus = four[2] + four[3], four[2] - four[3]
    np.add(plus, reversed_plus, out=results[0])
    np.add(minus, reversed_minus, out=results[1])
    np.subtract(plus, reversed_plus, out=results[2])
    np.subtract(minus, reversed_minus, out=results[3])
