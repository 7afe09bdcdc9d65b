"""Executors: work is mapped over shards, and the result does not depend on who does it.

Threads of this process are one, as kernels release the GIL; those of other machines another.
"""

from __future__ import annotations

import functools
import itertools
import os
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from typing import Any, Protocol, TypeVar

import numpy as np
from threadpoolctl import ThreadpoolController

from jigsolve.errors import InputError
from jigsolve.execution.memory import Room
from jigsolve.execution.spreading import Task
from jigsolve.execution.stop import INTERRUPTED, Stop, Stopped

Shard = TypeVar("Shard")
Value = TypeVar("Value")

Progress = Callable[[int, int], object]
"""Told how much is done, and of how much."""

LOOKS = 0.1
"""Seconds between two looks whether to stop."""

SHARDS_AT_ONCE = 64
"""Values of a task that are held until whoever wants them has taken them."""


def available_threads() -> int:
    """Return the number of cores this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on this platform
        return os.cpu_count() or 1


class Executor(Protocol):
    """Whoever does the work."""

    def map(
        self,
        work: Callable[[Shard], Value],
        shards: Sequence[Shard],
        progress: Progress | None = None,
    ) -> list[Value]:
        """Do `work` for every shard; return the values in the order of the shards."""

    def spread(self, task: Task[Value], shards: Sequence[int]) -> Generator[Value, None, None]:
        """Do a task, here or elsewhere; yield the values in the order of the shards."""

    def empty(self, shape: tuple[int, ...], dtype: Any) -> np.ndarray:
        """Return a large array to be filled, in memory or where there is more room."""

    def room(self) -> Room | None:
        """Return where large arrays lie; None if that is memory."""

    @property
    def is_local(self) -> bool:
        """Whether a task is done by threads of this process, and no value of it is kept."""

    def check(self) -> None:
        """Raise if a stop was asked for: work that takes seconds looks now and then."""


class Here:
    """What executors of this process have in common."""

    is_local = True

    def empty(self, shape: tuple[int, ...], dtype: Any) -> np.ndarray:
        """Return a large array to be filled, in memory."""
        return np.empty(shape, dtype)

    def room(self) -> None:
        """Large arrays lie in memory."""


class Alone(Here):
    """An executor for those who have no crew: who asks does the work."""

    def map(
        self,
        work: Callable[[Shard], Value],
        shards: Sequence[Shard],
        progress: Progress | None = None,
    ) -> list[Value]:
        """Do `work` for every shard; return the values in the order of the shards."""
        values = []
        for shard in shards:
            values.append(work(shard))
            if progress:
                progress(len(values), len(shards))
        return values

    def spread(self, task: Task[Value], shards: Sequence[int]) -> Generator[Value, None, None]:
        """Do a task; yield the values in the order of the shards."""
        work = task.begin(self)
        for shard in shards:
            yield work(shard, self.check)

    def check(self) -> None:
        """Nobody asks for a stop."""


ALONE = Alone()


class Crew(Here):
    """Threads that, when they are left, finish what runs and forget what waits."""

    def __init__(self, pool: ThreadPoolExecutor, stop: Stop) -> None:
        self._pool = pool
        self._stop = stop

    def map(
        self,
        work: Callable[[Shard], Value],
        shards: Sequence[Shard],
        progress: Progress | None = None,
    ) -> list[Value]:
        """Do `work` for every shard; return the values in the order of the shards.

        An error is raised here, and so is a stop: shards that wait are forgotten then. Now and
        then `progress` is told how many shards are done, and of how many.
        """
        futures = [self._submitted(work, shard) for shard in shards]
        waiting = set(futures)
        try:
            while waiting:
                done, waiting = wait(waiting, timeout=LOOKS, return_when=FIRST_EXCEPTION)
                for future in done:
                    future.result()
                if waiting:
                    self._stop.check()
                if progress:
                    progress(len(futures) - len(waiting), len(futures))
        finally:
            for future in waiting:
                future.cancel()
            wait(waiting)
        return [future.result() for future in futures]

    def spread(self, task: Task[Value], shards: Sequence[int]) -> Generator[Value, None, None]:
        """Do a task; yield the values in the order of the shards, each as soon as it is there.

        A shard takes seconds. Whoever wants no more of them, after Ctrl-C say, waits until those
        that run look the next time whether to stop.
        """
        work = task.begin(self)
        is_left = threading.Event()

        def check() -> None:
            if is_left.is_set():
                raise Stopped(INTERRUPTED)
            self._stop.check()

        begun: deque[Future[Value]] = deque()
        rest = iter(shards)
        try:
            while True:
                for shard in itertools.islice(rest, SHARDS_AT_ONCE - len(begun)):
                    begun.append(self._submitted(work, shard, check))
                if not begun:
                    return
                while not begun[0].done():
                    wait([begun[0]], timeout=LOOKS)
                    self._stop.check()
                yield begun[0].result()
                begun.popleft()
        finally:
            is_left.set()
            for future in begun:
                future.cancel()
            wait(begun)

    def _submitted(self, work: Callable[..., Value], *given: Any) -> Future[Value]:
        try:
            return self._pool.submit(work, *given)
        except RuntimeError as error:
            raise InputError(f"cannot start more threads ({error}); try fewer threads") from None

    def check(self) -> None:
        """Raise if a stop was asked for: work that takes seconds looks now and then."""
        self._stop.check()


@contextmanager
def crew(threads: int, stop: Stop | None = None) -> Iterator[Crew]:
    """Open a crew of so many threads that heeds a stop."""
    pool = ThreadPoolExecutor(threads)
    try:
        yield Crew(pool, stop or Stop())
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


_blas = threading.Lock()


@contextmanager
def one_thread_per_product() -> Iterator[None]:
    """Let every matrix product use one thread: a crew has one product per core already.

    The limit holds for the process, so only one crew multiplies at a time.
    """
    with _blas, _libraries().limit(limits=1, user_api="blas"):
        yield


@functools.cache
def _libraries() -> ThreadpoolController:
    """Return what limits the threads of NumPy's BLAS; to look for it takes milliseconds."""
    return ThreadpoolController()


def spans(count: int, size: int) -> list[tuple[int, int]]:
    """Split 0..count into spans of at most `size`."""
    return [(first, min(first + size, count)) for first in range(0, count, size)]
