"""Damage: what may happen to a picture after it was cut and shuffled.

A picture is cut, its pieces are shuffled into a new picture, that one is scaled, blurred and
compressed, and cut again. What comes back is in the order of the true picture, with what a solver
may know: the damage, and where each piece lay in the shuffled picture.
"""

from __future__ import annotations

import io
from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

from jigsolve.damage import Blocks, Damage, Places

FILTERS = {
    "bilinear": Image.Resampling.BILINEAR,
    "bicubic": Image.Resampling.BICUBIC,
    "lanczos": Image.Resampling.LANCZOS,
}
SUBSAMPLED = {0: (8, 8), 1: (16, 8), 2: (16, 16)}
"""Blocks of colours in a JPEG, by Pillow's number: 4:4:4, 4:2:2, 4:2:0."""

WEBP_BLOCKS = Blocks((4, 4), (8, 8))


@dataclass(frozen=True)
class Mishap:
    """What is done to a puzzle, in the order of the fields."""

    lost: int = 0
    """Lines of pixels lost at every side."""
    lost_known: bool = True
    gap: int = 0
    """Pixels of one colour between the pieces of the shuffled picture."""
    corner: int = 0
    """The radius by which corners are rounded off."""
    scale: float = 1.0
    filter: str = "bicubic"
    blur: float = 0.0
    codec: str = ""
    quality: int = 75
    subsampling: int = 2
    apart: bool = False
    """Tiles are compressed one by one."""
    told: bool = True
    """Whether the solver knows where blocks lie and how strong the compression was."""


SHARES = {
    "codec": 0.34, "scaled": 0.18, "apart": 0.08, "eroded": 0.35, "blurred": 0.02, "none": 0.03
}  # fmt: skip
"""How often each kind of damage is drawn."""


KINDS = {
    "none": Mishap(),
    "JPEG 90": Mishap(codec="jpeg", quality=90),
    "JPEG 75": Mishap(codec="jpeg", quality=75),
    "JPEG 50": Mishap(codec="jpeg", quality=50),
    "JPEG 75 untold": Mishap(codec="jpeg", quality=75, told=False),
    "WebP 75": Mishap(codec="webp", quality=75),
    "scaled 0.7": Mishap(scale=0.7),
    "scaled 1.5": Mishap(scale=1.5),
    "eroded 1": Mishap(lost=1),
    "eroded 2": Mishap(lost=2),
    "eroded 4": Mishap(lost=4),
    "eroded 2 untold": Mishap(lost=2, lost_known=False),
    "tiles JPEG 75": Mishap(codec="jpeg", quality=75, apart=True),
}
"""What is measured."""


def draw_mishap(rng: np.random.Generator, shares: dict[str, float]) -> Mishap:
    """Draw a kind of damage for training, and how strong it is."""
    kind = rng.choice(list(shares), p=np.array(list(shares.values())) / sum(shares.values()))
    codec = "webp" if rng.random() < 0.38 else "jpeg"
    compressed = (
        kind in ("codec", "apart")
        or (kind == "scaled" and rng.random() < 0.3)
        or (kind in ("eroded", "blurred") and rng.random() < 0.15)
    )
    eroded = kind == "eroded"
    framed = eroded and rng.random() < 0.4
    smaller = rng.random() < 0.5
    scale = np.exp(rng.uniform(np.log(0.5), np.log(0.85 if smaller else 2.0)))
    return Mishap(
        lost=int(rng.choice([1, 2, 3, 4], p=[0.18, 0.3, 0.22, 0.3])) if eroded else 0,
        lost_known=bool(rng.random() < 0.75),
        gap=int(rng.integers(1, 6)) if framed else 0,
        corner=int(rng.integers(2, 6)) if framed and rng.random() < 0.4 else 0,
        scale=float(scale) if kind == "scaled" else 1.0,
        filter=str(rng.choice(list(FILTERS))),
        blur=float(rng.uniform(0.4, 1.2)) if kind == "blurred" else 0.0,
        codec=codec if compressed else "",
        quality=int(rng.integers(60, 97) if rng.random() < 0.4 else rng.integers(30, 97)),
        subsampling=int(rng.choice([0, 1, 2], p=[0.2, 0.12, 0.68])),
        apart=kind == "apart",
        told=bool(rng.random() < 0.88),
    )


def damaged(
    picture: np.ndarray, size: int, mishap: Mishap, rng: np.random.Generator
) -> tuple[np.ndarray, Damage, Places | None]:
    """Cut, shuffle, damage and cut again.

    The picture, (height, width, 3) uint8, is a whole number of pieces. Returned are the pieces in
    its order, (n, height, width, 3) uint8, and what a solver may know.
    """
    pieces = cut(picture, size)
    rows, columns = picture.shape[0] // size, picture.shape[1] // size
    if mishap.lost:
        inner = slice(mishap.lost, size - mishap.lost)
        pieces = pieces[:, inner, inner]
    if mishap.apart:
        compressed = [_stored(Image.fromarray(piece), mishap) for piece in pieces]
        return (
            np.stack([pixels for pixels, _ in compressed]),
            _damage(mishap, compressed[0][1]),
            None,
        )
    order = rng.permutation(len(pieces))
    side = pieces.shape[1]
    pitch = side + mishap.gap
    colour = int(rng.choice([0, 255, 128]))
    if mishap.corner:
        pieces = _rounded(pieces, mishap.corner, colour)
    canvas = np.full((rows * pitch + mishap.gap, columns * pitch + mishap.gap, 3), colour, np.uint8)
    at = np.arange(len(pieces))
    left, top = mishap.gap + at % columns * pitch, mishap.gap + at // columns * pitch
    for place, piece in enumerate(order):
        canvas[top[place] : top[place] + side, left[place] : left[place] + side] = pieces[piece]
    shuffled = Image.fromarray(canvas)
    if mishap.scale != 1.0:
        wanted = tuple(max(1, round(extent * mishap.scale)) for extent in shuffled.size)
        shuffled = shuffled.resize(wanted, FILTERS[mishap.filter])
    if mishap.blur:
        shuffled = shuffled.filter(ImageFilter.GaussianBlur(mishap.blur))
    pixels, tables = _stored(shuffled, mishap)
    across, down = pixels.shape[1] / canvas.shape[1], pixels.shape[0] / canvas.shape[0]
    cells = np.stack([left * across, top * down, (left + side) * across, (top + side) * down], 1)
    found, places = windows(pixels, cells)
    back = np.argsort(order)
    return found[back], _damage(mishap, tables), places.taken(back)


def cut(picture: np.ndarray, size: int) -> np.ndarray:
    """Cut into square pieces, row by row."""
    rows, columns = picture.shape[0] // size, picture.shape[1] // size
    shaped = picture[: rows * size, : columns * size].reshape(rows, size, columns, size, 3)
    return np.ascontiguousarray(shaped.swapaxes(1, 2).reshape(-1, size, size, 3))


def windows(pixels: np.ndarray, cells: np.ndarray) -> tuple[np.ndarray, Places]:
    """Cut out a window of whole pixels for each cell."""
    height, width = pixels.shape[:2]
    sizes = [max(1, round(float(np.mean(cells[:, 2 + i] - cells[:, i])))) for i in (0, 1)]
    begins = []
    for i, extent in enumerate((width, height)):
        middle = (cells[:, i] + cells[:, 2 + i]) / 2
        begin = np.rint(middle - sizes[i] / 2 + 1e-6).astype(np.int64)
        begins.append(np.clip(begin, 0, extent - sizes[i]))
    found = np.stack(
        [pixels[y : y + sizes[1], x : x + sizes[0]] for x, y in zip(*begins, strict=True)]
    )
    return found, Places(np.stack(begins, 1), cells.astype(np.float32), (width, height))


def _rounded(pieces: np.ndarray, radius: int, colour: int) -> np.ndarray:
    side = pieces.shape[1]
    mask = Image.new("L", (side, side), 0)
    ImageDraw.Draw(mask).rounded_rectangle((0, 0, side - 1, side - 1), radius, fill=255)
    inside = np.asarray(mask)[None, :, :, None] > 0
    return np.where(inside, pieces, np.uint8(colour))


def _stored(image: Image.Image, mishap: Mishap) -> tuple[np.ndarray, tuple[float, float] | None]:
    """Return the pixels that come back from a file, and the mean steps its tables have."""
    if not mishap.codec:
        return np.asarray(image), None
    file = io.BytesIO()
    if mishap.codec == "jpeg":
        image.save(file, "JPEG", quality=mishap.quality, subsampling=mishap.subsampling)
    else:
        image.save(file, "WEBP", quality=mishap.quality)
    opened = Image.open(file)
    tables = getattr(opened, "quantization", None)
    steps = (float(np.mean(tables[0])), float(np.mean(tables[1]))) if tables else None
    return np.asarray(opened.convert("RGB")), steps


def _damage(mishap: Mishap, steps: tuple[float, float] | None) -> Damage:
    blocks = None
    if mishap.codec == "jpeg":
        blocks = Blocks((8, 8), SUBSAMPLED[mishap.subsampling])
    elif mishap.codec == "webp":
        blocks = WEBP_BLOCKS
    return Damage(
        codec=mishap.codec,
        blocks=blocks if mishap.told else None,
        steps=steps if mishap.told else None,
        apart=mishap.apart,
        soft=mishap.scale != 1.0 or mishap.blur > 0,
        eroded=mishap.lost > 0,
        lost=float(mishap.lost) if mishap.lost and mishap.lost_known else None,
    )
