"""Saving a run on the way, and taking it up again.

Random choices derive from (seed, generation, child), so the population after a generation and
what was recorded are all a run is. A checkpoint is a NumPy archive, written beside its place and
renamed: whenever the process dies, the last complete checkpoint is there. Its checksums are
verified when it is read, and it names the puzzle it belongs to.
"""

from __future__ import annotations

import json
import time
import zipfile
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from jigsolve._kernels.geometry import turn_of
from jigsolve.core import Puzzle
from jigsolve.core.constraints import Constraints
from jigsolve.core.fingerprint import fingerprint
from jigsolve.core.poses import pieces_of
from jigsolve.core.provenance import provenance
from jigsolve.core.puzzle import checked_arrangement
from jigsolve.core.turns import possible_turns
from jigsolve.errors import InputError
from jigsolve.io.files import replacing
from jigsolve.solvers.genetic.history import Generation
from jigsolve.solvers.genetic.patience import Patience

FORMAT = "jigsolve-checkpoint-5"
USUAL_SECONDS = 60.0
"""Between two checkpoints."""


@dataclass(frozen=True)
class Snapshot:
    """All that a run is, after a complete generation."""

    arrangements: np.ndarray  # (population, rows, columns) int32: poses by the run's own numbers
    costs: np.ndarray  # (population,) float64
    best: np.ndarray  # (rows, columns) int32: the cheapest seen
    lowest: float
    patience: Patience
    history: list[Generation]


class Saved(NamedTuple):
    """What a checkpoint holds."""

    snapshot: Snapshot
    settings: dict[str, Any]
    """The record of the settings that the run has."""


def check_seconds(every: float) -> None:
    """Raise unless checkpoints can be so many seconds apart."""
    if not (isinstance(every, int | float) and every >= 0):
        raise InputError(f"checkpoints: expected seconds between them, found {every!r}")


class Checkpoint:
    """A file that a run is saved to, every so many seconds."""

    def __init__(
        self,
        path: Path,
        every: float,
        puzzle: Puzzle,
        settings: dict[str, Any],
        constraints: Constraints | None = None,
    ) -> None:
        check_seconds(every)
        self._path = path
        self._every = every
        self._puzzle = fingerprint(puzzle, constraints)
        self._settings = settings
        self._written = time.monotonic()

    def is_due(self) -> bool:
        """Whether so much time has passed since the last one."""
        return time.monotonic() - self._written >= self._every

    def write(self, snapshot: Snapshot) -> None:
        """Replace the file by a snapshot, whole or not at all."""
        kept = [g.arrangement for g in snapshot.history if g.arrangement is not None]
        turns = [g.turns for g in snapshot.history if g.turns is not None]
        header = {
            "format": FORMAT,
            "puzzle": self._puzzle,
            "lowest": snapshot.lowest,
            "patience": asdict(snapshot.patience),
            "settings": self._settings,
            "made_by": provenance(),
            "history": [
                replace(g, arrangement=None, turns=None).as_dict() for g in snapshot.history
            ],
        }
        with replacing(self._path) as beside, beside.open("wb") as file:
            np.savez(
                file,
                header=np.frombuffer(json.dumps(header).encode(), np.uint8),
                arrangements=snapshot.arrangements,
                costs=snapshot.costs,
                best=snapshot.best,
                kept=np.array(kept, np.int32),
                kept_turns=np.array(turns, np.int8),
            )
        self._written = time.monotonic()


def read_checkpoint(path: Path, puzzle: Puzzle, constraints: Constraints | None = None) -> Saved:
    """Read a snapshot; raise unless it is whole and of this puzzle."""
    if not path.is_file():
        found = "something else" if path.exists() else "no such file"
        raise InputError(f"{path}: expected a checkpoint, found {found}")
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
        header = json.loads(arrays["header"].tobytes())
        if header["format"] != FORMAT:
            raise InputError("another format")
        belongs = header["puzzle"] == fingerprint(puzzle, constraints)
        snapshot = Snapshot(
            arrangements=arrays["arrangements"],
            costs=arrays["costs"],
            best=arrays["best"],
            lowest=header["lowest"],
            patience=Patience(**header["patience"]),
            history=_history(header["history"], arrays["kept"], arrays["kept_turns"]),
        )
        settings = header["settings"]
        if belongs:  # kernels trust what they are given
            for arrangement in (snapshot.best, *snapshot.arrangements):
                checked_arrangement(pieces_of(arrangement), puzzle)
                turns = turn_of(arrangement[arrangement >= 0])
                if not np.isin(turns, possible_turns(puzzle.turns)).all():
                    raise InputError("other turns")
            if len(snapshot.arrangements) != settings["options"]["population"]:
                raise InputError("another population")
    except (OSError, ValueError, KeyError, EOFError, TypeError, zipfile.BadZipFile):
        raise InputError(
            f"{path}: expected a checkpoint ({FORMAT}), found a damaged file or another kind"
        ) from None
    if not belongs:
        raise InputError(f"{path}: expected a checkpoint of this puzzle, found one of another")
    return Saved(snapshot, settings)


def _history(
    records: list[dict[str, Any]], kept: np.ndarray, kept_turns: np.ndarray
) -> list[Generation]:
    none = [None] * len(records)
    arrangements, turned = (
        [*each] if len(each) == len(records) else none for each in (kept, kept_turns)
    )
    history = []
    for record, arrangement, turns in zip(records, arrangements, turned, strict=True):
        number = record.pop("generation")
        history.append(Generation(number=number, arrangement=arrangement, turns=turns, **record))
    return history
