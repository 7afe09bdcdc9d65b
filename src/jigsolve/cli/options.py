"""Options several verbs share, and checks of what they name."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from jigsolve.core import Board, PieceSize
from jigsolve.errors import InputError
from jigsolve.io.containers import matches
from jigsolve.io.files import cannot_write, check_folder, check_writable
from jigsolve.io.pictures import LOSSLESS


def piece_size(text: str) -> PieceSize:
    """Read `28` or `WxH`."""
    match = re.fullmatch(r"(-?\d{1,9})(?:x(-?\d{1,9}))?", text.strip().lower())
    if not match:
        raise argparse.ArgumentTypeError(f"expected a number or WxH such as 35x11, found {text!r}")
    width = int(match[1])
    try:
        return PieceSize.of((int(match[2]) if match[2] else width, width))
    except InputError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def add_piece(parser: argparse.ArgumentParser, *, required: bool = False) -> None:
    """Add `--piece`; it is required, or 28."""
    parser.add_argument(
        "--piece",
        type=piece_size,
        default=None if required else PieceSize(28, 28),
        required=required,
        metavar="28|WxH",
        help="size of a piece in pixels, width x height" + ("" if required else " (default 28)"),
    )


def add_output(parser: argparse.ArgumentParser, name: str) -> None:
    """Add `-o`."""
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        required=True,
        metavar=name,
        help=f"the picture to write, without loss: {', '.join(LOSSLESS)}",
    )


def add_quiet(parser: argparse.ArgumentParser) -> None:
    """Add `-q`."""
    parser.add_argument("-q", "--quiet", action="store_true", help="print errors only")


def board_size(text: str) -> Board:
    """Read `COLSxROWS`."""
    match = re.fullmatch(r"(\d{1,9})x(\d{1,9})", text.strip().lower())
    if not match or not all(map(int, match.groups())):
        raise argparse.ArgumentTypeError(f"expected COLSxROWS such as 24x18, found {text!r}")
    return Board(rows=int(match[2]), columns=int(match[1]))


def add_force(parser: argparse.ArgumentParser) -> None:
    """Add `--force`."""
    parser.add_argument(
        "--force", action="store_true", help="replace what is there; without it nothing is"
    )


def check_outputs(
    inputs: Sequence[str | Path],
    outputs: Sequence[Path | None],
    *,
    force: bool,
    folders: Mapping[Path, Callable[[str], bool]] = MappingProxyType({}),
) -> None:
    """Raise unless every output can be written, is no input, and is named once.

    What is there is only replaced with `force`. Nothing is written into a folder that is read:
    the next run would read it. `folders` says of each which names in it are ours: none is replaced
    that something else is in.
    """
    taken = {path for place in inputs for path in _real_paths(place)}
    read = [Path(place) for place in taken if os.path.isdir(place)]  # noqa: PTH112
    for path in filter(None, [*outputs, *folders]):
        if path in folders:
            check_folder(path, folders[path] if force else None)
        else:
            check_writable(path)
        with cannot_write(path):
            place = os.path.realpath(path)
        if place in taken:
            raise InputError(
                f"{path}: expected a file of its own to write, found one that is read or "
                "written already"
            )
        _check_outside(path, place, read)
        inside = (other for other in taken if Path(place) in Path(other).parents)
        if path in folders and (other := next(inside, None)):
            raise InputError(
                f"{path}: expected a folder of its own to write, found {other} in it, which is "
                "read or written already"
            )
        if path in outputs and path.exists() and not force:
            raise InputError(f"{path}: expected a new name, found a file; --force replaces it")
        taken.add(place)


def check_outside(path: Path, inputs: Sequence[str | Path]) -> None:
    """Raise if a folder for what is kept is one that is read, or lies in one."""
    read = [Path(real) for place in inputs for real in _real_paths(place)]
    with cannot_write(path):
        place = os.path.realpath(path)
    if Path(place) in read:
        raise InputError(f"{path}: expected a folder of its own, found what is read")
    _check_outside(path, place, read)


def _check_outside(path: Path, place: str, folders: Sequence[Path]) -> None:
    for folder in folders:
        if folder in Path(place).parents:
            raise InputError(
                f"{path}: expected a place outside of folders that are read, found it in {folder}"
            )


def _real_paths(place: str | Path) -> list[str]:
    """Return where a place, or the files of a pattern, really are."""
    if (found := matches(place)) == [str(place)]:
        return [os.path.realpath(place)]
    # There may be a hundred thousand files, in few folders.
    split = [os.path.split(path) for path in found]
    folders = {folder: os.path.realpath(folder) for folder in {folder for folder, _ in split}}
    return [f"{folders[folder]}/{name}" for folder, name in split]
