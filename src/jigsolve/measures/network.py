"""The seam network: how likely it is that two sides belong together.

A few convolutions along the seam over fourteen lines of pixels on both sides of it; `training/` has
how it was trained. Here is only what scores seams: products of matrices, in NumPy or a library
of its kind, and small kernels between them.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

import numpy as np

from jigsolve._kernels import network as cpu_kernels
from jigsolve.parallel import spans

DEPTH = 14
"""Lines of pixels seen on each side; in a piece that has fewer, the last stands for the rest."""

FLOOR = 1.0
SOFTENING = 0.05
USUAL_LENGTH = 28.0
OPPONENT = np.array([[1 / 3, 1 / 3, 1 / 3], [1.0, 0.0, -1.0], [-0.5, 1.0, -0.5]])
"""Lightness and two colour differences: what the first layer was trained on."""

ROWS_AT_ONCE = 512
"""Positions along seams handled together: what a layer needs then stays in the cache."""


@dataclass(frozen=True, eq=False)
class Sides:
    """One side of all pieces, as the network takes them."""

    lines: np.ndarray
    """Pixels, (n, length, 3 DEPTH) uint8, the outermost line first."""
    levels: np.ndarray
    """Mean colour of the two outermost lines, (n, 3)."""
    scales: np.ndarray
    """How large the gradients are, in steps of 8-bit colour, (n,)."""

    @classmethod
    def of(cls, lines: np.ndarray) -> Sides:
        """Describe sides, (n, length, DEPTH, 3) uint8."""
        lines = np.ascontiguousarray(lines)
        levels = np.empty((len(lines), 3), np.float32)
        scales = np.empty(len(lines), np.float32)
        cpu_kernels.describe_sides(lines, levels, scales)
        return cls(lines.reshape(*lines.shape[:2], -1), levels, scales)


@dataclass(frozen=True)
class Seams:
    """Seams between a side of some pieces and the facing side of others."""

    ones: np.ndarray
    others: np.ndarray
    """Which pieces meet, (m,) each."""
    extrapolation: np.ndarray
    mgc: np.ndarray
    """What the cheap measures say of each seam, as means over pixels and colours, (m,) each."""

    def __len__(self) -> int:
        return len(self.ones)

    def part(self, first: int, last: int) -> Seams:
        """Return the seams from first to before last."""
        some = slice(first, last)
        return Seams(self.ones[some], self.others[some], self.extrapolation[some], self.mgc[some])


@dataclass(frozen=True)
class SeamNetwork:
    """The weights, laid out for the products they are used in."""

    first: np.ndarray  # (2 * 3 DEPTH, 2 channels): both readings of a position
    first_bias: np.ndarray  # (channels,)
    by_scale: np.ndarray  # (channels,)
    by_tilt: np.ndarray  # (channels,)
    layers: list[np.ndarray]  # (4, 3 channels, channels) each
    biases: list[np.ndarray]
    head: np.ndarray
    head_bias: np.ndarray
    score: np.ndarray
    score_bias: float
    length_power: float
    none: np.ndarray
    xp: Any = np
    """The array library that holds them."""
    kernels: Any = cpu_kernels
    """What lies between the products, for such arrays."""

    @classmethod
    @functools.cache
    def load(cls) -> SeamNetwork:
        """Return the network that ships with the package."""
        with (files("jigsolve") / "data" / "seam-network.npz").open("rb") as file:
            arrays = dict(np.load(file))
        return cls.from_arrays(arrays)

    @classmethod
    def from_arrays(cls, arrays: dict[str, np.ndarray]) -> SeamNetwork:
        """Lay out weights as they are trained."""
        arrays = {name: array.astype(np.float64) for name, array in arrays.items()}
        # Colours stay as they are: what turns them into opponent ones is linear, too.
        to_opponent = np.kron(np.eye(DEPTH), OPPONENT.T)
        near, far = (to_opponent @ weights for weights in arrays["first"])
        first = np.block([[near, far], [far, near]])
        layers = [_two_readings(arrays["convolution_1"])]
        count = sum(name.startswith("convolution_") for name in arrays) // 2
        layers += [_four_readings(arrays[f"convolution_{i}"]) for i in range(2, count + 1)]
        biases = [arrays[f"convolution_{i}_bias"] for i in range(1, count + 1)]

        def single(array: np.ndarray) -> np.ndarray:
            return np.ascontiguousarray(array, np.float32)

        return cls(
            first=single(first),
            first_bias=single(arrays["first_bias"]),
            by_scale=single(arrays["first_scale"][0]),
            by_tilt=single(arrays["first_scale"][1]),
            layers=[single(layer) for layer in layers],
            biases=[single(bias) for bias in biases],
            head=single(arrays["head"].T),
            head_bias=single(arrays["head_bias"]),
            score=single(arrays["score"]),
            score_bias=float(arrays["score_bias"].item()),
            length_power=float(arrays["length_power"]),
            none=single(arrays["none"]),
        )

    def scores(
        self, near: Sides, far: Sides, seams: Seams, rows_at_once: int = ROWS_AT_ONCE
    ) -> np.ndarray:
        """Return the scores of seams between sides that face each other, float32; high is good."""
        found: np.ndarray = self.xp.empty(len(seams), np.float32)
        for span in spans(len(seams), max(1, rows_at_once // near.lines.shape[1])):
            found[slice(*span)] = self._scores_of_few(near, far, seams.part(*span))
        return found

    def _scores_of_few(self, near: Sides, far: Sides, seams: Seams) -> np.ndarray:
        xp, kernels = self.xp, self.kernels
        ones, others = seams.ones, seams.others
        count, length = len(seams), near.lines.shape[1]
        channels = len(self.first_bias)
        scales = np.float32(0.5) * (near.scales[ones] + far.scales[others]) + np.float32(FLOOR)
        tilts = xp.log((near.scales[ones] + FLOOR) / (far.scales[others] + FLOOR), dtype=np.float32)
        values = xp.empty((count, length, self.first.shape[0]), np.float32)
        kernels.enter_seams(
            near.lines, far.lines, near.levels, far.levels, scales, ones, others, values
        )
        shift = self.first_bias + xp.log(scales)[:, None] * self.by_scale
        lean = tilts[:, None] * self.by_tilt
        hidden = xp.empty((count, length, 4, channels), np.float32)
        kernels.first_readings(
            values @ self.first, xp.stack([shift + lean, shift - lean], 1), hidden
        )
        mixed = xp.empty((4, count, length, 3 * channels), np.float32)
        for number, (weights, bias) in enumerate(zip(self.layers, self.biases, strict=True)):
            mix = kernels.mix_four if number else kernels.mix_two
            mix(hidden, mixed)
            products = (mixed.reshape(4, count * length, -1) @ weights).reshape(
                4, count, length, channels
            )
            kernels.read_back(products, bias, number > 0, hidden)
        pooled = xp.empty((count, 4, 2 * channels), np.float32)
        kernels.pool(hidden, pooled)
        scalars = xp.stack(
            [
                xp.log(seams.extrapolation + SOFTENING),
                xp.log(seams.mgc + SOFTENING),
                xp.log(scales) - 1.5,
                xp.abs(tilts),
                xp.full(count, np.log(length / USUAL_LENGTH)),
            ],
            1,
        ).astype(np.float32)
        split = 2 * channels
        told = pooled @ self.head[:split] + (scalars @ self.head[split:] + self.head_bias)[:, None]
        each = xp.maximum(told, 0) @ self.score + np.float32(self.score_bias)
        longer = np.float32((length / USUAL_LENGTH) ** self.length_power)
        scores: np.ndarray = each.mean(axis=1) * longer
        return scores

    def none_of_these(self, sides: Sides) -> np.ndarray:
        """Return the score of having no partner among the candidates, for every side."""
        constant, by_scale, by_length = self.none
        length = np.float32(np.log(sides.lines.shape[1] / USUAL_LENGTH))
        return np.asarray(
            constant + by_scale * np.log(sides.scales + np.float32(FLOOR)) + by_length * length,
            np.float32,
        )


def _two_readings(weights: np.ndarray) -> np.ndarray:
    """Lay out five taps over two readings: (out, 2, in, 5) to (4, 3 in, out)."""
    signs = [weights[:, 0] + weights[:, 1], weights[:, 0] - weights[:, 1]]
    evens, odds = [], []
    for signed in signs:
        after, before = signed[:, :, 3:], signed[:, :, 1::-1]
        even, odd = 0.5 * (after + before), 0.5 * (after - before)
        evens.append([signed[:, :, 2], even[:, :, 0], even[:, :, 1]])
        odds.append([odd[:, :, 0], odd[:, :, 1], np.zeros_like(signed[:, :, 2])])
    return np.array([[np.concatenate(part, 1).T] for part in (*evens, *odds)])[:, 0] / 2


def _four_readings(weights: np.ndarray) -> np.ndarray:
    """Lay out three taps over four readings: (out, 4, in, 3) to (4, 3 in, out)."""
    characters = np.array([[(-1) ** (a & b).bit_count() for b in range(4)] for a in range(4)])
    mixed = np.einsum("cd,odit->coit", characters, weights)
    centre = mixed[:, :, :, 1]
    even = 0.5 * (mixed[:, :, :, 2] + mixed[:, :, :, 0])
    odd = 0.5 * (mixed[:, :, :, 2] - mixed[:, :, :, 0])
    parts = np.concatenate([centre, even, odd[[2, 3, 0, 1]]], axis=2)
    return parts.transpose(0, 2, 1) / 4
