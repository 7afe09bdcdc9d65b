"""One file of a tile, and telling pictures from other files by their first bytes."""

from __future__ import annotations

import enum
import re
from typing import NamedTuple

HEAD = 16
"""How many bytes tell a picture."""

LARGEST_FILE = 2**28
"""Bytes; no tile needs as many, and an archive that claims them is taken for a bomb."""

_SIGNATURES = re.compile(
    rb"\x89PNG\r\n\x1a\n|\xff\xd8\xff|II\*\x00|MM\x00\*|II\+\x00|MM\x00\+|BM|GIF8[79]a"
    rb"|RIFF....WEBP|P[1-7yf]\s|\xff\x4f\xff\x51|\x00\x00\x00\x0cjP  |\x0a[\x00\x02-\x05]\x01",
    re.DOTALL,
)
_TARGA = re.compile(rb".[\x00\x01][\x01-\x03\x09-\x0b]", re.DOTALL)
"""What the third byte of a TGA can be; it has no signature, so its name must say it, too."""


_WRITTEN = re.compile(r"((\d+_)?\d{3,}_\d{3,}|stray-.*|[0-9a-f]{8})(\.\w+)?")


def is_tile_name(name: str) -> bool:
    """Whether jigsolve writes tiles under such names: by place, strays, at random."""
    return bool(_WRITTEN.fullmatch(name))


class Skip(enum.Enum):
    """Why a file was left out."""

    NO_PICTURE = "no picture"
    HIDDEN = "hidden"
    LINK = "a link"
    NO_FILE = "no regular file"
    OUTSIDE = "its path leads out of the archive"
    UNREADABLE = "cannot be read"
    TOO_LARGE = "too large for a tile"
    DAMAGED = "damaged, or not one still picture"


class TileFile(NamedTuple):
    """A file that may be a tile: what is in it, or why it was skipped."""

    name: str
    skipped: Skip | None
    content: bytes = b""


def looks_like_a_picture(head: bytes, name: str) -> bool:
    """Whether a file's first bytes are those of a picture of a known format."""
    if _SIGNATURES.match(head):
        return True
    return name.lower().endswith(".tga") and bool(_TARGA.match(head))
