"""Threads for kernels that release the GIL."""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from typing import TypeVar

Job = TypeVar("Job")


def available_threads() -> int:
    """Return the number of cores this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on this platform
        return os.cpu_count() or 1


class Crew:
    """A thread pool that stops at once when it is left, without finishing what waits."""

    def __init__(self, pool: ThreadPoolExecutor) -> None:
        self._pool = pool

    def each(self, work: Callable[[Job], object], jobs: list[Job]) -> Iterator[None]:
        """Do `work` for every job, yielding as each is done; an error is raised here."""
        for future in as_completed([self._pool.submit(work, job) for job in jobs]):
            future.result()
            yield

    def all(self, work: Callable[[Job], object], jobs: list[Job]) -> None:
        """Do `work` for every job."""
        for _ in self.each(work, jobs):
            pass


@contextmanager
def crew(threads: int) -> Iterator[Crew]:
    """Open a crew of so many threads."""
    pool = ThreadPoolExecutor(threads)
    try:
        yield Crew(pool)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def spans(count: int, size: int) -> list[tuple[int, int]]:
    """Split 0..count into spans of at most `size`."""
    return [(first, min(first + size, count)) for first in range(0, count, size)]
