"""Stopping a run from outside: from another thread or process, or when its time is up."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

EARLY = ASKED, TIME, INTERRUPTED = "asked", "time", "interrupted"
"""Why a run stopped before it was done: somebody asked, its time was up, or Ctrl-C."""


class Signal(Protocol):
    """What `threading.Event` and `multiprocessing.Event` have in common."""

    def set(self) -> None:
        """Set it, for good."""

    def is_set(self) -> bool:
        """Whether it is set."""


class Stopped(Exception):  # noqa: N818 - it is no error
    """A stage heeded a stop; the reason is one of the above."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Stop:
    """Asked for from anywhere, heeded by every stage within a second.

    Parameters
    ----------
    signal
        What is set to stop; one of `multiprocessing` can be set by another process.
    seconds
        When to stop by itself, counted from now.

    Examples
    --------
    >>> stop = Stop()
    >>> stop.reason is None
    True
    >>> stop.ask()
    >>> stop.reason
    'asked'
    """

    def __init__(self, signal: Signal | None = None, *, seconds: float | None = None) -> None:
        self._signal = signal or threading.Event()
        self._deadline = None if seconds is None else time.monotonic() + seconds

    def ask(self) -> None:
        """Stop the run soon."""
        self._signal.set()

    def within(self, seconds: float | None) -> Stop:
        """Return a stop that heeds the same signal, and stops by itself after so many seconds."""
        if seconds is None:
            return self
        return Stop(self._signal, seconds=min(seconds, self.left()))

    def left(self) -> float:
        """Return the seconds that are left; infinite where nobody limits them."""
        return float("inf") if self._deadline is None else self._deadline - time.monotonic()

    @contextmanager
    def uncounted(self) -> Iterator[None]:
        """Do something that is no part of a run: afterwards as much time is left as before."""
        left = self.left()
        try:
            yield
        finally:
            if self._deadline is not None:
                self._deadline = time.monotonic() + left

    @property
    def reason(self) -> str | None:
        """Why to stop; None to go on."""
        if self._signal.is_set():
            return ASKED
        return TIME if self.left() <= 0 else None

    def check(self) -> None:
        """Raise if it is time to stop."""
        if reason := self.reason:
            raise Stopped(reason)
