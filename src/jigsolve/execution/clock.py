"""Stages of a run: how long each took, and how far it is."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from jigsolve.execution.crew import Progress
from jigsolve.execution.events import Events, Progressed, StageBegan, StageEnded, Timing
from jigsolve.execution.stop import Stop


class Clock:
    """Wall and CPU time of each stage.

    A stage that tells its progress heeds the stop.
    """

    def __init__(self, events: Events | None = None, stop: Stop | None = None) -> None:
        self.timings: dict[str, Timing] = {}
        self.events = events or Events()
        self.stop = stop or Stop()
        self._within = Timing(0.0, 0.0)

    @contextmanager
    def stage(self, name: str) -> Iterator[Progress]:
        """Time a stage; yields what it reports its progress to.

        A stage may come several times, and within another: the time it takes is its own only.
        """
        around, self._within = self._within, Timing(0.0, 0.0)
        wall, cpu = time.perf_counter(), time.process_time()

        def tell(done: int, total: int) -> None:
            self.events.tell(Progressed(name, done, total, time.perf_counter() - wall))
            self.stop.check()

        self.events.tell(StageBegan(name))
        try:
            self.stop.check()
            yield tell
        finally:
            took = Timing(time.perf_counter() - wall, time.process_time() - cpu)
            own = Timing(took.wall - self._within.wall, took.cpu - self._within.cpu)
            before = self.timings.get(name, Timing(0.0, 0.0))
            self.timings[name] = Timing(before.wall + own.wall, before.cpu + own.cpu)
            self._within = Timing(around.wall + took.wall, around.cpu + took.cpu)
            self.events.tell(StageEnded(name, own))


def time_in_words(seconds: float) -> str:
    """Return a length of time for people, such as 5 minutes."""
    if seconds < 1.5:
        return "a second"
    for unit, length in (("seconds", 1), ("minutes", 60), ("hours", 3600)):
        if seconds < 100 * length:
            return f"{seconds / length:.0f} {unit}"
    return f"{seconds / 86400:.0f} days"
