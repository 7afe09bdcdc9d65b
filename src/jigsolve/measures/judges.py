"""Who judges seams: what proposes them, and the network that scores them.

One judge is for whole borders, one for damaged ones. Reranking asks them for all it needs to know
about sides, and does not know which of the two it has.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Protocol

import numpy as np

from jigsolve._kernels.facing import Facing, Reading
from jigsolve._kernels.geometry import BOTTOM, RIGHT, SIDES, is_across, reads_clockwise
from jigsolve._kernels.network import read_lines
from jigsolve.core.turns import NONE
from jigsolve.damage import Conditions, Damage, Places
from jigsolve.execution.crew import (
    ALONE,
    Executor,
    Progress,
    one_thread_per_product,
    spans,
)
from jigsolve.measures.calibration import COUNTED
from jigsolve.measures.colour import UNITS
from jigsolve.measures.damaged.network import DamagedNetwork, DamagedSides
from jigsolve.measures.damaged.tower import ANSWERS, Tower, broad
from jigsolve.measures.damaged.tower import UNITS as TOWER_UNITS
from jigsolve.measures.measure import VECTOR, from_other_end
from jigsolve.measures.network import DEPTH, SeamNetwork, Sides

SIDES_PER_JOB = 256
LINES_PER_JOB = 2048
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

    def lines(self, reading: Reading) -> np.ndarray:
        """Return the outer lines of sides, (m, length, DEPTH, 3)."""

    def traits(self, reading: Reading) -> Sequence[np.ndarray]:
        """Return what else tells sides apart that look the same, (m,) each."""

    def sides(self, facing: Facing) -> tuple[Any, Any]:
        """Return the near and the far sides of a class as the network takes them."""


class WholeBorders:
    """Judges sides that are as they were cut."""

    unlisted = COUNTED.unlisted_whole
    lists = 1
    values = 3.0 * UNITS, 3.0

    def __init__(self, pieces: np.ndarray, order: np.ndarray, crew: Executor = ALONE) -> None:
        self._pieces, self._order, self._crew = pieces, order, crew
        self.network = SeamNetwork.load()

    def lines(self, reading: Reading) -> np.ndarray:
        """Return the outer lines of sides, (m, length, DEPTH, 3)."""
        return lines_read(self._pieces, self._order, reading, self._crew)

    def traits(self, reading: Reading) -> Sequence[np.ndarray]:
        """Return nothing: pixels are all there is to see."""
        return ()

    def sides(self, facing: Facing) -> tuple[Sides, Sides]:
        """Return the near and the far sides of a class as the network takes them."""
        near = Sides.of(self.lines(facing.near), self._crew)
        if facing.is_turned:
            return near, replace(near, backwards=True)
        return near, Sides.of(self.lines(facing.far), self._crew)


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
        crew: Executor,
    ) -> None:
        self._pieces, self._order, self._crew = pieces, order, crew
        self._damage = damage
        self._places = places.taken(order) if places else None
        self.network = DamagedNetwork.load()
        self._seen: dict[int, np.ndarray] = {}

    def lines(self, reading: Reading) -> np.ndarray:
        """Return the outer lines of sides, (m, length, DEPTH, 3)."""
        return lines_read(self._pieces, self._order, reading, self._crew)

    def traits(self, reading: Reading) -> Sequence[np.ndarray]:
        """Return which sides are told the same."""
        told = [self._conditions(toward, reading.clockwise) for toward in reading.towards]
        rows = [np.concatenate([t.features, t.ends.astype(np.float32)], axis=1) for t in told]
        every = np.stack(rows, axis=1).reshape(-1, rows[0].shape[1])
        return (np.unique(every, axis=0, return_inverse=True)[1].ravel(),)

    def sides(self, facing: Facing) -> tuple[DamagedSides, DamagedSides]:
        """Return the near and the far sides of a class as the network takes them."""
        near = self._sides(facing.near)
        if facing.is_turned:
            return near, replace(near, backwards=True)
        return near, self._sides(facing.far)

    def _sides(self, reading: Reading) -> DamagedSides:
        return DamagedSides.one_by_one(
            (self._sides_toward(toward, reading.clockwise) for toward in reading.towards),
            len(reading.towards),
        )

    def _sides_toward(self, toward: int, clockwise: int) -> DamagedSides:
        """Return one side of all pieces as the network takes it."""
        if toward not in self._seen:
            self._look(toward)
        seen = self._seen[toward]
        if reads_clockwise(toward) != clockwise:
            seen = seen[:, ::-1]
        lines = self.lines(Reading(0, toward, clockwise))
        with one_thread_per_product():
            told = self._conditions(toward, clockwise)
            return self.network.sides(lines, told, seen, self._crew)

    def borders(
        self, turns: str = NONE, progress: Progress | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return what the tower says of all sides, and their means, as rows for seam tables.

        Where pieces may be turned, those of all sides read from their other ends follow.
        """
        count, longest = len(self._pieces), max(self._pieces.shape[1:3])
        readings = 1 if turns == NONE else 2
        towers, means = (
            np.zeros((readings, count, SIDES, -(-numbers * longest // VECTOR) * VECTOR), np.int16)
            for numbers in (ANSWERS, 3)
        )
        for side in range(SIDES):
            answers = self._look(side)
            wide = broad(outer_lines(self._pieces, self._order, side), is_symmetric=readings > 1)
            for rows, values, numbers in ((towers, answers, ANSWERS), (means, wide, 3)):
                whole = np.clip(np.rint(values * TOWER_UNITS), -MOST, MOST)
                for reading in rows[:, :, side]:
                    reading[:, : values.shape[1]] = whole
                    whole = from_other_end(whole, numbers)
            if progress:
                progress(side + 1, SIDES)
        return towers.reshape(-1, towers.shape[-1]), means.reshape(-1, means.shape[-1])

    def _look(self, side: int) -> np.ndarray:
        """Return what the tower says of a side as it is kept; keep what the encoder sees in it."""
        lines = outer_lines(self._pieces, self._order, side)
        conditions = self._conditions(side, reads_clockwise(side))
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

    def _conditions(self, side: int, clockwise: int) -> Conditions:
        """Return what is known of a side of all pieces, read in a sense."""
        size = self._pieces.shape[1], self._pieces.shape[2]
        told = Conditions.of(self._damage, self._places, len(self._pieces), size, side)
        return told if reads_clockwise(side) == clockwise else told.from_other_end()


def damaged_bytes(pieces: int, longest_side: int, poses: int) -> int:
    """Return about how much more memory the judge of damaged borders takes than the other."""
    sides = 2 if poses == 1 else poses + 1  # one more on the way
    products = sides * pieces * longest_side * DamagedNetwork.load().first.shape[1] * 4
    borders = SIDES * pieces * longest_side * ANSWERS * (2 if poses == 1 else 4)
    seen = SIDES * pieces * longest_side * DamagedNetwork.load().by_seen.shape[0] * 2
    answers = pieces * longest_side * ANSWERS * 4
    return int(products + borders + seen + answers)


def lines_read(
    pieces: np.ndarray, order: np.ndarray, reading: Reading, crew: Executor = ALONE
) -> np.ndarray:
    """Return the outer lines of sides as they are read, (m, length, DEPTH, 3)."""
    towards = reading.towards

    def read(span: tuple[int, int]) -> np.ndarray:
        some = order[slice(*span)]
        kept = [outer_lines(pieces, some, toward, reading.clockwise) for toward in towards]
        together = kept[0] if len(kept) == 1 else np.stack(kept, axis=1)
        return together.reshape(-1, *kept[0].shape[1:])

    return np.concatenate(crew.map(read, spans(len(order), LINES_PER_JOB)))


def outer_lines(
    pieces: np.ndarray, order: np.ndarray, side: int, clockwise: int | None = None
) -> np.ndarray:
    """Return the outer lines of a side of all pieces, (n, length, DEPTH, 3).

    They are read from left to right and from top to bottom, or in the sense that is asked for.
    """
    across = bool(is_across(side))
    length = pieces.shape[1] if across else pieces.shape[2]
    lines = np.empty((len(order), length, DEPTH, 3), np.uint8)
    backwards = clockwise not in (None, int(reads_clockwise(side)))
    pieces, order = np.ascontiguousarray(pieces), np.asarray(order, np.int64)
    read_lines(pieces, order, across, side in (RIGHT, BOTTOM), backwards, lines)
    return lines
