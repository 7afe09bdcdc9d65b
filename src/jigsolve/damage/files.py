"""What a file says about losses: its codec, its blocks and its quantization tables."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from PIL import Image

from jigsolve.damage.damage import UNDAMAGED, Blocks, Damage

WEBP_BLOCKS = Blocks((4, 4), (8, 8))
JPEG_BLOCK = 8
_HEAD = 16


def damage_of_file(source: str | Path | bytes) -> Damage:
    """Return what the file of a shuffled picture says about losses; nothing if it is lossless."""
    try:
        head = source[:_HEAD] if isinstance(source, bytes) else _head_of(Path(source))
        is_webp = head.startswith(b"RIFF") and head[8:12] == b"WEBP"
        if not is_webp and not head.startswith(b"\xff\xd8\xff"):
            return UNDAMAGED
        file = io.BytesIO(source) if isinstance(source, bytes) else source
        with Image.open(file, formats=("JPEG", "WEBP")) as picture:
            turned = picture.getexif().get(0x0112, 1) != 1  # the camera's rotation mark
            if not is_webp:
                return _damage_of_jpeg(picture, turned=turned)
        content = source if isinstance(source, bytes) else Path(source).read_bytes()
        if b"VP8 " not in _chunks(content):
            return UNDAMAGED
        return Damage("webp", None if turned else WEBP_BLOCKS)
    except Exception:  # whoever reads the pixels says what is wrong with the file
        return UNDAMAGED


def damage_of_tiles(found: Sequence[Damage]) -> Damage:
    """Return the damage of tiles that were compressed one by one, by what their files say."""
    lossy = [damage for damage in found if damage.codec]
    if 2 * len(lossy) <= len(found):
        return UNDAMAGED
    codecs = [damage.codec for damage in lossy]
    codec = max(sorted(set(codecs)), key=codecs.count)
    steps = [damage.steps for damage in lossy if damage.codec == codec and damage.steps]
    means = np.mean(steps, axis=0) if steps else None
    return Damage(
        codec, steps=None if means is None else (float(means[0]), float(means[1])), apart=True
    )


def _chunks(webp: bytes) -> list[bytes]:
    """Return the names of a WebP file's chunks; "VP8 " is pixels with losses."""
    names, at = [], 12
    while at + 8 <= len(webp):
        names.append(webp[at : at + 4])
        size = int.from_bytes(webp[at + 4 : at + 8], "little")
        at += 8 + size + size % 2
    return names


def _damage_of_jpeg(picture: Image.Image, *, turned: bool) -> Damage:
    tables: dict[int, list[int]] = getattr(picture, "quantization", {})
    layers: list[tuple[int, int, int, int]] = getattr(picture, "layer", [])
    if not tables or not layers:
        return Damage("jpeg")
    light, colour = layers[0], layers[1] if len(layers) > 1 else layers[0]
    means = [float(np.mean(tables[layer[3]])) for layer in (light, colour)]
    block = (JPEG_BLOCK * light[1] // colour[1], JPEG_BLOCK * light[2] // colour[2])
    return Damage(
        "jpeg",
        None if turned else Blocks((JPEG_BLOCK, JPEG_BLOCK), block),
        (means[0], means[1]),
    )


def _head_of(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(_HEAD)
