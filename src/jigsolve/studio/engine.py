"""What runs in a process of its own: it does one job and tells how far it is."""

from __future__ import annotations

import json
import os
import threading
import time
import traceback
import warnings
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np

from jigsolve.core.poses import poses_of
from jigsolve.errors import InputError
from jigsolve.execution.events import (
    Arranged,
    Estimated,
    Event,
    Message,
    PictureBegan,
    Progressed,
    StageBegan,
)
from jigsolve.execution.stop import Stop, Stopped
from jigsolve.solvers.genetic.history import Generation
from jigsolve.studio.desk import packed
from jigsolve.studio.process import LEAVE
from jigsolve.studio.reading import read_puzzle
from jigsolve.studio.solving import price_pictures, solve_puzzle

RUNS_A_SECOND = 10
BOARDS_A_SECOND, LARGE, LARGE_BOARDS_A_SECOND = 4, 5000, 1
"""How often it is told how far a run is, and what the board looks like."""

Tell = Callable[[dict[str, Any]], None]


def carry_out(pipe: Connection, job: dict[str, Any]) -> None:
    """Do a job: "read", "solve" or "price"."""
    stop, leaving = Stop(), threading.Event()
    threading.Thread(target=_heed, args=(pipe, stop, leaving), daemon=True).start()
    lock = threading.Lock()

    def tell(message: dict[str, Any]) -> None:
        with lock:
            pipe.send_bytes(json.dumps(message, separators=(",", ":")).encode())

    warnings.showwarning = lambda message, *_, **__: tell({"kind": "message", "text": str(message)})
    error = None
    try:
        do = {"read": read_puzzle, "solve": solve_puzzle, "price": price_pictures}[job["kind"]]
        take_over = do(job, Teller(tell, job.get("ids"), job.get("picture")), stop)
        if not leaving.is_set():
            take_over()
    except InputError as wrong:
        error = str(wrong)
    except Stopped:
        error = "stopped before there was a result"
    except MemoryError:
        error = "out of memory: this puzzle takes more than is free"
    except Exception as wrong:
        Path(job["folder"], "error.txt").write_text(traceback.format_exc())
        error = f"something went wrong inside ({type(wrong).__name__}: {wrong}); the details are "
        error += "in error.txt in the project's folder"
    tell({"kind": "ended", "error": error})


def _heed(pipe: Connection, stop: Stop, leaving: threading.Event) -> None:
    """Stop when asked to; end at once when the server is gone."""
    try:
        while True:
            if pipe.recv_bytes() == LEAVE:
                leaving.set()
            stop.ask()
    except (EOFError, OSError):
        os._exit(1)


class Teller:
    """Tells of events as messages, not more often than anybody can look."""

    def __init__(self, tell: Tell, ids: list[int] | None, picture: int | None) -> None:
        self.tell = tell
        self._ids = None if ids is None else np.array([*ids, -1])
        self._picture = picture
        self._told: dict[str, float] = {}
        self._began = time.monotonic()
        self._left: float | None = None
        self._left_at = 0.0

    def hear(self, event: Event) -> None:
        """Tell of an event."""
        match event:
            case StageBegan(stage):
                self._told.pop("run", None)
                self._run(stage, 0, 0, 0.0)
            case Progressed(stage, done, total):
                self._run(stage, done, total, event.rate)
            case Generation():
                self._run("generations", event.number, 0, event.number / max(event.seconds, 1e-9))
                self._cost(event.best)
            case Estimated(seconds):
                self._left, self._left_at = seconds, time.monotonic()
            case Message(text):
                self.tell({"kind": "message", "text": text})
            case PictureBegan(number, pieces):
                self._ids, self._picture = np.append(pieces, -1), number
                self.tell({"kind": "picture"})
            case Arranged(arrangement, cost, turns):
                self._arranged(arrangement, cost, turns)

    def _is_due(self, kind: str, a_second: float) -> bool:
        now = time.monotonic()
        if now - self._told.get(kind, -1e9) < 1 / a_second:
            return False
        self._told[kind] = now
        return True

    def _run(self, stage: str, done: int, total: int, rate: float) -> None:
        if self._is_due("run", RUNS_A_SECOND):
            left = None
            if self._left is not None:
                left = max(0.0, self._left - (time.monotonic() - self._left_at))
            self.tell(
                {
                    "kind": "run",
                    "stage": stage,
                    "done": done,
                    "total": total,
                    "rate": round(rate, 3),
                    "left": None if left is None else round(left, 1),
                }
            )

    def _cost(self, cost: float) -> None:
        if self._is_due("cost", RUNS_A_SECOND):
            seconds = round(time.monotonic() - self._began, 3)
            self.tell({"kind": "cost", "seconds": seconds, "cost": cost})

    def _arranged(self, arrangement: np.ndarray, cost: float, turns: np.ndarray | None) -> None:
        self._cost(cost)
        often = BOARDS_A_SECOND if arrangement.size <= LARGE else LARGE_BOARDS_A_SECOND
        if self._picture is not None and self._is_due("arranged", often):
            poses = poses_of(arrangement if self._ids is None else self._ids[arrangement], turns)
            rows, columns = poses.shape
            self.tell(
                {
                    "kind": "arranged",
                    "picture": self._picture,
                    "rows": rows,
                    "columns": columns,
                    "cells": packed(poses),
                    "cost": cost,
                }
            )
