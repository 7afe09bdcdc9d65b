"""What is recorded of every generation."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from jigsolve.core.turns import Placement
from jigsolve.execution.events import Event


@dataclass(frozen=True)
class Generation(Event):
    """One generation of a run; number 0 is the population it starts from."""

    number: int
    best: float
    mean: float
    worst: float
    placements: dict[str, float]
    """Share of placements per phase: agreed, best-buddy, greedy, random, mutation, first."""
    seconds: float
    """Wall time since evolution began."""
    arrangement: np.ndarray | None = None
    """The cheapest arrangement, (rows, columns), if the run keeps arrangements."""
    turns: np.ndarray | None = None
    """And how its pieces are turned, (rows, columns), if they are."""

    def turned(self, turn: int) -> Generation:
        """Return the same, the whole of its arrangement turned clockwise if it has one."""
        if self.arrangement is None or self.turns is None:
            return self
        whole = Placement(self.arrangement, self.turns).turned(turn)
        return replace(self, arrangement=whole.pieces, turns=whole.turns)

    def as_dict(self) -> dict[str, object]:
        """Return what JSON can hold; arrangement and turns row by row, if there are any."""
        record: dict[str, object] = {
            "generation": self.number,
            "best": self.best,
            "mean": self.mean,
            "worst": self.worst,
            "placements": self.placements,
            "seconds": round(self.seconds, 6),
        }
        if self.arrangement is not None:
            record["arrangement"] = self.arrangement.ravel().tolist()
        if self.turns is not None:
            record["turns"] = self.turns.ravel().tolist()
        return record
