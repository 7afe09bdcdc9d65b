"""An arrangement that is given, not searched for, with what its seams say of it."""

from __future__ import annotations

import numpy as np

from jigsolve.core import Puzzle
from jigsolve.core.puzzle import checked_arrangement
from jigsolve.execution.events import OnEvent
from jigsolve.execution.stop import Stop
from jigsolve.execution.work import Helped, Work, working
from jigsolve.measures import QR
from jigsolve.pricing.prepared import prepare
from jigsolve.qr.code import Code
from jigsolve.solvers.foresight import foresee
from jigsolve.solvers.kernels import prepare_kernels
from jigsolve.solvers.protocol import Found
from jigsolve.solvers.settings import Settings
from jigsolve.solvers.solution import GIVEN, Solution, solution_of


def price(
    puzzle: Puzzle,
    arrangement: np.ndarray,
    settings: Settings | None = None,
    *,
    on_event: OnEvent | None = None,
    stop: Stop | None = None,
    helped: Helped | None = None,
) -> Solution:
    """Return an arrangement as a solution: nothing moves, but seams get their costs and confidence.

    Examples
    --------
    >>> ramp = np.add.outer(np.arange(0, 120, 2), np.arange(80)).astype(np.uint8)
    >>> solution = price(Puzzle.cut(ramp, piece=20), np.arange(12))
    >>> bool((solution.image()[:, :, 0] == ramp).all())
    True
    """
    given = checked_arrangement(arrangement, puzzle)
    settings = settings or Settings()
    with working(settings.threads, on_event, stop, helped) as work:
        return _priced(puzzle, given, settings, work)


def price_code(puzzle: Puzzle, code: Code, settings: Settings, work: Work) -> Solution:
    """Return the pieces of a QR code as they were put together: cheaper seams mean nothing."""
    settings = settings.changed(measure=QR.name)
    return _priced(puzzle, code.arrangement, settings, work, code)


def _priced(
    puzzle: Puzzle,
    given: np.ndarray,
    settings: Settings,
    work: Work,
    code: Code | None = None,
) -> Solution:
    foresee(puzzle, settings, work.crew)
    prepare_kernels(work.clock)
    prepared = prepare(puzzle, settings.pricing, settings.seed, work)
    found = Found(prepared.poses(given), GIVEN)
    return solution_of(prepared, found, settings, work.clock.timings, code)
