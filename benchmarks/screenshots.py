"""Shuffled pictures as they are met in screenshots: other content around them, scaled, with gaps.

Every screenshot is drawn from its number, so that two people who name a number mean the same one.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from jigsolve import Grid, Puzzle

KINDS = ("margins", "scaled", "scaled margins", "gaps", "rounded", "framed", "strips", "plain")
FILTERS = (Image.Resampling.BILINEAR, Image.Resampling.BICUBIC, Image.Resampling.LANCZOS)
WORDS = ("the", "pieces", "of", "a", "board", "lie", "where", "nobody", "put", "them")


@dataclass(frozen=True)
class Screenshot:
    """A picture, and where its pieces lie in it."""

    kind: str
    pixels: np.ndarray
    start: tuple[float, float]
    """x and y of the first cell."""
    pitch: tuple[float, float]
    cell: tuple[float, float]
    columns: int
    rows: int

    def is_met_by(self, grid: Grid) -> bool:
        """Whether a grid has this board, each cell within a pixel of where it is."""
        lattices = (grid.across, grid.down)
        if tuple(lattice.count for lattice in lattices) != (self.columns, self.rows):
            return False
        for lattice, start, pitch, cell in zip(
            lattices, self.start, self.pitch, self.cell, strict=True
        ):
            true_cells = start + pitch * np.arange(lattice.count)
            if np.abs(lattice.cells() - true_cells).max() > 1 or abs(lattice.cell - cell) > 1:
                return False
        return True

    def describe(self) -> str:
        sizes = " x ".join(f"{length:.2f}" for length in self.cell)
        place = ", ".join(f"{length:.2f}" for length in self.start)
        gap = self.pitch[0] - self.cell[0]
        return f"{self.kind}: {self.columns} x {self.rows} of {sizes}, gap {gap:.2f}, from {place}"


def draw(number: int, photos: list[Path]) -> Screenshot:
    """Draw a screenshot; its kind goes by its number."""
    rng = np.random.default_rng([18, number])
    kind = KINDS[number % len(KINDS)]
    photo = Image.open(photos[int(rng.integers(len(photos)))]).convert("RGB")
    if photo.width > 1000:
        photo = photo.resize((photo.width * 2 // 3, photo.height * 2 // 3))
    pixels = np.asarray(photo)
    if kind == "strips":
        width, height = int(rng.integers(7, 30)), pixels.shape[0]
    else:
        width, height = (round(float(np.exp(rng.uniform(np.log(16), np.log(90))))) for _ in "xy")
        if rng.random() < 0.5:
            height = width
    puzzle, _ = Puzzle.cut(pixels, (height, width)).shuffle(number)
    gap = int(rng.integers(1, 7)) if kind in ("gaps", "rounded") else 0
    tiles = [Image.fromarray(piece) for piece in puzzle.pieces]
    colour = tuple(int(level) for level in rng.choice([0, 32, 128, 240, 255], 3))
    rows, columns = puzzle.board
    size = (columns * (width + gap) - gap, rows * (height + gap) - gap)
    board = Image.new("RGB", size, colour)
    mask = None
    if kind == "rounded":
        mask = Image.new("L", (width, height), 0)
        radius = int(rng.integers(2, max(3, min(width, height) // 5)))
        ImageDraw.Draw(mask).rounded_rectangle((0, 0, width - 1, height - 1), radius, 255)
    for index, tile in enumerate(tiles):
        row, column = divmod(index, columns)
        board.paste(tile, (column * (width + gap), row * (height + gap)), mask)
    start, scale = [0.0, 0.0], [1.0, 1.0]
    if kind in ("scaled", "scaled margins") or (kind in ("gaps", "rounded") and rng.random() < 0.4):
        factor = float(rng.uniform(0.6, 1.9))
        to = tuple(max(round(length * factor), 1) for length in board.size)
        scale = [after / before for after, before in zip(to, board.size, strict=True)]
        board = board.resize(to, FILTERS[int(rng.integers(3))])
    if kind == "framed":
        thick = int(rng.integers(1, 9))
        framed = Image.new("RGB", tuple(side + 2 * thick for side in board.size), colour[::-1])
        framed.paste(board, (thick, thick))
        board, start = framed, [thick, thick]
    if kind in ("margins", "scaled margins", "framed") or (
        kind in ("gaps", "rounded", "strips") and rng.random() < 0.5
    ):
        left, top, right, bottom = (int(side) for side in rng.integers(5, 160, 4))
        page = _page((board.width + left + right, board.height + top + bottom), pixels, rng)
        page.paste(board, (left, top))
        board, start = page, [start[0] + left, start[1] + top]
    pitch = ((width + gap) * scale[0], (height + gap) * scale[1])
    cell = (width * scale[0], height * scale[1])
    place = (float(start[0]), float(start[1]))
    return Screenshot(kind, np.asarray(board), place, pitch, cell, columns, rows)


def uncut(number: int, photos: list[Path]) -> np.ndarray:
    """Draw a page with a photograph that was never cut: what is found there is wrong."""
    rng = np.random.default_rng([81, number])
    photo = Image.open(photos[int(rng.integers(len(photos)))]).convert("RGB")
    photo = photo.resize(tuple(round(side * rng.uniform(0.4, 1.2)) for side in photo.size))
    page = _page((photo.width + 90, photo.height + 130), np.asarray(photo)[::-1], rng)
    page.paste(photo, (37, 61))
    return np.asarray(page)


def _page(size: tuple[int, int], photo: np.ndarray, rng: np.random.Generator) -> Image.Image:
    """Return a page: of one colour, a ramp, with text, or another picture."""
    style = ("plain", "ramp", "text", "picture")[int(rng.integers(4))]
    ground = tuple(int(level) for level in rng.choice([18, 40, 200, 245, 255], 3))
    page = Image.new("RGB", size, ground)
    if style == "ramp":
        ramp = np.linspace(rng.uniform(0, 120), rng.uniform(130, 255), size[1])
        page = Image.fromarray(np.repeat(ramp[:, None], size[0], 1).astype(np.uint8)).convert("RGB")
    elif style == "text":
        pen, height = ImageDraw.Draw(page), int(rng.integers(11, 24))
        font = ImageFont.load_default(height)
        ink = "white" if sum(ground) < 300 else "black"
        for y in range(4, size[1], round(height * 1.4)):
            pen.text((6, y), " ".join(rng.choice(WORDS, size[0] // 20)), ink, font)
        bar = int(rng.integers(10, 40))
        pen.rectangle((0, 0, size[0], bar), fill=ground[::-1])
    elif style == "picture":
        page = Image.fromarray(photo[::-1, ::-1].copy()).resize(size)
    return page
