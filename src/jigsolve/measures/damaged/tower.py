"""What looks at damaged sides one by one, and proposes partners.

The tower, a small network, and the encoder, a deeper one, say together what the pixels at the cut
probably were; beside it, means over a few lines and positions. Both make borders whose magnitudes
of difference are compared as those of any other measure. The encoder also tells the seam network
what it sees (`network.py`).
"""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np

from jigsolve.damage.conditions import Conditions
from jigsolve.execution.crew import spans
from jigsolve.measures.damaged.network import (
    DamagedNetwork,
    damaged_weights,
    levels_and_scales,
    opponent,
)
from jigsolve.measures.trunk import FLOOR, single

ANSWERS = 12
"""Numbers that tower and encoder give for each position of a side."""

ENCODED_AT_ONCE = 64
"""Sides whose inputs to a layer fit into a cache."""

BROAD = 4
"""Means are over so many lines and positions."""

UNITS = 32
"""Steps of a border's whole numbers to one of 8-bit colour."""


@dataclass(frozen=True)
class Tower:
    """The weights, as (taps, in, out)."""

    enter: np.ndarray
    enter_bias: np.ndarray
    middle: np.ndarray
    middle_bias: np.ndarray
    leave: np.ndarray
    skip: np.ndarray
    leave_bias: np.ndarray
    weights: np.ndarray
    """How much each answer counts, (ANSWERS,)."""
    encoder: list[np.ndarray]
    encoder_biases: list[np.ndarray]
    encoder_gains: np.ndarray
    """How much each layer but the first adds, (layers - 1, channels)."""
    encoded: np.ndarray
    encoded_bias: np.ndarray

    @classmethod
    @functools.cache
    def load(cls) -> Tower:
        """Return the tower that ships with the package."""
        return cls.from_arrays(damaged_weights())

    @classmethod
    def from_arrays(cls, arrays: dict[str, np.ndarray]) -> Tower:
        """Lay out weights as they are trained."""

        def taps(name: str) -> np.ndarray:
            return single(arrays[name].transpose(2, 1, 0))

        layers = 1 + len(arrays["encoder_gains"])
        return cls(
            enter=taps("tower_in"),
            enter_bias=single(arrays["tower_in_bias"]),
            middle=taps("tower_mid"),
            middle_bias=single(arrays["tower_mid_bias"]),
            leave=taps("tower_out"),
            skip=taps("tower_skip"),
            leave_bias=single(arrays["tower_out_bias"] + arrays["tower_skip_bias"]),
            weights=single(np.log1p(np.exp(arrays["answer_weights"].astype(np.float64)))),
            encoder=[taps(f"encoder_{i + 1}") for i in range(layers)],
            encoder_biases=[single(arrays[f"encoder_{i + 1}_bias"]) for i in range(layers)],
            encoder_gains=single(arrays["encoder_gains"]),
            encoded=taps("encoder_out"),
            encoded_bias=single(arrays["encoder_out_bias"]),
        )

    def looks(self, lines: np.ndarray, conditions: Conditions) -> tuple[np.ndarray, np.ndarray]:
        """Return what is seen in sides by themselves.

        What the pixels at the cut probably were, (n, ANSWERS length), and what the encoder tells
        the seam network, (n, length, SEEN) in half precision, less their level.
        """
        told = DamagedNetwork.load().told(conditions)
        levels, scales = levels_and_scales(lines)
        scales = (scales + np.float32(FLOOR))[:, None, None]
        found = np.empty((*lines.shape[:2], len(self.encoded_bias)), np.float32)
        for some in (slice(*span) for span in spans(len(lines), ENCODED_AT_ONCE)):
            values = (opponent(lines[some]) - levels[some, None, None]) * told.gains[some, None]
            values = values.reshape(*values.shape[:2], -1) / scales[some]
            inputs = np.concatenate([values, straddling_flags(conditions.ends[some], lines)], 2)
            # Read from the other end it must say the same.
            ahead = self._said(inputs, told.tower[some], told.encoder[some])
            back = self._said(inputs[:, ::-1], told.tower[some], told.encoder[some])[:, ::-1]
            found[some] = scales[some] * (np.float32(0.5) * (ahead + back))
        found[:, :, :3] += levels[:, None]
        answers = found[:, :, :ANSWERS] * self.weights
        return answers.reshape(len(lines), -1), found[:, :, ANSWERS:].astype(np.float16)

    def _said(self, inputs: np.ndarray, tower: np.ndarray, encoder: np.ndarray) -> np.ndarray:
        hidden = np.maximum(_convolved(inputs, self.enter) + self.enter_bias + tower[:, None], 0)
        hidden = hidden + np.maximum(_convolved(hidden, self.middle) + self.middle_bias, 0)
        answers = _convolved(hidden, self.leave) + _convolved(inputs, self.skip) + self.leave_bias
        hidden = _convolved(inputs, self.encoder[0])
        hidden += self.encoder_biases[0] + encoder[:, None]
        np.maximum(hidden, 0, out=hidden)
        deeper = zip(self.encoder[1:], self.encoder_biases[1:], self.encoder_gains, strict=True)
        for taps, bias, gain in deeper:
            more = _convolved(hidden, taps)
            more += bias
            hidden += gain * np.maximum(more, 0, out=more)
        said = _convolved(hidden, self.encoded) + self.encoded_bias
        said[:, :, :ANSWERS] += answers
        return np.asarray(said)


def broad(lines: np.ndarray, is_symmetric: bool = False) -> np.ndarray:
    """Return means over some lines and positions of sides, (n, 3 length).

    The positions are an even number, so there is one more on one hand. Where sides may be read from
    either end, the means are symmetric: over both choices.
    """
    outer = opponent(lines[:, :, :BROAD]).mean(axis=2)
    means = _along(outer)
    if is_symmetric:
        means = np.float32(0.5) * (means + _along(outer[:, ::-1])[:, ::-1])
    return means.reshape(len(lines), -1)


def _along(outer: np.ndarray) -> np.ndarray:
    """Return means over positions, (n, length, 3)."""
    padded = np.pad(outer, ((0, 0), (BROAD // 2, BROAD // 2 - 1), (0, 0)), mode="edge")
    length = outer.shape[1]
    means = sum(padded[:, step : step + length] for step in range(BROAD)) / np.float32(BROAD)
    return np.asarray(means)


def straddling_flags(ends: np.ndarray, lines: np.ndarray) -> np.ndarray:
    """Say which positions straddle another cut, for lightness and for colours, (n, length, 2)."""
    length = lines.shape[1]
    at = np.arange(length)[None, :, None]
    begin, end = ends[:, None, 0::2], ends[:, None, 1::2]
    return np.asarray((at < begin) | (at >= length - end), np.float32)


def _convolved(values: np.ndarray, taps: np.ndarray) -> np.ndarray:
    """Convolve (n, length, in) along the side, with zeros beyond its ends."""
    count, length, width = values.shape
    reach = len(taps) // 2
    padded = np.pad(values, ((0, 0), (reach, reach), (0, 0)))
    seen = np.concatenate([padded[:, i : i + length] for i in range(len(taps))], axis=2)
    product = seen.reshape(count * length, -1) @ taps.reshape(len(taps) * width, -1)
    return np.asarray(product).reshape(count, length, -1)
