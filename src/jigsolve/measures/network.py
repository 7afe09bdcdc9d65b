"""The seam network: how likely it is that two sides belong together.

A few convolutions along the seam over fourteen lines of pixels on both sides of it; `training/` has
how it was trained. Here is only what scores seams.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from importlib.resources import files

import numpy as np

from jigsolve._kernels.layers import scratch
from jigsolve._kernels.network import describe_sides, lines_scratch, score_whole
from jigsolve.execution.crew import ALONE, Executor, spans
from jigsolve.measures.trunk import FLOOR, USUAL_LENGTH, Seams, Trunk, in_blocks, single

DEPTH = 14
"""Lines of pixels seen on each side; in a piece that has fewer, the last stands for the rest."""

SIDES_PER_JOB = 1024

OPPONENT = np.array([[1 / 3, 1 / 3, 1 / 3], [1.0, 0.0, -1.0], [-0.5, 1.0, -0.5]])
"""Lightness and two colour differences: what the first layer was trained on."""


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
    def of(cls, lines: np.ndarray, crew: Executor = ALONE) -> Sides:
        """Describe sides, (n, length, DEPTH, 3) uint8."""
        rows = np.ascontiguousarray(lines).reshape(*lines.shape[:2], -1)
        return cls(rows, *levels_and_scales(rows, crew))


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

    @functools.cached_property
    def _first_blocks(self) -> np.ndarray:
        """The first layer as kernels take it."""
        return in_blocks(self.first)

    def scores(self, near: Sides, far: Sides, seams: Seams) -> np.ndarray:
        """Return the scores of seams between sides that face each other, float32; high is good."""
        layers, length = self.trunk.blocks, near.lines.shape[1]
        scales, shifts, scalars = self._described(near, far, seams)
        found = np.empty(len(seams), np.float32)
        score_whole(
            near.lines,
            far.lines,
            near.levels,
            far.levels,
            far.backwards,
            seams.ones,
            seams.others,
            scales,
            shifts.reshape(len(seams), len(self._first_blocks), -1),
            scalars,
            self._first_blocks,
            layers,
            scratch(layers, length),
            *lines_scratch(near.lines),
            found,
        )
        return self.trunk.finished(found, length)

    def scores_of_arrays(
        self, near: Sides, far: Sides, seams: Seams, rows_at_once: int
    ) -> np.ndarray:
        """Return the same by a library of arrays, so many positions along seams at a time."""
        return self.trunk.in_passes(
            seams,
            near.lines.shape[1],
            rows_at_once,
            lambda few: self._scores_of_few(near, far, few),
        )

    def _scores_of_few(self, near: Sides, far: Sides, seams: Seams) -> np.ndarray:
        xp = self.trunk.xp
        count, length = len(seams), near.lines.shape[1]
        scales, shifts, scalars = self._described(near, far, seams)
        values = xp.empty((count, length, self.first.shape[0]), np.float32)
        self.trunk.kernels.enter_seams(
            near.lines,
            far.lines,
            near.levels,
            far.levels,
            scales,
            seams.ones,
            seams.others,
            far.backwards,
            values,
        )
        hidden = xp.empty((count, length, 4, len(self.first_bias)), np.float32)
        self.trunk.kernels.first_readings(values @ self.first, shifts, hidden)
        return self.trunk.scores(hidden, scalars)

    def _described(
        self, near: Sides, far: Sides, seams: Seams
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the scales of seams, what they shift both readings by, and other numbers."""
        xp = self.trunk.xp
        one, other = near.scales[seams.ones], far.scales[seams.others]
        scales = np.float32(0.5) * (one + other) + np.float32(FLOOR)
        tilts = xp.log((one + FLOOR) / (other + FLOOR), dtype=np.float32)
        shift = self.first_bias + xp.log(scales)[:, None] * self.by_scale
        lean = tilts[:, None] * self.by_tilt
        shifts = xp.stack([shift + lean, shift - lean], 1)
        return scales, shifts, self.trunk.usual_scalars(seams, scales, tilts, near.lines.shape[1])

    def none_of_these(self, sides: Sides) -> np.ndarray:
        """Return the score of having no partner among the candidates, for every side."""
        constant, by_scale, by_length = self.none
        length = np.float32(np.log(sides.lines.shape[1] / USUAL_LENGTH))
        return np.asarray(
            constant + by_scale * np.log(sides.scales + np.float32(FLOOR)) + by_length * length,
            np.float32,
        )


def levels_and_scales(rows: np.ndarray, crew: Executor = ALONE) -> tuple[np.ndarray, np.ndarray]:
    """Return the mean colours near the seam, and the scale of the gradients, of sides."""
    levels = np.empty((len(rows), 3), np.float32)
    scales = np.empty(len(rows), np.float32)

    def describe(span: tuple[int, int]) -> None:
        some = slice(*span)
        describe_sides(rows[some], np.empty(rows.shape[2]), levels[some], scales[some])

    crew.map(describe, spans(len(rows), SIDES_PER_JOB))
    return levels, scales
