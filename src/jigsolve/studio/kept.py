"""What a project's folder keeps of its puzzle: pixels of the pieces, and what is known of them."""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from jigsolve.core import Board
from jigsolve.core.bag import Bag
from jigsolve.core.puzzle import Puzzle
from jigsolve.damage import Damage, Places
from jigsolve.damage.damage import Blocks
from jigsolve.detect.sources import Source
from jigsolve.errors import InputError
from jigsolve.io.files import replacing

PIECES, PLACES, PUZZLE, SOURCE = "pieces.npy", "places.npz", "puzzle.json", "source.png"
ORIGINAL = "original"
"""The picture as it was uploaded: it says how it was compressed. It is never sent to anybody."""


def write_json(path: Path, record: Any) -> None:
    """Write a record, whole or not at all, and on the disk when this returns."""
    with replacing(path) as beside, beside.open("w", encoding="utf-8") as file:
        json.dump(record, file, separators=(",", ":"))
        file.flush()
        os.fsync(file.fileno())


def read_json(path: Path) -> Any:
    """Return a record; None unless there is a whole one."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def keep_source(folder: Path, source: Source) -> None:
    """Write what was read to a project's folder."""
    with replacing(folder / PIECES) as beside, beside.open("wb") as file:
        np.save(file, source.pieces)
    places = source.places
    (folder / PLACES).unlink(missing_ok=True)
    if places is not None:
        with replacing(folder / PLACES) as beside, beside.open("wb") as file:
            np.savez(
                file,
                windows=places.windows,
                cells=places.cells,
                extent=np.array(places.extent),
            )
    record = {
        "board": source.board,
        "names": source.names,
        "damage": dataclasses.asdict(source.damage),
        "turns": source.turns,
    }
    write_json(folder / PUZZLE, record)


def kept_pieces(folder: Path) -> np.ndarray:
    """Return the pieces, (n, height, width, 3), as they lie on the disk."""
    try:
        pieces: np.ndarray = np.load(folder / PIECES, mmap_mode="r")
    except (OSError, ValueError):
        raise InputError("expected a puzzle that is cut, found none yet") from None
    return pieces


def kept_source(folder: Path) -> Source:
    """Return what was read."""
    record = read_json(folder / PUZZLE)
    if record is None:
        raise InputError("expected a puzzle that is cut, found none yet")
    places = None
    if (folder / PLACES).exists():
        with np.load(folder / PLACES) as arrays:
            width, height = (int(side) for side in arrays["extent"])
            places = Places(arrays["windows"], arrays["cells"], (width, height))
    return Source(
        kept_pieces(folder),
        None if record["names"] is None else tuple(record["names"]),
        None if record["board"] is None else Board(*record["board"]),
        (),
        damage=_damage(record["damage"]),
        places=places,
        turns=record["turns"],
    )


def decide(folder: Path, **known: Any) -> None:
    """Note the board, turns or damage that pieces turned out to have."""
    if "damage" in known:
        known["damage"] = dataclasses.asdict(known["damage"])
    write_json(folder / PUZZLE, read_json(folder / PUZZLE) | known)


def record_path(folder: Path, number: int) -> Path:
    """Return where the record of the last solve of a picture is kept."""
    return folder / f"record-{number}.json"


def bag_of(source: Source) -> Bag:
    """Return the pieces as a bag of several pictures."""
    return Bag(np.ascontiguousarray(source.pieces), source.names, source.damage, source.turns)


def puzzle_of(source: Source, ids: Sequence[int] | None, board: Board) -> Puzzle:
    """Return the puzzle of some pieces, or of all, on a board."""
    if ids is None:
        return source._replace(pieces=np.ascontiguousarray(source.pieces)).puzzle(board)
    which = np.asarray(ids)
    some = source._replace(
        pieces=np.ascontiguousarray(source.pieces[which]),
        names=None if source.names is None else tuple(source.names[piece] for piece in ids),
        places=None if source.places is None else source.places.taken(which),
    )
    return some.puzzle(board)


def _damage(record: dict[str, Any]) -> Damage:
    blocks, steps = record["blocks"], record["steps"]
    if blocks is not None:
        record = record | {"blocks": Blocks(*(tuple(each) for each in blocks))}
    return Damage(**(record | {"steps": None if steps is None else tuple(steps)}))
