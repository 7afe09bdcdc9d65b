"""What shards of work came to, in a folder: a run that was killed goes on with what is there.

A value is found by what it was worked out from and by whom, so nothing stale is ever taken, and any
number of runs may share a folder: a value is written beside its place and renamed, and whoever
comes last replaces it by the same. A file that is damaged counts as none. Large arrays lie in the
folder as well, and in memory only as far as there is room.
"""

from __future__ import annotations

import errno
import json
import os
import shutil
import tempfile
import zipfile
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from jigsolve.errors import InputError
from jigsolve.execution.crew import Executor, Progress
from jigsolve.execution.memory import Room
from jigsolve.execution.spreading import Task
from jigsolve.io.files import PART, cannot_write, replacing

Given = TypeVar("Given")
Value = TypeVar("Value")

MARK = "jigsolve-shelf.json"
FORMAT = "jigsolve-shelf-1"
SPARED = 1 << 28
"""Bytes of the disk that are left free."""


class Shelf:
    """A folder for the values of shards, made by one version of everything.

    Parameters
    ----------
    folder
        A new or an empty folder, or one that was a shelf before.
    made_by
        What values depend on besides what they are worked out from: version and weights.
    """

    def __init__(self, folder: Path, made_by: str) -> None:
        self._folder = folder
        said = {"format": FORMAT, "made_by": made_by}
        mark = folder / MARK
        with cannot_write(folder):
            if not folder.parent.is_dir():
                raise InputError(f"{folder}: cannot write there, {folder.parent} does not exist")
            if folder.is_symlink() and not folder.exists():
                raise InputError(f"{folder}: expected a folder, found a link that leads nowhere")
            if folder.exists() and not folder.is_dir():
                raise InputError(f"{folder}: expected a folder, found a file")
            folder.mkdir(exist_ok=True)
            # Another run may be making it a shelf right now: before it has its mark it has nothing.
            inside = (entry.name for entry in folder.iterdir())
            other = next(
                (name for name in inside if name != MARK and not name.startswith(PART)), None
            )
            if other is not None and not mark.exists():
                raise InputError(
                    f"{folder}: expected an empty folder or a shelf, found {other} in it"
                )
            with tempfile.TemporaryFile(prefix=PART, dir=folder):
                pass
            if not mark.exists():
                with replacing(mark) as beside:
                    beside.write_text(json.dumps(said) + "\n")
            elif _read(mark) != said:
                raise InputError(
                    f"{folder}: expected a shelf of this version of jigsolve and its weights, "
                    "found one of another; remove it or name a new folder"
                )

    def holds(self, digest: str, shard: int) -> bool:
        """Whether there is a value, by the end of its file."""
        place = self._place(digest, shard)
        try:
            if not place.is_file():
                return False
            with zipfile.ZipFile(place) as archive:
                return "of.npy" in archive.namelist()
        except Exception:  # whatever it is that a damaged file makes them raise
            return False

    def value(self, digest: str, shard: int) -> tuple[np.ndarray, ...] | None:
        """Return a value; None if there is none, or if its file is damaged."""
        try:
            with np.load(self._place(digest, shard), allow_pickle=False) as arrays:
                if str(arrays["of"]) != f"{digest} {shard}":
                    return None
                return tuple(arrays[f"arr_{number}"] for number in range(len(arrays.files) - 1))
        except Exception:  # the same
            return None

    def keep(self, digest: str, shard: int, value: tuple[np.ndarray, ...]) -> None:
        """Put a value there."""
        place = self._place(digest, shard)
        Room(self._folder, self._free(), 0).require(sum(array.nbytes for array in value))
        with cannot_write(place):
            place.parent.mkdir(exist_ok=True)
        with replacing(place) as beside, beside.open("wb") as file:
            np.savez(file, *value, of=np.array(f"{digest} {shard}"))

    def empty(self, shape: tuple[int, ...], dtype: Any) -> np.ndarray:
        """Return a large array to be filled; its file goes with the array."""
        size = int(np.prod(shape, dtype=np.int64)) * np.dtype(dtype).itemsize
        if not size:
            return np.empty(shape, dtype)
        Room(self._folder, self._free(), 0).require(size)
        with (
            cannot_write(self._folder),
            tempfile.TemporaryFile(prefix=PART, dir=self._folder) as file,
        ):
            _allot(file.fileno(), size)
            return np.asarray(np.memmap(file, dtype, "w+", shape=shape))

    def room(self) -> Room:
        """Return what is free, and what is taken by values."""
        with cannot_write(self._folder):
            taken = sum(_size_of(path) for path in self._folder.glob("*/*.npz"))
            return Room(self._folder, self._free(), taken)

    def _place(self, digest: str, shard: int) -> Path:
        return self._folder / digest / f"{shard:07}.npz"

    def _free(self) -> int:
        with cannot_write(self._folder):
            return max(0, shutil.disk_usage(self._folder).free - SPARED)


def _read(mark: Path) -> Any:
    try:
        return json.loads(mark.read_text())
    except ValueError:
        return None


def _allot(file: int, size: int) -> None:
    """Take so many bytes of the disk: if it were full later on, the process would be killed."""
    if not hasattr(os, "posix_fallocate"):
        return
    try:
        os.posix_fallocate(file, 0, size)
    except OSError as error:
        if error.errno not in (errno.EOPNOTSUPP, errno.EINVAL):  # some kinds of disk cannot
            raise


def _size_of(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:  # another run's, until a moment ago
        return 0


class Shelving:
    """An executor whose tasks are kept on a shelf."""

    is_local = False

    def __init__(self, hands: Executor, shelf: Shelf) -> None:
        self._hands = hands
        self._shelf = shelf

    def map(
        self,
        work: Callable[[Given], Value],
        shards: Sequence[Given],
        progress: Progress | None = None,
    ) -> list[Value]:
        """Do `work` for every shard; keep nothing."""
        return self._hands.map(work, shards, progress)

    def spread(self, task: Task[Any], shards: Sequence[int]) -> Generator[Any, None, None]:
        """Do what is not on the shelf; yield all values in the order of the shards."""
        digest = task.digest
        missing = [shard for shard in shards if not self._shelf.holds(digest, shard)]
        made = set(missing)
        with closing(self._hands.spread(task, missing)) as fresh:
            for shard in shards:
                self.check()
                value = None if shard in made else self._shelf.value(digest, shard)
                if value is None or not task.accepts(shard, value):
                    value = next(fresh) if shard in made else self._anew(task, shard)
                    self._shelf.keep(digest, shard, value)
                yield value

    def _anew(self, task: Task[Any], shard: int) -> Any:
        """Return the value of a shard that turned out to be damaged."""
        with closing(self._hands.spread(task, [shard])) as again:
            return next(again)

    def empty(self, shape: tuple[int, ...], dtype: Any) -> np.ndarray:
        """Return a large array to be filled, on the shelf."""
        return self._shelf.empty(shape, dtype)

    def room(self) -> Room:
        """Return where large arrays lie."""
        return self._shelf.room()

    def check(self) -> None:
        """Raise if a stop was asked for."""
        self._hands.check()
