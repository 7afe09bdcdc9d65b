"""The best arrangements of the first generations and of the last, beside the original."""

from __future__ import annotations

import numpy as np

from jigsolve.lab.figures.panels import Panel, lay_out
from jigsolve.scores.scores import score_arrangement
from jigsolve.solvers.solution import Solution


def draw_generations(solution: Solution, truth: np.ndarray) -> np.ndarray:
    """Draw the original and the best of generations 1, 2 and the last.

    The solution must come from a run with `keep_arrangements=True`.
    """
    puzzle = solution.puzzle
    panels = [Panel(puzzle.image(truth), f"{len(puzzle):,} pieces")]
    last = len(solution.history) - 1
    for number in sorted({1, 2, last} & set(range(last + 1))):
        arrangement = solution.history[number].arrangement
        assert arrangement is not None, "the run kept no arrangements"
        right = score_arrangement(puzzle, arrangement, truth).neighbour_aware
        name = f"generation {number}" + (" (last)" if number == last else "")
        panels.append(
            Panel(puzzle.image(arrangement), f"{name}: {right:.1%} of seams right (aware)")
        )
    return lay_out(panels, columns=2 if puzzle.board.columns >= puzzle.board.rows else 4)
