"""Reading any still picture as 8-bit RGB, and writing one without loss."""

import contextlib
import io
import threading
import warnings
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from PIL import Image, ImageOps, UnidentifiedImageError

from jigsolve.errors import InputError, NoPictureError
from jigsolve.execution.memory import require_memory
from jigsolve.io.files import replacing

MOST_PIXELS = 2**29
"""Larger pictures are taken for decompression bombs."""

LOSSLESS = (".png", ".tif", ".tiff", ".bmp")
"""Endings of the formats written; pieces are recognised by their pixels, so none may change."""

FORMATS = ("PNG", "JPEG", "TIFF", "BMP", "WEBP", "GIF", "PPM", "TGA", "JPEG2000", "PCX")
"""What is read: still pictures of pixels, by decoders that need no other program."""

_BYTES_PER_PIXEL = {"1": 12, "L": 12, "P": 20, "RGB": 15, "RGBA": 26, "CMYK": 18}
_MOST_BYTES_PER_PIXEL = 46
"""Measured at the peak of reading: the decoder's copy, conversions and ours."""

_pillow_limit = threading.Lock()


def read_picture(source: str | Path | bytes, name: str = "picture") -> np.ndarray:
    """Return a picture as an array of shape (height, width, 3), uint8.

    Grey, palette, 16-bit and CMYK pictures are converted; transparent parts are laid on
    white; a camera's rotation mark is obeyed. Errors call the bytes of a file by `name`.
    """
    levels = read_levels(source, name)
    return stretched(levels, usual_range(levels))


def read_levels(source: str | Path | bytes, name: str = "picture") -> np.ndarray:
    """Return a picture as `read_picture` does, but a 32-bit grey one as it is, (height, width).

    Such values have no range of their own; pieces of one picture need a common one.
    """
    name = name if isinstance(source, bytes) else str(source)
    with opened(source, name) as picture:
        frames = getattr(picture, "n_frames", 1)
        if frames > 1 and picture.format != "MPO":  # a camera's JPEG with a preview behind it
            raise InputError(f"{name}: expected one still picture, found {frames} frames or pages")
        width, height = picture.size
        if width * height > MOST_PIXELS:
            raise InputError(
                f"{name}: expected at most {MOST_PIXELS:,} pixels, found {width} x {height}"
            )
        each = _BYTES_PER_PIXEL.get(picture.mode, _MOST_BYTES_PER_PIXEL)
        require_memory(width * height * each, f"{name}: reading {width} x {height} pixels")
        picture.load()
        picture = upright(picture)
        if picture.mode in ("I", "F"):
            return np.nan_to_num(np.asarray(picture, np.float64))
        return np.asarray(_as_rgb(picture))


def usual_range(*levels: np.ndarray) -> int:
    """Return the lowest usual range that holds all 32-bit grey values among pictures."""
    highest = max((float(grey.max(initial=0)) for grey in levels if grey.ndim == 2), default=0)
    return next((top for top in (1, 255) if highest <= top), 65535)


def stretched(levels: np.ndarray, highest: int) -> np.ndarray:
    """Return grey values 0..highest as 8-bit RGB, and RGB as it is."""
    if levels.ndim == 3:
        return levels
    grey = np.clip(np.rint(levels * (255.0 / highest)), 0, 255).astype(np.uint8)
    return np.repeat(grey[:, :, None], 3, axis=2)


@contextlib.contextmanager
def opened(source: str | Path | bytes, name: str) -> Iterator[Image.Image]:
    """Open a picture; whatever a decoder stumbles over becomes an InputError."""
    try:
        if not isinstance(source, bytes):
            source = Path(source)
            if not source.exists():
                raise InputError(f"{name}: expected a picture, found no such file")
            if not source.is_file():
                raise InputError(f"{name}: expected a picture, found a folder or device")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of odd metadata; what matters is an error
            with _open(source) as picture:
                yield picture
    except (InputError, MemoryError):
        raise
    except UnidentifiedImageError:
        raise NoPictureError(f"{name}: expected a picture, found a file of another kind") from None
    except PermissionError:
        raise InputError(f"{name}: expected a picture, found no permission to read it") from None
    except Exception as error:  # decoders raise almost anything on damaged files
        raise InputError(f"{name}: cannot be read, damaged or truncated ({error})") from None


def _open(source: Path | bytes) -> Image.Image:
    """Open a picture with our limit on its size, not Pillow's, which is low for puzzles."""
    with _pillow_limit:
        usual = Image.MAX_IMAGE_PIXELS
        Image.MAX_IMAGE_PIXELS = None
        try:
            file = io.BytesIO(source) if isinstance(source, bytes) else source
            return Image.open(file, formats=FORMATS)
        finally:
            Image.MAX_IMAGE_PIXELS = usual


def upright(picture: Image.Image) -> Image.Image:
    """Turn a picture as its camera says; a mark that cannot be read is no mark."""
    try:
        return ImageOps.exif_transpose(picture)
    except Exception:  # metadata can be damaged in as many ways as pixels
        return picture


def _as_rgb(picture: Image.Image) -> Image.Image:
    if picture.mode.startswith("I;16"):
        return Image.fromarray(stretched(np.asarray(picture, np.float64), 65535))
    if picture.has_transparency_data:
        layered = picture.convert("RGBA")
        paper = Image.new("RGBA", layered.size, "white")
        return Image.alpha_composite(paper, layered).convert("RGB")
    return picture.convert("RGB")


def check_lossless(path: Path) -> None:
    """Raise unless the name's ending stands for a format written without loss."""
    if path.suffix.lower() not in LOSSLESS:
        raise InputError(
            f"{path}: expected a name ending in {', '.join(LOSSLESS)}, found "
            f"{repr(path.suffix) if path.suffix else 'none'} (pieces must keep every pixel)"
        )


QUICK = 2
"""How hard to compress PNG: a third of the usual time, for files a tenth larger."""


def write_picture(path: str | Path, pixels: np.ndarray) -> None:
    """Write an RGB array as a lossless picture, whole or not at all."""
    path = Path(path)
    check_lossless(path)
    with replacing(path) as beside:
        # Other formats do not know compress_level and leave it unread.
        Image.fromarray(pixels).save(beside, compress_level=QUICK)
