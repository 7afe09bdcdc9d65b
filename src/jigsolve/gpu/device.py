"""A GPU that is open: its arrays, its memory, its kernels."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from jigsolve.execution.memory import in_words
from jigsolve.gpu.kernels import Kernels

SHARE = 0.5
"""How much of the memory that is free is taken at most."""


class Device:
    """A GPU with some of its memory, until it is closed.

    What is allocated within `in_use` comes from that memory.
    """

    def __init__(self, cupy: Any) -> None:
        self.xp = cupy
        self._pool = cupy.cuda.MemoryPool()
        with self.in_use():
            self.kernels = Kernels(cupy)
            for precision in (np.float32, np.float64):  # the library of products takes a while
                one = cupy.ones((2, 2), precision)
                cupy.asnumpy(one @ one)

    @contextmanager
    def in_use(self) -> Iterator[None]:
        """Have arrays lie in this device's share of the memory."""
        with self.xp.cuda.using_allocator(self._pool.malloc):
            yield

    def at_once(self, most: int, bytes_each: int) -> int:
        """Return how many things of a size fit the memory, at most as many as are wanted."""
        free = int(self.xp.cuda.Device().mem_info[0]) + int(self._pool.free_bytes())
        fit = int(SHARE * free) // bytes_each
        if fit < 1:
            raise MemoryError(f"only {in_words(free)} of its memory is free")
        return min(most, fit)

    def close(self) -> None:
        """Give back the memory; nobody may hold arrays in it any more."""
        self._pool.free_all_blocks()


def open_device() -> Device | None:
    """Return the GPU that CuPy finds; None where there is none, or no CuPy."""
    if not has_cupy():
        return None
    cupy = importlib.import_module("cupy")
    return Device(cupy) if cupy.cuda.is_available() else None


def has_cupy() -> bool:
    """Say whether CuPy is installed."""
    return importlib.util.find_spec("cupy") is not None
