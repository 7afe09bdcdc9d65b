"""What a benchmark ran on, in one line."""

import datetime
import os
import platform
from importlib.metadata import version

from jigsolve.lab.machine import processor


def describe_machine() -> str:
    packages = ", ".join(f"{name} {version(name)}" for name in ("jigsolve", "numba", "numpy"))
    return (
        f"{processor()}, {os.cpu_count()} cores, Python {platform.python_version()}, "
        f"{packages}, {datetime.date.today()}"
    )
