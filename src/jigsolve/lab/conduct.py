"""Carrying out tasks on all cores, each in a process of its own."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager

from jigsolve.errors import InputError
from jigsolve.execution.crew import available_threads
from jigsolve.lab.experiment import Task
from jigsolve.lab.records import Bench, Record
from jigsolve.lab.trial import carry_out

SIDE_BY_SIDE = 6000
"""Puzzles of up to so many pieces are solved on one core each, side by side: threads of one run
wait for each other. Larger ones take all cores, one after another, and memory for one only."""


MOST_JOBS = 61
"""More processes than this cannot be waited for on every system."""


def conduct(
    tasks: list[Task], bench: Bench, command: str, jobs: int | None = None
) -> Iterator[Record]:
    """Carry out all tasks that nobody has done or is working on; yield each finished run.

    Parameters
    ----------
    tasks
        What to run.
    bench
        Where runs are kept.
    command
        What to say in the records of how they were made.
    jobs
        Cores to use, all by default.
    """
    jobs = min(jobs or available_threads(), MOST_JOBS)
    small = [task for task in tasks if task.image.pieces <= SIDE_BY_SIDE]
    large = [task for task in tasks if task.image.pieces > SIDE_BY_SIDE]
    for group, workers, threads in ((small, jobs, 1), (large, 1, jobs)):
        if group:
            yield from _carry_out_all(group, bench, command, workers, threads)


def _carry_out_all(
    tasks: list[Task], bench: Bench, command: str, workers: int, threads: int
) -> Iterator[Record]:
    by_key = {task.key: task for task in tasks}
    running: dict[Future[Record], str] = {}
    failures: list[InputError] = []
    with _workers(workers) as pool:
        while True:
            while len(running) < workers:
                key = bench.claim(by_key)
                if key is None:
                    break
                running[pool.submit(carry_out, by_key.pop(key), threads, command)] = key
            if not running:
                break
            finished, _ = wait(running, return_when=FIRST_COMPLETED)
            # Those that went well first: what is finished is kept, whatever befell the others.
            for future in sorted(finished, key=lambda f: f.exception() is not None):
                key = running.pop(future)
                try:
                    record = future.result()
                except BrokenProcessPool:
                    raise InputError(
                        "a run was killed from outside, for want of memory perhaps, or crashed in "
                        "a part of your own; the runs before it are kept, and the same command "
                        "goes on from there"
                    ) from None
                except InputError as error:  # the others may go well
                    failures.append(error)
                    bench.give_up(key)
                else:
                    bench.hand_in(record)
                    yield record
    check_failures(failures)


def check_failures(failures: list[InputError]) -> None:
    """Raise if runs failed, when all others are done."""
    if failures:
        raise InputError(f"{len(failures)} of the runs failed, the first: {failures[0]}")


@contextmanager
def _workers(count: int) -> Iterator[ProcessPoolExecutor]:
    """Open a pool of processes that end with this one, whatever ends it."""
    pool = ProcessPoolExecutor(
        count,
        mp_context=multiprocessing.get_context("spawn"),
        initializer=_begin_work,
    )
    try:
        yield pool
    except BaseException:
        for process in list((pool._processes or {}).values()):
            process.kill()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _begin_work() -> None:
    """Leave Ctrl-C to the parent, and end when it is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    parent = multiprocessing.parent_process()

    def watch() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
