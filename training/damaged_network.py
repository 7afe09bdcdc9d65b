"""The network for damaged borders: told which lines to trust, and how strong the damage is.

Two parts share what they are told. The *tower* looks at one side and says what the pixels at the
cut probably were: sides whose answers are close are candidates. The *seam network* looks at both
sides of a candidate, as the one for whole borders does (`network.py`). The *encoder*, a deeper
network that looks at one side as well, helps both: what it costs is paid once for each side.
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
    convolved,
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
ANSWERS = 12
"""Numbers that the tower gives for each position of a side."""

ENCODER = 128
ENCODER_TAPS = 7, 5, 5, 5, 5
SEEN = 48
"""Numbers that the encoder gives the seam network for each position of a side, in its scale."""

COLOURS = 18
"""So many of them are colours: relative to the level of the side."""

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
    encoder: torch.Tensor  # (n, ENCODER)
    told: torch.Tensor  # (n, TOLD)


@dataclass(frozen=True)
class SideNumbers:
    """Single numbers of sides."""

    level: torch.Tensor  # (n, 3)
    scale: torch.Tensor  # (n,)
    told: torch.Tensor  # (n, TOLD)

    def take(self, which: torch.Tensor) -> SideNumbers:
        """Return those of the sides at the given places."""
        return SideNumbers(*(taken(part, which) for part in (self.level, self.scale, self.told)))


@dataclass(frozen=True)
class FirstProducts:
    """What the first layer makes of sides, read as near ones and as far ones."""

    lines: torch.Tensor  # (n, length, 2 channels): of their pixels, less their level
    flags: torch.Tensor  # (n, length, 2 channels): of what is known of them
    by_level: torch.Tensor  # (n, 3, 2 channels): of each step of level

    def take(self, which: torch.Tensor) -> FirstProducts:
        """Return those of the sides at the given places."""
        parts = self.lines, self.flags, self.by_level
        return FirstProducts(*(taken(part, which) for part in parts))


def taken(values: torch.Tensor, which: torch.Tensor) -> torch.Tensor:
    """Return values[which]; its gradient is faster."""
    return values.index_select(0, which.flatten()).unflatten(0, which.shape)


class DamagedSeamNetwork(Layers):
    """Scores of seams, and what proposes them, for damaged borders."""

    def __init__(self, channels: int = 48, taps: tuple[int, ...] = (5, 3, 3, 3, 3)) -> None:
        super().__init__(channels, taps, SCALARS + TOLD)
        self.known = nn.Sequential(
            nn.Linear(FEATURES, KNOWN), nn.ReLU(), nn.Linear(KNOWN, KNOWN), nn.ReLU()
        )
        self.says = nn.Linear(KNOWN, 2 * LINES + 2 * channels + TOWER + ENCODER + TOLD)
        with torch.no_grad():
            self.says.weight.mul_(0.3)
            self.says.bias.zero_()
        inputs = INPUTS + SEEN
        self.first = nn.Parameter(torch.randn(2, inputs, channels) * (0.5 / (2 * INPUTS) ** 0.5))
        self.first_bias = nn.Parameter(0.1 * torch.randn(channels))
        self.first_scale = nn.Parameter(torch.zeros(2, channels))
        self.none = nn.Parameter(torch.zeros(3 + TOLD))
        self.tower_in = nn.Conv1d(INPUTS, TOWER, 5, padding=2)
        self.tower_mid = nn.Conv1d(TOWER, TOWER, 3, padding=1)
        self.tower_out = nn.Conv1d(TOWER, ANSWERS, 3, padding=1)
        self.tower_skip = nn.Conv1d(INPUTS, ANSWERS, 5, padding=2)
        widths = [INPUTS] + [ENCODER] * len(ENCODER_TAPS)
        self.encoder = nn.ModuleList(
            nn.Conv1d(width, ENCODER, tap) for width, tap in zip(widths, ENCODER_TAPS, strict=False)
        )
        self.encoder_gains = nn.Parameter(torch.full((len(ENCODER_TAPS) - 1, ENCODER), 0.2))
        self.encoder_out = nn.Conv1d(ENCODER, ANSWERS + SEEN, 3)
        with torch.no_grad():
            self.tower_out.weight.mul_(0.1)
            self.tower_skip.weight.mul_(0.1)
            for layer in self.encoder:
                nn.init.kaiming_normal_(layer.weight, nonlinearity="relu")
                nn.init.zeros_(layer.bias)
            self.encoder_out.weight.mul_(0.5)
        self.answer_weights = nn.Parameter(torch.tensor([0.5, 0.5, 0.5] + [-1.0] * (ANSWERS - 3)))
        self.sharpness = nn.Parameter(torch.tensor(math.log(6.0)))
        self.enter = entered

    def compile_layers(self) -> None:
        """Fuse what lies between matrix products; lengths of seams may change."""
        self.enter = torch.compile(entered, dynamic=True)
        self.along = torch.compile(self.along, dynamic=True)  # type: ignore[method-assign]
        self.deep = torch.compile(self.deep, dynamic=True)  # type: ignore[method-assign]

    def knowing(self, sides: DamagedSides) -> Known:
        """Return what follows from what is told about sides."""
        said = self.says(self.known(sides.features))
        gains, near, far, tower, encoder, told = said.split(
            [2 * LINES, self.channels, self.channels, TOWER, ENCODER, TOLD], 1
        )
        light, colour = (2 * torch.sigmoid(gains)).view(-1, 2, LINES).unbind(1)
        return Known(torch.stack([light, colour, colour], 2), near, far, tower, encoder, told)

    def looks(self, sides: DamagedSides, known: Known) -> tuple[torch.Tensor, torch.Tensor]:
        """Return what is seen in sides by themselves.

        What the tower says of the pixels at the cut, (n, ANSWERS length), and what the encoder
        tells the seam network, (n, length, SEEN), less their level.
        """
        scale = (sides.scale + FLOOR)[:, None, None]
        lines = (sides.values - sides.level[:, None, None]) * known.gains[:, None]
        inputs = torch.cat([lines.flatten(2) / scale, sides.flags], 2)
        seen = torch.cat([inputs, inputs.flip(1)])  # from the other end it must say the same
        tower, encoder = (part.repeat(2, 1) for part in (known.tower, known.encoder))
        found = self._encoded(seen, encoder)
        answers = self._tower(seen.transpose(1, 2), tower).transpose(1, 2) + found[:, :, :ANSWERS]
        found = torch.cat([answers, found[:, :, ANSWERS:]], 2)
        ahead, back = found.chunk(2)
        both = 0.5 * scale * (ahead + back.flip(1))
        level = functional.pad(sides.level, (0, ANSWERS - 3))[:, None]
        weights = functional.softplus(self.answer_weights)
        return ((both[:, :, :ANSWERS] + level) * weights).flatten(1), both[:, :, ANSWERS:]

    def _tower(self, inputs: torch.Tensor, told: torch.Tensor) -> torch.Tensor:
        hidden = functional.relu(self.tower_in(inputs) + told[:, :, None])
        hidden = hidden + functional.relu(self.tower_mid(hidden))
        outcome: torch.Tensor = self.tower_out(hidden) + self.tower_skip(inputs)
        return outcome

    def _encoded(self, inputs: torch.Tensor, told: torch.Tensor) -> torch.Tensor:
        hidden = self.deep(inputs, told)
        return convolved(hidden.float(), self.encoder_out.weight, self.encoder_out.bias)

    def deep(self, inputs: torch.Tensor, told: torch.Tensor) -> torch.Tensor:
        """Return what the encoder sees, (n, length, ENCODER)."""
        enter, *deeper = self.encoder
        hidden = functional.relu(convolved(inputs, enter.weight, enter.bias) + told[:, None])
        if self.training:
            hidden = hidden.bfloat16()
        with torch.autocast(hidden.device.type, torch.bfloat16, enabled=self.training):
            for layer, gain in zip(deeper, self.encoder_gains, strict=True):
                outcome = functional.relu(convolved(hidden, layer.weight, layer.bias))
                hidden = hidden + gain.to(hidden.dtype) * outcome
        return hidden

    def first_products(
        self, sides: DamagedSides, known: Known, seen: torch.Tensor
    ) -> FirstProducts:
        """Return what the first layer makes of each side: it is linear up to its limits."""
        both = torch.cat([self.first[0], self.first[1]], 1)  # as the near and as the far side
        lines, flags, by_seen = both.split([3 * LINES, FLAGS, SEEN])
        relative = (sides.values - sides.level[:, None, None]) * known.gains[:, None]
        by_level = torch.einsum("nlc,lco->nco", known.gains, lines.view(LINES, 3, -1))
        by_level = by_level + by_seen[:COLOURS].view(COLOURS // 3, 3, -1).sum(0)
        shift = torch.cat([known.near, known.far], 1)
        return FirstProducts(
            relative.flatten(2) @ lines + seen @ by_seen,
            sides.flags @ flags + shift[:, None],
            by_level,
        )

    def forward(
        self,
        near: FirstProducts,
        far: FirstProducts,
        sides: tuple[SideNumbers, SideNumbers],
        tower: torch.Tensor,
        broad: torch.Tensor,
    ) -> torch.Tensor:
        """Return the scores of seams.

        Seams may have any shape; their two sides may be one for several of them, such as (n, 1)
        and (n, candidates).

        Parameters
        ----------
        near, far
            What the first layer makes of the two sides of each seam.
        sides
            Levels, scales and what is told of them.
        tower, broad
            What the proposers say, as means over the numbers they compare.
        """
        length = near.lines.shape[-2]
        hidden, scale, tilt = self.enter(
            *(near.lines, near.flags, near.by_level, far.lines, far.flags, far.by_level),
            *(sides[0].level, sides[1].level, sides[0].scale, sides[1].scale),
            self.first_bias,
            self.first_scale,
        )
        if self.training:
            hidden = hidden.bfloat16()
        told = (sides[0].told + sides[1].told).flatten(0, -2)
        scalars = usual_scalars(tower.flatten(), broad.flatten(), scale, tilt, length)
        return self.read(hidden, torch.cat([scalars, told], 1)).view_as(tower)

    def none_of_these(self, sides: SideNumbers, length: int) -> torch.Tensor:
        """Return the score of having no partner among the candidates, (n,)."""
        by_log = math.log(length / USUAL_LENGTH)
        constant, by_scale, by_length = self.none[:3]
        plain = constant + by_scale * torch.log(sides.scale + FLOOR) + by_length * by_log
        return plain + sides.told @ self.none[3:]


def entered(
    near_lines: torch.Tensor,
    near_flags: torch.Tensor,
    near_by_level: torch.Tensor,
    far_lines: torch.Tensor,
    far_flags: torch.Tensor,
    far_by_level: torch.Tensor,
    near_level: torch.Tensor,
    far_level: torch.Tensor,
    near_scale: torch.Tensor,
    far_scale: torch.Tensor,
    bias: torch.Tensor,
    by_scale_and_tilt: torch.Tensor,
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return what the first layer says of seams, (n, length, 2 channels), scales and tilts."""
    scale = 0.5 * (near_scale + far_scale) + FLOOR
    tilt = torch.log((near_scale + FLOOR) / (far_scale + FLOOR))
    apart = 0.5 * (near_level - far_level)[..., None]
    # Each side is relative to its own level; what is wanted is relative to the mean of both.
    near_moved, far_moved = (apart * near_by_level).sum(-2), (apart * far_by_level).sum(-2)
    by_scale, by_tilt = by_scale_and_tilt
    shift = bias + torch.log(scale)[..., None] * by_scale
    leaning = tilt[..., None] * by_tilt
    shifts = torch.cat([shift + leaning, shift - leaning], -1)
    # Read from the other side, the near one is the far one.
    lines, flags, moved = (
        torch.cat(part.chunk(2, -1)[::-1], -1) for part in (far_lines, far_flags, far_moved)
    )
    inverse = 1 / scale[..., None]
    shifts = shifts + (near_moved - moved) * inverse
    hidden = (near_lines + lines) * inverse[..., None] + (near_flags + flags) + shifts[..., None, :]
    return hidden.clamp(0.0, CEILING).flatten(0, -3), scale.flatten(), tilt.flatten()
