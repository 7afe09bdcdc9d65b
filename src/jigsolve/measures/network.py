"""The seam network: how likely it is that two sides belong together.

A few convolutions along the seam over fourteen lines of pixels on both sides of it; `training/` has
how it was trained. Here is only what scores seams: products of matrices, in NumPy or a library
of its kind, and small kernels between them.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from importlib.resources import files

import numpy as np

from jigsolve._kernels.network import describe_sides
from jigsolve.measures.trunk import FLOOR, USUAL_LENGTH, Seams, Trunk, single

DEPTH = 14
"""Lines of pixels seen on each side; in a piece that has fewer, the last stands for the rest."""

OPPONENT = np.array([[1 / 3, 1 / 3, 1 / 3], [1.0, 0.0, -1.0], [-0.5, 1.0, -0.5]])
"""Lightness and two colour differences: what the first layer was trained on."""

ROWS_AT_ONCE = 512
"""Positions along seams handled together: what a layer needs then stays in the cache."""


@dataclass(frozen=True, eq=False)
class Sides:
    """Sides as the network takes them."""

    lines: np.ndarray
    """Pixels, (n, length, 3 DEPTH) uint8, the outermost line first."""
    levels: np.ndarray
    """Mean colour of the two outermost lines, (n, 3)."""
    scales: np.ndarray
    """How large the gradients are, in steps of 8-bit colour, (n,)."""
    backwards: bool = False
    """Whether, as far sides, they are read from their other ends."""

    @classmethod
    def of(cls, lines: np.ndarray) -> Sides:
        """Describe sides, (n, length, DEPTH, 3) uint8."""
        lines = np.ascontiguousarray(lines)
        levels = np.empty((len(lines), 3), np.float32)
        scales = np.empty(len(lines), np.float32)
        describe_sides(lines, levels, scales)
        return cls(lines.reshape(*lines.shape[:2], -1), levels, scales)


@dataclass(frozen=True)
class SeamNetwork:
    """The weights, laid out for the products they are used in."""

    first: np.ndarray  # (2 * 3 DEPTH, 2 channels): both readings of a position
    first_bias: np.ndarray  # (channels,)
    by_scale: np.ndarray  # (channels,)
    by_tilt: np.ndarray  # (channels,)
    none: np.ndarray
    trunk: Trunk

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
        return cls(
            first=single(first),
            first_bias=single(arrays["first_bias"]),
            by_scale=single(arrays["first_scale"][0]),
            by_tilt=single(arrays["first_scale"][1]),
            none=single(arrays["none"]),
            trunk=Trunk.from_arrays(arrays),
        )

    def scores(
        self, near: Sides, far: Sides, seams: Seams, rows_at_once: int = ROWS_AT_ONCE
    ) -> np.ndarray:
        """Return the scores of seams between sides that face each other, float32; high is good."""
        return self.trunk.in_passes(
            seams,
            near.lines.shape[1],
            rows_at_once,
            lambda few: self._scores_of_few(near, far, few),
        )

    def _scores_of_few(self, near: Sides, far: Sides, seams: Seams) -> np.ndarray:
        xp, kernels = self.trunk.xp, self.trunk.kernels
        ones, others = seams.ones, seams.others
        count, length = len(seams), near.lines.shape[1]
        channels = len(self.first_bias)
        scales = np.float32(0.5) * (near.scales[ones] + far.scales[others]) + np.float32(FLOOR)
        tilts = xp.log((near.scales[ones] + FLOOR) / (far.scales[others] + FLOOR), dtype=np.float32)
        values = xp.empty((count, length, self.first.shape[0]), np.float32)
        kernels.enter_seams(
            near.lines,
            far.lines,
            near.levels,
            far.levels,
            scales,
            ones,
            others,
            far.backwards,
            values,
        )
        shift = self.first_bias + xp.log(scales)[:, None] * self.by_scale
        lean = tilts[:, None] * self.by_tilt
        hidden = xp.empty((count, length, 4, channels), np.float32)
        kernels.first_readings(
            values @ self.first, xp.stack([shift + lean, shift - lean], 1), hidden
        )
        scalars = self.trunk.usual_scalars(seams, scales, tilts, length)
        return self.trunk.scores(hidden, xp.stack(scalars, 1).astype(np.float32))

    def none_of_these(self, sides: Sides) -> np.ndarray:
        """Return the score of having no partner among the candidates, for every side."""
        constant, by_scale, by_length = self.none
        length = np.float32(np.log(sides.lines.shape[1] / USUAL_LENGTH))
        return np.asarray(
            constant + by_scale * np.log(sides.scales + np.float32(FLOOR)) + by_length * length,
            np.float32,
        )
