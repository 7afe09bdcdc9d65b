"""The literature's sets of images, and folders of one's own.

Images are not shipped. The registry knows what each file must hold, so that two people who name a
set mean the same pixels.
"""

from __future__ import annotations

import csv
import functools
import hashlib
import re
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

import numpy as np

from jigsolve.core import PieceSize
from jigsolve.errors import InputError
from jigsolve.io.pictures import read_picture

ENDINGS = (".png", ".jpg", ".jpeg", ".tif", ".tiff", ".bmp", ".webp", ".ppm")
"""What is taken for a picture in a folder of one's own."""

USUAL_PIECE = PieceSize(28, 28)

_CHO = "Cho, Avidan, Freeman: A probabilistic image jigsaw puzzle solver, CVPR 2010"
_POMERANZ = "Pomeranz, Shemesh, Ben-Shahar: A fully automated greedy square jigsaw puzzle solver"
_SHOLOMON = "Sholomon, David, Netanyahu: A genetic algorithm-based solver for very large jigsaws"
_AT_CHO = "https://people.csail.mit.edu/taegsang/JigsawPuzzle.html"
_AT_POMERANZ = "http://icvl.cs.bgu.ac.il/automatic-jigsaw-puzzle-solving/"
_AT_SHOLOMON = "the authors (Bar-Ilan University; named in their CVPR 2013 paper)"


@dataclass(frozen=True)
class KnownSet:
    """A set of the literature: who made it, and where its authors published it."""

    name: str
    pieces: int
    citation: str
    published_at: str
    remark: str = ""
    is_stand_in: bool = False


KNOWN_SETS = {
    known.name: known
    for known in (
        KnownSet("cho_432", 432, _CHO, _AT_CHO, "numbered as in Sholomon et al."),
        KnownSet("mcgill_540", 540, f"{_POMERANZ}, CVPR 2011", _AT_POMERANZ),
        KnownSet("pomeranz_805", 805, f"{_POMERANZ}, CVPR 2011", _AT_POMERANZ),
        KnownSet("pomeranz_2360", 2360, f"{_POMERANZ}, CVPR 2011", _AT_POMERANZ),
        KnownSet("pomeranz_3300", 3300, f"{_POMERANZ}, CVPR 2011", _AT_POMERANZ),
        KnownSet("sholomon_5015", 5015, f"{_SHOLOMON}, CVPR 2013", _AT_SHOLOMON),
        KnownSet("sholomon_10375", 10375, f"{_SHOLOMON}, CVPR 2013", _AT_SHOLOMON),
        KnownSet("sholomon_22755", 22755, f"{_SHOLOMON}, CVPR 2013", _AT_SHOLOMON),
        KnownSet(
            "photos_30745",
            30745,
            "stand-ins: six photographs, JPEG quality 80",
            "nowhere: they are not published",
            "stand-ins; the paper's own 30,745-piece images could not be had, and its row is not "
            "comparable",
            is_stand_in=True,
        ),
    )
}


@dataclass(frozen=True)
class SetImage:
    """One image of a set."""

    set_name: str
    number: int
    """From 1 on."""
    path: Path
    pieces: int
    piece: PieceSize
    pixels: str
    """A checksum of its pixels."""


@dataclass(frozen=True)
class _Fingerprint:
    file: str
    width: int
    height: int
    file_sha256: str
    pixel_sha256: str


def find_images(
    name: str,
    data: Path | None = None,
    wanted: str = "",
    piece: PieceSize = USUAL_PIECE,
) -> list[SetImage]:
    """Return images of a set, each checked to be there and unaltered.

    Parameters
    ----------
    name
        A known set, or a folder of pictures.
    data
        The folder that holds a folder for every known set.
    wanted
        Which images, such as "1-5,8"; all if empty.
    piece
        The size of a piece; known sets have 28 x 28.
    """
    # Other sizes make other puzzles: the number in a set's name would be wrong.
    cut = "" if piece == USUAL_PIECE else f"@{piece.width}x{piece.height}"
    if name in KNOWN_SETS:
        prints = _fingerprints()[name]
        numbers = chosen_numbers(wanted, len(prints), name)
        return [
            _checked(name, name + cut, number, prints[number - 1], data, piece)
            for number in numbers
        ]
    folder = Path(name)
    if not folder.is_dir():
        raise InputError(
            f"{name}: expected a folder of pictures or one of the sets "
            f"{', '.join(KNOWN_SETS)}, found neither"
        )
    paths = sorted(
        (p for p in folder.iterdir() if p.suffix.lower() in ENDINGS and p.is_file()),
        key=lambda path: natural(path.name),
    )
    if not paths:
        raise InputError(f"{name}: expected pictures ({', '.join(ENDINGS)}), found none")
    own_name = folder.resolve().name + cut
    if own_name in KNOWN_SETS:
        own_name += " (own)"  # nobody has checked that it holds the same pixels
    return [
        _own(own_name, number, paths[number - 1], piece)
        for number in chosen_numbers(wanted, len(paths), name)
    ]


def count_images(name: str) -> int:
    """Return how many images a known set has."""
    return len(_fingerprints()[name])


def chosen_numbers(text: str, count: int, name: str) -> list[int]:
    """Read "1-5,8" as numbers, in order and without repeats; those beyond `count` are left out."""
    if not text:
        return list(range(1, count + 1))
    numbers: set[int] = set()
    for part in text.split(","):
        match = re.fullmatch(r"\s*(\d{1,6})(?:-(\d{1,6}))?\s*", part)
        if not match:
            raise InputError(f"images: expected numbers such as 1-5,8, found {text!r}")
        first = int(match[1])
        last = int(match[2] or first)
        if not 1 <= first <= last:
            raise InputError(f"images: expected numbers from 1 on, found {part!r}")
        numbers.update(range(first, min(last, count) + 1))
    if not numbers:
        raise InputError(f"images: expected numbers from 1 to {count} in {name}, found {text!r}")
    return sorted(numbers)


@functools.cache
def _fingerprints() -> dict[str, list[_Fingerprint]]:
    prints: dict[str, list[_Fingerprint]] = {}
    text = (files("jigsolve") / "data" / "sets.csv").read_text(encoding="utf-8")
    for row in csv.DictReader(text.splitlines()):
        entry = _Fingerprint(
            row["file"],
            int(row["width"]),
            int(row["height"]),
            row["file_sha256"],
            row["pixel_sha256"],
        )
        prints.setdefault(row["set"], []).append(entry)
    return prints


def _checked(
    name: str,
    name_of_cut: str,
    number: int,
    expected: _Fingerprint,
    data: Path | None,
    piece: PieceSize,
) -> SetImage:
    known = KNOWN_SETS[name]
    if data is None:
        raise InputError(
            f"{name}: images are not shipped; get them from {known.published_at}, put them into "
            f"DIR/{name}/{expected.file} and so on, and give --data DIR or set JIGSOLVE_DATA"
        )
    path = data / name / expected.file
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError(
            f"{path}: expected image {number} of {name}, found none ({error.strerror}); get it "
            f"from {known.published_at}"
        ) from None
    # The same pixels may be packed differently; decoding is only needed then.
    if hashlib.sha256(content).hexdigest() != expected.file_sha256:
        pixels = _checksum(read_picture(path))
        if pixels != expected.pixel_sha256:
            others = [i for i, p in enumerate(_fingerprints()[name], 1) if p.pixel_sha256 == pixels]
            found = f"those of image {others[0]}" if others else "others"
            raise InputError(
                f"{path}: expected the pixels of image {number} of {name}, found {found}; get the "
                f"unaltered file from {known.published_at}, or give the folder as a set of your own"
            )
    pieces = _whole_pieces(path, expected.width, expected.height, piece)
    return SetImage(name_of_cut, number, path, pieces, piece, expected.pixel_sha256)


def _own(set_name: str, number: int, path: Path, piece: PieceSize) -> SetImage:
    pixels = read_picture(path)
    pieces = _whole_pieces(path, pixels.shape[1], pixels.shape[0], piece)
    return SetImage(set_name, number, path, pieces, piece, _checksum(pixels))


def has_its_pixels(image: SetImage) -> bool:
    """Whether the file of an image is here and holds what the image should."""
    try:
        return _checksum(read_picture(image.path)) == image.pixels
    except InputError:
        return False


def _checksum(pixels: np.ndarray) -> str:
    return hashlib.sha256(pixels.tobytes()).hexdigest()


def _whole_pieces(path: Path, width: int, height: int, piece: PieceSize) -> int:
    pieces = (height // piece.height) * (width // piece.width)
    if pieces < 2:
        raise InputError(
            f"{path}: expected room for at least two pieces of {piece}, found {width} x {height}"
        )
    return pieces


def natural(name: str) -> list[tuple[int, str]]:
    """Return what sorts 2.png before 10.png."""
    parts = re.split(r"(\d+)", name.lower())
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in parts]
