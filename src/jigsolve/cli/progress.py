"""Progress on the terminal: what a run tells, as bars."""

from __future__ import annotations

import sys
import threading
from types import TracebackType
from typing import Any

from tqdm import tqdm

from jigsolve.execution.clock import Clock, time_in_words
from jigsolve.execution.events import (
    Estimated,
    Event,
    Events,
    Message,
    Progressed,
    StageBegan,
    StageEnded,
)
from jigsolve.solvers.genetic.history import Generation

PATIENCE = 1.5
"""Seconds after which it is said what the user is waiting for."""

UNITS = {
    "reading": "files",
    "writing": "files",
    "reference": "steps",
    "colours": "pieces",
    "seams": "rounds",
    "gradients": "rounds",
    "means": "rounds",
    "traces": "rounds",
    "network": "seams",
    "boards": "boards",
    "segments": "rounds",
    "annealing": "moves",
    "parents": "gen",
}


class Progress:
    """A bar for every stage, with rate and time left.

    It is drawn on standard error, and only on a terminal.
    """

    def __init__(self, *, quiet: bool, generations: int | None = None) -> None:
        self._generations = generations
        self._quiet = quiet
        self._hidden = True if quiet else None  # None: hidden unless on a terminal
        self._note: threading.Timer | None = None
        self._bar: tqdm[Any] | None = None
        self._left = ""

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._close()

    def clock(self) -> Clock:
        """Return a clock whose stages are shown."""
        return Clock(Events(self.hear))

    def hear(self, event: Event) -> None:
        """Show an event."""
        match event:
            case StageBegan(stage):
                self._close()
                if stage == "kernels" and not self._quiet:
                    # Loading kernels takes a moment; if it takes longer, they are being compiled.
                    self._note = threading.Timer(PATIENCE, self._say_compiling)
                    self._note.daemon = True
                    self._note.start()
            case Progressed(stage, done, total) if stage in UNITS:
                bar = self._opened(stage, total, f" {UNITS[stage]}")
                bar.total = total
                bar.set_postfix_str(self._left, refresh=False)
                bar.update(done - bar.n)
            case StageEnded():
                self._close()
            case Generation():
                self._show_generation(event)
            case Estimated(seconds):
                self._left = f"about {time_in_words(seconds)} left"
            case Message(text) if not self._quiet:
                tqdm.write(text, file=sys.stderr)

    def _show_generation(self, generation: Generation) -> None:
        bar = self._opened("generations", self._generations, " gen", generation.number)
        left = f", {self._left}" if self._left else ""
        bar.set_postfix_str(f"cost {generation.best:,.0f}{left}", refresh=False)
        bar.update(generation.number - bar.n)

    def _opened(self, label: str, total: int | None, unit: str, done: int = 0) -> tqdm[Any]:
        """Return the bar that is shown; a new one if there is none."""
        if self._bar is not None:
            return self._bar
        bar: tqdm[Any] = tqdm(
            desc=label,
            total=total,
            unit=unit,
            initial=done,
            disable=self._hidden,
            leave=False,
            unit_scale=label == "annealing",
        )
        self._bar = bar
        return bar

    @staticmethod
    def _say_compiling() -> None:
        print("compiling, on the first run only: up to a minute ...", file=sys.stderr)

    def _close(self) -> None:
        if self._note is not None:
            self._note.cancel()
            self._note = None
        if self._bar is not None:
            self._bar.close()
            self._bar = None
