"""From files of tiles to pieces of one size."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from jigsolve.damage import UNDAMAGED, Damage
from jigsolve.damage.files import damage_of_file, damage_of_tiles
from jigsolve.errors import InputError, NoPictureError, NoRoomError
from jigsolve.execution.crew import Progress
from jigsolve.execution.memory import require_memory
from jigsolve.io.containers import Place, tile_files
from jigsolve.io.pictures import read_levels, stretched, usual_range
from jigsolve.io.tile_file import Skip

MOST_ODD_LINES = 2
"""How far a tile may be from the usual size, in pixels."""

_FIRST_CHECK = 2**24
"""Bytes of tiles that are read before memory is looked at."""

_NAMED = 3
"""How many names a note or error has at most."""


@dataclass(frozen=True, eq=False)
class Tiles:
    """Pieces that were read from files, in an order that the files' names have no part in."""

    pieces: np.ndarray = field(repr=False)
    """Of shape (n, height, width, 3), uint8."""
    names: tuple[str, ...] = field(repr=False)
    """Relative to the folder or archive; no two are equal."""
    notes: tuple[str, ...]
    """What was left out or changed, in words."""
    damage: Damage = UNDAMAGED
    """What the files say about losses."""


def read_tiles(source: Place | Sequence[Place], *, progress: Progress | None = None) -> Tiles:
    """Read the tiles in a folder, a pattern's files, an archive (ZIP, TAR, 7z), or a list of files.

    Folders within a folder are read too, hidden ones are not. What is no picture is skipped, and
    sizes that differ by a pixel or two are evened out; `notes` say so.
    """
    places = [source] if isinstance(source, str | Path) else list(source)
    if not places:
        raise InputError("expected a folder, an archive or files of tiles, found none given")
    label = str(places[0]) if len(places) == 1 else f"{len(places)} files"
    pictures: list[np.ndarray] = []
    names: list[str] = []
    damages: list[Damage] = []
    skipped: dict[Skip, list[str]] = {}
    hold = _Hold(label)
    for file in tile_files(places, progress):
        reason = file.skipped
        if reason is None:
            try:
                pictures.append(read_levels(file.content, f"{label}: {file.name}"))
                hold.add(pictures[-1])
                names.append(file.name)
                damages.append(damage_of_file(file.content))
            except NoPictureError:
                reason = Skip.NO_PICTURE
            except NoRoomError:
                raise
            except InputError:
                reason = Skip.DAMAGED
        if reason is not None:
            skipped.setdefault(reason, []).append(file.name)
    notes = [_skip_note(reason, of) for reason, of in skipped.items()]
    if len(pictures) < 2:
        raise InputError(f"{label}: expected at least two tiles, {_found(names, notes)}")
    height, width = _usual_size(label, pictures, names)
    if (odd := sum(picture.shape[:2] != (height, width) for picture in pictures)) > 0:
        notes.append(
            f"{odd:,} of {len(pictures):,} tiles were not {width} x {height} pixels: lines in "
            "their middle were left out or doubled, so that borders stay as they are"
        )
    highest = usual_range(*pictures)

    def finish(picture: np.ndarray) -> np.ndarray:
        return resized(stretched(picture, highest), height, width)

    # Nothing but pixels decides on the order: names often tell where tiles belong.
    keys = [hashlib.sha256(finish(picture).tobytes()).digest() for picture in pictures]
    order = sorted(range(len(keys)), key=lambda i: (keys[i], names[i]))
    pieces = np.empty((len(pictures), height, width, 3), np.uint8)
    for piece, i in zip(pieces, order, strict=True):
        piece[:] = finish(pictures[i])
    ordered = tuple(names[i] for i in order)
    return Tiles(pieces, ordered, tuple(notes), damage_of_tiles(damages))


def resized(tile: np.ndarray, height: int, width: int) -> np.ndarray:
    """Leave out or double lines in the middle of a tile; its borders keep every pixel.

    A line too many may be at either side; cutting at the wrong one would spoil a seam.
    """
    for axis, wanted in enumerate((height, width)):
        found = tile.shape[axis]
        if found != wanted:
            second = found - wanted // 2
            lines = np.r_[0 : wanted - wanted // 2, second:found]
            tile = np.take(tile, np.clip(lines, 0, found - 1), axis)
    return tile


class _Hold:
    """What all tiles together take, looked ahead."""

    def __init__(self, label: str) -> None:
        self._label = label
        self._bytes = 0
        self._checked = _FIRST_CHECK

    def add(self, picture: np.ndarray) -> None:
        """Count a tile; raise if twice as many would not fit."""
        self._bytes += picture.nbytes
        if self._bytes > self._checked:
            self._checked = 2 * self._bytes
            # As many tiles again, then all of them once more, in one array.
            require_memory(3 * self._bytes, f"{self._label}: reading all tiles")


def _usual_size(label: str, pictures: list[np.ndarray], names: list[str]) -> tuple[int, int]:
    """Return the most common height and width; raise where tiles are too far from them."""
    shapes = [picture.shape[:2] for picture in pictures]
    height, width = (
        min(Counter(shape[axis] for shape in shapes).most_common(), key=lambda c: (-c[1], c[0]))[0]
        for axis in (0, 1)
    )
    odd = [
        name
        for name, shape in zip(names, shapes, strict=True)
        if max(abs(shape[0] - height), abs(shape[1] - width)) > MOST_ODD_LINES
    ]
    if odd:
        sizes = Counter(shapes).most_common()
        listed = ", ".join(f"{count:,} of {w} x {h}" for (h, w), count in sizes[:4])
        more = f" and {len(sizes) - 4} more sizes" if len(sizes) > 4 else ""
        if {(w, h) for h, w in shapes} == set(shapes):
            guess = "rectangles turned by a quarter? Turn them so that all have one size"
        else:
            guess = (
                "two puzzles, or another picture among them? Give the files of one, by a pattern"
            )
        raise InputError(
            f"{label}: expected tiles of one size, found {listed}{more} (such as {odd[0]}): {guess}"
        )
    return height, width


def _skip_note(reason: Skip, names: list[str]) -> str:
    count = "1 file" if len(names) == 1 else f"{len(names):,} files"
    more = f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
    return f"{count} skipped ({reason.value}): {', '.join(names[:_NAMED])}{more}"


def _found(names: list[str], notes: list[str]) -> str:
    if names:
        found = f"found one only, {names[0]} (a shuffled picture is given by its own name)"
    else:
        found = "found no picture" if notes else "found nothing"
    return "; ".join([found, *notes])
