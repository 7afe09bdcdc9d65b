"""Opening a solution that the command line made: it becomes what lies on the desk."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from jigsolve._kernels.geometry import posed_piece
from jigsolve.core.turns import possible_turns
from jigsolve.errors import InputError
from jigsolve.studio.desk import Desk, Picture
from jigsolve.studio.grids import MOST_CELLS
from jigsolve.studio.state import State

ONE, SEVERAL = "jigsolve-solution", "jigsolve-bag-solution"


def desk_of(text: bytes, state: State) -> Desk:
    """Return the desk with the pictures of a record; raise unless they are of these pieces."""
    about = state.facts["pieces"]
    if about is None:
        raise InputError("expected a puzzle that is cut, found none yet; open its pieces first")
    try:
        record = json.loads(text)
        kind = record["format"]
        if kind not in (ONE, SEVERAL):
            raise InputError(f"expected a solution ({ONE}), found {kind!r:.60}")
        numbers = _numbers(record.get("names"), about["names"], about["count"])
        parts = [record] if kind == ONE else record["pictures"]
        pictures = [_picture(each, numbers, state.facts["turns"]) for each in parts]
    except (KeyError, TypeError, ValueError, IndexError, OverflowError, RecursionError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"expected a solution ({ONE}), found another kind of file") from None
    if not pictures:
        raise InputError("expected a solution with a picture, found none")
    every = np.concatenate([posed_piece(picture.cells[picture.cells >= 0]) for picture in pictures])
    if len(np.unique(every)) < len(every):
        raise InputError("expected a solution with each piece once, found some twice")
    return replace(Desk(), pictures=tuple(pictures))


def _numbers(theirs: Any, ours: Any, count: int) -> np.ndarray:
    """Return our number of each of their pieces, -1 last."""
    if theirs and ours:
        own = {name: number for number, name in enumerate(ours)}
        if missing := [name for name in theirs if name not in own]:
            raise InputError(f"expected a solution of these tiles, found {missing[0]!r:.60} in it")
        return np.array([*(own[name] for name in theirs), -1], np.int32)
    return np.array([*range(count), -1], np.int32)


def _picture(record: Mapping[str, Any], numbers: np.ndarray, turns: str) -> Picture:
    rows, columns = int(record["board"]["rows"]), int(record["board"]["columns"])
    pieces = np.array(record["arrangement"], np.int64)
    if not 1 <= rows * columns <= MOST_CELLS or min(rows, columns) < 1:
        raise InputError(f"expected a board, found {columns} x {rows}")
    if pieces.shape != (rows * columns,):
        raise InputError(f"expected {rows * columns:,} cells, found {pieces.size:,}")
    if pieces.min() < -1 or pieces.max() >= len(numbers) - 1:
        raise InputError(
            f"expected pieces from 0 to {len(numbers) - 2:,}, found {pieces.min()} to "
            f"{pieces.max()}: it is of another puzzle, or of one that was cut otherwise"
        )
    needed = np.array(record.get("turns") or np.zeros(pieces.shape), np.int64)
    if needed.shape != pieces.shape or not np.isin(needed, possible_turns(turns)).all():
        raise InputError(f"expected turns {turns!r}, as these pieces have, found others")
    own = numbers[pieces]
    return Picture(rows, columns, np.where(own < 0, -1, 4 * own + needed).astype(np.int32))
