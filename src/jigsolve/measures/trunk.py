"""What both seam networks have in common: layers along the seam, and what they come to.

Two ways lead through them. Kernels take seam by seam through all layers (`_kernels/layers.py`). A
library of arrays, NumPy or one of its kind, takes many through each: that is the way on a GPU, and
what tests compare the kernels with.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from jigsolve._kernels.layers import READINGS, Layers
from jigsolve._kernels.products import COLUMNS
from jigsolve.execution.crew import spans
from jigsolve.measures import whole_arrays

SOFTENING = 0.05
USUAL_LENGTH = 28.0
FLOOR = 1.0


@dataclass(frozen=True)
class Seams:
    """Seams between a side of some pieces and the facing side of others."""

    ones: np.ndarray
    others: np.ndarray
    """Which pieces meet, (m,) each."""
    cheap: np.ndarray
    second: np.ndarray
    """What the measures that proposed them say, as means over what they compare, (m,) each."""

    def __len__(self) -> int:
        return len(self.ones)

    def part(self, first: int, last: int) -> Seams:
        """Return the seams from first to before last."""
        some = slice(first, last)
        return Seams(self.ones[some], self.others[some], self.cheap[some], self.second[some])


@dataclass(frozen=True)
class Trunk:
    """Weights of all layers but the first, laid out for the products they are used in."""

    layers: list[np.ndarray]  # (4, 3 channels, channels) each
    biases: list[np.ndarray]
    head: np.ndarray
    head_bias: np.ndarray
    score: np.ndarray
    score_bias: float
    length_power: float
    xp: Any = np
    """The array library that holds them."""
    kernels: Any = whole_arrays
    """What lies between the products, for such arrays."""

    @classmethod
    def from_arrays(cls, arrays: dict[str, np.ndarray]) -> Trunk:
        """Lay out weights as they are trained, float64."""
        count = sum(name.startswith("convolution_") for name in arrays) // 2
        layers = [_two_readings(arrays["convolution_1"])]
        layers += [_four_readings(arrays[f"convolution_{i}"]) for i in range(2, count + 1)]
        biases = [arrays[f"convolution_{i}_bias"] for i in range(1, count + 1)]
        return cls(
            layers=[single(layer) for layer in layers],
            biases=[single(bias) for bias in biases],
            head=single(arrays["head"].T),
            head_bias=single(arrays["head_bias"]),
            score=single(arrays["score"]),
            score_bias=float(arrays["score_bias"].item()),
            length_power=float(arrays["length_power"]),
        )

    @functools.cached_property
    def blocks(self) -> Layers:
        """The weights as kernels take them."""
        assert len(self.biases[0]) % COLUMNS == 0, "kernels take channels in whole blocks"
        biases = np.zeros((len(self.biases), READINGS, len(self.biases[0])), np.float32)
        biases[:, 0] = self.biases  # the sum of all readings is part of each
        told = 2 * len(self.biases[0])
        return Layers(
            taps=in_blocks(np.stack(self.layers)),
            biases=in_blocks(biases[:, :, None])[..., 0, :],
            head=in_blocks(self.head[:told]),
            by_scalars=in_blocks(self.head[told:]),
            head_bias=in_blocks(self.head_bias[None])[:, 0],
            score=in_blocks(self.score[None])[:, 0],
        )

    def finished(self, each: np.ndarray, length: int) -> np.ndarray:
        """Return the scores of seams from what their readings come to."""
        longer = np.float32((length / USUAL_LENGTH) ** self.length_power)
        scores: np.ndarray = (each + np.float32(self.score_bias)) * longer
        return scores

    def in_passes(
        self, seams: Seams, length: int, rows_at_once: int, scores: Callable[[Seams], np.ndarray]
    ) -> np.ndarray:
        """Return the scores of seams of some length, few at a time."""
        found: np.ndarray = self.xp.empty(len(seams), np.float32)
        for span in spans(len(seams), max(1, rows_at_once // length)):
            found[slice(*span)] = scores(seams.part(*span))
        return found

    def scores(self, hidden: np.ndarray, scalars: np.ndarray) -> np.ndarray:
        """Return the scores of seams from what the first layer says of them.

        Parameters
        ----------
        hidden
            (seams, length, 4, channels), the first two readings filled in.
        scalars
            What else is known of each seam, (seams, numbers).
        """
        xp, kernels = self.xp, self.kernels
        count, length, _, channels = hidden.shape
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
        split = 2 * channels
        told = pooled @ self.head[:split] + (scalars @ self.head[split:] + self.head_bias)[:, None]
        return self.finished((xp.maximum(told, 0) @ self.score).mean(axis=1), length)

    def usual_scalars(
        self, seams: Seams, scales: np.ndarray, tilts: np.ndarray, length: int
    ) -> np.ndarray:
        """Return the numbers of each seam that both networks weigh, (m, numbers)."""
        xp = self.xp
        scalars = [
            xp.log(seams.cheap + SOFTENING),
            xp.log(seams.second + SOFTENING),
            xp.log(scales) - 1.5,
            xp.abs(tilts),
            xp.full(len(seams), np.log(length / USUAL_LENGTH)),
        ]
        numbers: np.ndarray = xp.stack(scalars, 1).astype(np.float32)
        return numbers


def single(array: np.ndarray) -> np.ndarray:
    """Return an array in single precision."""
    return np.ascontiguousarray(array, np.float32)


def in_blocks(weights: np.ndarray) -> np.ndarray:
    """Lay out (..., in, out) as (..., blocks, in, COLUMNS); what is beyond the last column is 0."""
    beyond = -weights.shape[-1] % COLUMNS
    padded = np.pad(weights, [(0, 0)] * (weights.ndim - 1) + [(0, beyond)])
    return single(np.moveaxis(padded.reshape(*padded.shape[:-1], -1, COLUMNS), -2, -3))


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
