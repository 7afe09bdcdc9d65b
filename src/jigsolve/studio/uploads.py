"""Files that a page sends: limited, named by the server, and kept only until they are read.

What a client calls a file is a label. It is shown and written to tables, and never part of a path.
Bytes are stored as they come, for the process that reads them; what the studio sends to anybody is
drawn anew from pixels.
"""

from __future__ import annotations

import json
import re
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


async def take_in(folder: Path, number: int, label: str, chunks: AsyncIterator[bytes]) -> None:
    """Store a file; raise unless it is a picture or an archive, and within the limits."""
    if not 0 <= number < MOST_FILES:
        raise TooLargeError(f"expected at most {MOST_FILES:,} files, found number {number}")
    incoming = folder / INCOMING
    incoming.mkdir(exist_ok=True)
    room = min(MOST_BYTES_A_FILE, shutil.disk_usage(folder).free - KEPT_FREE)
    ending = ".tga" if label.lower().endswith(".tga") else ""  # it has no signature of its own
    path = incoming / f"{number:06}{ending}"
    part = incoming / f".{number:06}.part"
    size = 0
    try:
        with part.open("wb") as file:
            async for chunk in chunks:
                size += len(chunk)
                if size > room:
                    raise TooLargeError(
                        f"{label}: expected at most {room:,} bytes in a file, found more"
                    )
                file.write(chunk)
        check_kind(part, label)
        part.rename(path)
    finally:
        part.unlink(missing_ok=True)
    with (incoming / f".{LABELS}").open("a", encoding="utf-8") as labels:
        labels.write(json.dumps([path.name, label, size]) + "\n")


def check_kind(path: Path, label: str) -> None:
    """Raise unless a file's first bytes are those of a picture of pixels, or of an archive."""
    with path.open("rb") as file:
        head = file.read(HEAD)
    if not looks_like_a_picture(head, label) and archive_kind(path) is None:
        raise WrongKindError(
            f"{label}: expected a picture (PNG, JPEG, TIFF, WebP, BMP, GIF) or an archive of tiles "
            "(ZIP, TAR, 7z), found another kind of file"
        )


def taken_in(folder: Path) -> tuple[list[Path], dict[str, str]]:
    """Return the files that were stored, in order, and their labels."""
    incoming = folder / INCOMING
    labels, total = dict[str, str](), dict[str, int]()
    if (incoming / f".{LABELS}").exists():
        for line in (incoming / f".{LABELS}").read_text(encoding="utf-8").splitlines():
            name, label, size = json.loads(line)
            labels[name], total[name] = label, size
    if sum(total.values()) > MOST_BYTES:
        raise TooLargeError(f"expected at most {MOST_BYTES:,} bytes in all, found more")
    paths = sorted(path for path in incoming.glob("*") if re.match(r"\d", path.name))
    if not paths:
        raise InputError("expected a file, found none: drop a picture, an archive or tiles")
    return paths, _told_apart(labels)


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
    """Remove what was stored."""
    shutil.rmtree(folder / INCOMING, ignore_errors=True)
