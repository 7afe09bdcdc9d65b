"""Scoring against an original that was saved with loss or scaled: pieces go by likeness.

The original is laid out in cells as a reference is, and every cell gets the piece most like it, no
piece twice. So the right arrangement is known, as far as it can be seen, and is scored as always.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from jigsolve.core import Puzzle
from jigsolve.core.turns import possible_turns, widest_turns
from jigsolve.errors import InputError
from jigsolve.execution.memory import require_memory
from jigsolve.reference.alignment import contrast
from jigsolve.reference.lattice import Guess, guess_lattices
from jigsolve.reference.matching import ROWS_AT_ONCE, distances, give_out
from jigsolve.reference.placement import (
    PLAIN,
    TIED,
    best_alignment,
    how_near,
    usual_distance,
    window_of,
)
from jigsolve.reference.sampling import FINEST, Axis, Lattice
from jigsolve.scores.looks import look_alikes
from jigsolve.scores.result import Scores
from jigsolve.scores.scores import kinds_of, score_kinds
from jigsolve.scores.turned import score_turned_pictures, whole_turns

INDISTINCT = 0.5
"""What lies in a cell counts as right if the best arrangement is nearer by no more than this share
of the usual distance: an original that lost so much does not tell such pieces apart."""


class Comparison(NamedTuple):
    """How right a solved picture is, and how its pieces were recognised."""

    scores: Scores
    alike: int
    """Pieces recognised by likeness, not by equal pixels."""
    unlike: int
    """Of these, pieces that look like nothing in the original; they count as wrong."""


def compare_pictures(original: np.ndarray, solved: Puzzle) -> Comparison:
    """Score a solved picture against the original's pixels, (height, width, 3).

    Pieces are recognised by equal pixels, perhaps turned, and if some have none, by likeness: then
    the original may be a JPEG, or have another scale. `perfect` says then that every piece is in
    its place. By likeness the whole may be turned, but single pieces that are turned otherwise look
    like nothing.
    """
    strangers = len(solved)
    if _has_same_scale(original, solved):
        truth, found, strangers = kinds_of(Puzzle.cut(original, solved.piece_size), solved)
        if not strangers:
            return Comparison(score_kinds(found, truth), 0, 0)
    cells = tuple(np.floor_divide(original.shape[:2], solved.piece_size).tolist())
    if whole_turns(tuple(solved.board), cells, widest_turns(*solved.piece_size)):
        scores, lacking = score_turned_pictures(Puzzle.cut(original, solved.piece_size), solved)
        if scores is not None:
            return Comparison(scores, 0, 0)
        strangers = min(strangers, lacking)
    return _best_by_likeness(original, solved, strangers)


def _best_by_likeness(original: np.ndarray, solved: Puzzle, strangers: int) -> Comparison:
    """Compare a picture as it is, and unless all its pieces look like something, turned, too."""
    best, failure = None, None
    for turn in possible_turns(widest_turns(*solved.piece_size)):
        pixels = np.rot90(solved.image(), -turn)
        try:
            found = _by_likeness(original, Puzzle.cut(pixels, solved.piece_size), strangers)
        except InputError as error:
            failure = failure or error  # what is said is of the picture as it is
            continue
        if best is None or found.unlike < best.unlike:
            best = found._replace(scores=replace(found.scores, turn=turn or None))
        if not best.unlike:
            break
    if best is None:
        assert failure is not None
        raise failure
    return best


def _by_likeness(original: np.ndarray, solved: Puzzle, strangers: int) -> Comparison:
    given = _right_arrangement(original, solved)
    looks = look_alikes(solved.pieces)
    none = int(looks.max()) + 1  # and further numbers: equal to nothing
    truth = np.where(given >= 0, looks[given], none + np.arange(len(given)))
    scores = score_kinds(looks.reshape(solved.board), truth.reshape(solved.board))
    return Comparison(scores, strangers, int((given < 0).sum()))


def _has_same_scale(original: np.ndarray, solved: Puzzle) -> bool:
    """Whether an original has just the board's cells, and perhaps strips too narrow for one."""
    sizes = zip(original.shape, solved.piece_size, solved.board, strict=False)
    return all(length // pixels == cells for length, pixels, cells in sizes)


def _right_arrangement(original: np.ndarray, solved: Puzzle) -> np.ndarray:
    """Return the piece that belongs in each cell, or -1 where none looks like it."""
    colours, rows = len(solved) * FINEST**2 * 3 * 4, len(solved) * ROWS_AT_ONCE * 16
    require_memory(8 * colours + rows + 16 * original.size, "comparing by likeness")
    if _has_same_scale(original, solved):
        nobody = np.empty(0, int)
        lattice = Lattice(*(Axis(0.0, float(pixels)) for pixels in solved.piece_size))
        guesses = [Guess(lattice, nobody, nobody, nobody, 1.0)]
    else:
        guesses = guess_lattices(solved.pieces, original)
    try:
        alignment = best_alignment(solved, original, guesses)
    except InputError:
        raise InputError(
            "expected the original of the solved picture, perhaps saved with loss or scaled, "
            "found too few pieces that look alike (another picture or piece size?)"
        ) from None
    window = window_of(alignment.clear, solved.board)
    cells, clear = alignment.cells[window], alignment.clear[window].ravel()
    if cells.shape[:2] != solved.board:
        raise InputError(
            f"expected an original that shows all {solved.board.columns} x {solved.board.rows} "
            f"pieces, found {cells.shape[1]} x {cells.shape[0]}"
        )
    cells, pieces = cells.reshape(len(solved), -1), alignment.pieces
    usual = usual_distance(cells, pieces, clear)
    given = give_out(cells, pieces, PLAIN + contrast(cells), TIED * usual + 1e-3)
    _send_home(cells, pieces, given, (INDISTINCT * usual) ** 2)
    _, _, matched = how_near(cells, pieces, given, clear)
    return np.where(matched, given, -1)


def _send_home(cells: np.ndarray, pieces: np.ndarray, given: np.ndarray, tie: float) -> None:
    """Let pieces stay where they lie if squared distances grow by no more than a tie."""
    holder = np.empty(len(given), int)
    holder[given] = np.arange(len(given))
    for cell in np.flatnonzero(given != np.arange(len(given))).tolist():
        other = holder[cell]
        if other == cell:
            continue  # sent home as the other one of a pair
        here = np.array([cell, other])
        now, then = given[here], np.array([cell, given[cell]])
        rise = distances(cells[here], pieces[then]) ** 2 - distances(cells[here], pieces[now]) ** 2
        if rise.sum() <= tie:
            given[here] = then
            holder[then] = here
