"""How a solver that builds one arrangement ends: gaps are filled, and what was found is told."""

from __future__ import annotations

import numpy as np

from jigsolve.assembly.frames import ways_to_lie
from jigsolve.assembly.gaps import filled
from jigsolve.core.turns import NONE
from jigsolve.execution.events import Arranged
from jigsolve.execution.stop import EARLY, INTERRUPTED, Stopped
from jigsolve.execution.work import Work
from jigsolve.pricing.prepared import Prepared
from jigsolve.solvers.protocol import Found

COMPLETE = "complete"
"""Why a run ended that has an end."""


def ended(prepared: Prepared, arrangement: np.ndarray, reason: str, seed: int, work: Work) -> Found:
    """Return an arrangement of poses as what was found, its gaps, -1, filled.

    Where it does not reach across the board, it lies as it costs least once it is filled. The
    reason is COMPLETE, or why it was stopped: then gaps are filled in a hurry.
    """
    table, layout, holes = prepared.table, prepared.layout, prepared.puzzle.holes
    ways = [arrangement] if prepared.has_fixed_cells else ways_to_lie(arrangement)
    full = []
    if reason not in EARLY:
        try:
            with work.clock.stage("gaps") as tell:
                for way in ways:
                    full.append(filled(table, way, holes, layout, seed=seed, progress=tell))
        except KeyboardInterrupt:
            reason = INTERRUPTED
        except Stopped as stop:
            reason = stop.reason
    if not full:
        full.append(filled(table, arrangement, holes, layout, seed=seed, hurried=True))
    return told(prepared, min(full, key=table.cost_of), reason, work)


def told(prepared: Prepared, arrangement: np.ndarray, reason: str, work: Work) -> Found:
    """Return a full arrangement of poses as what was found, and tell of it."""
    cost = prepared.table.cost_of(arrangement)
    if work.events.are_heard:
        given = prepared.given(arrangement)
        turns = None if prepared.puzzle.turns == NONE else given.turns
        work.events.tell(Arranged(given.pieces, cost, turns))
    return Found(arrangement, reason, cost=cost)
