"""Progress on the terminal."""

from __future__ import annotations

import sys
import threading
from types import TracebackType
from typing import Any

from tqdm import tqdm

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
    "annealing": "stages",
    "parents": "gen",
}


class Progress:
    """A bar for every stage, with rate and time left.

    It is drawn on standard error, and only on a terminal.
    """

    def __init__(self, *, quiet: bool) -> None:
        self.generations = 0
        """How many generations there may be."""
        self._quiet = quiet
        self._hidden = True if quiet else None  # None: hidden unless on a terminal
        self._note: threading.Timer | None = None
        self._bar: tqdm[Any] | None = None

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._close()

    def stage(self, name: str, done: int, total: int) -> None:
        """Show how far a stage is."""
        if done == 0:
            self._close()
        if name == "kernels" and not self._quiet:
            # Loading kernels takes a moment; if it takes longer, they are being compiled.
            self._note = threading.Timer(PATIENCE, self._say_compiling)
            self._note.daemon = True
            self._note.start()
        if name in UNITS:
            bar = self._bar or self._open(name, total, f" {UNITS[name]}")
            bar.total = total
            bar.update(done - bar.n)
        if done == total:
            self._close()

    def generation(self, generation: Generation) -> None:
        """Show a generation's number and best cost."""
        bar = self._bar or self._open("generations", self.generations, " gen", generation.number)
        bar.set_postfix_str(f"cost {generation.best:,.0f}", refresh=False)
        bar.update(generation.number - bar.n)

    def _open(self, label: str, total: int, unit: str, done: int = 0) -> tqdm[Any]:
        bar: tqdm[Any] = tqdm(
            desc=label,
            total=total,
            unit=unit,
            initial=done,
            disable=self._hidden,
            leave=False,
        )
        self._bar = bar
        return bar

    @staticmethod
    def _say_compiling() -> None:
        print("compiling, on the first run only: about half a minute ...", file=sys.stderr)

    def _close(self) -> None:
        if self._note is not None:
            self._note.cancel()
            self._note = None
        if self._bar is not None:
            self._bar.close()
            self._bar = None
