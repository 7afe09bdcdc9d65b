"""Priced seams in a project's folder: a solve that goes on, or a restart, does not price again."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from jigsolve.core import Puzzle
from jigsolve.errors import InputError
from jigsolve.execution.work import Work
from jigsolve.pricing.prepared import Prepared, prepare
from jigsolve.solvers.foresight import foresee
from jigsolve.solvers.kernels import prepare_kernels
from jigsolve.solvers.settings import Settings

MOST_KEPT = 12
"""Files of priced seams in a folder: one for each picture, and a few that were."""


def priced_path(folder: Path, ids: Sequence[int] | None, board: Sequence[int]) -> Path:
    """Return where the seams of some pieces, or of all, on a board are kept."""
    key = hashlib.sha256(repr((None if ids is None else [*ids], [*board])).encode()).hexdigest()
    return folder / f"priced-{key[:16]}.npz"


def load_priced(path: Path, puzzle: Puzzle) -> Prepared | None:
    """Return the seams that are kept of a puzzle; None where there are none."""
    if not path.exists():
        return None
    try:
        return Prepared.load(path, puzzle)
    except InputError:  # of another version of jigsolve, or damaged: they are priced again
        return None


def keep_priced(path: Path, prepared: Prepared, most: int = MOST_KEPT) -> None:
    """Keep the priced seams of a puzzle, and forget those that were written longest ago."""
    prepared.save(path)
    every = sorted(path.parent.glob("priced-*.npz"), key=lambda each: each.stat().st_mtime)
    for each in every[:-most]:
        each.unlink(missing_ok=True)


def price_or_load(
    path: Path, puzzle: Puzzle, settings: Settings, work: Work, most: int = MOST_KEPT
) -> Prepared:
    """Return a puzzle with its seams priced: as they are kept, or anew."""
    prepare_kernels(work.clock)
    if (kept := load_priced(path, puzzle)) is not None:
        return kept
    foresee(puzzle, settings)
    prepared = prepare(puzzle, settings.pricing, settings.seed, work)
    keep_priced(path, prepared, most)
    return prepared


def renumbered(prepared: Prepared, puzzle: Puzzle, numbers: np.ndarray) -> Prepared:
    """Return the same for a puzzle of the same pieces in another order.

    `numbers` says which number there each of the given ones has.
    """
    return replace(prepared, puzzle=puzzle, order=numbers[prepared.order])
