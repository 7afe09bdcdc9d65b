"""An arrangement that is given, not searched for, with what its seams say of it."""

from __future__ import annotations

import dataclasses

import numpy as np

from jigsolve.assembly.population import RENUMBERING
from jigsolve.core import Puzzle
from jigsolve.core.puzzle import checked_arrangement
from jigsolve.damage.words import resolved
from jigsolve.execution.crew import crew
from jigsolve.measures import MEASURES
from jigsolve.pricing.pricing import seam_table
from jigsolve.solvers.genetic.foresight import foresee
from jigsolve.solvers.genetic.settings import Settings
from jigsolve.solvers.kernels import prepare_kernels
from jigsolve.solvers.solution import GIVEN, Solution
from jigsolve.solvers.solve import Clock, OnStage, without_holes


def price(
    puzzle: Puzzle,
    arrangement: np.ndarray,
    settings: Settings | None = None,
    *,
    on_stage: OnStage | None = None,
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
    settings = (settings or Settings()).with_threads()
    puzzle = dataclasses.replace(puzzle, damage=resolved(settings.damage, puzzle.damage))
    foresee(puzzle, settings)
    clock = Clock(on_stage)
    with clock.stage("kernels"):
        prepare_kernels()
    order = np.random.default_rng([settings.seed, RENUMBERING]).permutation(len(puzzle))
    measure = MEASURES[settings.measure]
    with crew(settings.threads or 1) as hands:
        table = seam_table(puzzle, order, measure, settings.candidates, hands, clock.stage)
    own_numbers = np.argsort(order)
    own = np.append(own_numbers, -1)[given]
    return Solution(
        puzzle=puzzle,
        arrangement=given.astype(np.int32),
        cost=table.cost_of(own),
        seam_costs=without_holes(table.board_costs(own), given < 0),
        history=[],
        timings=clock.timings,
        settings=settings,
        stopped=GIVEN,
        code=None,
        _seams=table,
        _own_numbers=own_numbers,
    )
