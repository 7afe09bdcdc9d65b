"""Members of ZIP and TAR archives, read into memory with limits on all an archive can claim."""

from __future__ import annotations

import bz2
import contextlib
import gzip
import lzma
import re
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath
from typing import IO, Any, cast

from jigsolve.errors import InputError
from jigsolve.execution.crew import Progress
from jigsolve.execution.memory import in_words
from jigsolve.io.tile_file import HEAD, LARGEST_FILE, Skip, TileFile, looks_like_a_picture

MOST_BYTES = 2**33
"""All that is read of an archive, uncompressed."""
MOST_MEMBERS = 1_000_000

_COMPRESSED: dict[bytes, Callable[..., Any]] = {
    b"\x1f\x8b": gzip.open,
    b"BZh": bz2.open,
    b"\xfd7zXZ\0": lzma.open,
}
_FOREIGN = {b"Rar!": "RAR", b"\x28\xb5\x2f\xfd": "Zstandard"}
_TAR_MAGIC = slice(257, 262)


def archive_kind(path: Path) -> str | None:
    """Return "zip", "tar" or "7z" for an archive, None for any other file or none."""
    try:
        if not path.is_file():  # a pipe would keep us waiting
            return None
        with path.open("rb") as file:
            head = file.read(512)
    except OSError:
        return None
    for signature, kind in _FOREIGN.items():
        if head.startswith(signature):
            raise InputError(
                f"{path}: expected tiles in a ZIP or TAR, found a {kind} archive; unpack it and "
                "give the folder"
            )
    if head.startswith(b"7z\xbc\xaf\x27\x1c"):
        return "7z"
    if head.startswith((b"PK\3\4", b"PK\5\6", b"PK\7\x08")):
        return "zip"
    if head[_TAR_MAGIC] == b"ustar" or head.startswith(tuple(_COMPRESSED)):
        return "tar"
    # TARs of before 1988 have no mark, only a checksum.
    return "tar" if path.suffix.lower() == ".tar" else None


def zip_files(path: Path, tell: Progress) -> Iterator[TileFile]:
    """Yield the members of a ZIP archive."""
    with mended(path, "ZIP"), zipfile.ZipFile(path) as archive:
        members = archive.infolist()
        check_count(path, len(members))
        read = 0
        for number, member in enumerate(members):
            tell(number, len(members))
            name, skipped = checked_name(member.filename)
            if member.filename.endswith("/"):  # `is_dir` stumbles over members without a name
                continue
            if skipped:
                yield TileFile(name, skipped)
                continue
            if member.flag_bits & 1:
                raise encrypted(path, name)
            with archive.open(member) as file:
                head = file.read(HEAD)
                if not looks_like_a_picture(head, name):
                    yield TileFile(name, Skip.NO_PICTURE)
                    continue
                check_size(path, name, member.file_size, read)
                content = head + file.read(LARGEST_FILE)
            check_size(path, name, len(content), read)  # what it claimed may have been a lie
            read += len(content)
            yield TileFile(name, None, content)
        tell(len(members), len(members))


def tar_files(path: Path, tell: Progress) -> Iterator[TileFile]:
    """Yield the members of a TAR archive, compressed or not."""
    size = max(path.stat().st_size, 1)
    with (
        mended(path, "TAR"),
        path.open("rb") as file,
        _uncompressed(file) as plain,
        tarfile.open(fileobj=cast(IO[bytes], _Metered(plain, path)), mode="r:") as archive,
    ):
        count = 0
        for count, member in enumerate(archive, 1):
            check_count(path, count)
            archive.members = []  # type: ignore[attr-defined]  # it would remember all of them
            # How many there are is not known before the end: what was read tells about how many.
            tell(count - 1, max(count, round(count * size / max(file.tell(), 1))))
            if member.isdir():
                continue
            name, skipped = checked_name(member.name)
            if member.issym() or member.islnk():
                skipped = Skip.LINK
            elif not member.isreg():
                skipped = Skip.NO_FILE
            yield TileFile(name, skipped) if skipped else _tar_member(path, archive, member, name)
        plain.seek(archive.offset)
        if plain.read(tarfile.BLOCKSIZE).strip(b"\0"):  # which `tarfile` takes for the end
            raise tarfile.ReadError(f"no member at byte {archive.offset}")
        tell(count, count)


def _tar_member(
    path: Path, archive: tarfile.TarFile, member: tarfile.TarInfo, name: str
) -> TileFile:
    file = archive.extractfile(member)
    if file is None:
        return TileFile(name, Skip.NO_FILE)
    head = file.read(HEAD)
    if not looks_like_a_picture(head, name):
        return TileFile(name, Skip.NO_PICTURE)
    check_size(path, name, member.size, 0)
    content = head + file.read()
    if len(content) < member.size:
        raise EOFError("unexpected end of data")
    return TileFile(name, None, content)


@contextlib.contextmanager
def _uncompressed(file: IO[bytes]) -> Iterator[IO[bytes]]:
    head = file.read(8)
    file.seek(0)
    opener = next((o for signature, o in _COMPRESSED.items() if head.startswith(signature)), None)
    if opener is None:
        yield file
    else:
        with opener(file) as plain:
            yield cast(IO[bytes], plain)


class _Metered:
    """What `tarfile` reads from: never so much at once, nor so far, that it must be a bomb."""

    def __init__(self, file: IO[bytes], path: Path) -> None:
        self._file = file
        self._path = path

    def read(self, size: int) -> bytes:
        check_size(self._path, "a member", size, self._file.tell())
        return self._file.read(size)

    def seek(self, position: int, whence: int = 0) -> int:
        check_size(self._path, "", 0, position)
        return self._file.seek(position, whence)

    def tell(self) -> int:
        return self._file.tell()


def checked_name(name: str) -> tuple[str, Skip | None]:
    """Return a member's name in plain form, and whether there is a reason to skip it."""
    path = PurePosixPath(name.replace("\\", "/"))
    if path.is_absolute() or ".." in path.parts or re.match("[A-Za-z]:", str(path)):
        return name, Skip.OUTSIDE
    if not path.name:
        return name, Skip.NO_FILE
    hidden = any(part.startswith(".") or part == "__MACOSX" for part in path.parts)
    return str(path), Skip.HIDDEN if hidden else None


def encrypted(path: Path, what: str) -> InputError:
    """Return the error that something is encrypted."""
    return InputError(
        f"{path}: expected tiles, found {what} encrypted; unpack it with its password and give "
        "the folder"
    )


def check_count(path: Path, count: int) -> None:
    """Raise if an archive has more members than any puzzle."""
    if count > MOST_MEMBERS:
        raise InputError(f"{path}: expected at most {MOST_MEMBERS:,} members, found more")


def check_size(path: Path, name: str, size: int, before: int) -> None:
    """Raise if a member, or all together with those before it, are too large for tiles."""
    if size > LARGEST_FILE:
        raise InputError(
            f"{path}: expected tiles of at most {in_words(LARGEST_FILE)}, found {name} of "
            f"{in_words(size)}; a decompression bomb?"
        )
    if before + size > MOST_BYTES:
        raise InputError(
            f"{path}: expected at most {in_words(MOST_BYTES)} uncompressed, found more; a "
            "decompression bomb?"
        )


def uncommon(path: Path, kind: str, error: Exception) -> InputError:
    """Return what to raise for an archive that is compressed in a way the reader does not know."""
    return InputError(f"{path}: expected a common {kind} archive, found {error}")


@contextlib.contextmanager
def mended(path: Path, kind: str) -> Iterator[None]:
    """Turn what the readers of archives raise into an InputError."""
    try:
        yield
    except NotImplementedError as error:  # a way of compressing that Python does not know
        raise uncommon(path, kind, error) from None
    except PermissionError:
        raise InputError(f"{path}: expected tiles, found no permission to read it") from None
    except (
        zipfile.BadZipFile, tarfile.TarError, zlib.error, lzma.LZMAError, EOFError, OSError,
        ValueError, RuntimeError,
    ) as error:  # fmt: skip
        if isinstance(error, InputError):
            raise
        raise InputError(
            f"{path}: expected a whole {kind} archive, found a damaged one ({error})"
        ) from None
