"""What a stage is given to work with: hands, a clock that tells how far it is, a stop to heed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from jigsolve.execution.clock import Clock
from jigsolve.execution.crew import Crew, Executor, crew
from jigsolve.execution.events import Events, OnEvent
from jigsolve.execution.stop import Stop


@dataclass(frozen=True)
class Work:
    """Who does the work of a run, who is told of it and who may stop it."""

    crew: Executor
    clock: Clock
    threads: int
    hands: Crew
    """The threads of this process alone."""

    @property
    def events(self) -> Events:
        """Where events are told."""
        return self.clock.events

    @property
    def stop(self) -> Stop:
        """What is to be heeded."""
        return self.clock.stop

    def by_itself(self) -> Work:
        """Return the same without help: for pieces of work that are not worth it."""
        return replace(self, crew=self.hands)


Helped = Callable[[Executor], Executor]
"""Makes an executor of a crew that has help: of a shelf, or of other machines."""


@contextmanager
def working(
    threads: int,
    on_event: OnEvent | None = None,
    stop: Stop | None = None,
    helped: Helped | None = None,
) -> Iterator[Work]:
    """Open what a run works with."""
    clock = Clock(Events(on_event), stop)
    with crew(threads, clock.stop) as hands:
        yield Work(helped(hands) if helped else hands, clock, threads, hands)
