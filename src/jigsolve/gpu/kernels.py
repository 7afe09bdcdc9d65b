"""The kernels of the `.cu` files beside, for arrays on the GPU."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

import numpy as np

SOURCES = "selection.cu", "network.cu"

OPTIONS = "-std=c++17", "--fmad=false"
"""Products are rounded before they are added, as on a CPU."""

THREADS = 256
"""To a block; `selection.cu` says so, too."""

MOST_MEMBERS = 1 << 22
"""So many numbers `select` in `selection.cu` can tell apart."""

CHEAPEST = {"float32": "select_single", "float64": "select_double"}


class Kernels:
    """The kernels, compiled. Those of the network are called as `measures/whole_arrays.py` is."""

    def __init__(self, cupy: Any) -> None:
        folder = files("jigsolve") / "gpu"
        code = "\n".join((folder / name).read_text("utf-8") for name in SOURCES)
        self._xp = cupy
        self._module = cupy.RawModule(code=code, options=OPTIONS)
        self._module.compile()

    def cheapest(self, values: Any, first_row: int, bits: int, keep: int) -> Any:
        """Return the members of the lowest values of rows, equal ones by number, (rows, keep).

        They come in any order. Rows are members from the given one on, columns are all members; a
        row is never given another of its own piece.
        """
        rows, columns = values.shape
        if columns > MOST_MEMBERS:
            raise ValueError(f"expected at most {MOST_MEMBERS:,} sides, found {columns:,}")
        ids = self._xp.empty((rows, keep), np.int32)
        numbers = (np.int32(number) for number in (columns, first_row, bits, keep))
        name = CHEAPEST[values.dtype.name]
        self._module.get_function(name)((rows,), (THREADS,), (values, *numbers, ids))
        return ids

    def seam_costs(self, name: str, borders: Any, near: Any, far: Any, ids: Any) -> Any:
        """Return what seams cost by a rule, `magnitudes` or `gradients`, like `ids`, float32.

        Each row of `ids` names members that a near one could touch. The rows of their borders are
        given by `near`, (rows,), and by `far`, for all far members.
        """
        costs = self._xp.empty(ids.shape, np.float32)
        width, keep = np.int32(borders.shape[1]), np.int32(ids.shape[1])
        self._run(name, costs.size, borders, width, near, far, ids, keep, np.int32(ids.size), costs)
        return costs

    def enter_seams(
        self,
        near: Any,
        far: Any,
        near_levels: Any,
        far_levels: Any,
        scales: Any,
        ones: Any,
        others: Any,
        backwards: bool,
        values: Any,
    ) -> None:
        """Fill in the lines of both sides of seams, less their common level, over their scale."""
        sides = near, far, near_levels, far_levels, scales, ones, others
        numbers = np.int32(backwards), *_whole(near.shape[1:])
        self._run_all("enter_seams", values.size, *sides, *numbers, values)

    def first_readings(self, products: Any, shifts: Any, hidden: Any) -> None:
        """Turn the products of the first layer into the two readings it has."""
        _, length, _, channels = hidden.shape
        numbers = _whole((length, channels))
        self._run_all("first_readings", hidden.size // 2, products, shifts, *numbers, hidden)

    def add_sides(
        self,
        near: tuple[Any, ...],
        far: tuple[Any, ...],
        flags: Any,
        shifts: Any,
        scales: Any,
        ones: Any,
        others: Any,
        backwards: bool,
        hidden: Any,
    ) -> None:
        """Fill in the two readings of seams whose sides have had their products made."""
        _, length, _, channels = hidden.shape
        sides = [self._xp.ascontiguousarray(part) for part in (*near, *far)]
        numbers = np.int32(backwards), *_whole((length, channels))
        told = flags, shifts, scales, ones, others
        self._run_all("add_sides", hidden.size // 2, *sides, *told, *numbers, hidden)

    def mix_two(self, hidden: Any, mixed: Any) -> None:
        """Lay out what the five taps of the layer after the first see."""
        self._mix("mix_two", hidden, mixed)

    def mix_four(self, hidden: Any, mixed: Any) -> None:
        """Lay out what the three taps of a later layer see."""
        self._mix("mix_four", hidden, mixed)

    def _mix(self, name: str, hidden: Any, mixed: Any) -> None:
        _, length, _, channels = hidden.shape
        self._run_all(name, hidden.size // 4, hidden, *_whole((length, channels)), mixed)

    def read_back(self, products: Any, bias: Any, is_residual: bool, hidden: Any) -> None:
        """Turn sums and differences into readings again, add the bias, and keep the positive."""
        numbers = _whole((is_residual, hidden.shape[3]))
        self._run_all("read_back", hidden.size // 4, products, bias, *numbers, hidden)

    def pool(self, hidden: Any, pooled: Any) -> None:
        """Fill in mean and maximum along the seam, for each reading."""
        _, length, _, channels = hidden.shape
        numbers = _whole((length, channels))
        self._run_all("pool", pooled.size // 2, hidden, *numbers, pooled)

    def _run_all(self, name: str, count: int, *arguments: Any) -> None:
        """Run a kernel whose last argument but one is how many threads have something to do."""
        self._run(name, count, *arguments[:-1], np.int64(count), arguments[-1])

    def _run(self, name: str, count: int, *arguments: Any) -> None:
        if count:
            blocks = -(-count // THREADS)
            self._module.get_function(name)((blocks,), (THREADS,), arguments)


def _whole(numbers: Any) -> tuple[np.int32, ...]:
    return tuple(np.int32(number) for number in numbers)
