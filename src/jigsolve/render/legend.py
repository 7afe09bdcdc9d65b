"""The strip below an overlay that says what its colours mean."""

from __future__ import annotations

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from jigsolve.render.scale import INK, LOWEST, MARK, PAPER, SUSPICIOUS, hatched, tinted

NARROWEST = 600
"""Pixels the words need; narrower pictures stand on wider paper."""
MIDDLE_GREY = 140


def draw_legend(picture: Image.Image, marked: int, seams: int, holes: int) -> Image.Image:
    """Return the picture with a strip below it: the scale, and how many seams are marked."""
    width = max(picture.width, NARROWEST)
    letters = min(max(width // 55, 13), 30)
    font = ImageFont.load_default(letters)
    bar = (width - 3 * letters) * 2 // 5
    height, line = round(letters * 1.2), round(letters * 1.6)
    lines = [
        ("tint: confidence in a piece, the mean of its seams", None),
        (f"seams below {SUSPICIOUS:.0%}: {marked:,} of {seams:,}", _mark(height)),
    ]
    if holes:
        lines.append((f"missing pieces: {holes:,}", hatched((height, 2 * height))))

    strip = Image.new("RGB", (width, letters + max(2, len(lines)) * line), PAPER)
    pen = ImageDraw.Draw(strip)
    greys = np.full((height, bar), MIDDLE_GREY, np.uint8)
    along = np.broadcast_to(np.linspace(LOWEST, 1, bar), greys.shape)
    strip.paste(Image.fromarray(tinted(greys, along)), (letters, letters // 2))
    for place, anchor in ((0.0, "la"), (0.5, "ma"), (1.0, "ra")):
        x = letters + round((bar - 1) * place)
        pen.line((x, letters // 2 + height // 2, x, letters // 2 + height * 1.3), fill=INK)
        text = f"{LOWEST + (1 - LOWEST) * place:.0%}"
        pen.text((x, letters // 2 + line), text, INK, font, anchor=anchor)
    for number, (text, sample) in enumerate(lines):
        x, y = bar + 3 * letters, letters // 2 + number * line
        if sample is not None:
            strip.paste(Image.fromarray(sample), (x, y))
            x += sample.shape[1] + letters // 2
        pen.text((x, y + height // 2), text, INK, font, anchor="lm")

    sheet = Image.new("RGB", (width, picture.height + strip.height), PAPER)
    sheet.paste(picture, ((width - picture.width) // 2, 0))
    sheet.paste(strip, (0, picture.height))
    return sheet


def _mark(height: int) -> np.ndarray:
    """Return a marked seam to show, (height, width, 3)."""
    sample = np.full((height, 2 * height, 3), MIDDLE_GREY, np.uint8)
    sample[height * 2 // 5 : height * 3 // 5 + 1] = MARK
    return sample
