"""What a run tells while it goes on: one stream of typed events, in order.

Progress bars, films, the lab and a user's own callbacks listen to the same stream. Solvers may have
kinds of events of their own, such as generations.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np


class Event:
    """Something a run tells."""


class Timing(NamedTuple):
    """How long a stage took, in seconds."""

    wall: float
    cpu: float


@dataclass(frozen=True)
class StageBegan(Event):
    """A stage began."""

    stage: str


@dataclass(frozen=True)
class Progressed(Event):
    """A stage is so far."""

    stage: str
    done: int
    total: int
    seconds: float
    """Since it began."""

    @property
    def rate(self) -> float:
        """Steps in a second, so far."""
        return self.done / self.seconds if self.seconds > 0 else 0.0


@dataclass(frozen=True)
class StageEnded(Event):
    """A stage ended, or was left."""

    stage: str
    timing: Timing


@dataclass(frozen=True, eq=False)
class Arranged(Event):
    """The best arrangement so far, by the numbers that pieces were given by."""

    arrangement: np.ndarray
    """(rows, columns); -1 where a cell is empty."""
    cost: float
    turns: np.ndarray | None = None
    """Quarter turns clockwise that the piece in each cell needs; None where none are turned."""


@dataclass(frozen=True, eq=False)
class PictureBegan(Event):
    """Another picture of a bag is solved: arrangements that follow are of it."""

    number: int
    pieces: np.ndarray
    """The bag's number of each piece that may be in it."""


@dataclass(frozen=True)
class Estimated(Event):
    """What is left of the run, by what is known of it now."""

    seconds: float


@dataclass(frozen=True)
class Message(Event):
    """Something a user should know."""

    text: str


OnEvent = Callable[[Event], object]


class Events:
    """Passes events on to those who listen.

    A listener that raises is told nothing more, and warned of; what it returns does not matter.
    """

    def __init__(self, *listeners: OnEvent | None) -> None:
        self._listeners = [listener for listener in listeners if listener is not None]

    @property
    def are_heard(self) -> bool:
        """Whether anybody listens: what nobody hears need not be worked out."""
        return bool(self._listeners)

    def tell(self, event: Event) -> None:
        """Pass an event on."""
        for listener in [*self._listeners]:
            try:
                listener(event)
            except Exception as error:  # whatever it is, the run has nothing to do with it
                self._listeners.remove(listener)
                warnings.warn(
                    f"a callback is not called again: it raised {type(error).__name__}: {error}",
                    stacklevel=2,
                )
