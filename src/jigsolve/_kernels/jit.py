"""How every kernel is compiled.

Kernels release the GIL, so a plain thread pool runs them side by side, Ctrl-C reaches the
main thread, and no global threading layer is involved. They never allocate: what they fill is
handed to them. That allows compiling without Numba's reference counting, whose atomic
increments at every helper call would cost more than all the rest. Compiled code is cached on
disk; on a machine where nothing can be written the kernels still work, compiled anew each time.
"""

from collections.abc import Callable
from typing import Any

import numba
from numba.extending import register_jitable

OPTIONS: dict[str, Any] = {
    "nogil": True,
    "error_model": "numpy",
    "forceinline": True,
    "_nrt": False,  # no runtime for reference counting
}


def kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile `function`, from the cache if there is one."""
    compiled: Callable[..., Any]
    try:
        compiled = numba.njit(cache=True, **OPTIONS)(function)
    except RuntimeError:  # Numba found no place it may write its cache to.
        compiled = numba.njit(**OPTIONS)(function)
    return compiled


def shared(function: Callable[..., Any]) -> Callable[..., Any]:
    """Let kernels take `function` in, and leave it as it is: Python calls it with arrays, too."""
    inlined: Callable[..., Any] = register_jitable(**OPTIONS)(function)
    return inlined
