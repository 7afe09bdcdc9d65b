"""What a person says of the grid: read from a request, and checked."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from jigsolve.core.turns import check_turns
from jigsolve.detect.lattice import Lattice
from jigsolve.errors import InputError
from jigsolve.studio.checks import check_keys, checked_number

MOST_PIXELS = 10**6
MOST_LINES = 10**6
MOST_CELLS = 10**7
MOST_PICTURES = 10_000
PARAMETERS = ("piece", "start", "gap", "board", "turns", "pictures")


def checked_grid(asked: dict[str, Any]) -> dict[str, Any]:
    """Return what a person says of the grid; raise unless it is one."""
    check_keys(asked, PARAMETERS)
    grid: dict[str, Any] = {}
    for name, least in (("piece", 1), ("start", 0)):
        if asked.get(name) is not None:
            pair = asked[name]
            if not isinstance(pair, list) or len(pair) != 2:
                raise InputError(f"{name}: expected two numbers, found {pair!r:.40}")
            grid[name] = [_pixels(name, each, least) for each in pair]
    if asked.get("gap") is not None:
        grid["gap"] = _pixels("gap", asked["gap"], 0)
    if "board" in asked:
        board = asked["board"]
        if board is not None and (not isinstance(board, list) or len(board) != 2):
            raise InputError(f"board: expected [columns, rows], found {board!r:.40}")
        grid["board"] = board and [checked_number("board", each, 1, MOST_LINES) for each in board]
        if board and math.prod(grid["board"]) > MOST_CELLS:
            raise InputError(f"board: expected at most {MOST_CELLS:,} cells, found {board!r:.40}")
    if "turns" in asked:
        turns = asked["turns"]
        check_turns(turns if isinstance(turns, str) else "", 1, 1)
        grid["turns"] = turns
    if "pictures" in asked:
        number = asked["pictures"]
        grid["pictures"] = number and checked_number("pictures", number, 1, MOST_PICTURES)
    return grid


def check_room(grid: dict[str, Any], width: int, height: int) -> None:
    """Raise unless a picture has room for the pieces that a person says it has."""
    lengths = zip((width, height), grid["start"], grid["piece"], strict=True)
    room = [max(0, Lattice.over(x, end, cell, grid["gap"]).count) for end, x, cell in lengths]
    size, start = _by(grid["piece"]), ", ".join(f"{at:g}" for at in grid["start"])
    if math.prod(room) < 2:
        raise InputError(
            f"expected room for two pieces or more in the picture of {width} x {height} pixels, "
            f"found pieces of {size} that start at {start}, with a gap of {grid['gap']:g}"
        )
    board = grid["board"]
    if board and (math.prod(board) < 2 or board[0] > room[0] or board[1] > room[1]):
        raise InputError(
            f"board: expected from 2 pieces to {_by(room)}, which is what the picture of "
            f"{width} x {height} pixels has, found {_by(board)}"
        )


def _by(pair: Sequence[float]) -> str:
    return " x ".join(f"{each:g}" for each in pair)


def _pixels(name: str, value: object, least: float) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InputError(f"{name}: expected pixels, found {value!r:.40}")
    if not least <= value <= MOST_PIXELS:  # NaN is not
        raise InputError(f"{name}: expected from {least} to 1,000,000 pixels, found {value!r:.40}")
    return value


def is_same_cut(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether two grids cut a picture into the same pieces."""
    return all(one[name] == other[name] for name in ("piece", "start", "gap", "board"))
