"""Several pictures beside each other, each with a line below it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageDraw, ImageFont

LONGEST_SIDE = 560
"""Pixels of a panel; larger pictures are reduced to it."""
GAP = 16
LETTERS = 18
INK, PAPER = (34, 34, 34), (255, 255, 255)


@dataclass(frozen=True)
class Panel:
    """A picture, (height, width, 3) uint8, and what is said of it."""

    pixels: np.ndarray
    caption: str


def lay_out(panels: list[Panel], columns: int) -> np.ndarray:
    """Return panels of equal size, so many in a row, as one picture."""
    height, width = panels[0].pixels.shape[:2]
    scale = min(1.0, LONGEST_SIDE / max(height, width))
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    font = ImageFont.load_default(LETTERS)
    line = math.ceil(LETTERS * 1.6)
    rows = -(-len(panels) // columns)
    # A narrow picture still needs room for its caption.
    room = max(size[0], *(math.ceil(font.getlength(panel.caption)) for panel in panels))
    sheet = Image.new(
        "RGB",
        (columns * (room + GAP) + GAP, rows * (size[1] + line + GAP) + GAP),
        PAPER,
    )
    pen = ImageDraw.Draw(sheet)
    for place, panel in enumerate(panels):
        x = GAP + place % columns * (room + GAP)
        y = GAP + place // columns * (size[1] + line + GAP)
        picture = Image.fromarray(panel.pixels)
        if picture.size != size:
            picture = picture.resize(size, Image.Resampling.BOX)
        sheet.paste(picture, (x + (room - size[0]) // 2, y))
        pen.text((x + room / 2, y + size[1] + line / 2), panel.caption, INK, font, anchor="mm")
    return np.asarray(sheet)
