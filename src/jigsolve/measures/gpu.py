"""The seam network on a GPU, by way of CuPy, which the extra `gpu` brings."""

from __future__ import annotations

import dataclasses
import functools
import importlib
import importlib.util
import os
from typing import Any

import numpy as np

from jigsolve.errors import InputError
from jigsolve.execution.memory import in_words
from jigsolve.measures import whole_arrays
from jigsolve.measures.trunk import Seams

SWITCH = "JIGSOLVE_GPU"

ROWS_AT_ONCE = 1 << 18
"""Positions along seams handled together: enough to keep a large GPU busy."""

FLOATS_PER_ROW = 1250
"""What a position takes at the peak, all layers and what lies between them."""


def gpu_allowed() -> bool:
    """Say whether the user lets a GPU be used."""
    value = os.environ.get(SWITCH, "1")
    if value not in ("0", "1"):
        raise InputError(f"{SWITCH}: expected 0 or 1, found {value!r}")
    return value == "1"


def open_gpu(network: Any) -> GpuNetwork | None:
    """Return a network on the GPU; None where there is no CuPy or no GPU."""
    if importlib.util.find_spec("cupy") is None:
        return None
    cupy = importlib.import_module("cupy")
    return GpuNetwork(network, cupy) if cupy.cuda.is_available() else None


class GpuNetwork:
    """A network on the GPU, which holds some of its memory until it is closed."""

    def __init__(self, network: Any, cupy: Any) -> None:
        self._cupy = cupy
        self._pool = cupy.cuda.MemoryPool()
        with cupy.cuda.using_allocator(self._pool.malloc):
            there = _moved(network, cupy)
        trunk = dataclasses.replace(there.trunk, xp=cupy, kernels=whole_arrays)
        self._network = dataclasses.replace(there, trunk=trunk)
        # The two sides of a direction are asked for round after round.
        self._moved_sides = functools.lru_cache(maxsize=2)(lambda sides: _moved(sides, cupy))

    def scores(self, near: Any, far: Any, seams: Seams) -> np.ndarray:
        """Return the scores of seams between sides that face each other, float32; high is good."""
        with self._cupy.cuda.using_allocator(self._pool.malloc):
            facing = self._moved_sides(near), self._moved_sides(far)
            rows = self._rows_at_once(near.lines.shape[1])
            found = self._network.scores(*facing, _moved(seams, self._cupy), rows)
            return np.asarray(self._cupy.asnumpy(found))

    def close(self) -> None:
        """Give back the memory of the GPU."""
        self._moved_sides.cache_clear()
        del self._network
        self._pool.free_all_blocks()

    def _rows_at_once(self, length: int) -> int:
        """Return how many positions fit half of the memory that is free."""
        free = int(self._cupy.cuda.Device().mem_info[0]) + int(self._pool.free_bytes())
        rows = min(ROWS_AT_ONCE, free // (2 * 4 * FLOATS_PER_ROW))
        if rows < length:
            raise MemoryError(f"only {in_words(free)} of its memory is free")
        return rows


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
