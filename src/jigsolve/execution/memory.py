"""Looking ahead, so that no run dies for want of memory."""

import sys
from pathlib import Path
from typing import NamedTuple

import psutil

from jigsolve.errors import NoRoomError

NOTHING = 2**20
"""Bytes that need no looking ahead: for a tile, looking takes as long as reading it."""


class Room(NamedTuple):
    """Where large arrays lie if not in memory."""

    place: Path
    free: int
    """Bytes that may be taken."""
    taken: int
    """Bytes of what is kept there already."""

    def require(self, needed: int) -> None:
        """Raise when so many bytes are more than is free."""
        if needed > self.free:
            raise NoRoomError(
                f"{self.place}: expected {in_words(needed)} of free space, found "
                f"{in_words(self.free)}"
            )


def free_memory() -> int:
    """Return the bytes this process can still get, container limits included."""
    free = int(psutil.virtual_memory().available)
    for limit, usage in (
        ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"),
        (
            "/sys/fs/cgroup/memory/memory.limit_in_bytes",
            "/sys/fs/cgroup/memory/memory.usage_in_bytes",
        ),
    ):
        try:
            most = int(Path(limit).read_text())
            used = int(Path(usage).read_text())
        except (OSError, ValueError):  # no such file, or the word "max"
            continue
        free = min(free, max(most - used, 0))
    return min(free, _address_space_left())


def _address_space_left() -> int:
    """Return what a limit on this process's address space (ulimit -v) leaves."""
    try:
        import resource  # not on Windows
    except ImportError:
        return sys.maxsize
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit == resource.RLIM_INFINITY:
        return sys.maxsize
    return max(limit - int(psutil.Process().memory_info().vms), 0)


def require_memory(needed: int, purpose: str) -> None:
    """Raise when `needed` bytes, if they are worth a look, are more than is free."""
    if needed < NOTHING:
        return
    free = free_memory()
    if needed > free:
        raise NoRoomError(
            f"{purpose} needs about {in_words(needed)} of memory, {in_words(free)} is free"
        )


def in_words(size: float) -> str:
    """Return a number of bytes for people, such as 1.5 GB."""
    for unit in ("bytes", "kB", "MB", "GB", "TB", "PB"):
        if size < 1000 or unit == "PB":
            break
        size /= 1000
    return f"{size:.0f} {unit}" if unit in ("bytes", "kB") else f"{size:,.1f} {unit}"
