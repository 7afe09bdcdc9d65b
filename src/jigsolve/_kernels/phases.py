"""A phase of one's own: a compiled function that the crossover calls through a pointer.

Kernels need not be compiled anew for it, and cost nothing more where there is none.
"""

from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from numba import types

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


try:
    NO_PHASE = numba.cfunc(SIGNATURE, cache=True)(leave_it)
except RuntimeError:  # no place to write the cache to
    NO_PHASE = compile_phase(leave_it)
