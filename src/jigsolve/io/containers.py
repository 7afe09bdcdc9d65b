"""Files of tiles, wherever they lie: folders, patterns, lists of files, archives.

Nothing is unpacked to disk: members of archives are read into memory, one at a time. A file
that is no picture costs its first bytes only.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from jigsolve.errors import InputError
from jigsolve.execution.crew import Progress
from jigsolve.io.archives import archive_kind, tar_files, zip_files
from jigsolve.io.seven_zip import seven_zip_files
from jigsolve.io.tile_file import HEAD, LARGEST_FILE, Skip, TileFile, looks_like_a_picture

Place = str | Path


_MEMBERS = {"zip": zip_files, "tar": tar_files, "7z": seven_zip_files}


class _Found(NamedTuple):
    name: str
    path: Path


def is_one_picture(places: Sequence[Place]) -> bool:
    """Whether this is a picture's file, or nothing that tiles could be read from."""
    if len(places) != 1 or os.path.isdir(places[0]) or _is_pattern(places[0]):  # noqa: PTH112
        return False
    return archive_kind(Path(places[0])) is None


def tile_files(places: Sequence[Place], progress: Progress | None = None) -> Iterator[TileFile]:
    """Yield the files of tiles in a folder, a pattern's files, an archive or several of these.

    Names are relative to the folder or archive, or to what several files have in common; no
    two are equal. What is no picture, or cannot be read, has no content but says why.
    """
    tell = progress or (lambda done, total: None)
    archives = [(place, kind) for place in places if (kind := archive_kind(Path(place)))]
    if not archives:
        yield from _loose_files(places, tell)
    elif len(places) > 1:
        raise InputError(
            f"{archives[0][0]}: expected one archive and nothing else, found {len(places)} files; "
            "unpack it and give the folders"
        )
    else:
        place, kind = archives[0]
        yield from _unique(_MEMBERS[kind](Path(place), tell))


def matches(place: Place) -> list[str]:
    """Return the files and folders of a pattern, sorted; what is no pattern stands for itself."""
    if not _is_pattern(place):
        return [str(place)]
    return sorted(glob.glob(str(place), recursive=True))  # noqa: PTH207


def _is_pattern(place: Place) -> bool:
    # Names may be too long for the system, where `Path.exists` raises.
    return glob.has_magic(str(place)) and not os.path.exists(place)  # noqa: PTH110


def _loose_files(places: Sequence[Place], tell: Progress) -> Iterator[TileFile]:
    found, skipped = _listed(places)
    yield from skipped
    for number, (name, path) in enumerate(found):
        tell(number, len(found))
        yield _read(name, path)
    tell(len(found), len(found))


def _listed(places: Sequence[Place]) -> tuple[list[_Found], list[TileFile]]:
    """Return all files, each once and sorted, and what was left out."""
    paths: list[Path] = []
    skipped: list[TileFile] = []
    for place in places:
        found = matches(place)
        if not found:
            raise InputError(f"{place}: expected files of this pattern, found none")
        for path in map(Path, found):
            if os.path.isdir(path):  # noqa: PTH112
                inside, left_out = _walk(path)
                paths += inside
                skipped += left_out
            elif os.path.lexists(path):
                paths.append(path)
            else:
                raise InputError(f"{path}: expected tiles, found no such file or folder")
    paths = sorted({os.path.abspath(path): path for path in paths}.values())  # noqa: PTH100
    only = Path(places[0])
    root = only if len(places) == 1 and only.is_dir() else _common_folder(paths)
    return [_Found(_relative(path, root), path) for path in paths], skipped


def _walk(folder: Path) -> tuple[list[Path], list[TileFile]]:
    """Return the files in a folder and its folders; hidden ones and links apart.

    A link leads out of the folder, or to a tile that is there already.
    """
    files: list[Path] = []
    skipped: list[TileFile] = []

    def unreadable(error: OSError) -> None:
        if error.filename == str(folder):
            raise InputError(f"{folder}: cannot be read: {error.strerror}") from None
        skipped.append(TileFile(_relative(Path(error.filename), folder), Skip.UNREADABLE))

    for place, folders, names in os.walk(folder, onerror=unreadable):
        here = Path(place)
        for name in folders:
            if name.startswith("."):
                skipped.append(TileFile(_relative(here / name, folder), Skip.HIDDEN))
            elif (here / name).is_symlink():
                skipped.append(TileFile(_relative(here / name, folder), Skip.LINK))
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            if name.startswith("."):
                skipped.append(TileFile(_relative(here / name, folder), Skip.HIDDEN))
            elif (here / name).is_symlink():
                skipped.append(TileFile(_relative(here / name, folder), Skip.LINK))
            else:
                files.append(here / name)
    return files, skipped


def _common_folder(paths: list[Path]) -> Path:
    return Path(os.path.commonpath([os.path.abspath(path.parent) for path in paths] or ["."]))  # noqa: PTH100


def _relative(path: Path, root: Path) -> str:
    return Path(os.path.relpath(path, root)).as_posix()


def _read(name: str, path: Path) -> TileFile:
    """Read a file if it is a picture; devices and pipes are never opened."""
    try:
        if not path.is_file():
            return TileFile(name, Skip.NO_FILE)
        with path.open("rb") as file:
            head = file.read(HEAD)
            if not looks_like_a_picture(head, name):
                return TileFile(name, Skip.NO_PICTURE)
            if path.stat().st_size > LARGEST_FILE:
                return TileFile(name, Skip.TOO_LARGE)
            return TileFile(name, None, head + file.read(LARGEST_FILE))
    except OSError:
        return TileFile(name, Skip.UNREADABLE)


def _unique(files: Iterator[TileFile]) -> Iterator[TileFile]:
    """Give files of an archive that have the same name names of their own."""
    taken: set[str] = set()
    for file in files:
        name, number = file.name, 1
        while name in taken and file.skipped is None:
            number += 1
            path = Path(file.name)
            name = path.with_name(f"{path.stem} ({number}){path.suffix}").as_posix()
        taken.add(name)
        yield file._replace(name=name)
