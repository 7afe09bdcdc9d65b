"""A solution with the seams marked that join no neighbours of the original."""

from __future__ import annotations

import numpy as np

from jigsolve.lab.figures.panels import Panel, lay_out
from jigsolve.scores.scores import score, wrong_seams
from jigsolve.solvers.solution import Solution

MARK = (255, 0, 60)


def draw_wrong_seams(solution: Solution, truth: np.ndarray) -> np.ndarray:
    """Draw the original, and the solution with its wrong seams marked."""
    puzzle = solution.puzzle
    pixels = solution.image()
    height, width = puzzle.piece_size
    across, down = wrong_seams(puzzle, solution.arrangement, truth)
    # Marks must still be seen when a large picture is reduced to a panel.
    thick = max(1, min(height, width) // 8)
    for row, column in zip(*np.nonzero(across), strict=True):
        x = (column + 1) * width
        pixels[row * height : (row + 1) * height, x - thick : x + thick] = MARK
    for row, column in zip(*np.nonzero(down), strict=True):
        y = (row + 1) * height
        pixels[y - thick : y + thick, column * width : (column + 1) * width] = MARK
    scores = score(solution, truth)
    true_cost = solution.cost_of(truth)
    above = solution.cost / true_cost - 1 if true_cost else 0.0
    caption = (
        f"neighbour {scores.neighbour_aware:.1%}, direct {scores.direct_aware:.1%} (aware); "
        f"cost {abs(above):.3%} {'below' if above < 0 else 'above'} the truth's"
    )
    panels = [Panel(puzzle.image(truth), "original"), Panel(pixels, caption)]
    return lay_out(panels, columns=2)
