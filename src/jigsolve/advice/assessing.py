"""An arrangement as a solution: costs and confidence of what lies there now."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from jigsolve.core.constraints import Constraints
from jigsolve.core.layout import laid_out
from jigsolve.core.placing import checked_placement
from jigsolve.core.turns import Placement
from jigsolve.pricing.prepared import Prepared
from jigsolve.solvers.settings import Settings
from jigsolve.solvers.solution import GIVEN, Solution, solution_at


def assessed(
    prepared: Prepared,
    placement: Placement | np.ndarray,
    settings: Settings | None = None,
    constraints: Constraints | None = None,
) -> Solution:
    """Return a placement as a solution: nothing is searched, nothing is priced again.

    Parameters
    ----------
    prepared
        The puzzle with its seams priced.
    placement
        Which piece lies in each cell, and how it is turned; -1 where a cell is empty.
    settings
        What the solution says it was made with, pricing aside.
    constraints
        Seams that are known to hold count as sure.
    """
    given = checked_placement("placement", placement, prepared.puzzle)
    settings = replace(settings or Settings(), pricing=prepared.pricing)
    if constraints:
        prepared = prepared.ruled(laid_out(constraints, prepared.puzzle))
    return solution_at(prepared, given, settings, stopped=GIVEN)
