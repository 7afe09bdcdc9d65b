"""A phase of one's own: a compiled function that the crossover calls through a pointer.

Kernels need not be compiled anew for it, and cost nothing more where there is none.
"""

import contextlib
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from numba import types
from numba.core.ccallback import CFunc
from numba.experimental import function_type  # noqa: F401 (it knows what a CFunc is)

from jigsolve._kernels.jit import KernelCache

SIGNATURE = types.int64(
    types.Array(types.int32, 2, "C"),  # partners of every side, cheapest first
    types.Array(types.float32, 2, "C"),  # their costs
    types.Array(types.int32, 1, "C"),  # by piece: negative once it is used
    types.Array(types.int64, 1, "C"),  # around the cell: the side each side would touch, or -1
)


def compile_phase(choose: Callable[..., Any]) -> Any:
    """Compile a function from what is known of a cell to the piece to place there, or -1."""
    return numba.cfunc(SIGNATURE, error_model="numpy")(choose)


def leave_it(partners, costs, slot, around):
    return np.int64(-1)


def _no_phase() -> Any:
    """Return the phase that leaves every placement to others; it is kept as kernels are."""
    phase: Any = CFunc(leave_it, (SIGNATURE.args, SIGNATURE.return_type), {}, {})
    with contextlib.suppress(RuntimeError):  # no place to write the cache to
        phase._cache = KernelCache(leave_it)
    phase.compile()
    return phase


NO_PHASE = _no_phase()
