"""The kinds of question that a person may be asked."""

from __future__ import annotations

from typing import NamedTuple

from jigsolve.advice.places import Candidate

SEAM, PIECE, BLOCK = KINDS = "seam", "piece", "block"


class SeamQuestion(NamedTuple):
    """Whether a seam is right."""

    row: int
    column: int
    """Of the piece to the left or above."""
    direction: str
    """Where the other one lies: "right" or "below"."""
    probability: float | None
    """That it is right; None with measures that cannot say."""
    gain: float
    """How many pieces its answer is expected to put right."""

    @property
    def kind(self) -> str:
        """What is asked about."""
        return SEAM


class PieceQuestion(NamedTuple):
    """Which piece belongs into a cell."""

    row: int
    column: int
    beside: tuple[int, int]
    """Row and column of the piece beside the cell that is held best: the one that is picked belongs
    there beside this one."""
    candidates: tuple[Candidate, ...]
    """The likeliest ones, the likeliest first."""
    probability: float
    """That the right one is among them."""
    gain: float
    """How many pieces its answer is expected to put right."""

    @property
    def kind(self) -> str:
        """What is asked about."""
        return PIECE


class BlockQuestion(NamedTuple):
    """Whether a block lies where it belongs, and if not, where it does."""

    row: int
    column: int
    """Of its first cell."""
    cells: tuple[int, ...]
    """Numbered row by row."""
    held_by: tuple[int, ...]
    """Those of its cells whose pieces are to be fixed once it is known where they belong: all of a
    small block, the one that is held best of a large one, in which single pieces may be wrong."""
    probability: float | None
    """That it lies right; None with measures that cannot say."""
    gain: float
    """How many pieces its answer is expected to put right."""

    @property
    def kind(self) -> str:
        """What is asked about."""
        return BLOCK


Question = SeamQuestion | PieceQuestion | BlockQuestion
