"""The seam network in numpy alone: what the solver's kernels are checked against.

The four readings of a seam are kept as sums and differences, even or odd under swapping its sides
and under reversing it. In these the tied weights fall apart into blocks, which needs a quarter of
the multiply-adds of the whole kernels that `network.py` trains with.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

LEFT, RIGHT, TOP, BOTTOM = range(4)

OPPONENT = np.array([[1 / 3, 1 / 3, 1 / 3], [1.0, 0.0, -1.0], [-0.5, 1.0, -0.5]])
FLOOR = 1.0
SOFTENING = 0.05
CEILING = 32.0
USUAL_LENGTH = 28.0

_RGB_TO_XYZ = np.array(
    [
        [0.412453, 0.357580, 0.180423],
        [0.212671, 0.715160, 0.072169],
        [0.019334, 0.119193, 0.950227],
    ]
)
_WHITE = np.array([0.95047, 1.0, 1.08883])
_DUMMIES = np.array(
    [
        (0, 0, 0), (1, 1, 1), (-1, -1, -1),
        (0, 0, 1), (0, 1, 0), (1, 0, 0), (-1, 0, 0), (0, -1, 0), (0, 0, -1),
    ]
)  # fmt: skip

Weights = dict[str, np.ndarray]


def load_weights(path: Path) -> Weights:
    """Read the arrays of a weights file."""
    with np.load(path) as file:
        return {name: file[name].astype(np.float64) for name in file.files}


def side_lines(pieces: np.ndarray, side: int, depth: int) -> np.ndarray:
    """Return the lines of pixels at a side, (n, length, depth, 3), the outermost first."""
    if side in (TOP, BOTTOM):
        pieces = pieces.swapaxes(1, 2)
    inward = np.minimum(np.arange(depth), pieces.shape[2] - 1)
    if side in (RIGHT, BOTTOM):
        inward = pieces.shape[2] - 1 - inward
    return pieces[:, :, inward]


def seam_scores(
    weights: Weights, pieces: np.ndarray, near: np.ndarray, far: np.ndarray
) -> np.ndarray:
    """Return the scores of seams between sides `4 p + s` of uint8 pieces, (n,)."""
    depth = weights["first"].shape[1] // 3
    scores = np.empty(len(near))
    for side in range(4):
        mine = np.flatnonzero(near % 4 == side)
        if (far[mine] % 4 != side ^ 1).any():
            raise ValueError("a side meets only the opposite side")
        if len(mine):
            own = side_lines(pieces[near[mine] // 4], side, depth)
            other = side_lines(pieces[far[mine] // 4], side ^ 1, depth)
            scores[mine] = score(weights, own, other)
    return scores


def score(weights: Weights, near: np.ndarray, far: np.ndarray) -> np.ndarray:
    """Return the scores of seams between lines of sides, each (n, length, depth, 3) uint8."""
    length = near.shape[1]
    scale_near, scale_far = gradient_scale(near), gradient_scale(far)
    scale = 0.5 * (scale_near + scale_far) + FLOOR
    tilt = np.log((scale_near + FLOOR) / (scale_far + FLOOR))
    hidden = _first_layer(weights, near, far, scale, tilt)
    layers = sum(name.startswith("convolution_") for name in weights) // 2
    for layer in range(1, layers + 1):
        kernel = weights[f"convolution_{layer}"]
        linear = _combined(hidden, kernel) + weights[f"convolution_{layer}_bias"]
        rectified = np.maximum(linear, 0.0)
        hidden = rectified if layer == 1 else hidden + rectified
    scalars = np.stack(
        [
            np.log(extrapolation(near, far) + SOFTENING),
            np.log(mgc(near, far) + SOFTENING),
            np.log(scale) - 1.5,
            np.abs(tilt),
            np.full(len(near), np.log(length / USUAL_LENGTH)),
        ],
        axis=1,
    )
    total = np.zeros(len(near))
    for reading in hidden:
        pooled = np.concatenate([reading.mean(axis=1), reading.max(axis=1), scalars], axis=1)
        inner = np.maximum(pooled @ weights["head"].T + weights["head_bias"], 0.0)
        total += inner @ weights["score"] + weights["score_bias"]
    return total / 4.0 * (length / USUAL_LENGTH) ** weights["length_power"]


def none_of_these(weights: Weights, lines: np.ndarray) -> np.ndarray:
    """Return the score of having no partner among the candidates, for lines of sides, (n,)."""
    constant, by_scale, by_length = weights["none"]
    scale = np.log(gradient_scale(lines) + FLOOR)
    return constant + by_scale * scale + by_length * np.log(lines.shape[1] / USUAL_LENGTH)


def gradient_scale(lines: np.ndarray) -> np.ndarray:
    """Return how large the gradients of sides are: the mean of their roots, squared."""
    values = lines.astype(np.float64)
    inward = np.sqrt(np.abs(np.diff(values, axis=2))).reshape(len(lines), -1)
    along = np.sqrt(np.abs(np.diff(values, axis=1))).reshape(len(lines), -1)
    return ((inward.sum(1) + along.sum(1)) / (inward.shape[1] + along.shape[1])) ** 2


def _first_layer(
    weights: Weights, near: np.ndarray, far: np.ndarray, scale: np.ndarray, tilt: np.ndarray
) -> np.ndarray:
    """Return the seam as it is and swapped, (2, n, length, channels)."""
    sides = [lines.astype(np.float64) @ OPPONENT.T for lines in (near, far)]
    mean = 0.5 * sum(side[:, :, :2].mean(axis=(1, 2)) for side in sides)
    near_in, far_in = (
        ((side - mean[:, None, None]) / scale[:, None, None, None]).reshape(*side.shape[:2], -1)
        for side in sides
    )
    own, other = weights["first"]
    by_scale, by_tilt = weights["first_scale"]
    shift = weights["first_bias"] + np.log(scale)[:, None] * by_scale
    as_it_is = near_in @ own + far_in @ other + (shift + tilt[:, None] * by_tilt)[:, None]
    swapped = far_in @ own + near_in @ other + (shift - tilt[:, None] * by_tilt)[:, None]
    return np.clip(np.stack([as_it_is, swapped]), 0.0, CEILING)


def _combined(hidden: np.ndarray, kernel: np.ndarray) -> np.ndarray:
    """Return what a layer makes of the readings before its bias, (4, n, length, channels).

    Readings stand in the order as it is, swapped, reversed, both; reversed ones are left out
    (there are but two) where they are the same as the others.
    """
    outcome = {}
    for parity, sign in (("even", 1.0), ("odd", -1.0)):
        forward = hidden[0] + sign * hidden[1]
        same = kernel[:, 0] + sign * kernel[:, 1]
        if len(hidden) == 2:
            outcome[parity] = (2.0 * _along(forward, same, 1), 2.0 * _along(forward, same, -1))
            continue
        backward = hidden[2] + sign * hidden[3]
        other = kernel[:, 2] + sign * kernel[:, 3]
        total, difference = forward + backward, forward - backward
        outcome[parity] = (
            _along(total, same + other, 1) + _along(difference, same - other, -1),
            _along(difference, same - other, 1) + _along(total, same + other, -1),
        )
    (even_sum, even_difference), (odd_sum, odd_difference) = outcome["even"], outcome["odd"]
    forward_even, backward_even = even_sum + even_difference, even_sum - even_difference
    forward_odd, backward_odd = odd_sum + odd_difference, odd_sum - odd_difference
    return 0.25 * np.stack(
        [
            forward_even + forward_odd,
            forward_even - forward_odd,
            backward_even + backward_odd,
            backward_even - backward_odd,
        ]
    )


def _along(hidden: np.ndarray, kernel: np.ndarray, sign: int) -> np.ndarray:
    """Convolve along the seam with the symmetric (1) or antisymmetric (-1) part of a kernel."""
    middle = kernel.shape[2] // 2
    part = 0.5 * (kernel + sign * kernel[:, :, ::-1])
    length = hidden.shape[1]
    padded = np.pad(hidden, ((0, 0), (middle, middle), (0, 0)))
    outcome = hidden @ part[:, :, middle].T if sign == 1 else np.zeros_like(hidden)
    for step in range(1, middle + 1):
        after = padded[:, middle + step : middle + step + length]
        before = padded[:, middle - step : middle - step + length]
        outcome = outcome + (after + sign * before) @ part[:, :, middle + step].T
    return outcome


def extrapolation(near: np.ndarray, far: np.ndarray) -> np.ndarray:
    """Return the cost of the measure `extrapolation`, as a mean over pixels and channels."""

    def carried_on(lines: np.ndarray) -> np.ndarray:
        outer, inner = _lab(lines[:, :, 0]), _lab(lines[:, :, 1])
        return np.rint(32 * (outer + 0.35 * (outer - inner)))

    return np.abs(carried_on(near) - carried_on(far)).mean(axis=(1, 2)) / 32


def mgc(near: np.ndarray, far: np.ndarray) -> np.ndarray:
    """Return the cost of the measure `mgc`, as a mean over pixels and channels."""
    return (_foretold(near, far) + _foretold(far, near)) / (3 * near.shape[1])


def _foretold(sides: np.ndarray, partners: np.ndarray) -> np.ndarray:
    outer, inner = sides[:, :, 0].astype(np.float64), sides[:, :, 1].astype(np.float64)
    steps = outer - inner
    dummies = np.broadcast_to(_DUMMIES, (len(sides), *_DUMMIES.shape))
    samples = np.concatenate([steps, dummies], axis=1)
    samples = samples - samples.mean(axis=1, keepdims=True)
    covariance = np.einsum("npi,npj->nij", samples, samples) / (samples.shape[1] - 1)
    missed = partners[:, :, 0] - outer - steps.mean(axis=1, keepdims=True)
    return np.einsum("npi,nij,npj->n", missed, np.linalg.inv(covariance), missed)


def _lab(pixels: np.ndarray) -> np.ndarray:
    levels = pixels / 255.0
    linear = np.where(levels <= 0.04045, levels / 12.92, ((levels + 0.055) / 1.055) ** 2.4)
    xyz = linear @ (_RGB_TO_XYZ / _WHITE[:, None]).T
    root = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16.0 / 116.0)
    x, y, z = root[..., 0], root[..., 1], root[..., 2]
    return np.stack([116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)], axis=-1)
