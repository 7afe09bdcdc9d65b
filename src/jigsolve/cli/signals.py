"""Ctrl-C and SIGTERM: the first one stops the search, none stops the writing of its result."""

import signal
import threading
from types import FrameType

SIGNALS = (signal.SIGINT, signal.SIGTERM)


def interrupt_once() -> None:
    """Let the first Ctrl-C or SIGTERM raise KeyboardInterrupt, and ignore all that follow."""
    if threading.current_thread() is threading.main_thread():
        for number in SIGNALS:
            signal.signal(number, _interrupt)


def finish_in_peace() -> None:
    """From now on ignore Ctrl-C and SIGTERM: a result is there and is being written."""
    if threading.current_thread() is threading.main_thread():
        for number in SIGNALS:
            signal.signal(number, signal.SIG_IGN)


def _interrupt(number: int, frame: FrameType | None) -> None:
    finish_in_peace()
    raise KeyboardInterrupt
