"""A tile's file with its picture turned, every pixel kept."""

from __future__ import annotations

import io

from PIL import Image

from jigsolve.io.pictures import QUICK, opened, upright

_CLOCKWISE = (
    None,
    Image.Transpose.ROTATE_270,  # Pillow counts the other way round
    Image.Transpose.ROTATE_180,
    Image.Transpose.ROTATE_90,
)

_PNG_MODES = ("1", "L", "LA", "I", "I;16", "P", "RGB", "RGBA")
"""What PNG holds as it is; other pixels become RGB."""


def turned_file(content: bytes, turn: int, name: str) -> bytes:
    """Return a picture's file as PNG, turned clockwise by so many quarters."""
    with opened(content, name) as picture:
        picture.load()
        result = upright(picture)
        if result.mode not in _PNG_MODES:
            result = result.convert("RGB")
        method = _CLOCKWISE[turn % 4]
        result = result if method is None else result.transpose(method)
        written = io.BytesIO()
        result.save(written, "PNG", compress_level=QUICK)
        return written.getvalue()
