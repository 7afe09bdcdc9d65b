"""Tiles that are there more than once, named where they may be what is wrong."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from jigsolve.cli.printing import counted
from jigsolve.scores.looks import look_alikes

MOST_NAMED = 3
"""How many tiles are named, each with its copies."""


def repeats(pieces: np.ndarray) -> list[list[int]]:
    """Return the tiles that have equal pixels, one list for each; plain ones are no copies."""
    looks = look_alikes(pieces)
    order = np.argsort(looks, kind="stable")
    groups = np.split(order, np.flatnonzero(np.diff(looks[order])) + 1)
    return [
        group.tolist() for group in groups if len(group) > 1 and not _is_plain(pieces[group[0]])
    ]


def name_repeats(pieces: np.ndarray, names: Sequence[str]) -> str:
    """Say which tiles are there more than once; nothing if none is."""
    found = sorted(sorted(names[piece] for piece in group) for group in repeats(pieces))
    if not found:
        return ""
    copies = sum(len(group) - 1 for group in found)
    shown = ", ".join(" = ".join(group[: MOST_NAMED + 1]) for group in found[:MOST_NAMED])
    more = f" and {len(found) - MOST_NAMED:,} more" if len(found) > MOST_NAMED else ""
    copy = "is a copy of another" if copies == 1 else "are copies of others"
    without = f"without {'it' if copies == 1 else 'them'} there are {len(pieces) - copies:,}"
    return f"{counted(copies, 'tile')} {copy} ({shown}{more}), {without}"


def _is_plain(piece: np.ndarray) -> bool:
    return bool((piece == piece[0, 0]).all())
