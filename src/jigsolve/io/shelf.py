"""What shards of work came to, in a folder: a run that was killed goes on with what is there.

A value is found by what it was worked out from and by whom, so nothing stale is ever taken, and any
number of runs may share a folder. Large arrays lie in the folder as well, and in memory only as far
as there is room.
"""

from __future__ import annotations

import json
import shutil
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from jigsolve.errors import InputError, NoRoomError
from jigsolve.execution.crew import Executor, Progress
from jigsolve.execution.memory import in_words
from jigsolve.execution.spreading import Task
from jigsolve.io.files import cannot_write, replacing

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
        mark = folder / MARK
        with cannot_write(folder):
            folder.mkdir(exist_ok=True)
            if not mark.exists() and any(folder.iterdir()):
                raise InputError(f"{folder}: expected an empty folder or a shelf, found files")
            if not mark.exists():
                said = json.dumps({"format": FORMAT, "made_by": made_by})
                with replacing(mark) as beside:
                    beside.write_text(said + "\n")
            elif _said(mark) != {"format": FORMAT, "made_by": made_by}:
                raise InputError(
                    f"{folder}: expected a shelf of this version of jigsolve and its weights, "
                    "found one of another; remove it or name a new folder"
                )

    def has(self, digest: str, shard: int) -> bool:
        """Whether there is a value."""
        return self._place(digest, shard).is_file()

    def value(self, digest: str, shard: int) -> tuple[np.ndarray, ...] | None:
        """Return a value; None if there is none, or if its file is damaged."""
        try:
            with np.load(self._place(digest, shard), allow_pickle=False) as arrays:
                return tuple(arrays[f"arr_{number}"] for number in range(len(arrays.files)))
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
            return None

    def keep(self, digest: str, shard: int, value: tuple[np.ndarray, ...]) -> None:
        """Put a value there."""
        place = self._place(digest, shard)
        self._require(sum(array.nbytes for array in value))
        with cannot_write(place):
            place.parent.mkdir(exist_ok=True)
        with replacing(place) as beside, beside.open("wb") as file:
            np.savez(file, *value)

    def empty(self, shape: tuple[int, ...], dtype: Any) -> np.ndarray:
        """Return a large array to be filled; its file goes with the array."""
        self._require(int(np.prod(shape, dtype=np.int64)) * np.dtype(dtype).itemsize)
        with cannot_write(self._folder), tempfile.TemporaryFile(dir=self._folder) as file:
            return (
                np.memmap(file, dtype, "w+", shape=shape) if min(shape) else np.empty(shape, dtype)
            )

    def _place(self, digest: str, shard: int) -> Path:
        return self._folder / digest / f"{shard:07}.npz"

    def _require(self, needed: int) -> None:
        free = shutil.disk_usage(self._folder).free - SPARED
        if needed > free:
            raise NoRoomError(
                f"{self._folder}: expected room for {in_words(needed)}, found {in_words(free)}"
            )


def _said(mark: Path) -> Any:
    try:
        return json.loads(mark.read_text())
    except ValueError:
        return None


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

    def spread(self, task: Task[Any], shards: Sequence[int]) -> Iterator[Any]:
        """Do what is not on the shelf; yield all values in the order of the shards."""
        missing = [shard for shard in shards if not self._shelf.has(task.digest, shard)]
        fresh = self._hands.spread(task, missing)
        made = set(missing)
        for shard in shards:
            value = None if shard in made else self._shelf.value(task.digest, shard)
            if value is None:
                value = next(fresh if shard in made else self._hands.spread(task, [shard]))
                self._shelf.keep(task.digest, shard, value)
            self.check()
            yield value

    def empty(self, shape: tuple[int, ...], dtype: Any) -> np.ndarray:
        """Return a large array to be filled, on the shelf."""
        return self._shelf.empty(shape, dtype)

    def check(self) -> None:
        """Raise if a stop was asked for."""
        self._hands.check()
