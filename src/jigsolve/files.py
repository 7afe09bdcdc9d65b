"""Writing files so that a reader never sees half of one."""

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from jigsolve.errors import InputError


def check_writable(path: Path) -> None:
    """Raise unless a file can be written at `path`, before any work is done for it."""
    folder = path.parent
    if not folder.is_dir():
        raise InputError(f"{path}: cannot write there, the folder {folder} does not exist")
    if path.is_dir():
        raise InputError(f"{path}: expected a file name to write to, found a folder")
    if path.exists() and not path.is_file():
        raise InputError(f"{path}: expected a regular file to replace, found a device or pipe")
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise InputError(f"{path}: cannot write there: {error.strerror}") from None


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Give a name beside `path` to write to; rename it to `path` once all is written."""
    check_writable(path)
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=".jigsolve-", suffix=path.suffix)
    os.close(descriptor)
    beside = Path(name)
    try:
        yield beside
        beside.chmod(0o666 & ~_umask())
        beside.replace(path)
    except OSError as error:
        raise InputError(f"{path}: cannot write: {error.strerror or error}") from error
    finally:
        beside.unlink(missing_ok=True)


def write_text(path: Path, text: str) -> None:
    """Write a text file, whole or not at all."""
    with replacing(path) as beside:
        beside.write_text(text, encoding="utf-8")


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current
