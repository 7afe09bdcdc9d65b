"""The seam networks on a GPU."""

from __future__ import annotations

import dataclasses
import functools
from typing import Any

import numpy as np

from jigsolve.gpu import Device
from jigsolve.measures.trunk import Seams

ROWS_AT_ONCE = 1 << 18
"""Positions along seams handled together: enough to keep a large GPU busy."""

FLOATS_PER_ROW = 1250
"""What a position takes at the peak, all layers and what lies between them."""


class GpuNetwork:
    """A network on the GPU, and the sides it was asked about last."""

    def __init__(self, network: Any, device: Device) -> None:
        self._device = device
        there = _moved(network, device.xp)
        trunk = dataclasses.replace(there.trunk, xp=device.xp, kernels=device.kernels)
        self._network = dataclasses.replace(there, trunk=trunk)
        # The two sides of a class are asked for round after round.
        self._moved_sides = functools.lru_cache(maxsize=2)(lambda sides: _moved(sides, device.xp))

    def scores(self, near: Any, far: Any, seams: Seams) -> np.ndarray:
        """Return the scores of seams between sides that face each other, float32; high is good."""
        facing = self._moved_sides(near), self._moved_sides(far)
        length = near.lines.shape[1]
        bytes_per_seam = 4 * FLOATS_PER_ROW * length
        at_once = self._device.at_once(max(1, ROWS_AT_ONCE // length), bytes_per_seam)
        found = self._network.scores_of_arrays(
            *facing, _moved(seams, self._device.xp), at_once * length
        )
        return np.asarray(self._device.xp.asnumpy(found))


def _moved(arrays: Any, xp: Any) -> Any:
    """Return a dataclass with its NumPy arrays in another array library."""

    def there(value: Any) -> Any:
        if dataclasses.is_dataclass(value):
            return _moved(value, xp)
        if isinstance(value, list):
            return [there(part) for part in value]
        return xp.asarray(value) if isinstance(value, np.ndarray) else value

    fields = dataclasses.fields(arrays)
    return dataclasses.replace(arrays, **{f.name: there(getattr(arrays, f.name)) for f in fields})
