"""Solving pictures of single lines: columns or rows of one pixel, or one after the other."""

from __future__ import annotations

from jigsolve.assembly.chains import chained
from jigsolve.cli.printing import say
from jigsolve.core import Puzzle
from jigsolve.detect.single_lines import are_shuffled
from jigsolve.execution.events import OnEvent
from jigsolve.execution.stop import Stop
from jigsolve.solvers.given import price
from jigsolve.solvers.settings import Settings
from jigsolve.solvers.solution import Solution


def solve_lines(
    puzzle: Puzzle, settings: Settings, on_event: OnEvent, stop: Stop, *, quiet: bool
) -> Solution:
    """Put lines in order; if those of the other direction are shuffled as well, these too.

    The solution is that of the last direction: its pieces are lines of a picture whose other
    lines are in order.
    """

    def in_order(lines: Puzzle) -> Solution:
        return price(lines, chained(lines), settings, on_event=on_event, stop=stop)

    solution = in_order(puzzle)
    picture = solution.image()
    height, width = picture.shape[:2]
    columns_first = puzzle.board.rows == 1
    if are_shuffled(picture.swapaxes(0, 1) if columns_first else picture):
        if not quiet:
            done, left = ("columns", "rows") if columns_first else ("rows", "columns")
            say(f"{done} are in order; {left} are shuffled as well, and solved next")
        solution = in_order(Puzzle.cut(picture, (1, width) if columns_first else (height, 1)))
    if not quiet:
        say("the picture may be mirrored: nothing tells the first of single lines from the last")
    return solution
