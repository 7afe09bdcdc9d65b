"""Films: of an evolution, whose arrangements a solve's process leaves, and of one's own moves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np

from jigsolve._kernels.geometry import turn_of
from jigsolve.core.poses import pieces_of
from jigsolve.core.turns import NONE, Placement
from jigsolve.errors import InputError
from jigsolve.io.files import replacing
from jigsolve.render.film import MOST_FRAMES, write_film
from jigsolve.solvers.genetic.history import Generation
from jigsolve.solvers.solution import Solution


def evolution_path(folder: Path, number: int) -> Path:
    """Return where the evolution of a picture is kept."""
    return folder / f"evolution-{number}.npz"


def keep_evolution(
    folder: Path, number: int, ids: Sequence[int] | None, solution: Solution
) -> None:
    """Keep the arrangements of a run that a film shows, and which pieces they are of."""
    kept = [
        Placement(each.arrangement, np.zeros(0) if each.turns is None else each.turns)
        for each in solution.history
        if each.arrangement is not None
    ]
    evolution_path(folder, number).unlink(missing_ok=True)
    if not kept:
        return
    kept.append(Placement(solution.arrangement, np.zeros(0)))
    if solution.turns is not None:
        kept[-1] = solution.placement
    picked = thinned(kept)
    with replacing(evolution_path(folder, number)) as beside, beside.open("wb") as file:
        np.savez(
            file,
            arrangements=np.array([each.pieces for each in picked], np.int32),
            turns=np.array([each.turns for each in picked], np.int8),
            ids=np.array([] if ids is None else ids, np.int64),
        )


def thinned(frames: Iterable[Placement]) -> list[Placement]:
    """Return those of many arrangements that a film of them shows."""
    every = [*frames]
    changes = [every[0]] + [after for before, after in pairwise(every) if not _same(before, after)]
    picked = np.unique(np.linspace(0, len(changes) - 1, MOST_FRAMES - 1).astype(int))
    return [changes[i] for i in picked]


def _same(one: Placement, other: Placement) -> bool:
    return np.array_equal(one.pieces, other.pieces) and np.array_equal(one.turns, other.turns)


def write_evolution(
    path: Path, folder: Path, number: int, ids: Sequence[int] | None, solution: Solution
) -> None:
    """Write the film of the last run; its last frame is what lies on the board now."""
    try:
        with np.load(evolution_path(folder, number)) as arrays:
            arrangements, turns = arrays["arrangements"], arrays["turns"]
            same = np.array_equal(arrays["ids"], [] if ids is None else ids)
    except (OSError, ValueError, KeyError):
        raise InputError(
            "there is no film of this picture yet: it is made when the picture is solved on"
        ) from None
    if arrangements.shape[1:] != solution.arrangement.shape or not same:
        raise InputError(
            "this picture has other pieces than in its film: solve it on, and there is one of them"
        )
    is_turned = solution.turns is not None
    frames = [
        Placement(pieces, turns[index] if is_turned else np.zeros(pieces.shape, np.int8))
        for index, pieces in enumerate(arrangements)
    ]
    write_frames(path, solution, frames)


def write_frames(path: Path, solution: Solution, frames: Iterable[Placement]) -> None:
    """Write a film: the pieces as they were given, the frames, and the solution."""
    every = [*frames]
    is_turned = solution.puzzle.turns != NONE
    history = [
        Generation(index, 0.0, 0.0, 0.0, {}, 0.0, pieces, turns if is_turned else None)
        for index, (pieces, turns) in enumerate(every)
    ]
    empty = max(int((frame.pieces < 0).sum()) for frame in [*every, solution.placement])
    loose = loosened(solution, empty)
    write_film(path, replace(loose, history=history))


def loosened(solution: Solution, empty: int) -> Solution:
    """Return a solution whose puzzle allows for so many empty cells."""
    puzzle = solution.puzzle
    if empty <= puzzle.holes:
        return solution
    strays = puzzle.strays + empty - puzzle.holes
    return replace(solution, puzzle=replace(puzzle, holes=empty, strays=strays))


def placement_of(poses: np.ndarray) -> Placement:
    """Return poses as pieces and turns."""
    return Placement(pieces_of(poses), np.where(poses < 0, 0, turn_of(poses)).astype(np.int8))
