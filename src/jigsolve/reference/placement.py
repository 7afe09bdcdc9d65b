"""From a puzzle and a reference picture to what the reference says of each piece."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from jigsolve._kernels.geometry import TURNS
from jigsolve.core import Board, Puzzle
from jigsolve.core.constraints import Constraints
from jigsolve.core.layout import touching_sides
from jigsolve.core.pieces import pixels_of
from jigsolve.core.poses import poses_of
from jigsolve.core.turns import POSES
from jigsolve.errors import InputError
from jigsolve.execution.crew import Progress
from jigsolve.execution.memory import require_memory
from jigsolve.reference.alignment import FEW, Alignment, align, contrast
from jigsolve.reference.holding import held_together
from jigsolve.reference.lattice import AGREED, Guess, guess_lattices, whole_pictures
from jigsolve.reference.matching import ROWS_AT_ONCE, distances, give_out, nearest
from jigsolve.reference.sampling import FINEST

CONVINCING = 0.3
"""Share of clear matches with which no other lattice is tried."""
LEAST = 0.12
"""And below which the picture is taken for another one, or for one too poor to be of use."""
MOST_GUESSES = 3
PLAIN = 3.0
"""Grey levels: what differs by less, differs by noise."""
SURELY_OFF, SURELY_ON = 0.95, 0.8
"""Distance, as a share of contrast: pieces farther off never match, nearer ones always do."""
USUAL = 4
"""Between these, pieces match that are not farther off than so many times the usual."""
TIED = 0.1
"""Distances that differ by less than this share of the usual one are the same."""
DOUBT = 0.75
"""A match is in doubt unless it is nearer than this share of the next best's distance."""
FAINTEST = 0.3
"""Grey levels added to both: equal pieces must not differ by rounding."""


@dataclass(frozen=True, eq=False)
class Placement:
    """What a reference says of the pieces of a puzzle."""

    board: Board
    arrangement: np.ndarray = field(repr=False)
    """Ids of pieces, (rows, columns); -1 where none matches. If the reference does not cover the
    board, what it covers stands at the top left: where it belongs is not known."""
    sure: np.ndarray = field(repr=False)
    """Cells whose piece is not to be mistaken for another, and what holds them together,
    (rows, columns) bool. The rest is better left to seams."""
    match: np.ndarray = field(repr=False)
    """How well each piece matches its cell, (n,), from 1 down to 0; 0 if it has none."""
    covered: Board
    """The rows and columns of cells that the reference shows."""
    turns: np.ndarray | None = field(default=None, repr=False)
    """Quarter turns clockwise that the piece in each cell needs, (rows, columns) int8; None where
    pieces are not turned."""

    @property
    def unmatched(self) -> np.ndarray:
        """Ids of the pieces that match no cell."""
        return np.flatnonzero(self.match == 0)

    @property
    def complete(self) -> bool:
        """Whether the reference shows the whole board."""
        return self.covered == self.board

    def constraints(self) -> Constraints:
        """Return what it is sure of: cells if it shows the whole board, or else neighbours.

        And how these are turned, where pieces may be.
        """
        known = np.where(self.sure, self.arrangement, -1)
        if self.complete:
            return Constraints.from_arrangement(known, self.turns)
        if self.turns is None:
            return Constraints.from_neighbours(self.neighbours())
        touching = touching_sides(poses_of(known, self.turns), len(self.match))
        lie = zip(known[known >= 0].tolist(), self.turns[known >= 0].tolist(), strict=True)
        return replace(Constraints.from_sides(touching), turned=[*lie])

    def neighbours(self) -> np.ndarray:
        """Return the table of sure neighbours, (n, 4): left, right, top, bottom, or -1."""
        table = np.full((len(self.match), 4), -1, np.int32)
        known = np.where(self.sure, self.arrangement, -1)
        for side, here, there in (
            (1, known[:, :-1], known[:, 1:]),
            (3, known[:-1], known[1:]),
        ):
            both = (here >= 0) & (there >= 0)
            table[here[both], side] = there[both]
            table[there[both], side - 1] = here[both]
        return table

    def as_dict(self) -> dict[str, object]:
        """Return what JSON can hold."""
        return {
            "covered": {"rows": self.covered.rows, "columns": self.covered.columns},
            "match": np.round(self.match, 4).tolist(),
            "unmatched": self.unmatched.tolist(),
        }


def place_by_reference(
    puzzle: Puzzle, reference: np.ndarray | str | Path, *, progress: Progress | None = None
) -> Placement:
    """Find the cell of each piece in a picture of what the puzzle shows.

    The picture may have another scale, brightness or compression, lack parts and contain
    more than the puzzle does. It must be upright and not distorted. Pieces that may be turned are
    compared with it in each turn they may need.

    Parameters
    ----------
    puzzle
        The pieces, in any order, and the board.
    reference
        A file, or an array of shape (height, width, 3) or (height, width), uint8.
    progress
        Called with steps done and steps in all.
    """
    reference = pixels_of(reference)
    if not reference.size:
        raise InputError(f"expected a reference with pixels, found shape {reference.shape}")
    rows = POSES[puzzle.turns] * len(puzzle)
    colours, tiles = rows * FINEST**2 * 3 * 4, rows * ROWS_AT_ONCE * 16
    require_memory(8 * colours + tiles + 16 * reference.size, "comparing with a reference")
    tell = progress or (lambda done, total: None)
    tell(0, 3)
    guesses = guess_lattices(puzzle.pieces, reference, puzzle.turns)
    tell(1, 3)
    alignment = best_alignment(puzzle, reference, guesses)
    tell(2, 3)
    placement = _placed(puzzle.board, alignment, puzzle.turns)
    tell(3, 3)
    return placement


def best_alignment(puzzle: Puzzle, reference: np.ndarray, guesses: list[Guess]) -> Alignment:
    """Return the cells of a reference as one of some lattices has them; raise if none fits."""
    likely = [guess for guess in guesses if guess.share >= AGREED]
    others = [guess for guess in guesses if guess.share < AGREED][:MOST_GUESSES]
    whole = whole_pictures(puzzle.pieces, reference, puzzle.board)
    best: Alignment | None = None
    for guess in (*likely, *whole, *others):
        alignment = align(puzzle.pieces, reference, guess, puzzle.turns)
        if best is None or alignment.share > best.share:
            best = alignment
            if best.share > CONVINCING:
                break
    if best is None:
        raise InputError(
            "nothing matches the reference: expected at least a pixel of it to a piece, found "
            f"{reference.shape[1]} x {reference.shape[0]} in all"
        )
    found = int((best.clear >= 0).sum())
    if best.share < LEAST or found < min(len(puzzle) / 2, FEW):
        raise InputError(
            "nothing matches the reference: expected a picture of what the puzzle shows, upright, "
            f"found clear matches for {best.share:.1%} of the pieces looked at"
        )
    return best


def _placed(board: Board, alignment: Alignment, turns: str) -> Placement:
    """Give the cells of the reference their pieces."""
    poses = POSES[turns]
    window = window_of(alignment.clear, board)
    cells = alignment.cells[window]
    covered = Board(*cells.shape[:2])
    cells, pieces = cells.reshape(-1, cells.shape[2]), alignment.pieces
    clear = alignment.clear[window].ravel()
    limits = PLAIN + contrast(cells)
    jitter = TIED * usual_distance(cells, pieces, clear) + 1e-3
    given = give_out(cells, pieces, limits, jitter, poses)
    away, share, matched = how_near(cells, pieces, given, clear)
    # Rows of one piece are rivals, too: in which turn it matches must not be in doubt.
    rivals = np.minimum(_rivals(cells, pieces, given, poses), _rival_cells(cells, pieces, given))
    sure = matched & (away + FAINTEST < DOUBT * (rivals + FAINTEST))
    arrangement, fixed = np.full(board, -1, np.int32), np.zeros(board, bool)
    part = np.s_[: covered.rows, : covered.columns]
    spans = (covered.rows == board.rows, covered.columns == board.columns)
    fixed[part] = held_together(sure.reshape(covered), matched.reshape(covered), spans)
    told = matched.reshape(covered) | fixed[part]
    arrangement[part] = np.where(told, given.reshape(covered) // poses, -1)
    match = np.zeros(len(pieces) // poses)
    match[given[matched] // poses] = np.clip(1 - share[matched], 0, 1)
    lies = None
    if poses > 1:
        lies = np.zeros(board, np.int8)
        lies[part] = np.where(told, TURNS // poses * (given.reshape(covered) % poses), 0)
    return Placement(board, arrangement, fixed, match, covered, lies)


def usual_distance(cells: np.ndarray, pieces: np.ndarray, clear: np.ndarray) -> float:
    """Return how far from their cells pieces usually are that clearly match, in grey levels."""
    return float(np.median(distances(cells[clear >= 0], pieces[clear[clear >= 0]])))


def how_near(
    cells: np.ndarray, pieces: np.ndarray, given: np.ndarray, clear: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return how far given pieces are from cells, the share of contrast that is, who matches."""
    away = np.full(len(cells), np.inf)
    held = given >= 0
    away[held] = distances(cells[held], pieces[given[held]])
    share = away / (PLAIN + contrast(cells))
    typical = np.median(share[(clear >= 0) & held])
    return away, share, share <= np.clip(USUAL * typical, SURELY_ON, SURELY_OFF)


def window_of(clear: np.ndarray, board: Board) -> tuple[slice, slice]:
    """Return the part of the reference's cells, no larger than the board, that matches best."""
    sums = np.zeros((clear.shape[0] + 1, clear.shape[1] + 1), int)
    sums[1:, 1:] = (clear >= 0).cumsum(axis=0).cumsum(axis=1)
    rows, columns = (min(here, most) for here, most in zip(clear.shape, board, strict=True))
    inside = sums[rows:, columns:] - sums[:-rows, columns:] - sums[rows:, :-columns]
    inside += sums[:-rows, :-columns]
    top, left = np.unravel_index(inside.argmax(), inside.shape)
    return slice(int(top), int(top) + rows), slice(int(left), int(left) + columns)


def _rival_cells(cells: np.ndarray, pieces: np.ndarray, given: np.ndarray) -> np.ndarray:
    """Return how far from the piece of each cell the nearest other cell is."""
    owner = np.full(len(pieces), -1)
    owner[given[given >= 0]] = np.flatnonzero(given >= 0)  # some have none: pieces are missing
    found = nearest(pieces[given], cells, 2)
    first = np.where(found.which[:, 0] == owner[given], -1, 0)
    return np.asarray(np.take_along_axis(found.distance, first[:, None], axis=1)[:, 0])


def _rivals(cells: np.ndarray, pieces: np.ndarray, given: np.ndarray, poses: int = 1) -> np.ndarray:
    """Return how far from each cell the nearest piece is that looks unlike its own."""
    found = nearest(cells, pieces, 4 * poses)
    rivals = np.full(len(cells), np.inf)
    for rank in reversed(range(found.which.shape[1])):
        other = found.which[:, rank]
        unlike = distances(pieces[other], pieces[given]) > 1e-3
        rivals = np.where(unlike, found.distance[:, rank], rivals)
    return rivals
