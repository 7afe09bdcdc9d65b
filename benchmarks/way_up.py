"""Say how often traces of compression tell which way up a picture is, and whether they are right.

    python benchmarks/way_up.py PHOTOS            a folder of photographs

Each photograph is taken as it is; scaled and saved as a JPEG of some quality; the same, cropped by
some pixels; and the same, scaled once more. It is cut into pieces of 28 pixels from its upper left
corner, as an oblong board (two ways up) and as a square one (four). Counted is how often all ways
but some are ruled out, and how often the true one was among these. A picture that is put together
as it was cut has the same pixels, so nothing is solved.
"""

from __future__ import annotations

import argparse
import io
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from PIL import Image

from jigsolve.measures.upright import possible_ways

PIECE = 28
BOARDS = {"oblong": (0, 2), "square": (0, 1, 2, 3)}


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("photos", type=Path)
    files = sorted(parser.parse_args().photos.glob("*.jpg"))
    rng = np.random.default_rng(1)
    counts: dict[tuple[str, str], Counter[str]] = {}
    for file in files:
        for kind, pixels in versions(Image.open(file).convert("RGB"), rng):
            rows, columns = (length // PIECE * PIECE for length in pixels.shape[:2])
            square = min(rows, columns)
            for board, ways in BOARDS.items():
                size = (square, square) if board == "square" else (rows, columns)
                found = possible_ways(pixels[: size[0], : size[1]], (PIECE, PIECE), ways)
                said = "nothing" if found == ways else "right" if 0 in found else "wrong"
                counts.setdefault((kind, board), Counter())[said] += 1
    print("photographs | board | said and right | said and wrong | nothing said")
    for (kind, board), said in counts.items():
        print(f"{kind} | {board} | {said['right']} | {said['wrong']} | {said['nothing']}")


def versions(photo: Image.Image, rng: np.random.Generator) -> Iterator[tuple[str, np.ndarray]]:
    """Yield a photograph as it is, and saved in several ways."""
    yield "as they are", np.asarray(photo)
    for kind in ("saved", "saved, cropped", "saved, scaled"):
        factor = rng.uniform(0.5, 0.9)
        small = photo.resize(
            (int(photo.width * factor), int(photo.height * factor)), Image.Resampling.LANCZOS
        )
        written = io.BytesIO()
        quality, subsampling = int(rng.choice([50, 75, 85, 90, 95])), int(rng.choice([0, 2]))
        small.save(written, "JPEG", quality=quality, subsampling=subsampling)
        saved = Image.open(written).convert("RGB")
        if kind == "saved, cropped":
            left, top = (int(lost) for lost in rng.integers(16, size=2))
            saved = saved.crop((left, top, saved.width, saved.height))
        if kind == "saved, scaled":
            size = int(0.77 * saved.width), int(0.77 * saved.height)
            saved = saved.resize(size, Image.Resampling.LANCZOS)
        yield kind, np.asarray(saved)


if __name__ == "__main__":
    main()
