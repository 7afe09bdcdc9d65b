"""An arrangement that is given, not searched for, with what its seams say of it."""

from __future__ import annotations

import dataclasses

import numpy as np

from jigsolve.damage.words import resolved
from jigsolve.evolution.foresight import foresee
from jigsolve.evolution.population import RENUMBERING
from jigsolve.evolution.settings import Settings
from jigsolve.evolution.solution import GIVEN, Solution
from jigsolve.evolution.solve import Clock, OnStage, prepare_kernels, without_holes
from jigsolve.measures import MEASURES
from jigsolve.parallel import crew
from jigsolve.pricing import seam_table
from jigsolve.puzzle import Puzzle
from jigsolve.puzzle.puzzle import checked_arrangement


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
