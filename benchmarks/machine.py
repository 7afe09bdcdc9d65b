"""What a benchmark ran on, in one line."""

import datetime
import os
import platform
from importlib.metadata import version
from pathlib import Path


def describe_machine() -> str:
    packages = ", ".join(f"{name} {version(name)}" for name in ("jigsolve", "numba", "numpy"))
    return (
        f"{_processor()}, {os.cpu_count()} cores, Python {platform.python_version()}, "
        f"{packages}, {datetime.date.today()}"
    )


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        return next(line.split(":")[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()
