"""A numbered log that is only ever added to, one line of JSON for each entry.

A line begins with the checksum of the rest and is on the disk before anybody is told of it. What a
crash leaves of the last line is cut off when the log is opened.
"""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

Entry = dict[str, Any]


class Log:
    """The log of a project; the entry of number n is its n-th line, counted from 1."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._ends: list[int] = [0]
        with path.open("a+b") as file:
            file.seek(0)
            for line in file:
                if _entry_of(line) is None:
                    break
                self._ends.append(self._ends[-1] + len(line))
            if file.seek(0, os.SEEK_END) != self._ends[-1]:
                self._keep_what_follows(file)
                file.truncate(self._ends[-1])
                os.fsync(file.fileno())

    def _keep_what_follows(self, file: IO[bytes]) -> None:
        """Keep a copy where more follows than a line that was never finished."""
        file.seek(self._ends[-1])
        if b"\n" in (rest := file.read()):
            self._path.with_suffix(".damaged").write_bytes(rest)

    def __len__(self) -> int:
        return len(self._ends) - 1

    def append(self, entry: Entry) -> int:
        """Add an entry; return its number once it cannot be lost."""
        body = json.dumps(entry, separators=(",", ":")).encode()
        line = b"%08x %s\n" % (zlib.crc32(body), body)
        try:
            with self._path.open("ab") as file:
                file.write(line)
                file.flush()
                os.fsync(file.fileno())
        except OSError:  # no room on the disk, say: half a line must not stay
            os.truncate(self._path, self._ends[-1])
            raise
        self._ends.append(self._ends[-1] + len(line))
        return len(self)

    def entry(self, number: int) -> Entry:
        """Return an entry."""
        start, end = self._ends[number - 1], self._ends[number]
        with self._path.open("rb") as file:
            file.seek(start)
            entry = _entry_of(file.read(end - start))
        assert entry is not None, "checked when the log was opened"
        return entry

    def after(self, number: int) -> Iterator[Entry]:
        """Return all entries after one."""
        return (self.entry(each) for each in range(number + 1, len(self) + 1))


def _entry_of(line: bytes) -> Entry | None:
    """Return what a line says; None unless it is whole."""
    checksum, _, body = line.partition(b" ")
    if not body.endswith(b"\n"):
        return None
    try:
        if int(checksum, 16) != zlib.crc32(body[:-1]):
            return None
        entry = json.loads(body)
    except ValueError:
        return None
    return entry if isinstance(entry, dict) else None
