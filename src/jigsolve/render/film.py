"""Films of an evolution."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
from PIL import Image

from jigsolve.errors import InputError
from jigsolve.io.files import replacing
from jigsolve.solvers.solution import Solution

LONGEST_SIDE = 480
MOST_FRAMES = 60
EVOLUTION_MS = 3000
"""How long the generations are shown, all together, unless there are many."""
SHORTEST_MS = 150
HOLD_MS = 2500
"""How long the last frame stays."""

Kept = tuple[np.ndarray, np.ndarray | None]
"""An arrangement and its turns."""


def check_film_name(path: Path) -> None:
    """Raise unless the name's ending is that of a film."""
    if path.suffix.lower() != ".gif":
        raise InputError(
            f"{path}: expected a film's name ending in .gif, found {path.suffix or 'no ending'!r}"
        )


def write_film(path: str | Path, solution: Solution) -> None:
    """Write a looping GIF: the shuffled puzzle, the best of each generation, the solution.

    The solution must come from a run with `keep_arrangements=True`. Generations that brought
    nothing new get no frame of their own.
    """
    path = Path(path)
    check_film_name(path)
    kept = [(g.arrangement, g.turns) for g in solution.history if g.arrangement is not None]
    if not kept:
        raise InputError("expected a solution solved with keep_arrangements=True for a film")
    kept.append((solution.arrangement, solution.turns))  # evolution is not the last step
    changes = [kept[0]] + [after for before, after in pairwise(kept) if not _same(before, after)]
    picked = np.unique(np.linspace(0, len(changes) - 1, MOST_FRAMES - 1).astype(int))
    frames = [_frame(solution), *(_frame(solution, *changes[i]) for i in picked)]
    each = max(SHORTEST_MS, EVOLUTION_MS // len(frames))
    holds = [*[each] * (len(frames) - 1), HOLD_MS]
    with replacing(path) as beside:
        frames[0].save(beside, save_all=True, append_images=frames[1:], duration=holds, loop=0)


def _same(one: Kept, other: Kept) -> bool:
    return all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))  # type: ignore[arg-type]


def _frame(
    solution: Solution, arrangement: np.ndarray | None = None, turns: np.ndarray | None = None
) -> Image.Image:
    picture = Image.fromarray(solution.puzzle.image(arrangement, turns))
    picture.thumbnail((LONGEST_SIDE, LONGEST_SIDE), Image.Resampling.BOX)
    return picture.quantize(128, method=Image.Quantize.FASTOCTREE)
