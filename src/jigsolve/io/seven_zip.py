"""Members of 7z archives, by the library py7zr if it is there: the extra `7z`.

Members of a 7z archive are compressed together, so all tiles are unpacked at once, in memory.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from jigsolve.errors import InputError
from jigsolve.execution.crew import Progress
from jigsolve.execution.memory import require_memory
from jigsolve.io.archives import (
    check_count,
    check_size,
    checked_name,
    encrypted,
    mended,
    uncommon,
)
from jigsolve.io.tile_file import HEAD, Skip, TileFile, looks_like_a_picture


def seven_zip_files(path: Path, tell: Progress) -> Iterator[TileFile]:
    """Yield the members of a 7z archive."""
    library = _library(path)
    with mended(path, "7z"):
        try:
            # By a file, not its name: with a name py7zr starts threads, which Ctrl-C cannot end.
            with path.open("rb") as file, library.SevenZipFile(file) as archive:
                yield from _members(path, archive, tell)
        except library.exceptions.PasswordRequired:
            raise encrypted(path, "its list of members") from None
        except library.exceptions.UnsupportedCompressionMethodError as error:
            raise uncommon(path, "7z", error) from None
        except (OSError, InputError, MemoryError):
            raise
        except Exception as error:  # on damaged archives it raises almost anything
            raise ValueError(error or type(error).__name__) from None


def _library(path: Path) -> ModuleType:
    try:
        return importlib.import_module("py7zr")
    except ImportError:
        raise InputError(
            f"{path}: expected tiles in a ZIP or TAR, found a 7z archive; unpack it and give the "
            "folder, or let jigsolve read it: pip install 'jigsolve[7z]'"
        ) from None


def _members(path: Path, archive: Any, tell: Progress) -> Iterator[TileFile]:
    members = [member for member in archive.files if not member.is_directory]
    check_count(path, len(members))
    if archive.needs_password():
        raise encrypted(path, members[0].filename if members else "it")
    total = 0
    wanted = []
    for member in members:
        name, skipped = checked_name(member.filename)
        if member.is_symlink or member.is_junction:
            skipped = Skip.LINK
        elif member.is_socket:
            skipped = Skip.NO_FILE
        # What is skipped is unpacked as well, on the way to what is not.
        check_size(path, name, member.uncompressed, total)
        total += member.uncompressed
        if skipped:
            yield TileFile(name, skipped)
        else:
            wanted.append(member.filename)
    require_memory(total, f"{path}: unpacking it")
    unpacked = _Unpacked(path, len(wanted), tell)
    archive.extract(targets=wanted, factory=unpacked)
    tell(len(wanted), len(wanted))
    for member in unpacked.members:
        name, _ = checked_name(member.name)
        content = b"".join(member.parts)
        member.parts.clear()
        if looks_like_a_picture(content[:HEAD], name):
            yield TileFile(name, None, content)
        else:
            yield TileFile(name, Skip.NO_PICTURE)


class _Unpacked:
    """What py7zr asks for files to write to."""

    def __init__(self, path: Path, count: int, tell: Progress) -> None:
        self.members: list[_Member] = []
        self._path = path
        self._count = count
        self._tell = tell

    def create(self, filename: str) -> _Member:
        self._tell(len(self.members), max(self._count, len(self.members)))
        self.members.append(_Member(self._path, filename))
        return self.members[-1]


class _Member:
    """A file to write to, in memory; of what is no picture only the beginning is kept."""

    def __init__(self, path: Path, name: str) -> None:
        self.name = name
        self.parts: list[bytes] = []
        self._path = path
        self._size = 0

    def write(self, data: bytes) -> int:
        self._size += len(data)
        check_size(self._path, self.name, self._size, 0)
        if not self.parts or looks_like_a_picture(self.parts[0], self.name):
            self.parts.append(bytes(data))
        return len(data)

    def size(self) -> int:
        return self._size

    def read(self, size: int | None = None) -> bytes:
        return b""

    def seek(self, offset: int, whence: int = 0) -> int:
        return 0

    def flush(self) -> None:
        """Nothing waits to be written."""

    def close(self) -> None:
        """Keep what was written."""
