"""What a run gives back."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from jigsolve.core import Puzzle
from jigsolve.core.pieces import laid
from jigsolve.core.provenance import provenance
from jigsolve.core.puzzle import checked_arrangement
from jigsolve.core.turns import NONE, Placement
from jigsolve.damage.words import as_record
from jigsolve.execution.events import Timing
from jigsolve.io.files import write_text
from jigsolve.io.pictures import write_picture
from jigsolve.pricing.prepared import Prepared
from jigsolve.qr.code import Code
from jigsolve.seams.confidence import DAMAGED, WHOLE, Confidence, confidence_of, numbers
from jigsolve.solvers.genetic.history import Generation
from jigsolve.solvers.protocol import Found
from jigsolve.solvers.settings import Settings

GIVEN = "given"
"""Why a run ended that was none: see `given.price`."""


def as_numbers(timings: dict[str, Timing]) -> dict[str, dict[str, float]]:
    """Return timings as JSON can hold them."""
    return {stage: timing._asdict() for stage, timing in timings.items()}


@dataclass(frozen=True, eq=False)
class Solution:
    """The best arrangement found, and how it was found."""

    puzzle: Puzzle = field(repr=False)
    arrangement: np.ndarray = field(repr=False)
    """Ids of the given puzzle's pieces, (rows, columns); -1 where a cell is empty."""
    cost: float
    """Sum of all seam costs; seams with empty cells cost something, too."""
    seam_costs: tuple[np.ndarray, np.ndarray] = field(repr=False)
    """Costs of the seams to the right, (rows, columns - 1), and below, (rows - 1, columns); NaN
    beside empty cells."""
    history: list[Generation] = field(repr=False)
    timings: dict[str, Timing]
    settings: Settings
    """The settings used, with everything decided that was left open."""
    stopped: str
    """Why it ended: "generations", "patience", "asked", "time" or "interrupted"; or GIVEN."""
    code: Code | None
    """The QR code that the pieces make, if they do: they were placed by what is known of it."""
    prepared: Prepared = field(repr=False)
    """The same puzzle with its seams priced: it can be solved again without pricing them."""
    turns: np.ndarray | None = field(default=None, repr=False)
    """Quarter turns clockwise that the piece in each cell needs, (rows, columns) int8; None where
    pieces are not turned."""

    @property
    def placement(self) -> Placement:
        """Arrangement and turns; where pieces are not turned, all turns are 0."""
        turns = np.zeros(self.arrangement.shape, np.int8) if self.turns is None else self.turns
        return Placement(self.arrangement, turns)

    @property
    def strays(self) -> list[int]:
        """The pieces that have no cell."""
        left_over = np.setdiff1d(np.arange(len(self.puzzle)), self.arrangement)
        return [int(piece) for piece in left_over]

    def confidence(self) -> Confidence | None:
        """Return how likely seams and pieces are right; None unless the measure is learned.

        Of a QR code they are sure, 1, or nothing vouches for them, 0.
        """
        if self.code:
            sure = self.code.sure
            beside = sure[:, :-1] & sure[:, 1:], sure[:-1] & sure[1:]
            return Confidence(*(grid.astype(float) for grid in (*beside, sure)))
        if not self.prepared.measure.reranked:
            return None
        weights = WHOLE if self.puzzle.damage.is_none else DAMAGED
        confidence = confidence_of(*self.seam_costs, weights)
        return confidence.with_certain(*self.known_seams()) if self.prepared.layout else confidence

    def known_seams(self) -> tuple[np.ndarray, np.ndarray]:
        """Return which seams constraints say must hold, to the right and below."""
        if self.prepared.layout is None:
            rows, columns = self.puzzle.board
            return np.zeros((rows, columns - 1), bool), np.zeros((rows - 1, columns), bool)
        own = self.prepared.numbers[self.arrangement]
        return self.prepared.layout.kept_seams(own, self.turns)

    def believed(self) -> float | None:
        """Return about what share of the seams is right; None with measures that cannot say."""
        confidence = self.confidence()
        if confidence is None:
            return None
        seams = np.concatenate([confidence.right.ravel(), confidence.below.ravel()])
        return float(np.nanmean(seams)) if np.isfinite(seams).any() else None

    def cost_of(self, arrangement: np.ndarray, turns: np.ndarray | None = None) -> float:
        """Return what another arrangement of the puzzle costs, by the same measure."""
        found = checked_arrangement(arrangement, self.puzzle)
        return self.prepared.plain.cost_of(self.prepared.poses(found, turns))

    def image(self) -> np.ndarray:
        """Return the reassembled picture, uint8 of shape (height, width, 3)."""
        return laid(self.puzzle.pieces, *self.placement)

    def save(self, path: str | Path) -> None:
        """Write the reassembled picture, or with a name ending in .json the whole record."""
        path = Path(path)
        if path.suffix.lower() == ".json":
            write_text(path, self.as_json())
        else:
            write_picture(path, self.image())

    def as_json(self) -> str:
        """Return the whole record as JSON text."""
        return json.dumps(self.as_dict()) + "\n"

    def as_dict(self) -> dict[str, object]:
        """Return the record that JSON can hold."""
        across, down = self.seam_costs
        height, width = self.puzzle.piece_size
        confidence = self.confidence()
        code = {"qr": self.code.as_dict()} if self.code else {}
        return code | {
            "format": "jigsolve-solution",
            "board": {"rows": self.puzzle.board.rows, "columns": self.puzzle.board.columns},
            "piece": {"width": width, "height": height},
            "arrangement": self.arrangement.ravel().tolist(),
            **({} if self.turns is None else {"turns": self.turns.ravel().tolist()}),
            "strays": self.strays,
            "names": None if self.puzzle.names is None else list(self.puzzle.names),
            "cost": self.cost,
            "seam_costs": {"right": numbers(across), "below": numbers(down)},
            "confidence": confidence.as_dict() if confidence else None,
            "believed": self.believed(),
            "known_seams": int(sum(part.sum() for part in self.known_seams())),
            "damage": as_record(self.puzzle.damage),
            "stopped": self.stopped,
            **self.settings.as_record(),
            "threads": self.settings.threads,
            "history": [generation.as_dict() for generation in self.history],
            "timings": as_numbers(self.timings),
            **provenance(),
        }


def solution_of(
    prepared: Prepared,
    found: Found,
    settings: Settings,
    timings: dict[str, Timing],
    code: Code | None = None,
) -> Solution:
    """Return what a solver found as a solution."""
    given, history = prepared.given(found.arrangement), found.history
    if turn := prepared.turn_upright(given):
        given = given.turned(turn)
        history = [generation.turned(turn) for generation in history]
    return solution_at(
        prepared,
        given,
        settings,
        stopped=found.stopped,
        history=history,
        cost=found.cost if prepared.layout is None else None,  # a solver's own heeds constraints
        timings=timings,
        code=code,
    )


def solution_at(
    prepared: Prepared,
    given: Placement,
    settings: Settings,
    *,
    stopped: str,
    history: list[Generation] | None = None,
    cost: float | None = None,
    timings: dict[str, Timing] | None = None,
    code: Code | None = None,
) -> Solution:
    """Return a placement, by the numbers that pieces were given by, as a solution."""
    own, table = prepared.poses(*given), prepared.plain
    return Solution(
        puzzle=prepared.puzzle,
        arrangement=given.pieces,
        turns=None if prepared.puzzle.turns == NONE else given.turns,
        cost=table.cost_of(own) if cost is None else cost,
        seam_costs=_without_holes(table.board_costs(own), own < 0),
        history=history or [],
        timings=timings or {},
        settings=settings,
        stopped=stopped,
        code=code,
        prepared=prepared,
    )


def _without_holes(
    costs: tuple[np.ndarray, np.ndarray], empty: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return costs of seams with NaN for those of empty cells, which are none."""
    across, down = costs
    across[empty[:, 1:] | empty[:, :-1]] = np.nan
    down[empty[1:] | empty[:-1]] = np.nan
    return across, down
