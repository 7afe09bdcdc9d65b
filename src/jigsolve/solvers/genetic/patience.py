"""When a run has evolved enough: within a round, and over all rounds of repair.

A round begins with segments, or chance, and ends when the cost no longer falls. What it found is
then annealed, taken apart along its doubtful seams and joined anew: the next round begins.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

WORTHWHILE = 0.002
"""What counts as an improvement, as a share of the cost. On a large puzzle the last hundredth of
a percent would take as long as all the rest."""

IN_VAIN = 2
"""After so many rounds in a row that brought nothing worthwhile there is no other."""


@dataclass
class Patience:
    """How the cost has fallen so far."""

    generations: int | None
    """How long to wait for an improvement within a round; None for ever."""
    repairs: int
    """The most rounds after the first."""
    lowest: float = math.inf
    """The lowest cost of this round."""
    reference: float = math.inf
    """What it was when it last fell by a worthwhile step, and when that was."""
    improved_in: int = 0
    before: float = math.inf
    """The lowest cost of all earlier rounds."""
    rounds: int = 0
    in_vain: int = 0

    def note(self, number: int, cost: float) -> None:
        """Take note of the lowest cost in a generation."""
        self.lowest = min(self.lowest, cost)
        if self.lowest < self.reference * (1 - WORTHWHILE):
            self.reference = self.lowest
            self.improved_in = number

    def is_out(self, number: int) -> bool:
        """Whether the round is over."""
        return self.generations is not None and number - self.improved_in >= self.generations

    def allows_another_round(self) -> bool:
        """Whether to go on after this round; it is one more that was made, if so."""
        gained = self.lowest < self.before * (1 - WORTHWHILE)
        self.in_vain = 0 if gained else self.in_vain + 1
        if self.rounds == self.repairs or self.in_vain == IN_VAIN:
            return False
        self.before = min(self.before, self.lowest)
        self.lowest = self.reference = math.inf
        self.rounds += 1
        return True
