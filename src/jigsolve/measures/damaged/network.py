"""The seam network for damaged borders, which is told which lines to trust.

What is told about a side (`damage.conditions`) says how much each of its lines counts, and shifts
what the first layer makes of them. That layer is linear up to its limits, so its products are made
once for each side; a seam adds those of its two sides. Beside the pixels it is given what the
encoder (`tower.py`) sees in each side. `training/` has how it was trained.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from dataclasses import dataclass, fields
from importlib.resources import files
from typing import Any

import numpy as np

from jigsolve._kernels.layers import scratch
from jigsolve._kernels.network import score_damaged
from jigsolve.damage.conditions import LINES, Conditions
from jigsolve.execution.crew import ALONE, Executor, spans
from jigsolve.measures import network
from jigsolve.measures.network import OPPONENT
from jigsolve.measures.trunk import FLOOR, USUAL_LENGTH, Seams, Trunk, single

LEVEL_LINES = 6
"""The level of a side is the mean over so many lines: the outermost may not be worth much."""

FLAGS = 2
"""Whether a position straddles another cut, for lightness and for colours."""

COLOURS = 18
"""So many of the numbers that the encoder gives are colours: they move with the level of a side."""

SIDES_AT_ONCE = 512


@dataclass(frozen=True, eq=False)
class Told:
    """What the network makes of what it is told about sides."""

    gains: np.ndarray
    """How much each line counts, (n, LINES, 3), for lightness and two colour differences."""
    shifts: np.ndarray
    """What the first layer adds, read as a near and as a far side, (n, 2 channels)."""
    tower: np.ndarray
    """What the tower's first layer adds, (n, tower channels)."""
    encoder: np.ndarray
    """What the encoder's first layer adds, (n, encoder channels)."""
    numbers: np.ndarray
    """What the last layers are told, (n, numbers)."""


@dataclass(frozen=True, eq=False)
class DamagedSides:
    """Sides as the network takes them."""

    lines: np.ndarray
    """Products of the first layer with the pixels, read as a near and as a far side, (n, length,
    2 channels)."""
    by_level: np.ndarray
    """What a step of each colour's level changes in them, (n, 3, 2 channels)."""
    shifts: np.ndarray
    """What is added for what is told, (n, 2 channels)."""
    ends: np.ndarray
    """Positions that straddle another cut: lightness first and last, colours likewise, (n, 4)."""
    levels: np.ndarray
    """Mean opponent colours, (n, 3)."""
    scales: np.ndarray
    """How large the gradients are, in steps of 8-bit colour, (n,)."""
    told: np.ndarray
    """(n, numbers)."""
    backwards: bool = False
    """Whether, as far sides, they are read from their other ends."""

    @classmethod
    def one_by_one(cls, parts: Iterable[DamagedSides], many: int) -> DamagedSides:
        """Lay out one side after another of each piece; so many are given, in turn.

        Few of them are held at a time: their products are large.
        """
        if many == 1:
            return next(iter(parts))
        arrays: dict[str, Any] = {}
        for index, part in enumerate(parts):
            for name in (field.name for field in fields(cls) if field.name != "backwards"):
                values = getattr(part, name)
                shape = len(values), many, *values.shape[1:]
                arrays.setdefault(name, np.empty(shape, values.dtype))[:, index] = values
        return cls(**{name: a.reshape(-1, *a.shape[2:]) for name, a in arrays.items()})


@dataclass(frozen=True)
class DamagedNetwork:
    """The weights, laid out for the products they are used in."""

    told_layers: list[np.ndarray]
    told_biases: list[np.ndarray]
    first: np.ndarray  # (3 LINES, 2 channels)
    flags: np.ndarray  # (2, 2 channels)
    by_seen: np.ndarray  # (SEEN, 2 channels)
    first_bias: np.ndarray  # (channels,)
    by_scale: np.ndarray
    by_tilt: np.ndarray
    none: np.ndarray
    tower_channels: int
    trunk: Trunk

    @classmethod
    @functools.cache
    def load(cls) -> DamagedNetwork:
        """Return the network that ships with the package."""
        return cls.from_arrays(damaged_weights())

    @classmethod
    def from_arrays(cls, arrays: dict[str, np.ndarray]) -> DamagedNetwork:
        """Lay out weights as they are trained."""
        arrays = {name: array.astype(np.float64) for name, array in arrays.items()}
        both = np.concatenate(list(arrays["first"]), axis=1)
        return cls(
            told_layers=[single(arrays[f"told_{i}"].T) for i in (1, 2, 3)],
            told_biases=[single(arrays[f"told_{i}_bias"]) for i in (1, 2, 3)],
            first=single(both[: 3 * LINES]),
            flags=single(both[3 * LINES : 3 * LINES + FLAGS]),
            by_seen=single(both[3 * LINES + FLAGS :]),
            first_bias=single(arrays["first_bias"]),
            by_scale=single(arrays["first_scale"][0]),
            by_tilt=single(arrays["first_scale"][1]),
            none=single(arrays["none"]),
            tower_channels=len(arrays["tower_in_bias"]),
            trunk=Trunk.from_arrays(arrays),
        )

    def told(self, conditions: Conditions) -> Told:
        """Return what follows from what is known of sides."""
        known = conditions.features
        for weights, bias in zip(self.told_layers[:2], self.told_biases[:2], strict=True):
            known = np.maximum(known @ weights + bias, 0)
        said = known @ self.told_layers[2] + self.told_biases[2]
        until_tower = 2 * LINES + 2 * len(self.first_bias)
        places = [2 * LINES, until_tower, until_tower + self.tower_channels, 3 - len(self.none)]
        gains, shifts, tower, encoder, told = np.split(said, places, axis=1)
        light, colour = (
            (2 / (1 + np.exp(-gains.astype(np.float64)))).reshape(-1, 2, LINES).transpose(1, 0, 2)
        )
        rest = (np.ascontiguousarray(part) for part in (shifts, tower, encoder, told))
        return Told(single(np.stack([light, colour, colour], 2)), *rest)

    def sides(
        self,
        lines: np.ndarray,
        conditions: Conditions,
        seen: np.ndarray,
        crew: Executor = ALONE,
    ) -> DamagedSides:
        """Make the products of sides, (n, length, LINES, 3) uint8, and what is seen in them."""
        told = self.told(conditions)
        count, length = lines.shape[:2]
        levels, scales = levels_and_scales(lines)
        products = np.empty((count, length, self.first.shape[1]), np.float32)

        def fill(span: tuple[int, int]) -> None:
            some = slice(*span)
            values = opponent(lines[some]) - levels[some, None, None]
            weighed = (values * told.gains[some, None]).reshape(-1, self.first.shape[0])
            rows = products[some].reshape(len(weighed), -1)
            np.matmul(weighed, self.first, out=rows)
            rows += seen[some].reshape(len(weighed), -1).astype(np.float32) @ self.by_seen

        crew.map(fill, spans(count, SIDES_AT_ONCE))
        by_level = np.einsum(
            "nlc,lco->nco", told.gains, self.first.reshape(LINES, 3, -1), optimize=True
        )
        by_level += self.by_seen[:COLOURS].reshape(COLOURS // 3, 3, -1).sum(axis=0)
        # Whatever way they were made: kernels are compiled for each layout.
        by_level, ends = np.ascontiguousarray(by_level), np.ascontiguousarray(conditions.ends)
        return DamagedSides(products, by_level, told.shifts, ends, levels, scales, told.numbers)

    def scores(self, near: DamagedSides, far: DamagedSides, seams: Seams) -> np.ndarray:
        """Return the scores of seams between sides that face each other, float32; high is good."""
        layers, length = self.trunk.blocks, near.lines.shape[1]
        scales, shifts, scalars = self._described(near, far, seams)
        both = self.first.shape[1]
        found = np.empty(len(seams), np.float32)
        score_damaged(
            *(
                (side.lines, side.by_level, side.levels, side.shifts, side.ends)
                for side in (near, far)
            ),
            far.backwards,
            seams.ones,
            seams.others,
            scales,
            shifts.reshape(len(seams), both),
            scalars,
            self.flags,
            layers,
            scratch(layers, length),
            np.empty(both, np.float32),
            found,
        )
        return self.trunk.finished(found, length)

    def scores_of_arrays(
        self, near: DamagedSides, far: DamagedSides, seams: Seams, rows_at_once: int
    ) -> np.ndarray:
        """Return the same by a library of arrays, so many positions along seams at a time."""
        return self.trunk.in_passes(
            seams,
            near.lines.shape[1],
            rows_at_once,
            lambda few: self._scores_of_few(near, far, few),
        )

    def _scores_of_few(self, near: DamagedSides, far: DamagedSides, seams: Seams) -> np.ndarray:
        xp = self.trunk.xp
        ones, others = seams.ones, seams.others
        scales, shifts, scalars = self._described(near, far, seams)
        # Each side is relative to its own level; what is wanted is relative to the mean of both.
        apart = (np.float32(0.5) * (near.levels[ones] - far.levels[others]))[:, None]
        moved_near = (apart @ near.by_level[ones])[:, 0]
        moved_far = (apart @ far.by_level[others])[:, 0]
        hidden = xp.empty((len(seams), near.lines.shape[1], 4, len(self.first_bias)), np.float32)
        self.trunk.kernels.add_sides(
            (near.lines, near.shifts, near.ends, moved_near),
            (far.lines, far.shifts, far.ends, moved_far),
            self.flags,
            shifts,
            scales,
            ones,
            others,
            far.backwards,
            hidden,
        )
        return self.trunk.scores(hidden, scalars)

    def _described(
        self, near: DamagedSides, far: DamagedSides, seams: Seams
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the scales of seams, what they shift both readings by, and other numbers."""
        xp = self.trunk.xp
        ones, others = seams.ones, seams.others
        one, other = near.scales[ones], far.scales[others]
        scales = np.float32(0.5) * (one + other) + np.float32(FLOOR)
        tilts = xp.log((one + FLOOR) / (other + FLOOR), dtype=np.float32)
        shift = self.first_bias + xp.log(scales)[:, None] * self.by_scale
        lean = tilts[:, None] * self.by_tilt
        shifts = xp.stack([shift + lean, shift - lean], 1)
        usual = self.trunk.usual_scalars(seams, scales, tilts, near.lines.shape[1])
        return scales, shifts, xp.concatenate([usual, near.told[ones] + far.told[others]], 1)

    def none_of_these(self, sides: DamagedSides) -> np.ndarray:
        """Return the score of having no partner among the candidates, for every side."""
        constant, by_scale, by_length = self.none[:3]
        length = np.float32(np.log(sides.lines.shape[1] / USUAL_LENGTH))
        plain = constant + by_scale * np.log(sides.scales + np.float32(FLOOR)) + by_length * length
        return np.asarray(plain + sides.told @ self.none[3:], np.float32)


@functools.cache
def damaged_weights() -> dict[str, np.ndarray]:
    """Return the arrays that ship with the package."""
    with (files("jigsolve") / "data" / "damaged-network.npz").open("rb") as file:
        return {name: array.astype(np.float32) for name, array in np.load(file).items()}


def opponent(lines: np.ndarray) -> np.ndarray:
    """Return lightness and two colour differences of pixels, single precision."""
    pixels = lines.astype(np.float32).reshape(-1, 3) @ OPPONENT.T.astype(np.float32)
    return np.asarray(pixels).reshape(lines.shape)


def levels_and_scales(lines: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the mean opponent colours near the cut, and the scale of the gradients, of sides."""
    _, scales = network.levels_and_scales(lines.reshape(*lines.shape[:2], -1))
    levels = lines[:, :, :LEVEL_LINES].mean(axis=(1, 2), dtype=np.float64) @ OPPONENT.T
    return levels.astype(np.float32), scales
