"""Kinds of source: what may have happened to a picture before it was cut into pieces.

A network that has only seen one history of pixels learns that history, such as how the borders
of JPEG blocks look, along with what real texture looks like. So every kind is in the training.
"""

from __future__ import annotations

import io
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from PIL import Image, ImageFilter

JPEG_BLOCK = 8


@dataclass(frozen=True)
class Photograph:
    """One photograph: the whole of it, reduced, and a crop at the camera's own resolution."""

    number: int
    whole: Image.Image
    crop: Image.Image


@dataclass(frozen=True)
class Recipe:
    """What is done to a photograph, in the order of the fields."""

    from_crop: bool = False
    """Start from the full-resolution crop, which keeps sensor noise and the camera's JPEG."""
    scale: float = 0.5
    """The whole photograph is brought to this many times its size; less than 1 hides its JPEG."""
    enlargement: float = 1.0
    blur: float = 0.0
    gain: float = 1.0
    gamma: float = 1.0
    contrast: float = 1.0
    noise: float = 0.0
    grey: bool = False
    quality: int | None = None
    subsampling: int = 2
    shift: tuple[int, int] = (0, 0)
    """Where the first piece begins in the grid of JPEG blocks; (0, 0) is aligned."""


def photographs(folder: Path, *, validation: bool) -> list[Photograph]:
    """Read the photographs of one part: every fifth is for validation, with both its files."""
    found = []
    for path in sorted(folder.glob("*_photo.jpg")):
        number = int(path.name.split("_")[0])
        if (number % 5 == 0) == validation:
            crop = path.with_name(path.name.replace("_photo", "_full"))
            found.append(
                Photograph(number, Image.open(path).convert("RGB"), Image.open(crop).convert("RGB"))
            )
    if not found:
        raise FileNotFoundError(f"no NNN_photo.jpg for this part in {folder}")
    return found


def draw_recipe(rng: np.random.Generator) -> Recipe:
    """Draw a kind of source for training, and how strong each step is."""

    def sometimes(chance: float, low: float, high: float, otherwise: float) -> float:
        return float(rng.uniform(low, high)) if rng.random() < chance else otherwise

    from_crop = bool(rng.random() < 0.5)
    stored = rng.choice(
        ["lossless", "aligned", "shifted"], p=[0.2, 0.62, 0.18] if from_crop else [0.36, 0.41, 0.23]
    )
    low, high = (75, 98) if from_crop and rng.random() < 0.7 else (50, 97)
    return Recipe(
        from_crop=from_crop,
        scale=float(rng.uniform(0.36, 0.72)),
        enlargement=sometimes(0.12, 1.3, 2.2, 1.0),
        blur=sometimes(0.08, 0.4, 1.5, 0.0),
        gain=sometimes(0.08, 1.1, 1.7, 1.0),
        gamma=sometimes(0.2, 0.6, 1.7, 1.0),
        contrast=sometimes(0.24, 0.2, 1.2, 1.0),
        noise=float(np.exp(sometimes(0.2, 0.0, 2.4, -np.inf))),
        grey=bool(rng.random() < 0.08),
        quality=None if stored == "lossless" else int(rng.integers(low, high)),
        subsampling=0 if rng.random() < 0.3 else 2,
        shift=_draw_shift(rng) if stored == "shifted" else (0, 0),
    )


def draw_large_recipe(rng: np.random.Generator) -> Recipe:
    """Draw a kind of source for large pictures: whole photographs, most of them enlarged."""
    stored = rng.choice(["lossless", "aligned", "shifted"], p=[0.2, 0.6, 0.2])
    return replace(
        draw_recipe(rng),
        from_crop=False,
        scale=1.0 if rng.random() < 0.3 else float(rng.uniform(1.0, 2.2)),
        enlargement=1.0,
        noise=float(np.exp(rng.uniform(-1.0, 1.2))) if rng.random() < 0.6 else 0.0,
        quality=None if stored == "lossless" else int(rng.integers(65, 97)),
        shift=_draw_shift(rng) if stored == "shifted" else (0, 0),
    )


def _draw_shift(rng: np.random.Generator) -> tuple[int, int]:
    return divmod(int(rng.integers(1, JPEG_BLOCK * JPEG_BLOCK)), JPEG_BLOCK)


_JPEG_75, _JPEG_90 = Recipe(quality=75), Recipe(quality=90)
EVALUATED: dict[str, Recipe] = {
    "lossless": Recipe(),
    "aligned JPEG 75": _JPEG_75,
    "aligned JPEG 90": _JPEG_90,
    "shifted JPEG 75": replace(_JPEG_75, shift=(3, 5)),
    "shifted JPEG 90": replace(_JPEG_90, shift=(3, 5)),
    "upscaled": Recipe(enlargement=1.6),
    "noisy": Recipe(noise=6.0),
    "grey": Recipe(grey=True),
    "full resolution": Recipe(from_crop=True),
    "full resolution, aligned JPEG 80": Recipe(from_crop=True, quality=80),
    "full resolution, aligned JPEG 92": Recipe(from_crop=True, quality=92),
}


def render(
    photograph: Photograph,
    recipe: Recipe,
    rng: np.random.Generator,
    size: tuple[int, int] | None = None,
    multiple: int = 28,
) -> np.ndarray:
    """Return a picture of the kind, (height, width, 3) uint8.

    Without a size it is as large as it can be in whole pieces, and from the middle; with one it
    is landscape and from a random place, smooth places more often: they are where seams are hard.
    """
    image = photograph.crop if recipe.from_crop else photograph.whole
    if size and image.height > image.width:
        image = image.transpose(Image.Transpose.TRANSPOSE)
    margin = JPEG_BLOCK
    if not recipe.from_crop:
        scale = recipe.scale
        if size:
            needed = max((size[1] + margin) / image.width, (size[0] + margin) / image.height)
            scale = max(scale, needed)
        wanted = (round(image.width * scale), round(image.height * scale))
        image = image.resize(wanted, Image.Resampling.LANCZOS, reducing_gap=None)
    if size:
        height, width = (
            min(round((extent + margin) / recipe.enlargement), available)
            for extent, available in zip(size, (image.height, image.width), strict=True)
        )
        image = _random_crop(image, height, width, rng)
        if recipe.enlargement != 1.0:
            image = image.resize((size[1] + margin, size[0] + margin), Image.Resampling.BICUBIC)
    else:
        if recipe.enlargement != 1.0:
            width, height = (round(extent / recipe.enlargement) for extent in image.size)
            left, top = (image.width - width) // 2, (image.height - height) // 2
            image = image.crop((left, top, left + width, top + height)).resize(
                image.size, Image.Resampling.BICUBIC
            )
        # A full-resolution crop has whole pieces as it is; only a shift needs the margin.
        spare = margin if any(recipe.shift) else 0
        size = tuple((extent - spare) // multiple * multiple for extent in image.size[::-1])
    pixels = _stored(_developed(image, recipe, rng), recipe)
    top, left = recipe.shift
    return np.ascontiguousarray(pixels[top : top + size[0], left : left + size[1]])


def _random_crop(
    image: Image.Image, height: int, width: int, rng: np.random.Generator
) -> Image.Image:
    crops = []
    for _ in range(int(rng.integers(1, 4))):
        left = int(rng.integers(image.width - width + 1))
        top = int(rng.integers(image.height - height + 1))
        crops.append(image.crop((left, top, left + width, top + height)))
    if len(crops) == 1:
        return crops[0]
    return min(crops, key=_roughness)


def _roughness(image: Image.Image) -> float:
    grey = np.asarray(image.convert("L"), np.float32)
    return float(np.sqrt(np.abs(np.diff(grey, axis=1))).mean())


def _developed(image: Image.Image, recipe: Recipe, rng: np.random.Generator) -> Image.Image:
    if recipe.blur:
        image = image.filter(ImageFilter.GaussianBlur(recipe.blur))
    if recipe.grey:
        image = image.convert("L").convert("RGB")
    if (recipe.gain, recipe.gamma, recipe.contrast, recipe.noise) == (1.0, 1.0, 1.0, 0.0):
        return image
    light = np.asarray(image, np.float32) / 255.0
    light = np.clip(light * recipe.gain, 0.0, 1.0) ** recipe.gamma
    level = light.mean()
    light = 255.0 * (level + recipe.contrast * (light - level))
    if recipe.noise:
        channels = 1 if recipe.grey else 3
        shape = (*light.shape[:2], channels)
        light = light + recipe.noise * rng.standard_normal(shape, dtype=np.float32)
    return Image.fromarray(np.clip(np.rint(light), 0, 255).astype(np.uint8))


def _stored(image: Image.Image, recipe: Recipe) -> np.ndarray:
    if recipe.quality is not None:
        file = io.BytesIO()
        image.save(file, "JPEG", quality=recipe.quality, subsampling=recipe.subsampling)
        image = Image.open(file).convert("RGB")
    return np.asarray(image)
