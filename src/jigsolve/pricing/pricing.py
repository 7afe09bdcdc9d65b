"""From pieces to the seam table of a measure, stage by stage."""

from __future__ import annotations

import functools
from collections.abc import Callable
from contextlib import AbstractContextManager, closing, nullcontext
from typing import NamedTuple

import numpy as np

from jigsolve._kernels.costs import MAGNITUDES
from jigsolve.assembly.segments import Segments
from jigsolve.core import Puzzle
from jigsolve.core.turns import POSES
from jigsolve.execution.crew import Executor, Progress
from jigsolve.gpu import Gpu
from jigsolve.measures import MEASURES, MGC
from jigsolve.measures.heard import Heard
from jigsolve.measures.judges import DamagedBorders, WholeBorders
from jigsolve.measures.learned import Reranking, usual_seams
from jigsolve.measures.proposals import listed
from jigsolve.pricing.settings import Pricing
from jigsolve.seams.table import SeamTable

WORTH_A_GPU = 200_000
"""With fewer seams eight threads take no longer than the second it takes to get a GPU going."""

Stages = Callable[[str], AbstractContextManager[Progress | None]]
"""Opens a stage by name and gives what its progress is told to."""


class Priced(NamedTuple):
    """A seam table, and what scored its seams if a network did."""

    table: SeamTable
    reranking: Reranking | None


def priced(
    puzzle: Puzzle,
    order: np.ndarray,
    pricing: Pricing,
    crew: Executor,
    stages: Stages = lambda name: nullcontext(),
    heard: Heard | None = None,
) -> Priced:
    """Build the table of a puzzle's seams, its pieces in the given order.

    What was heard before of these pieces, in that order, is not scored again.
    """
    measure = MEASURES[pricing.measure]
    seams = usual_seams(len(puzzle), POSES[puzzle.turns])
    with closing(Gpu(measure.reranked and seams >= WORTH_A_GPU)) as gpu:
        return _priced(puzzle, order, pricing, crew, stages, heard, gpu)


def _priced(
    puzzle: Puzzle,
    order: np.ndarray,
    pricing: Pricing,
    crew: Executor,
    stages: Stages,
    heard: Heard | None,
    gpu: Gpu,
) -> Priced:
    """Build the table of a puzzle's seams with what a GPU can do for it."""
    measure, candidates = MEASURES[pricing.measure], pricing.candidates
    build = functools.partial(SeamTable.build, crew=crew, turns=puzzle.turns, gpu=gpu)
    most = listed(len(puzzle), POSES[puzzle.turns])
    if measure.reranked and not puzzle.damage.is_none:
        with stages("colours") as tell:
            judge = DamagedBorders(puzzle.pieces, order, puzzle.damage, puzzle.places, crew)
            towers, means = judge.borders(puzzle.turns, tell)
        with stages("seams") as tell:
            kept = max(candidates, judge.lists * most)
            table = build(towers, kept, rule=MAGNITUDES, progress=tell)
        with stages("means") as tell:
            second = build(means, kept, rule=MAGNITUDES, progress=tell)
        reranking = Reranking(judge, puzzle.board, table.arrays, second.arrays, crew, gpu=gpu)
        return _reranked(table, reranking, crew, stages)
    with stages("colours") as tell:
        borders = measure.borders(
            puzzle.pieces, order, turns=puzzle.turns, crew=crew, progress=tell
        )
    with stages("seams") as tell:
        table = build(borders, candidates, rule=measure.rule, progress=tell)
    if not measure.reranked:
        return Priced(table, None)
    with stages("gradients") as tell:
        gradients = MGC.borders(puzzle.pieces, order, turns=puzzle.turns, crew=crew)
        second = build(gradients, max(candidates, most), rule=MGC.rule, progress=tell)
    whole = WholeBorders(puzzle.pieces, order, crew)
    reranking = Reranking(whole, puzzle.board, table.arrays, second.arrays, crew, heard, gpu)
    if pricing.traces:
        with stages("traces") as tell:
            reranking.look_for_traces(puzzle.pieces, order, tell)
    return _reranked(table, reranking, crew, stages)


def _reranked(table: SeamTable, reranking: Reranking, crew: Executor, stages: Stages) -> Priced:
    """Have the network score what is proposed, and what lies beside it."""
    with stages("network") as tell:
        reranking.score_candidates(tell)
        scored = table.with_costs(reranking.table())
        reranking.score_alongside(scored.arrays, Segments.surest(scored, crew), tell)
        return Priced(table.with_costs(reranking.table()), reranking)
