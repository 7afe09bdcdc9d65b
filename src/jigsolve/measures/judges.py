"""Who judges seams: what proposes them, and the network that scores them.

One judge is for whole borders, one for damaged ones. Reranking asks them for all it needs to know
about sides, and does not know which of the two it has.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from jigsolve._kernels.geometry import BOTTOM, RIGHT, SIDES, is_across
from jigsolve.damage import Conditions, Damage, Places
from jigsolve.execution.crew import Crew, Progress, one_thread_per_product, spans
from jigsolve.measures.calibration import COUNTED
from jigsolve.measures.colour import UNITS
from jigsolve.measures.damaged.network import DamagedNetwork
from jigsolve.measures.damaged.tower import ANSWERS, Tower, broad
from jigsolve.measures.damaged.tower import UNITS as TOWER_UNITS
from jigsolve.measures.measure import VECTOR
from jigsolve.measures.network import DEPTH, SeamNetwork, Sides

SIDES_PER_JOB = 256
MOST = np.iinfo(np.int16).max


class Judge(Protocol):
    """Whom reranking asks."""

    network: Any
    """Scores seams between `sides`, and says how likely one has no partner."""
    unlisted: float
    """Share of sides whose partner is not among those proposed."""
    lists: int
    """How many times as many candidates of each table are scored as of whole borders."""
    values: tuple[float, float]
    """By how much the costs of the two tables are divided, for each pixel of a side."""

    def lines(self, side: int) -> np.ndarray:
        """Return the outer lines of a side of all pieces, (n, length, DEPTH, 3)."""

    def traits(self, side: int) -> Sequence[np.ndarray]:
        """Return what else tells sides apart that look the same, (n,) each."""

    def sides(self, side: int) -> Any:
        """Return a side of all pieces as the network takes it."""


class WholeBorders:
    """Judges sides that are as they were cut."""

    unlisted = COUNTED.unlisted_whole
    lists = 1
    values = 3.0 * UNITS, 3.0

    def __init__(self, pieces: np.ndarray, order: np.ndarray) -> None:
        self._pieces, self._order = pieces, order
        self.network = SeamNetwork.load()

    def lines(self, side: int) -> np.ndarray:
        """Return the outer lines of a side of all pieces, (n, length, DEPTH, 3)."""
        return outer_lines(self._pieces, self._order, side)

    def traits(self, side: int) -> Sequence[np.ndarray]:
        """Return nothing: pixels are all there is to see."""
        return ()

    def sides(self, side: int) -> Sides:
        """Return a side of all pieces as the network takes it."""
        return Sides.of(self.lines(side))


class DamagedBorders:
    """Judges sides of pieces that something happened to."""

    unlisted = COUNTED.unlisted_damaged
    lists = 2
    values = float(ANSWERS * TOWER_UNITS), 3.0 * TOWER_UNITS

    def __init__(
        self,
        pieces: np.ndarray,
        order: np.ndarray,
        damage: Damage,
        places: Places | None,
        crew: Crew,
    ) -> None:
        self._pieces, self._order, self._crew = pieces, order, crew
        self._damage = damage
        self._places = places.taken(order) if places else None
        self.network = DamagedNetwork.load()
        self._seen: dict[int, np.ndarray] = {}

    def lines(self, side: int) -> np.ndarray:
        """Return the outer lines of a side of all pieces, (n, length, DEPTH, 3)."""
        return outer_lines(self._pieces, self._order, side)

    def traits(self, side: int) -> Sequence[np.ndarray]:
        """Return which sides are told the same."""
        told = self._conditions(side)
        rows = np.concatenate([told.features, told.ends.astype(np.float32)], axis=1)
        return (np.unique(rows, axis=0, return_inverse=True)[1].ravel(),)

    def sides(self, side: int) -> Any:
        """Return a side of all pieces as the network takes it."""
        if side not in self._seen:
            self._look(side)
        lines, conditions = self.lines(side), self._conditions(side)
        with one_thread_per_product():
            return self.network.sides(lines, conditions, self._seen[side])

    def borders(self, progress: Progress | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Return what the tower says of all sides, and their means, as rows for seam tables."""
        count, longest = len(self._pieces), max(self._pieces.shape[1:3])
        towers, means = (
            np.zeros((count, SIDES, -(-numbers * longest // VECTOR) * VECTOR), np.int16)
            for numbers in (ANSWERS, 3)
        )
        for side in range(SIDES):
            answers = self._look(side)
            for rows, values in ((towers, answers), (means, broad(self.lines(side)))):
                whole = np.clip(np.rint(values * TOWER_UNITS), -MOST, MOST)
                rows[:, side, : values.shape[1]] = whole
            if progress:
                progress(side + 1, SIDES)
        return towers.reshape(SIDES * count, -1), means.reshape(SIDES * count, -1)

    def _look(self, side: int) -> np.ndarray:
        """Return what the tower says of a side; keep what the encoder sees in it."""
        lines, conditions = self.lines(side), self._conditions(side)
        count, length = lines.shape[:2]
        answers = np.empty((count, ANSWERS * length), np.float32)
        seen = np.empty((count, length, self.network.by_seen.shape[0]), np.float16)

        def work(span: tuple[int, int]) -> None:
            some = slice(*span)
            told = Conditions(conditions.features[some], conditions.ends[some])
            answers[some], seen[some] = Tower.load().looks(lines[some], told)

        with one_thread_per_product():
            self._crew.map(work, spans(count, SIDES_PER_JOB))
        self._seen[side] = seen
        return answers

    def _conditions(self, side: int) -> Conditions:
        size = self._pieces.shape[1], self._pieces.shape[2]
        return Conditions.of(self._damage, self._places, len(self._pieces), size, side)


def damaged_bytes(pieces: int, longest_side: int) -> int:
    """Return about how much more memory the judge of damaged borders takes than the other."""
    products = 2 * pieces * longest_side * DamagedNetwork.load().first.shape[1] * 4
    borders = SIDES * pieces * longest_side * ANSWERS * 2
    seen = SIDES * pieces * longest_side * DamagedNetwork.load().by_seen.shape[0] * 2
    answers = pieces * longest_side * ANSWERS * 4
    return int(products + borders + seen + answers)


def outer_lines(pieces: np.ndarray, order: np.ndarray, side: int) -> np.ndarray:
    """Return the outer lines of a side of all pieces, (n, length, DEPTH, 3)."""
    across = pieces.shape[2] if is_across(side) else pieces.shape[1]
    inward = np.minimum(np.arange(DEPTH), across - 1)
    if side in (RIGHT, BOTTOM):
        inward = across - 1 - inward
    if is_across(side):
        return np.ascontiguousarray(pieces[:, :, inward][order])
    return np.ascontiguousarray(pieces[:, inward].transpose(0, 2, 1, 3)[order])
