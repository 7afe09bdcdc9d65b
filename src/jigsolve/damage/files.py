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
_HEAD = 64
"""Bytes within which a WebP file names its first chunks."""


def damage_of_file(source: str | Path | bytes) -> Damage:
    """Return what the file of a shuffled picture says about losses; nothing if it is lossless."""
    try:
        head = source[:_HEAD] if isinstance(source, bytes) else _head_of(Path(source))
        if head.startswith(b"RIFF") and head[8:12] == b"WEBP":
            return Damage("webp", WEBP_BLOCKS) if b"VP8 " in head else UNDAMAGED
        if not head.startswith(b"\xff\xd8\xff"):
            return UNDAMAGED
        file = io.BytesIO(source) if isinstance(source, bytes) else source
        with Image.open(file, formats=("JPEG",)) as picture:
            return _damage_of_jpeg(picture)
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


def _damage_of_jpeg(picture: Image.Image) -> Damage:
    tables: dict[int, list[int]] = getattr(picture, "quantization", {})
    layers: list[tuple[int, int, int, int]] = getattr(picture, "layer", [])
    if not tables or not layers:
        return Damage("jpeg")
    light, colour = layers[0], layers[1] if len(layers) > 1 else layers[0]
    means = [float(np.mean(tables[layer[3]])) for layer in (light, colour)]
    block = (JPEG_BLOCK * light[1] // colour[1], JPEG_BLOCK * light[2] // colour[2])
    turned = picture.getexif().get(0x0112, 1) != 1  # the camera's rotation mark
    return Damage(
        "jpeg",
        None if turned else Blocks((JPEG_BLOCK, JPEG_BLOCK), block),
        (means[0], means[1]),
    )


def _head_of(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(_HEAD)
