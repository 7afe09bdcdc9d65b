"""What a stage is given to work with: hands, a clock that tells how far it is, a stop to heed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from jigsolve.execution.clock import Clock
from jigsolve.execution.crew import Crew, crew
from jigsolve.execution.events import Events, OnEvent
from jigsolve.execution.stop import Stop


@dataclass(frozen=True)
class Work:
    """Who does the work of a run, who is told of it and who may stop it."""

    crew: Crew
    clock: Clock
    threads: int

    @property
    def events(self) -> Events:
        """Where events are told."""
        return self.clock.events

    @property
    def stop(self) -> Stop:
        """What is to be heeded."""
        return self.clock.stop


@contextmanager
def working(
    threads: int, on_event: OnEvent | None = None, stop: Stop | None = None
) -> Iterator[Work]:
    """Open what a run works with."""
    clock = Clock(Events(on_event), stop)
    with crew(threads, clock.stop) as hands:
        yield Work(hands, clock, threads)
