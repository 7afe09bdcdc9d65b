"""What a solver is: a way from a prepared problem to an arrangement."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from jigsolve.core import Puzzle
from jigsolve.execution.work import Work
from jigsolve.pricing.prepared import Prepared
from jigsolve.pricing.settings import Pricing


@dataclass(frozen=True)
class Keeping:
    """What is kept of a run beside its result, and what it goes on from."""

    arrangements: bool = False
    """The best arrangement of every generation, for a film."""
    checkpoint: Any = None
    """What the run is saved to on the way, and when it stops early: a `Checkpoint`. None for
    solvers that do not say that they `save`."""
    resumed: Any = None
    """The `Snapshot` of a checkpoint."""
    start: np.ndarray | None = None
    """An arrangement to go on from, as `Found` has it, by the numbers of the prepared problem; more
    cells may be empty than have to be. The one of these that has a say in the result. None for
    solvers that do not say that they `go_on`."""


@dataclass(frozen=True, eq=False)
class Found:
    """What a solver found."""

    arrangement: np.ndarray
    """Poses of pieces, by the numbers that the prepared problem gives them, (rows, columns); -1
    where a cell is empty. See `core.poses`."""
    stopped: str
    """Why it ended."""
    history: list[Any] = field(default_factory=list)
    """What it recorded on the way."""
    cost: float | None = None
    """What the arrangement costs, if the solver has added it up."""


class Solver(Protocol):
    """A solver, registered by its name."""

    name: str
    summary: str
    """What it is, in a line; whom to cite."""
    options: type[Any]
    """A frozen dataclass of `core.options`."""
    measure: str
    """What seams are priced by unless another measure is asked for: the one it was published with.
    """

    # refuses = ("turns", "holes", "constraints"), or some of them, if it cannot do with those: who
    # asks for them is told so. Holes are strays as well.
    # goes_on = True, if it can go on from an arrangement: it is then handed one as `Keeping.start`,
    # and what it finds never costs more, unless constraints forbid the start.
    # saves = True, if it writes the checkpoint that it is handed, and goes on from one.

    def memory(self, puzzle: Puzzle, pricing: Pricing, options: Any, threads: int, /) -> int:
        """Return about how many bytes it takes beside the seam table."""

    def seconds(self, puzzle: Puzzle, pricing: Pricing, options: Any, threads: int, /) -> float:
        """Return about how long it takes once seams are priced."""

    def solve(
        self, prepared: Prepared, options: Any, seed: int, work: Work, keeping: Keeping
    ) -> Found:
        """Find an arrangement.

        A stop is heeded within a second: what is best so far is found then, and the reason is why
        it ended. While there is none yet, `Stopped` is raised.
        """
