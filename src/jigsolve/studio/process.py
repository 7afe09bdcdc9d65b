"""A process of its own for what takes long: reading a puzzle, and every solve.

What it tells comes over a pipe as JSON, one message at a time. It ends when it is done, soon after
it is asked to stop, and at once when the server is gone: then the pipe is closed.
"""

from __future__ import annotations

import contextlib
import json
import multiprocessing
import signal
import threading
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection
from typing import Any

Told = Callable[[dict[str, Any]], None]
STOP, LEAVE = b"stop", b"leave"
"""Stop and leave a result, or a checkpoint only."""


class Worker:
    """A process that does one job.

    Parameters
    ----------
    job
        What to do, as `engine.carry_out` takes it.
    told
        Called with each message, from a thread of its own; the last has the kind "ended".
    """

    def __init__(self, job: dict[str, Any], told: Told) -> None:
        spawning = multiprocessing.get_context("spawn")
        self._pipe, theirs = spawning.Pipe()
        self._process = spawning.Process(target=_run, args=(theirs, job), daemon=True)
        with _without_interrupts():
            self._process.start()
        theirs.close()
        self._listener = threading.Thread(target=self._listen, args=(told,), daemon=True)
        self._listener.start()

    def stop(self) -> None:
        """Ask it to stop soon: the best so far is the result."""
        self._ask(STOP)

    def leave(self) -> None:
        """Ask it to stop soon, so that it can be taken up again."""
        self._ask(LEAVE)

    def _ask(self, what: bytes) -> None:
        with contextlib.suppress(OSError):  # it has ended already
            self._pipe.send_bytes(what)

    def wait(self, seconds: float) -> None:
        """Wait until it has ended; end it if it takes longer."""
        self._listener.join(seconds)
        if self._listener.is_alive():
            self._process.kill()
            self._listener.join()

    def _listen(self, told: Told) -> None:
        last: dict[str, Any] = {
            "kind": "ended",
            "error": "the process of this job died: out of memory, perhaps; try again",
        }
        with contextlib.suppress(EOFError, OSError):
            while True:
                message = json.loads(self._pipe.recv_bytes())
                if message["kind"] == "ended":
                    last = message
                    break
                told(message)
        self._process.join()
        self._process.close()
        self._pipe.close()
        told(last)


@contextlib.contextmanager
def _without_interrupts() -> Iterator[None]:
    """Let a process that is started here never see Ctrl-C: the server tells it what to do."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _run(pipe: Connection, job: dict[str, Any]) -> None:
    """Do a job, in a process of its own."""
    from jigsolve.studio.engine import carry_out  # the server has no need of it

    carry_out(pipe, job)
