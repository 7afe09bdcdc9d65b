"""An executor whose tasks are done by the workers of a cluster.

A machine has one job at a time, a batch of shards, on the threads of all its workers. A job names
its task; a worker that has not begun that task says so, and is sent it with the next job. So a task
travels once to every machine, and to one that comes later as well.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Generator, Sequence
from typing import Any, TypeVar

import numpy as np

from jigsolve.cluster.connection import Cluster
from jigsolve.cluster.jobs import Job, seat_by_host, work_off
from jigsolve.errors import InputError
from jigsolve.execution.crew import (
    SHARDS_AT_ONCE,
    Executor,
    Progress,
    crew,
    one_thread_per_product,
    spans,
)
from jigsolve.execution.memory import Room, require_memory
from jigsolve.execution.spreading import ShardWork, Task
from jigsolve.execution.stop import Stop
from jigsolve.execution.work import Helped

Given = TypeVar("Given")
Value = TypeVar("Value")

JOBS_PER_MACHINE = 4
"""Batches for each machine, where there are shards enough: a slow one leaves some to others."""


IDLE = 60.0
"""Seconds for which a worker holds a task that nobody asks for."""


class Lacking:
    """What a worker returns that has not begun a task."""


class Workers:
    """Threads of this process for most work, and the workers of a cluster for tasks."""

    is_local = False

    def __init__(self, hands: Executor, cluster: Cluster) -> None:
        self._hands = hands
        self._cluster = cluster

    def map(
        self,
        work: Callable[[Given], Value],
        shards: Sequence[Given],
        progress: Progress | None = None,
    ) -> list[Value]:
        """Do `work` for every shard, here."""
        return self._hands.map(work, shards, progress)

    def spread(self, task: Task[Value], shards: Sequence[int]) -> Generator[Value, None, None]:
        """Do a task on the workers; yield the values in the order of the shards."""
        digest = task.digest
        batches = self._batches(shards)
        numbers = iter(range(len(batches)))
        laden: deque[Job] = deque()
        early: dict[int, list[Value]] = {}
        due = 0

        def job(number: int, sent: Task[Value] | None = None) -> Job:
            return Job(task.name, _do, (digest, sent, list(batches[number])), label=number)

        def draw() -> Job | None:
            if laden:
                return laden.popleft()
            number = next(numbers, None)
            return None if number is None else job(number)

        for outcome in work_off(self._cluster, draw, seat_by_host, self.check):
            if outcome.error:
                raise _in_words(outcome.error)
            number: int = outcome.job.label
            if isinstance(outcome.value, Lacking):
                laden.append(job(number, sent=task))
                continue
            if not all(map(task.accepts, batches[number], outcome.value)):
                raise InputError(f"cluster: a worker returned something else than {task.name}")
            early[number] = outcome.value
            while due in early:
                yield from early.pop(due)
                due += 1

    def empty(self, shape: tuple[int, ...], dtype: Any) -> np.ndarray:
        """Return a large array to be filled, here."""
        return self._hands.empty(shape, dtype)

    def room(self) -> Room | None:
        """Return where large arrays lie here; None if that is memory."""
        return self._hands.room()

    def check(self) -> None:
        """Raise if a stop was asked for."""
        self._hands.check()

    def _batches(self, shards: Sequence[int]) -> list[Sequence[int]]:
        seats = seat_by_host(self._cluster.workers())  # of which there may be none for a moment
        jobs = JOBS_PER_MACHINE * max(1, len(seats))
        most = min(SHARDS_AT_ONCE, -(-len(shards) // jobs))
        size = max([1, most, *(seat.threads for seat in seats)])
        return [shards[slice(*span)] for span in spans(len(shards), size)]


def spread_over(cluster: Cluster) -> Helped:
    """Have the workers of a cluster price the seams of large puzzles.

    The result is the same as without.
    """

    def helped(hands: Executor) -> Executor:
        return Workers(hands, cluster)

    return helped


def _in_words(error: Exception) -> Exception:
    if isinstance(error, InputError | MemoryError):
        return error
    said = " ".join(str(error).split())
    return InputError(f"cluster: a worker failed ({type(error).__name__}: {said})")


class _Begun:
    """The task that this worker has begun last: another one's arrays would take memory in vain."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._task: tuple[str, ShardWork[Any]] | None = None
        self._forgetting: threading.Timer | None = None

    def work(
        self, digest: str, sent: Task[Value] | None, hands: Executor
    ) -> ShardWork[Value] | None:
        """Return what works off a shard; None if the task is another one, and was not sent."""
        with self._lock:
            if self._forgetting:
                self._forgetting.cancel()
            if self._task is None or self._task[0] != digest:
                if sent is None:
                    return None
                self._task = None
                if sent.digest != digest:
                    raise InputError(
                        f"cluster: expected {sent.name} of checksum {digest[:12]} to arrive at a "
                        "worker, found others"
                    )
                require_memory(sent.memory, f"cluster: a worker that prices {sent.name}")
                self._task = digest, sent.begin(hands)
            return self._task[1]

    def leave(self) -> None:
        """Forget it if nobody asks for it any more: its run may have been killed."""
        with self._lock:
            if self._forgetting:
                self._forgetting.cancel()
            self._forgetting = threading.Timer(IDLE, self._forget)
            self._forgetting.daemon = True
            self._forgetting.start()

    def _forget(self) -> None:
        with self._lock:
            self._task = None


_begun = _Begun()


def _do(
    digest: str, sent: Task[Value] | None, shards: list[int], threads: int, stop: Stop
) -> list[Value] | Lacking:
    """Do some shards of a task on a worker."""
    with crew(threads, stop) as hands, one_thread_per_product():
        try:
            work: ShardWork[Value] | None = _begun.work(digest, sent, hands)
            if work is None:
                return Lacking()
            return hands.map(lambda shard: work(shard, hands.check), shards)
        finally:
            _begun.leave()
