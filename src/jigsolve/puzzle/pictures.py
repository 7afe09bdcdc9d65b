"""Reading any still picture as 8-bit RGB, and writing one without loss."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from PIL import Image, ImageOps, UnidentifiedImageError

from jigsolve.errors import InputError
from jigsolve.files import replacing
from jigsolve.memory import require_memory

MOST_PIXELS = 2**29
"""Larger pictures are taken for decompression bombs."""

LOSSLESS = (".png", ".tif", ".tiff", ".bmp", ".webp")
"""Endings of the formats written; pieces are recognised by their pixels, so none may change."""

_BYTES_PER_PIXEL = 12  # decoder's copy, conversion and ours, at worst


def read_picture(path: str | Path) -> np.ndarray:
    """Return a picture as an array of shape (height, width, 3), uint8.

    Grey, palette, 16-bit and CMYK pictures are converted; transparent parts are laid on
    white; a camera's rotation mark is obeyed.
    """
    path = Path(path)
    if not path.exists():
        raise InputError(f"{path}: expected a picture, found no such file")
    if not path.is_file():
        raise InputError(f"{path}: expected a picture, found a folder or device")
    with _opened(path) as picture:
        frames = getattr(picture, "n_frames", 1)
        if frames > 1:
            raise InputError(f"{path}: expected one still picture, found {frames} frames or pages")
        width, height = picture.size
        if width * height > MOST_PIXELS:
            raise InputError(
                f"{path}: expected at most {MOST_PIXELS:,} pixels, found {width} x {height}"
            )
        require_memory(width * height * _BYTES_PER_PIXEL, f"{path}: reading {width} x {height}")
        return np.asarray(_as_rgb(ImageOps.exif_transpose(picture)))


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[Image.Image]:
    """Open a picture; whatever a decoder stumbles over becomes an InputError."""
    # Our own limit stands in for Pillow's, which is low for puzzles and partly a warning.
    pillow_limit = Image.MAX_IMAGE_PIXELS
    Image.MAX_IMAGE_PIXELS = None
    try:
        with Image.open(path) as picture:
            yield picture
    except InputError:
        raise
    except UnidentifiedImageError:
        raise InputError(f"{path}: expected a picture, found a file of another kind") from None
    except PermissionError:
        raise InputError(f"{path}: no permission to read it") from None
    except Exception as error:  # decoders raise almost anything on damaged files
        raise InputError(f"{path}: damaged or truncated picture ({error})") from None
    finally:
        Image.MAX_IMAGE_PIXELS = pillow_limit


def _as_rgb(picture: Image.Image) -> Image.Image:
    if picture.mode.startswith("I;16"):
        return _stretched(np.asarray(picture), 65535)
    if picture.mode in ("I", "F"):
        # 32-bit modes carry no range of their own; 16-bit data in them is the common case.
        values = np.asarray(picture, np.float64)
        highest = float(np.nanmax(values, initial=0.0))
        return _stretched(values, next((top for top in (1, 255) if highest <= top), 65535))
    if picture.has_transparency_data:
        layered = picture.convert("RGBA")
        paper = Image.new("RGBA", layered.size, "white")
        return Image.alpha_composite(paper, layered).convert("RGB")
    return picture.convert("RGB")


def _stretched(values: np.ndarray, highest: int) -> Image.Image:
    """Return grey values 0..highest as 8-bit RGB."""
    levels = np.nan_to_num(np.asarray(values, np.float64)) * (255.0 / highest)
    return Image.fromarray(np.clip(np.rint(levels), 0, 255).astype(np.uint8)).convert("RGB")


def check_lossless(path: Path) -> None:
    """Raise unless the name's ending stands for a format written without loss."""
    if path.suffix.lower() not in LOSSLESS:
        raise InputError(
            f"{path}: expected a name ending in {', '.join(LOSSLESS)}, found "
            f"{path.suffix or 'no ending'!r} (pieces must keep every pixel)"
        )


def write_picture(path: str | Path, pixels: np.ndarray) -> None:
    """Write an RGB array as a lossless picture, whole or not at all."""
    path = Path(path)
    check_lossless(path)
    with replacing(path) as beside:
        # Only WebP knows the word; the others have no lossy form here.
        Image.fromarray(pixels).save(beside, lossless=True)
