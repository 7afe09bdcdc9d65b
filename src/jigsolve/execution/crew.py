"""Threads for kernels that release the GIL."""

import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from typing import TypeVar

from threadpoolctl import threadpool_limits

from jigsolve.errors import InputError

Job = TypeVar("Job")

Progress = Callable[[int, int], object]
"""Told how much is done, and of how much."""


def available_threads() -> int:
    """Return the number of cores this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on this platform
        return os.cpu_count() or 1


class Crew:
    """A thread pool that, when it is left, finishes what runs and forgets what waits."""

    def __init__(self, pool: ThreadPoolExecutor) -> None:
        self._pool = pool

    def all(self, work: Callable[[Job], object], jobs: list[Job]) -> None:
        """Do `work` for every job; an error is raised here."""
        try:
            futures = [self._pool.submit(work, job) for job in jobs]
        except RuntimeError as error:
            raise InputError(f"cannot start more threads ({error}); try fewer threads") from None
        for future in as_completed(futures):
            future.result()


@contextmanager
def crew(threads: int) -> Iterator[Crew]:
    """Open a crew of so many threads."""
    pool = ThreadPoolExecutor(threads)
    try:
        yield Crew(pool)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


_blas = threading.Lock()


@contextmanager
def one_thread_per_product() -> Iterator[None]:
    """Let every matrix product use one thread: a crew has one product per core already.

    The limit holds for the process, so only one crew multiplies at a time.
    """
    with _blas, threadpool_limits(limits=1, user_api="blas"):
        yield


def spans(count: int, size: int) -> list[tuple[int, int]]:
    """Split 0..count into spans of at most `size`."""
    return [(first, min(first + size, count)) for first in range(0, count, size)]
