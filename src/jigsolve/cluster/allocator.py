"""Keeping memory that was freed, as every process but a worker of Dask does."""

from __future__ import annotations

import ctypes
import functools

TRIM_THRESHOLD, MMAP_THRESHOLD = -1, -3
LARGEST_KEPT = 1 << 25
"""Bytes; what glibc comes to by itself unless it is told something else."""


@functools.cache
def keep_freed_memory() -> None:
    """Undo what Dask tells glibc: to hand every large array back to the system when it is freed.

    Getting the pages anew costs a run of a small puzzle half of its CPU time again.
    """
    try:
        set_option = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError, TypeError):  # another library, or another system
        return
    set_option(MMAP_THRESHOLD, LARGEST_KEPT)
    set_option(TRIM_THRESHOLD, 2 * LARGEST_KEPT)
