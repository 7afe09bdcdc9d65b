"""A GPU that may be there and may fail."""

from __future__ import annotations

import os
import threading
import warnings
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from jigsolve.errors import InputError
from jigsolve.execution.stop import Stopped
from jigsolve.gpu.device import Device, has_cupy, open_device

Value = TypeVar("Value")

SWITCH = "JIGSOLVE_GPU"


class Gpu:
    """Does work on a GPU as long as there is one; close it afterwards.

    It is opened beside what is done meanwhile: that takes a second.

    Parameters
    ----------
    is_worth_it
        Whether there is enough to do; if not, a GPU is not even looked for.
    """

    def __init__(self, is_worth_it: bool) -> None:
        self._device: Device | None = None
        self._problem: str | None = None
        self._opening: threading.Thread | None = None
        self._in_turn = threading.Lock()
        if is_allowed() and is_worth_it and has_cupy():
            self._opening = threading.Thread(target=self._open)
            self._opening.start()

    def attempt(self, work: Callable[[Device], Value]) -> Value | None:
        """Return what comes of work; None where there is no GPU, or none any more.

        Threads take turns. A GPU that fails is given up, with a warning.
        """
        with self._in_turn:
            self._wait()
            if self._device is None:
                return None
            try:
                with self._device.in_use():
                    return work(self._device)
            except Stopped:
                raise
            except Exception as error:  # drivers, compilers and memory fail in many ways
                self._problem = _in_one_line(error)
            self._wait()  # only now: the error's traceback held arrays
            return None

    def close(self) -> None:
        """Let go of the GPU."""
        if self._opening:
            self._opening.join()
            self._opening = None
        if self._device:
            with suppress(Exception):  # one that failed may fail at this, too
                self._device.close()
            self._device = None

    def _open(self) -> None:
        try:
            self._device = open_device()
        except Exception as error:
            self._problem = _in_one_line(error)

    def _wait(self) -> None:
        """Wait until it is open; give it up if there is a problem."""
        if self._opening:
            self._opening.join()
            self._opening = None
        if self._problem is not None:
            self.close()
            warnings.warn(
                f"the GPU cannot be used, going on without it ({self._problem}); "
                f"{SWITCH}=0 leaves it alone",
                RuntimeWarning,
                stacklevel=3,
            )
            self._problem = None


def is_allowed() -> bool:
    """Say whether the user lets a GPU be used."""
    value = os.environ.get(SWITCH, "1")
    if value not in ("0", "1"):
        raise InputError(f"{SWITCH}: expected 0 or 1, found {value!r}")
    return value == "1"


def _in_one_line(error: Exception) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())
