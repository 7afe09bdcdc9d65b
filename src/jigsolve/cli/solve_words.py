"""What `solve` says before it begins, and when it is done."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from jigsolve.cli.printing import counted, say
from jigsolve.cli.progress import Progress
from jigsolve.core import Puzzle
from jigsolve.execution.clock import Clock
from jigsolve.execution.crew import ALONE, Executor
from jigsolve.execution.stop import ASKED, INTERRUPTED, TIME
from jigsolve.pricing.prepared import Prepared
from jigsolve.solvers.ending import COMPLETE
from jigsolve.solvers.foresight import foresee
from jigsolve.solvers.settings import Settings
from jigsolve.solvers.solution import GIVEN, Solution
from jigsolve.solvers.solve import solve

MOST_NAMED = 10
"""How many pieces without a place are named; --csv and --json list all."""

NOT_COUNTED = ("kernels", "reading", "boards", "reference")
"""Stages that are no part of the time that solving took."""

REASONS = {
    "generations": "all generations done",
    "patience": "no better for {patience} generations",
    COMPLETE: "nothing left to place",
    ASKED: "stopped, best so far",
    TIME: "time is up, best so far",
    INTERRUPTED: "interrupted, best so far",
}


def solve_with_progress(
    bag: Puzzle | Prepared,
    settings: Settings,
    progress: Progress,
    *,
    quiet: bool,
    crew: Executor = ALONE,
    **options: Any,
) -> Solution:
    """Solve, with what to expect and progress on the terminal unless quiet."""
    if not quiet:
        say(str(foresee(bag.puzzle if isinstance(bag, Prepared) else bag, settings, crew)))
    return solve(bag, settings, on_event=progress.hear, **options)


def left_over(solution: Solution) -> Iterator[str]:
    """Say what has no piece, and which pieces have no place."""
    if empty := int((solution.arrangement < 0).sum()):
        yield f"{counted(empty, 'cell')} {'is' if empty == 1 else 'are'} empty"
    if strays := solution.strays:
        names = solution.puzzle.names
        shown = [names[piece] if names else str(piece) for piece in strays[:MOST_NAMED]]
        more = f" and {len(strays) - MOST_NAMED:,} more" if len(strays) > MOST_NAMED else ""
        yield f"left over: {', '.join(shown)}{more}"


def summary(solution: Solution, before: Clock | None = None) -> str:
    """Say in two lines what was done; pricing may have been done before, to find the board."""
    board, settings = solution.puzzle.board, solution.settings
    timings = solution.timings | (before.timings if before else {})
    stages = [timing for name, timing in timings.items() if name not in NOT_COUNTED]
    wall, cpu = sum(stage.wall for stage in stages), sum(stage.cpu for stage in stages)
    search = "nothing was searched"
    if solution.stopped != GIVEN:
        flat = settings.flat()
        reason = REASONS.get(solution.stopped, solution.stopped).format(**flat)
        search = reason
        if solution.history:
            generations = len(solution.history) - 1
            search = f"{generations} generations of {flat['population']} ({reason})"
    return (
        f"{board.columns} x {board.rows} pieces, cost {solution.cost:,.0f}, {search}\n"
        f"{wall:.2f} s, {cpu:.2f} CPU s, seed {settings.seed}"
    )
