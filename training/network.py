"""The seam network: how likely it is that two sides belong together.

Reading a seam from the other side, or from its other end, must not change its score. Layers keep
four readings of the seam (as it is, swapped, reversed, both), and their weights are tied such that
swapping or reversing the seam only exchanges the readings; the mean over them is then the same.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from bags import DEPTH
from cheap import constant
from torch import nn
from torch.nn import functional

OPPONENT = ((1 / 3, 1 / 3, 1 / 3), (1.0, 0.0, -1.0), (-0.5, 1.0, -0.5))
"""Lightness and two colour differences, of about equal size where colours are lively."""

FLOOR = 1.0
"""Added to the scale of gradients: below a grey level or so, differences are rounding."""

SOFTENING = 0.05
"""Added to cheap costs before their logarithm is taken."""

CEILING = 32.0
SCALARS = 5
HIDDEN = 32
USUAL_LENGTH = 28.0


@dataclass(frozen=True)
class Sides:
    """Sides as the network takes them."""

    values: torch.Tensor  # (n, length, 3 DEPTH): opponent colours, the outermost line first
    level: torch.Tensor  # (n, 3): their mean over the two outermost lines
    scale: torch.Tensor  # (n,): how large the gradients are, in steps of 8-bit colour

    @classmethod
    def of(cls, lines: torch.Tensor) -> Sides:
        """Prepare the lines of sides, (n, length, DEPTH, 3) uint8."""
        pixels = lines.float()
        values = pixels @ constant(OPPONENT, torch.float32, lines.device).T
        inward = (pixels[:, :, 1:] - pixels[:, :, :-1]).abs().sqrt().flatten(1)
        along = (pixels[:, 1:] - pixels[:, :-1]).abs().sqrt().flatten(1)
        root = (inward.sum(1) + along.sum(1)) / (inward.shape[1] + along.shape[1])
        return cls(values.flatten(2), values[:, :, :2].mean((1, 2)), root**2)

    def take(self, which: torch.Tensor) -> Sides:
        """Return the sides at the given places."""
        return Sides(self.values[which], self.level[which], self.scale[which])


class Layers(nn.Module):
    """All layers but the first: along the seam, and what they come to.

    `others` is how many numbers of each seam the last ones are told.
    """

    def __init__(self, channels: int, taps: tuple[int, ...], others: int) -> None:
        super().__init__()
        self.channels, self.taps = channels, taps
        readings = [2] + [4] * (len(taps) - 1)
        self.convolutions = nn.ParameterList(
            torch.randn(channels, reading, channels, tap) * (2 / (reading * channels * tap)) ** 0.5
            for reading, tap in zip(readings, taps, strict=True)
        )
        self.biases = nn.ParameterList(torch.zeros(channels) for _ in taps)
        self.head = nn.Linear(2 * channels + others, HIDDEN)
        self.score = nn.Linear(HIDDEN, 1)
        self.length_power = nn.Parameter(torch.tensor(0.5))

    def read(self, hidden: torch.Tensor, scalars: torch.Tensor) -> torch.Tensor:
        """Return scores from what the first layer says, (n, length, 2 channels), and numbers."""
        longer: torch.Tensor = (hidden.shape[1] / USUAL_LENGTH) ** self.length_power
        return self.along(hidden, scalars) * longer

    def along(self, hidden: torch.Tensor, scalars: torch.Tensor) -> torch.Tensor:
        """Return scores that do not grow with the length yet."""
        if self.training:
            hidden = hidden.bfloat16()
        with torch.autocast(hidden.device.type, torch.bfloat16, enabled=self.training):
            for layer, (weights, bias) in enumerate(
                zip(self.convolutions, self.biases, strict=True)
            ):
                outcome = functional.relu(convolved(hidden, tied(weights), bias.repeat(4)))
                hidden = hidden + outcome if layer else outcome
        # Not amax: its slopes look for the values that are equal to it, and fused there are none.
        means, peaks = hidden.mean(1, dtype=torch.float32), hidden.max(1).values.float()
        pooled = torch.cat(
            [
                means.unflatten(1, (4, self.channels)),
                peaks.unflatten(1, (4, self.channels)),
                scalars[:, None].expand(-1, 4, -1),
            ],
            2,
        )
        scores: torch.Tensor = self.score(functional.relu(self.head(pooled))).squeeze(2).mean(1)
        return scores


def usual_scalars(
    cheap: torch.Tensor,
    second: torch.Tensor,
    scale: torch.Tensor,
    tilt: torch.Tensor,
    length: int,
) -> torch.Tensor:
    """Return the numbers of each seam that both networks weigh, (n, SCALARS)."""
    parts = [
        torch.log(cheap + SOFTENING),
        torch.log(second + SOFTENING),
        torch.log(scale) - 1.5,
        tilt.abs(),
        torch.full_like(scale, length / USUAL_LENGTH).log(),
    ]
    return torch.stack(parts, 1)


class SeamNetwork(Layers):
    """Scores of seams from the lines of pixels on both sides."""

    def __init__(self, channels: int = 24, taps: tuple[int, ...] = (5, 3, 3)) -> None:
        super().__init__(channels, taps, SCALARS)
        inputs = 2 * DEPTH * 3
        self.first = nn.Parameter(torch.randn(2, DEPTH * 3, channels) * (0.5 / inputs**0.5))
        self.first_bias = nn.Parameter(0.1 * torch.randn(channels))
        self.first_scale = nn.Parameter(torch.zeros(2, channels))
        self.none = nn.Parameter(torch.zeros(3))

    def forward(
        self,
        near: Sides,
        far: Sides,
        extrapolation: torch.Tensor,
        mgc: torch.Tensor,
    ) -> torch.Tensor:
        """Return the scores of seams, (n,).

        Parameters
        ----------
        near, far
            The two sides of each seam.
        extrapolation, mgc
            What the cheap measures say, (n,), as means over pixels and channels.
        """
        length = near.values.shape[1]
        scale = 0.5 * (near.scale + far.scale) + FLOOR
        tilt = torch.log((near.scale + FLOOR) / (far.scale + FLOOR))
        mean = (0.5 * (near.level + far.level)).repeat(1, DEPTH)[:, None]
        near_in, far_in = ((side.values - mean) / scale[:, None, None] for side in (near, far))
        by_scale, by_tilt = self.first_scale
        shift = self.first_bias + torch.log(scale)[:, None] * by_scale
        # As matrix products in full precision: faint texture drowns in half of it.
        as_it_is = near_in @ self.first[0] + far_in @ self.first[1]
        swapped = far_in @ self.first[0] + near_in @ self.first[1]
        as_it_is = as_it_is + (shift + tilt[:, None] * by_tilt)[:, None]
        swapped = swapped + (shift - tilt[:, None] * by_tilt)[:, None]
        hidden = torch.cat([as_it_is, swapped], 2).clamp(0.0, CEILING)
        return self.read(hidden, usual_scalars(extrapolation, mgc, scale, tilt, length))

    def none_of_these(self, sides: Sides) -> torch.Tensor:
        """Return the score of having no partner among the candidates, (n,)."""
        constant, by_scale, by_length = self.none
        length = math.log(sides.values.shape[1] / USUAL_LENGTH)
        return constant + by_scale * torch.log(sides.scale + FLOOR) + by_length * length

    def multiply_adds(self, length: int = 28) -> int:
        """Return the multiply-adds of a seam, where tied weights are used to save work."""
        c = self.channels
        each = 2 * 2 * DEPTH * 3 * c
        for weights in self.convolutions:
            _, readings, _, tap = weights.shape
            each += readings * tap * c * c
        return each * length + 4 * HIDDEN * (2 * c + SCALARS + 1)


def tied(weights: torch.Tensor) -> torch.Tensor:
    """Return the whole kernel of a layer, (4 out, readings in, taps), from its free weights.

    Reading g = (swapped, reversed), in the order 00, 10, 01, 11. What a reading takes from another
    depends only on how the two differ; a reversed reading sees the taps in reverse. The first
    layer has no taps, so its reversed readings are the others again, and are left out.
    """
    readings = weights.shape[1]
    kernels = []
    for reading in range(4):
        seen = weights.flip(3) if reading >= 2 else weights
        order = [(reading ^ other) % readings for other in range(readings)]
        kernels.append(seen[:, order].flatten(1, 2))
    return torch.cat(kernels)


def convolved(hidden: torch.Tensor, kernel: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
    """Convolve (n, length, channels) along the seam, with zeros beyond its ends."""
    # As pictures of one line with channels last: a layout that fast kernels exist for.
    lines = hidden[:, None].permute(0, 3, 1, 2)
    outcome = functional.conv2d(lines, kernel[:, :, None], bias, padding=(0, kernel.shape[2] // 2))
    return outcome.permute(0, 2, 3, 1)[:, 0]
