"""The network for damaged borders: told which lines to trust, and how strong the damage is.

Two parts share what they are told. The *tower* looks at one side and says what the pixels at the
cut probably were: sides whose answers are close are candidates. The *seam network* looks at both
sides of a candidate, as the one for whole borders does (`network.py`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from cheap import constant
from network import (
    CEILING,
    FLOOR,
    OPPONENT,
    SCALARS,
    USUAL_LENGTH,
    Layers,
    usual_scalars,
)
from torch import nn
from torch.nn import functional

from jigsolve.damage.conditions import FEATURES, LINES

LEVEL_LINES = 6
"""The level of a side is the mean over so many lines: the outermost may not be worth much."""

FLAGS = 2
"""Whether a position straddles another cut, for lightness and for colours."""

INPUTS = 3 * LINES + FLAGS
TOLD = 8
KNOWN = 48
TOWER = 48
ANSWERS = 6
"""Numbers that the tower gives for each position of a side."""

BROAD = 4
"""The plain proposer compares means over so many lines and positions."""


@dataclass(frozen=True)
class DamagedSides:
    """Sides as the network takes them."""

    values: torch.Tensor  # (n, length, LINES, 3): opponent colours, the outermost line first
    flags: torch.Tensor  # (n, length, FLAGS)
    features: torch.Tensor  # (n, FEATURES)
    level: torch.Tensor  # (n, 3)
    scale: torch.Tensor  # (n,)

    @classmethod
    def of(cls, lines: torch.Tensor, features: torch.Tensor, ends: torch.Tensor) -> DamagedSides:
        """Prepare the lines of sides, (n, length, LINES, 3) uint8."""
        pixels = lines.float()
        values = pixels @ constant(OPPONENT, torch.float32, lines.device).T
        inward = (pixels[:, :, 1:] - pixels[:, :, :-1]).abs().sqrt().flatten(1)
        along = (pixels[:, 1:] - pixels[:, :-1]).abs().sqrt().flatten(1)
        root = (inward.sum(1) + along.sum(1)) / (inward.shape[1] + along.shape[1])
        length = lines.shape[1]
        at = torch.arange(length, device=lines.device)[None, :, None]
        begin, end = ends[:, 0::2].unsqueeze(1), ends[:, 1::2].unsqueeze(1)
        flags = ((at < begin) | (at >= length - end)).float()
        level = values[:, :, :LEVEL_LINES].mean((1, 2))
        return cls(values, flags, features, level, root**2)

    def broad(self) -> torch.Tensor:
        """Return what the plain proposer compares, (n, 3 length)."""
        outer = self.values[:, :, :BROAD].mean(2).transpose(1, 2)
        padded = functional.pad(outer, (BROAD // 2, BROAD // 2 - 1), mode="replicate")
        return functional.avg_pool1d(padded, BROAD, stride=1).transpose(1, 2).flatten(1)


@dataclass(frozen=True)
class Known:
    """What the network makes of what it is told about sides."""

    gains: torch.Tensor  # (n, LINES, 3)
    near: torch.Tensor  # (n, channels)
    far: torch.Tensor  # (n, channels)
    tower: torch.Tensor  # (n, TOWER)
    told: torch.Tensor  # (n, TOLD)


@dataclass(frozen=True)
class SideNumbers:
    """Single numbers of sides."""

    level: torch.Tensor  # (n, 3)
    scale: torch.Tensor  # (n,)
    told: torch.Tensor  # (n, TOLD)

    def take(self, which: torch.Tensor) -> SideNumbers:
        """Return those of the sides at the given places."""
        return SideNumbers(self.level[which], self.scale[which], self.told[which])


@dataclass(frozen=True)
class FirstProducts:
    """What the first layer makes of sides, read as near ones and as far ones."""

    lines: torch.Tensor  # (n, length, 2 channels): of their pixels, less their level
    flags: torch.Tensor  # (n, length, 2 channels): of what is known of them
    by_level: torch.Tensor  # (n, 3, 2 channels): of each step of level

    def take(self, which: torch.Tensor) -> FirstProducts:
        """Return those of the sides at the given places."""
        return FirstProducts(self.lines[which], self.flags[which], self.by_level[which])


class DamagedSeamNetwork(Layers):
    """Scores of seams, and what proposes them, for damaged borders."""

    def __init__(self, channels: int = 32, taps: tuple[int, ...] = (5, 3, 3)) -> None:
        super().__init__(channels, taps, SCALARS + TOLD)
        self.known = nn.Sequential(
            nn.Linear(FEATURES, KNOWN), nn.ReLU(), nn.Linear(KNOWN, KNOWN), nn.ReLU()
        )
        self.says = nn.Linear(KNOWN, 2 * LINES + 2 * channels + TOWER + TOLD)
        with torch.no_grad():
            self.says.weight.mul_(0.3)
            self.says.bias.zero_()
        self.first = nn.Parameter(torch.randn(2, INPUTS, channels) * (0.5 / (2 * INPUTS) ** 0.5))
        self.first_bias = nn.Parameter(0.1 * torch.randn(channels))
        self.first_scale = nn.Parameter(torch.zeros(2, channels))
        self.none = nn.Parameter(torch.zeros(3 + TOLD))
        self.tower_in = nn.Conv1d(INPUTS, TOWER, 5, padding=2)
        self.tower_mid = nn.Conv1d(TOWER, TOWER, 3, padding=1)
        self.tower_out = nn.Conv1d(TOWER, ANSWERS, 3, padding=1)
        self.tower_skip = nn.Conv1d(INPUTS, ANSWERS, 5, padding=2)
        with torch.no_grad():
            self.tower_out.weight.mul_(0.1)
            self.tower_skip.weight.mul_(0.1)
        self.answer_weights = nn.Parameter(torch.tensor([0.5, 0.5, 0.5, -1.0, -1.0, -1.0]))
        self.sharpness = nn.Parameter(torch.tensor(math.log(6.0)))

    def knowing(self, sides: DamagedSides) -> Known:
        """Return what follows from what is told about sides."""
        said = self.says(self.known(sides.features))
        gains, near, far, tower, told = said.split(
            [2 * LINES, self.channels, self.channels, TOWER, TOLD], 1
        )
        light, colour = (2 * torch.sigmoid(gains)).view(-1, 2, LINES).unbind(1)
        return Known(torch.stack([light, colour, colour], 2), near, far, tower, told)

    def answers(self, sides: DamagedSides, known: Known) -> torch.Tensor:
        """Return what the tower says of the pixels at the cut, (n, ANSWERS length)."""
        scale = (sides.scale + FLOOR)[:, None, None]
        lines = (sides.values - sides.level[:, None, None]) * known.gains[:, None]
        inputs = torch.cat([lines.flatten(2) / scale, sides.flags], 2).transpose(1, 2)
        both = 0.5 * (
            self._tower(inputs, known.tower) + self._tower(inputs.flip(2), known.tower).flip(2)
        )
        level = functional.pad(sides.level, (0, ANSWERS - 3))[:, :, None]
        weights = functional.softplus(self.answer_weights)[:, None]
        return ((level + scale * both) * weights).transpose(1, 2).flatten(1)

    def _tower(self, inputs: torch.Tensor, told: torch.Tensor) -> torch.Tensor:
        hidden = functional.relu(self.tower_in(inputs) + told[:, :, None])
        hidden = hidden + functional.relu(self.tower_mid(hidden))
        outcome: torch.Tensor = self.tower_out(hidden) + self.tower_skip(inputs)
        return outcome

    def first_products(self, sides: DamagedSides, known: Known) -> FirstProducts:
        """Return what the first layer makes of each side: it is linear up to its limits."""
        both = torch.cat([self.first[0], self.first[1]], 1)  # as the near and as the far side
        lines, flags = both[: 3 * LINES], both[3 * LINES :]
        relative = (sides.values - sides.level[:, None, None]) * known.gains[:, None]
        by_level = torch.einsum("nlc,lco->nco", known.gains, lines.view(LINES, 3, -1))
        shift = torch.cat([known.near, known.far], 1)
        return FirstProducts(
            relative.flatten(2) @ lines, sides.flags @ flags + shift[:, None], by_level
        )

    def forward(
        self,
        near: FirstProducts,
        far: FirstProducts,
        sides: tuple[SideNumbers, SideNumbers],
        tower: torch.Tensor,
        broad: torch.Tensor,
    ) -> torch.Tensor:
        """Return the scores of seams, (n,).

        Parameters
        ----------
        near, far
            What the first layer makes of the two sides of each seam.
        sides
            Levels, scales and what is told of them.
        tower, broad
            What the proposers say, (n,), as means over the numbers they compare.
        """
        length = near.lines.shape[1]
        scale = 0.5 * (sides[0].scale + sides[1].scale) + FLOOR
        tilt = torch.log((sides[0].scale + FLOOR) / (sides[1].scale + FLOOR))
        apart = 0.5 * (sides[0].level - sides[1].level)
        # Each side is relative to its own level; what is wanted is relative to the mean of both.
        near_in = near.lines + torch.einsum("nc,nco->no", apart, near.by_level)[:, None]
        far_in = far.lines - torch.einsum("nc,nco->no", apart, far.by_level)[:, None]
        near_in = near_in / scale[:, None, None] + near.flags
        far_in = far_in / scale[:, None, None] + far.flags
        by_scale, by_tilt = self.first_scale
        shift = self.first_bias + torch.log(scale)[:, None] * by_scale
        leaning = tilt[:, None] * by_tilt
        shifts = torch.cat([shift + leaning, shift - leaning], 1)[:, None]
        # Read from the other side, the near one is the far one.
        crossed = torch.cat(far_in.chunk(2, 2)[::-1], 2)
        hidden = (near_in + crossed + shifts).clamp(0.0, CEILING)
        scalars = usual_scalars(tower, broad, scale, tilt, length)
        return self.read(hidden, torch.cat([scalars, sides[0].told + sides[1].told], 1))

    def none_of_these(self, sides: SideNumbers, length: int) -> torch.Tensor:
        """Return the score of having no partner among the candidates, (n,)."""
        by_log = math.log(length / USUAL_LENGTH)
        constant, by_scale, by_length = self.none[:3]
        plain = constant + by_scale * torch.log(sides.scale + FLOOR) + by_length * by_log
        return plain + sides.told @ self.none[3:]
