"""A folder of runs: one JSON line each, and who is working on what.

Several processes may share a folder. All that is written or decided is done while holding one short
lock. A process holds a second lock of its own as long as it lives, so that a claim of one that was
killed is seen to be void: the system lets go of a dead process's locks.
"""

from __future__ import annotations

import gzip
import json
import math
import os
import uuid
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from jigsolve.errors import InputError
from jigsolve.io.files import cannot_write

RUNS = "runs.jsonl"
LONGEST_WAIT = 60.0
"""Seconds to wait for the lock, which is held for moments only."""
FORMAT, TURNED_FORMAT, BAG_FORMAT = "jigsolve-run", "jigsolve-turned-run", "jigsolve-bag-run"
"""Of runs of puzzles, of puzzles whose pieces are turned, and of bags of several pictures."""

Number = (int, float)
SHAPE: dict[str, Any] = {
    **dict.fromkeys(
        ("key", "set", "file", "preset", "maker", "command", "finished", "machine"), str
    ),
    **dict.fromkeys(("image", "pieces", "run", "threads", "memory", "cores"), int),
    **dict.fromkeys(("cost", "true_cost", "cpu", "wall"), Number),
    "board": {"rows": int, "columns": int},
    "changes": dict,
    "settings": {"measure": str},
    "scores": {
        **dict.fromkeys(("neighbour", "direct", "neighbour_aware", "direct_aware"), Number),
        "perfect": bool,
    },
    "ceiling": {"neighbour": Number, "direct": Number},
    "shift": {"rows": int, "columns": int, "share": Number},
    "versions": dict,
}
"""What a report needs of a run, and of what kind it is; a line without it is no run."""

GENETIC = "genetic"
EVOLUTION: dict[str, Any] = {
    "settings": {"phases": list},
    "generations": int,
    "history": {"best": list},
}
"""What it needs besides of a run of the genetic algorithm, those of bags aside."""

_NOT_OF_BAGS = ("board", "cost", "ceiling", "true_cost", "shift")
SHAPES: dict[str, dict[str, Any]] = {
    FORMAT: SHAPE,
    TURNED_FORMAT: {n: s for n, s in SHAPE.items() if n not in ("true_cost", "shift")},
    BAG_FORMAT: {
        **{name: shape for name, shape in SHAPE.items() if name not in _NOT_OF_BAGS},
        "mixed": int,
        "turned": bool,
        "scores": {**SHAPE["scores"], "sedas": Number, "pictures": int, "found": int},
    },
}

Record = dict[str, Any]


class Runs:
    """The runs kept in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.unreadable = 0
        """Lines that hold no run, such as one half written by a process that was killed."""
        self.records: list[Record] = []
        self._read_to = 0
        packed = folder / f"{RUNS}.gz"
        if packed.exists():
            try:
                self._take(gzip.decompress(packed.read_bytes()))
            except (OSError, EOFError, zlib.error) as error:
                raise InputError(f"{packed}: cannot be read ({error})") from None
        self.refresh()

    def refresh(self) -> None:
        """Read what was appended since the last time; a line without an end is left."""
        try:
            with (self.folder / RUNS).open("rb") as file:
                file.seek(self._read_to)
                content = file.read()
        except FileNotFoundError:
            return
        except OSError as error:
            raise InputError(f"{self.folder / RUNS}: cannot be read: {error.strerror}") from None
        whole = content[: content.rfind(b"\n") + 1]
        self._read_to += len(whole)
        self._take(whole)

    @property
    def unfinished(self) -> bool:
        """Whether the last line has no end."""
        try:
            return (self.folder / RUNS).stat().st_size > self._read_to
        except OSError:
            return False

    def _take(self, content: bytes) -> None:
        for line in content.splitlines():
            try:
                record = json.loads(line)
            except (ValueError, RecursionError):
                record = None
            shape = SHAPES.get(str(record.get("format"))) if isinstance(record, dict) else None
            if shape and _has(record, shape) and _has(record, _of_solver(record)):
                self.records.append(record)
            else:
                self.unreadable += bool(line.strip())


def solver_of(record: Record) -> str:
    """Return who solved; before there was a choice it was not said."""
    return str(record.get("solver", GENETIC))


def _of_solver(record: Record) -> dict[str, Any]:
    is_evolved = solver_of(record) == GENETIC and record["format"] != BAG_FORMAT
    return EVOLUTION if is_evolved else {}


def _has(value: object, shape: Any) -> bool:
    """Whether a value is of a kind, or a dictionary of values that are."""
    if isinstance(shape, dict):
        return isinstance(value, dict) and all(_has(value.get(n), s) for n, s in shape.items())
    if isinstance(value, bool):
        return shape is bool
    if isinstance(value, list):
        return shape is list and len(value) > 0 and len({type(v) for v in value} - {int}) <= 1
    if isinstance(value, float) and not math.isfinite(value):
        return False
    return isinstance(value, shape)


class Bench:
    """A place at a folder of runs, from which tasks are claimed and runs are handed in."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._hall = folder / "at-work"
        with cannot_write(folder):
            self._hall.mkdir(parents=True, exist_ok=True)
        self.runs = Runs(folder)
        name = uuid.uuid4().hex
        self._alive = FileLock(self._hall / f"{name}.lock")
        self._claims = self._hall / f"{name}.claims"
        self._shared = FileLock(folder / ".lock", timeout=LONGEST_WAIT)
        self._working_on: set[str] = set()

    def __enter__(self) -> Bench:
        with self._deciding():
            (self._folder / RUNS).open("ab").close()  # or else it is known only after a run
            self._alive.acquire()
            self._write_claims()
        return self

    def __exit__(self, *_: object) -> None:
        with self._deciding():
            self._alive.release()
            for ending in (".claims", ".part", ".lock"):
                self._claims.with_suffix(ending).unlink(missing_ok=True)
            if not any(self._hall.iterdir()):
                self._hall.rmdir()

    def claim(self, keys: Iterable[str]) -> str | None:
        """Claim the first key that nobody has done or is working on; None if there is none."""
        with self._deciding():
            self.runs.refresh()
            taken = {record["key"] for record in self.runs.records} | set(self._others())
            for key in keys:
                if key not in taken and key not in self._working_on:
                    self._working_on.add(key)
                    self._write_claims()
                    return key
        return None

    def hand_in(self, record: Record) -> None:
        """Append a run; the claim on it ends."""
        line = json.dumps(record, separators=(",", ":")).encode() + b"\n"
        path = self._folder / RUNS
        with self._deciding(), path.open("ab+") as file:
            if file.tell():
                file.seek(-1, os.SEEK_END)
                if file.read(1) != b"\n":  # somebody was killed while writing
                    line = b"\n" + line
            file.write(line)
            file.flush()
            os.fsync(file.fileno())
        self.give_up(record["key"])

    def give_up(self, key: str) -> None:
        """End a claim."""
        with self._deciding():
            self._working_on.discard(key)
            self._write_claims()

    @contextmanager
    def _deciding(self) -> Iterator[None]:
        with cannot_write(self._folder / RUNS), self._shared:
            yield

    def _write_claims(self) -> None:
        beside = self._claims.with_suffix(".part")
        beside.write_text("\n".join(sorted(self._working_on)), encoding="utf-8")
        beside.replace(self._claims)

    def _others(self) -> Iterator[str]:
        """Yield what living processes have claimed; what dead ones left is cleared away."""
        for path in self._hall.glob("*.lock"):
            claims = path.with_suffix(".claims")
            if claims == self._claims:
                continue
            try:
                with FileLock(path).acquire(timeout=0):
                    for left in (claims, path.with_suffix(".part")):
                        left.unlink(missing_ok=True)
                path.unlink(missing_ok=True)
            except Timeout:
                if claims.exists():
                    yield from claims.read_text(encoding="utf-8").split()
