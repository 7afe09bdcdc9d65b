"""Files that a page sends: limited, named by the server, and kept only until they are read.

What a client calls a file is a label. It is shown and written to tables, and never part of a path.
Bytes are stored as they come, for the process that reads them; what the studio sends to anybody is
drawn anew from pixels.
"""

from __future__ import annotations

import json
import secrets
import shutil
from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import unquote

from jigsolve.errors import InputError
from jigsolve.io.archives import archive_kind
from jigsolve.io.tile_file import HEAD, looks_like_a_picture

INCOMING, LABELS = "incoming", "labels"
MOST_FILES = 200_000
MOST_BYTES_A_FILE = 2**30
MOST_BYTES = 2**33
LONGEST_LABEL = 240
KEPT_FREE = 2**28
"""Bytes of the disk that uploads leave free."""


class TooLargeError(InputError):
    """More than the limits allow."""


class WrongKindError(InputError):
    """No picture and no archive."""


def label_of(header: str | None, number: int) -> str:
    """Return what a file is called: a relative path at most, of printable characters."""
    text = unquote(header or "", errors="replace").replace("\\", "/")
    text = "".join(c for c in text if c.isprintable())
    parts = [part for part in text.split("/") if part.strip(". ")]
    return "/".join(parts)[-LONGEST_LABEL:] or f"file {number}"


class Incoming:
    """The files that a page has sent to a project, until they are read."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._labels = folder / INCOMING, folder / LABELS
        self._sizes = {name: size for name, _, size in self._lines()}
        self._bytes = sum(self._sizes.values())
        self._arriving = 0  # bytes of files that are under way: several are sent at once

    async def take_in(self, number: int, label: str, chunks: AsyncIterator[bytes]) -> None:
        """Store a file; raise unless it is a picture or an archive, and within the limits."""
        if not 0 <= number < MOST_FILES:
            raise TooLargeError(f"expected at most {MOST_FILES:,} files, found number {number:,}")
        self._folder.mkdir(exist_ok=True)
        ending = ".tga" if label.lower().endswith(".tga") else ""  # it has no signature of its own
        path = self._folder / f"{number:06}{ending}"
        part = self._folder / f".{secrets.token_hex(8)}.part"
        try:
            size = await self._store(part, path.name, label, chunks)
            check_kind(part, label)
            part.rename(path)
        finally:
            part.unlink(missing_ok=True)
        self._bytes += size - self._sizes.get(path.name, 0)
        self._sizes[path.name] = size
        with self._labels.open("a", encoding="utf-8") as labels:
            labels.write(json.dumps([path.name, label, size]) + "\n")

    async def _store(self, part: Path, name: str, label: str, chunks: AsyncIterator[bytes]) -> int:
        size = 0
        try:
            with part.open("wb") as file:
                async for chunk in chunks:
                    self._check_room(label, size + len(chunk), len(chunk), name)
                    size += len(chunk)
                    self._arriving += len(chunk)
                    file.write(chunk)
        finally:
            self._arriving -= size
        return size

    def _check_room(self, label: str, size: int, more: int, name: str) -> None:
        """Raise where a file that has come so far, or all together, would be too large."""
        if size > MOST_BYTES_A_FILE:
            raise TooLargeError(
                f"{label}: expected at most {MOST_BYTES_A_FILE:,} bytes, found a larger file"
            )
        if self._bytes - self._sizes.get(name, 0) + self._arriving + more > MOST_BYTES:
            raise TooLargeError(
                f"{label}: expected at most {MOST_BYTES:,} bytes in all files, found more with it"
            )
        if shutil.disk_usage(self._folder).free - more < KEPT_FREE:
            raise TooLargeError(f"{label}: expected room for it on the disk, found too little")

    def every(self) -> tuple[list[Path], dict[str, str]]:
        """Return the files that were stored, in order, and their labels; raise if there is none."""
        paths = sorted(path for path in self._folder.glob("*") if path.name[0].isdigit())
        if not paths:
            raise InputError("expected a file, found none: drop a picture, an archive or tiles")
        return paths, _told_apart({name: label for name, label, _ in self._lines()})

    def _lines(self) -> list[tuple[str, str, int]]:
        """Return name, label and size of each file, as far as they were written."""
        if not self._labels.exists():
            return []
        lines = self._labels.read_text(encoding="utf-8").split("\n")[:-1]
        return [tuple(json.loads(line)) for line in lines]


def check_kind(path: Path, label: str) -> None:
    """Raise unless a file's first bytes are those of a picture of pixels, or of an archive."""
    with path.open("rb") as file:
        head = file.read(HEAD)
    if not looks_like_a_picture(head, label) and archive_kind(path) is None:
        raise WrongKindError(
            f"{label}: expected a picture (PNG, JPEG, TIFF, WebP, BMP, GIF) or an archive of tiles "
            "(ZIP, TAR, 7z), found another kind of file"
        )


def _told_apart(labels: dict[str, str]) -> dict[str, str]:
    """Return labels of which no two are equal."""
    taken: set[str] = set()
    apart = {}
    for name, label in labels.items():
        number, own = 1, label
        while own in taken:
            number += 1
            own = f"{label} ({number})"
        taken.add(own)
        apart[name] = own
    return apart


def clear(folder: Path) -> None:
    """Remove what a project's page has sent: it was read."""
    shutil.rmtree(folder / INCOMING, ignore_errors=True)
    (folder / LABELS).unlink(missing_ok=True)
