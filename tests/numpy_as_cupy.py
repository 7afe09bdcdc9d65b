"""A CuPy whose device is the CPU: NumPy, with a slow, obvious twin of every kernel for GPUs.

Twins take what kernels are given, in that order, and see the shapes of arrays besides.
"""

import importlib.machinery
import re
import types
from contextlib import nullcontext

import numpy as np

from jigsolve._kernels.costs import gradient_cost, sum_of_magnitudes
from jigsolve.measures import whole_arrays

IN_C = {
    "u8": np.uint8,
    "short": np.int16,
    "int": np.int32,
    "long long": np.int64,
    "float": np.float32,
    "double": np.float64,
}
"""Types of what kernels take: nobody else would notice that they are given others."""


class NumpyAsCupy(types.ModuleType):
    """A CuPy with so many bytes free on so many devices; a kernel may fail."""

    def __init__(self, free=10**9, devices=1, fails_at=None):
        super().__init__("cupy")
        self.__spec__ = importlib.machinery.ModuleSpec("cupy", None)
        self.ran = []
        self.freed = 0
        self.fails_at = fails_at
        self.asnumpy = np.asarray
        self.RawModule = self._module
        self.cuda = types.SimpleNamespace(
            is_available=lambda: devices > 0,
            using_allocator=lambda allocate: nullcontext(),
            Device=lambda: types.SimpleNamespace(mem_info=(free, 10**12)),
            MemoryPool=lambda: types.SimpleNamespace(
                malloc=None, free_bytes=lambda: 0, free_all_blocks=self._count_freed
            ),
        )

    def __getattr__(self, name):
        return getattr(np, name)

    def _count_freed(self):
        self.freed += 1

    def _module(self, code, options):
        takes = {
            name: [re.sub(r"\s*\w+$", "", each.strip()) for each in arguments.split(",")]
            for name, arguments in re.findall(r"__global__[^{]*?(\w+)\(\s*([^()]*)\)\s*{", code)
        }
        return types.SimpleNamespace(
            compile=lambda: None, get_function=lambda name: self._twin_of(name, takes[name])
        )

    def _twin_of(self, name, takes):
        def run(grid, block, arguments):
            self.ran.append((name, arguments))
            if name == self.fails_at:
                raise RuntimeError("out of order")
            for given, wanted in zip(arguments, takes, strict=True):
                assert np.dtype(given.dtype) == IN_C[wanted.removeprefix("const ").rstrip("*")], (
                    name
                )
                assert isinstance(given, np.ndarray) == wanted.endswith("*"), name
                assert not isinstance(given, np.ndarray) or given.flags.c_contiguous, name
            globals()[name](*arguments)

        return run


def select_single(values, columns, first_row, bits, keep, ids):
    members = np.arange(columns)
    for row, chosen in zip(values, ids, strict=True):
        others = members[members >> bits != first_row >> bits]
        chosen[:] = others[np.lexsort((others, row[others]))][:keep][::-1]  # in any order
        first_row += 1


select_double = select_single


def magnitudes(borders, width, near, far, ids, keep, count, costs):
    _costs(sum_of_magnitudes, borders, near, far, ids, costs)


def gradients(borders, width, near, far, ids, keep, count, costs):
    def cost(borders, one, other):
        return gradient_cost(borders, one, other) + gradient_cost(borders, other, one)

    _costs(cost, borders, near, far, ids, costs)


def _costs(cost, borders, near, far, ids, costs):
    for (row, place), member in np.ndenumerate(ids):
        costs[row, place] = cost(borders, near[row], far[member])


def enter_seams(near, far, near_levels, far_levels, *rest):
    scales, ones, others, backwards, _, _, _, values = rest
    sides = near, far, near_levels, far_levels, scales, ones, others
    whole_arrays.enter_seams(*sides, bool(backwards), values)


def first_readings(products, shifts, length, channels, count, hidden):
    whole_arrays.first_readings(products, shifts, hidden)


def add_sides(*given):
    near, far, rest = given[:4], given[4:8], given[8:]
    flags, shifts, scales, ones, others, backwards, _, _, _, hidden = rest
    told = flags, shifts, scales, ones, others
    whole_arrays.add_sides(near, far, *told, bool(backwards), hidden)


def mix_two(hidden, length, channels, count, mixed):
    whole_arrays.mix_two(hidden, mixed)


def mix_four(hidden, length, channels, count, mixed):
    whole_arrays.mix_four(hidden, mixed)


def read_back(products, bias, is_residual, channels, count, hidden):
    whole_arrays.read_back(products.copy(), bias, bool(is_residual), hidden)


def pool(hidden, length, channels, count, pooled):
    whole_arrays.pool(hidden, pooled)
