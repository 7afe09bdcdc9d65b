"""Films of an evolution."""

from __future__ import annotations

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
    kept = [g.arrangement for g in solution.history if g.arrangement is not None]
    if not kept:
        raise InputError("expected a solution solved with keep_arrangements=True for a film")
    kept.append(solution.arrangement)  # evolution is not the last step
    changes = [
        current
        for previous, current in zip([None, *kept[:-1]], kept, strict=True)
        if previous is None or not np.array_equal(previous, current)
    ]
    picked = np.unique(np.linspace(0, len(changes) - 1, MOST_FRAMES - 1).astype(int))
    frames = [_frame(solution, None), *(_frame(solution, changes[i]) for i in picked)]
    each = max(SHORTEST_MS, EVOLUTION_MS // len(frames))
    holds = [*[each] * (len(frames) - 1), HOLD_MS]
    with replacing(path) as beside:
        frames[0].save(beside, save_all=True, append_images=frames[1:], duration=holds, loop=0)


def _frame(solution: Solution, arrangement: np.ndarray | None) -> Image.Image:
    picture = Image.fromarray(solution.puzzle.image(arrangement))
    picture.thumbnail((LONGEST_SIDE, LONGEST_SIDE), Image.Resampling.BOX)
    return picture.quantize(128, method=Image.Quantize.FASTOCTREE)
