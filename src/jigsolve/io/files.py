"""Writing files and folders so that a reader never sees half of one."""

import contextlib
import os
import stat
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from jigsolve.errors import InputError

_UMASK = os.umask(0)  # can only be read by setting it; done once, before there are threads
os.umask(_UMASK)

PART = ".jigsolve-"
"""How the names of files begin that are not written to their end."""

ANY_MAY_WRITE = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH


def check_writable(path: Path) -> None:
    """Raise unless a file can be written at `path`, before any work is done for it."""
    folder = path.parent
    with cannot_write(path):
        if not folder.is_dir():
            raise InputError(f"{path}: cannot write there, the folder {folder} does not exist")
        if path.is_dir():
            raise InputError(f"{path}: expected a file name to write to, found a folder")
        if path.exists() and not path.is_file():
            raise InputError(f"{path}: expected a regular file to replace, found a device or pipe")
        if path.exists() and not path.stat().st_mode & ANY_MAY_WRITE:
            raise InputError(f"{path}: expected a file that may be replaced, found it read-only")
        with tempfile.TemporaryFile(dir=folder):
            pass


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Give a name beside `path` to write to; rename it to `path` once all is written.

    Who may read and write what is replaced may so afterwards.
    """
    check_writable(path)
    with cannot_write(path), _beside(path) as beside:
        mode = path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~_UMASK
        yield beside
        beside.chmod(mode)
        beside.replace(path)


def check_folder(path: Path, ours: Callable[[str], bool] | None = None) -> None:
    """Raise unless a folder can be written at `path`: a new one, or in place of an empty one.

    With `ours` also in place of one in which every file has a name that it says yes to.
    """
    with cannot_write(path):
        if not path.parent.is_dir():
            raise InputError(f"{path}: cannot write there, {path.parent} does not exist")
        if path.exists() and (not path.is_dir() or path.is_symlink()):
            raise InputError(f"{path}: expected a folder to write, found a file or link")
        with tempfile.TemporaryDirectory(dir=path.parent):
            pass
        # The first file that must stay decides: a folder such as / has millions.
        inside = (name for _, _, names in os.walk(path) for name in names)
        kept = next((name for name in inside if ours is None or not ours(name)), None)
        if kept is not None and ours is None:
            raise InputError(
                f"{path}: expected a new or empty folder, found {kept} in it; `force` "
                "replaces one that holds nothing but what is written there"
            )
        if kept is not None:
            raise InputError(
                f"{path}: expected a folder that holds nothing but what is written there, found "
                f"{kept} in it"
            )


@contextlib.contextmanager
def replacing_folder(path: Path, ours: Callable[[str], bool] | None = None) -> Iterator[Path]:
    """Give a folder beside `path` to fill; rename it to `path` once all is written."""
    check_folder(path, ours)
    with cannot_write(path):
        parent = path.absolute().parent
        with tempfile.TemporaryDirectory(".part", PART, parent) as holder:
            beside = Path(holder, "new")
            beside.mkdir()
            yield beside
            if path.exists():
                path.rename(Path(holder, "old"))
            beside.rename(path)


def write_text(path: Path, text: str) -> None:
    """Write a text file, whole or not at all; bytes of names that are no text are escaped."""
    with replacing(path) as beside:
        beside.write_text(text, encoding="utf-8", errors="backslashreplace")


@contextlib.contextmanager
def cannot_write(path: Path) -> Iterator[None]:
    """Turn what the system says about a path into an InputError."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or error
        raise InputError(f"{path}: cannot write there: {reason}") from error
    except RuntimeError as error:  # how pathlib speaks of links that run in a circle
        raise InputError(f"{path}: cannot write there: {error}") from error


@contextlib.contextmanager
def _beside(path: Path) -> Iterator[Path]:
    """Make a file beside `path` that is gone afterwards, unless it was renamed."""
    beside = None
    try:
        descriptor, name = tempfile.mkstemp(".part" + path.suffix, PART, path.parent)
        beside = Path(name)
        os.close(descriptor)
        yield beside
    finally:
        if beside is not None:
            beside.unlink(missing_ok=True)
