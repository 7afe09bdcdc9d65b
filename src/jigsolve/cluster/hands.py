"""An executor whose tasks are done by the workers of a cluster.

A machine has one job at a time, a batch of shards, on the threads of all its workers. A job names
its task; a worker that has not begun that task says so, and is sent it with the next job. So a task
travels once to every machine, and to one that comes later as well.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
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
from jigsolve.execution.spreading import ShardWork, Task
from jigsolve.execution.stop import Stop
from jigsolve.execution.work import Helped

Given = TypeVar("Given")
Value = TypeVar("Value")

JOBS_PER_MACHINE = 4
"""Batches for each machine, where there are shards enough: a slow one leaves some to others."""


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

    def spread(self, task: Task[Value], shards: Sequence[int]) -> Iterator[Value]:
        """Do a task on the workers; yield the values in the order of the shards."""
        batches = self._batches(shards)
        numbers = iter(range(len(batches)))
        laden: deque[Job] = deque()
        early: dict[int, list[Value]] = {}
        due = 0

        def draw() -> Job | None:
            if laden:
                return laden.popleft()
            number = next(numbers, None)
            return None if number is None else _job(task, number, batches[number])

        for outcome in work_off(self._cluster, draw, seat_by_host, self.check):
            if outcome.error:
                raise _in_words(outcome.error)
            number: int = outcome.job.label
            if isinstance(outcome.value, Lacking):
                laden.append(_job(task, number, batches[number], sent=task))
                continue
            early[number] = outcome.value
            while due in early:
                yield from early.pop(due)
                due += 1

    def empty(self, shape: tuple[int, ...], dtype: Any) -> np.ndarray:
        """Return a large array to be filled, here."""
        return self._hands.empty(shape, dtype)

    def check(self) -> None:
        """Raise if a stop was asked for."""
        self._hands.check()

    def _batches(self, shards: Sequence[int]) -> list[Sequence[int]]:
        seats = seat_by_host(self._cluster.workers())
        most = min(SHARDS_AT_ONCE, -(-len(shards) // (JOBS_PER_MACHINE * len(seats))))
        size = max(most, *(seat.threads for seat in seats))
        return [shards[slice(*span)] for span in spans(len(shards), size)]


def spread_over(cluster: Cluster) -> Helped:
    """Have the workers of a cluster price the seams of large puzzles.

    The result is the same as without.
    """

    def helped(hands: Executor) -> Executor:
        return Workers(hands, cluster)

    return helped


def _job(task: Task[Any], number: int, shards: Sequence[int], sent: Task[Any] | None = None) -> Job:
    name = type(task).__name__.lower()
    return Job(name, _do, (task.digest, sent, list(shards)), label=number)


def _in_words(error: Exception) -> Exception:
    if isinstance(error, InputError | MemoryError):
        return error
    said = " ".join(str(error).split())
    return InputError(f"cluster: a worker failed ({type(error).__name__}: {said})")


_begun: tuple[str, ShardWork[Any]] | None = None
"""The task that this worker has begun last: another one's arrays would take memory in vain."""
_beginning = threading.Lock()


def _do(
    digest: str, sent: Task[Value] | None, shards: list[int], threads: int, stop: Stop
) -> list[Value] | Lacking:
    """Do some shards of a task on a worker."""
    global _begun
    with crew(threads, stop) as hands, one_thread_per_product():
        with _beginning:
            if _begun is None or _begun[0] != digest:
                if sent is None:
                    return Lacking()
                _begun = None
                _begun = digest, sent.begin(hands)
            work: ShardWork[Value] = _begun[1]
        return hands.map(lambda shard: work(shard, hands.check), shards)
