"""Handing jobs to workers: one that dies costs the jobs it had, which are given to others.

What runs where is decided here and not by Dask's scheduler. A worker has one job at a time, so CPU
time and memory of its process are those of the job.
"""

from __future__ import annotations

import threading
import time
import uuid
import warnings
from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from distributed import CancelledError, Future, KilledWorker, get_worker, wait
from distributed.client import ClosedClientError

from jigsolve.cluster.allocator import keep_freed_memory
from jigsolve.cluster.connection import GONE, LOOKS, Cluster, Worker
from jigsolve.errors import InputError
from jigsolve.execution.stop import Stop, Stopped

MOST_DEATHS = 3
"""A job whose workers died so often is not given to another."""
FETCHING = 10.0
"""Seconds to wait for a value before looking whether its worker is still there."""


@dataclass(frozen=True, eq=False)
class Job:
    """Something to do on a worker."""

    name: str
    """What Dask's dashboard calls it."""
    work: Callable[..., Any]
    """Called by the worker with the arguments, its number of threads and a stop to heed."""
    arguments: tuple[Any, ...]
    label: Any = None
    """What whoever drew it tells it by."""


@dataclass(frozen=True)
class Outcome:
    """What became of a job: a value, or an error."""

    job: Job
    value: Any = None
    error: Exception | None = None


@dataclass(frozen=True)
class Seat:
    """A worker, and how many threads a job on it may use."""

    worker: Worker
    threads: int


def seat_each(workers: list[Worker]) -> list[Seat]:
    """Let every worker have a job."""
    return [Seat(worker, worker.threads) for worker in workers]


def seat_by_host(workers: list[Worker]) -> list[Seat]:
    """Let one worker of every machine have a job, with the threads of all of them."""
    first = {worker.host: worker for worker in reversed(workers)}
    threads: Counter[str] = Counter()
    for worker in workers:
        threads[worker.host] += worker.threads
    return [Seat(worker, threads[host]) for host, worker in first.items()]


def work_off(
    cluster: Cluster,
    draw: Callable[[], Job | None],
    seats: Callable[[list[Worker]], list[Seat]] = seat_each,
    check: Callable[[], object] = lambda: None,
) -> Iterator[Outcome]:
    """Do all jobs; yield what became of each, in the order in which they end.

    Parameters
    ----------
    cluster
        Who does them.
    draw
        Returns the next job, None when there is none for now. It is asked again after every
        outcome.
    seats
        Which workers have a job at a time.
    check
        Raises when this is to end; called twice a second or more often.
    """
    running: dict[Future[Any], tuple[Job, Seat]] = {}
    again: deque[Job] = deque()
    deaths: Counter[Job] = Counter()
    try:
        while True:
            check()
            workers = cluster.workers()
            taken = {seat.worker for _, seat in running.values()}
            for seat in seats(workers):
                if seat.worker in taken:
                    continue
                job = again.popleft() if again else draw()
                if job is None:
                    break
                running[_begun(cluster, job, seat)] = job, seat
            if not running:
                job = again.popleft() if again else draw()
                if job is None:
                    return
                again.appendleft(job)  # nobody is there who could do it
                time.sleep(LOOKS)
                continue
            for future in _ended(cluster, running):
                job, seat = running[future]
                try:
                    outcome = _outcome(future, job)
                except GONE:  # it takes long; whether its worker is gone, the next look tells
                    continue
                del running[future]
                if outcome:
                    yield outcome
                else:
                    again.append(job)
            present = {worker.address for worker in cluster.workers()}
            for future, (job, seat) in list(running.items()):
                if seat.worker.address in present:
                    continue
                del running[future]
                _drop(cluster, [future])
                deaths[job] += 1
                if deaths[job] < MOST_DEATHS:
                    again.append(job)
                else:
                    yield Outcome(job, error=_deadly(job))
    finally:
        _drop(cluster, list(running))


def _begun(cluster: Cluster, job: Job, seat: Seat) -> Future[Any]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of pictures, which are large
            return cluster.client.submit(
                _carry_out,
                job.work,
                job.arguments,
                seat.threads,
                key=f"{job.name}-{uuid.uuid4().hex}",
                workers=[seat.worker.address],
                allow_other_workers=False,
                pure=False,
            )
    except ClosedClientError:
        raise cluster.gone() from None


def _ended(cluster: Cluster, running: dict[Future[Any], Any]) -> list[Future[Any]]:
    """Wait for a moment, or until a job ends; those that went well first."""
    with suppress(TimeoutError, CancelledError), cluster.client.as_current():
        wait(list(running), timeout=LOOKS, return_when="FIRST_COMPLETED")
    return sorted((f for f in running if f.status != "pending"), key=lambda f: f.status == "error")


def _outcome(future: Future[Any], job: Job) -> Outcome | None:
    """Return what became of a job that ended; None if it must be done again."""
    if future.status not in ("finished", "error"):
        return None
    try:
        return Outcome(job, future.result(timeout=FETCHING))
    except (KilledWorker, CancelledError, Stopped):
        return None
    except (*GONE, MemoryError) as error:
        if future.status != "error":
            raise
        return Outcome(job, error=error)
    except Exception as error:
        return Outcome(job, error=error)


def _deadly(job: Job) -> InputError:
    return InputError(
        f"{job.name}: {MOST_DEATHS} workers died of it, for want of memory perhaps, or they were "
        "killed from outside"
    )


def _drop(cluster: Cluster, futures: list[Future[Any]]) -> None:
    with suppress(Exception):  # the scheduler may be gone
        cluster.client.cancel(futures, force=True)


class _Dropped(threading.Event):
    """Set when nobody waits for the job of this thread any more: its client went, or dropped it."""

    def __init__(self) -> None:
        super().__init__()
        self._worker = get_worker()
        self._key = self._worker.get_current_task()

    def is_set(self) -> bool:
        """Whether it is set."""
        task = self._worker.state.tasks.get(self._key)
        dropped = task is None or task.state not in ("executing", "long-running")
        return dropped or super().is_set()


def _carry_out(work: Callable[..., Any], arguments: tuple[Any, ...], threads: int) -> Any:
    keep_freed_memory()
    stop = Stop(_Dropped())
    value = work(*arguments, threads, stop)
    stop.check()  # what a stopped job returns is not what it should be
    return value
