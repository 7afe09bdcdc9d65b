"""A simulated person: knows the original, and answers what `jigsolve.advice` asks."""

from __future__ import annotations

import numpy as np

from jigsolve import Constraints, InputError, Puzzle, Solution
from jigsolve.advice import BlockQuestion, PieceQuestion, Question, SeamQuestion
from jigsolve.core.constraints import merged
from jigsolve.core.layout import laid_out


class Person:
    """Pieces with equal pixels are one to them."""

    def __init__(self, puzzle: Puzzle, truth: np.ndarray) -> None:
        flat = puzzle.pieces.reshape(len(puzzle), -1)
        _, self._look = np.unique(flat, axis=0, return_inverse=True)
        self._puzzle = puzzle
        self._truth = truth.ravel()
        self._belongs = np.argsort(self._truth)  # the cell of each piece
        self._alike = {self._as_seen(seam) for seam in seams_of(truth)}

    def _as_seen(self, seam: tuple[int, str, int]) -> tuple[int, str, int]:
        return int(self._look[seam[0]]), seam[1], int(self._look[seam[2]])

    def answered(self, found: Solution, known: Constraints, question: Question) -> Constraints:
        """Return what is known after an answer; nothing more if pieces that look alike clash."""
        after = merged([known, self._answer(found.arrangement, known, question)])
        try:
            laid_out(after, self._puzzle)
        except InputError:
            return known
        return after

    def _answer(
        self, arrangement: np.ndarray, known: Constraints, question: Question
    ) -> Constraints:
        if isinstance(question, SeamQuestion):
            return self._judge(seam_at(arrangement, question))
        if isinstance(question, PieceQuestion):
            return self._pick(arrangement, question)
        return self._drag(arrangement, known, question)

    def _judge(self, seam: tuple[int, str, int]) -> Constraints:
        """Accept or reject a seam."""
        if self._as_seen(seam) in self._alike:
            return Constraints(joined=[seam])
        return Constraints(parted=[seam])

    def _pick(self, arrangement: np.ndarray, question: PieceQuestion) -> Constraints:
        """Pick the right piece if it is shown; else say that what lies there is wrong."""
        beside, here = (
            int(arrangement[cell]) for cell in (question.beside, (question.row, question.column))
        )
        for piece in (here, *(each.piece for each in question.candidates)):
            seam = seam_between(beside, piece, question)
            if self._as_seen(seam) in self._alike:
                return Constraints(joined=[seam])
        return Constraints(parted=[seam_between(beside, here, question)])

    def _drag(
        self, arrangement: np.ndarray, known: Constraints, question: BlockQuestion
    ) -> Constraints:
        """Say where most of a block belongs; what does not belong to it is left behind.

        Where its cells look as they should they are right, whichever of equal pieces lie there.
        """
        columns, flat = arrangement.shape[1], arrangement.ravel()
        taken = [row * columns + column for _, row, column, *_ in known.fixed]
        cells = np.array(question.cells)
        is_right = self._look[self._truth[cells]] == self._look[flat[cells]]
        aims = np.where(is_right, cells, self._belongs[flat[cells]])
        by = np.stack([aims // columns - cells // columns, aims % columns - cells % columns])
        _, which, counts = np.unique(by, axis=1, return_inverse=True, return_counts=True)
        together = (which.ravel() == counts.argmax()) & ~np.isin(aims, taken)
        held = together & np.isin(cells, question.held_by)
        if not held.any():
            held = together & (np.cumsum(together) == 1)
        return Constraints(
            fixed=[
                (int(flat[cell]), int(aim) // columns, int(aim) % columns)
                for cell, aim in zip(cells[held], aims[held], strict=True)
            ]
        )


def seams_of(arrangement: np.ndarray) -> set[tuple[int, str, int]]:
    """Return all seams of an arrangement without empty cells."""
    beside = {
        "right": (arrangement[:, :-1], arrangement[:, 1:]),
        "bottom": (arrangement[:-1], arrangement[1:]),
    }
    return {
        (one, side, other)
        for side, ends in beside.items()
        for one, other in zip(*(end.ravel().tolist() for end in ends), strict=True)
    }


def seam_at(arrangement: np.ndarray, question: SeamQuestion) -> tuple[int, str, int]:
    row, column, direction = question[:3]
    if direction == "right":
        return int(arrangement[row, column]), "right", int(arrangement[row, column + 1])
    return int(arrangement[row, column]), "bottom", int(arrangement[row + 1, column])


def seam_between(beside: int, piece: int, question: PieceQuestion) -> tuple[int, str, int]:
    """Return the seam of a piece in the cell of a question, the left or upper piece first."""
    down, right = question.row - question.beside[0], question.column - question.beside[1]
    side = "right" if right else "bottom"
    return (beside, side, piece) if down + right > 0 else (piece, side, beside)
