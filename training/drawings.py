"""Pages of text, comics and drawings, made by chance: what photographs do not teach."""

from __future__ import annotations

import numpy as np
from PIL import Image, ImageDraw, ImageFont

_LETTERS = "abcdefghijklmnopqrstuvwxyz     ETAOIN0123456789.,;:!?()"


def draw_page(size: tuple[int, int], rng: np.random.Generator) -> np.ndarray:
    """Return a page of (height, width), uint8, with shapes and text in few colours."""
    height, width = size
    paper = tuple(int(c) for c in rng.integers(200, 256, 3)) if rng.random() < 0.7 else (20, 22, 30)
    image = Image.new("RGB", (width, height), paper)
    draw = ImageDraw.Draw(image)
    for _ in range(int(rng.integers(0, 40))):
        x, y = int(rng.integers(width)), int(rng.integers(height))
        w, h = (int(v) for v in rng.integers(8, max(width, height) // 3, 2))
        fill = tuple(int(c) for c in rng.integers(0, 256, 3)) if rng.random() < 0.6 else None
        outline = tuple(int(c) for c in rng.integers(0, 90, 3))
        shape = draw.ellipse if rng.random() < 0.5 else draw.rectangle
        shape((x, y, x + w, y + h), fill=fill, outline=outline, width=int(rng.integers(1, 5)))
    for _ in range(int(rng.integers(2, 30))):
        line = [tuple(int(v) for v in rng.integers(0, [width, height])) for _ in range(3)]
        draw.line(line, fill=tuple(int(c) for c in rng.integers(0, 200, 3)), width=2)
    font = ImageFont.load_default(int(rng.integers(9, 34)))
    ink = tuple(
        int(c)
        for c in (rng.integers(0, 80, 3) if sum(paper) > 300 else 255 - rng.integers(0, 80, 3))
    )
    step = int(font.size * 1.35)
    for y in range(int(rng.integers(0, step)), height, step):
        if rng.random() < 0.8:
            text = "".join(rng.choice(list(_LETTERS), int(rng.integers(10, 90))))
            draw.text((int(rng.integers(0, 40)), y), text, fill=ink, font=font)
    return np.asarray(image)
