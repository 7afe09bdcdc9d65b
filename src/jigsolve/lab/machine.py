"""What a record says of the machine, and of the memory a run took."""

from __future__ import annotations

import datetime
import platform
from pathlib import Path
from typing import Any

import psutil

from jigsolve.core.provenance import provenance

_STATUS = Path("/proc/self/status")


def where_and_when(command: str) -> dict[str, Any]:
    """Return how and by what a run was made, as all records have it."""
    return {
        "command": command,
        "finished": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "machine": processor(),
        "cores": psutil.cpu_count(),
        **provenance(),
    }


def rounded(scores: dict[str, Any]) -> dict[str, Any]:
    """Return scores with as many digits as mean something."""
    return {n: round(v, 6) if isinstance(v, float) else v for n, v in scores.items()}


def forget_peak() -> None:
    """Let the system count the peak of memory from here, where it can."""
    try:
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:  # then the peak is that of all runs of this process
        return


def peak_memory() -> int:
    """Return the most bytes of memory this process held."""
    try:
        lines = _STATUS.read_text().splitlines()
        return 1024 * next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))
    except (OSError, StopIteration):
        info = psutil.Process().memory_info()
        return int(getattr(info, "peak_wset", info.rss))  # no peak on other systems


def processor() -> str:
    """Return the name of the processor."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        return next(line.split(":")[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()
