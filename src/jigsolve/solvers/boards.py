"""Which board do tiles fill? Shapes their number allows are tried, all with one seam table.

For each shape, segments are joined within it and completed a few times. What speaks for being right
in all seams of the best arrangement, added up, compares shapes with more seams and fewer: a right
seam speaks for its board, one that had to be made against it.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from jigsolve._kernels.evidence import Evidence
from jigsolve._kernels.geometry import posed_piece
from jigsolve.assembly.population import Growing, Nursery, Population, arrangement_of
from jigsolve.assembly.segments import Segments, evidence
from jigsolve.core import Board, Puzzle
from jigsolve.core.shapes import shapes
from jigsolve.core.turns import NONE, POSES, QUARTER
from jigsolve.damage import UNDAMAGED, Damage
from jigsolve.errors import NoBoardError
from jigsolve.execution.events import OnEvent
from jigsolve.execution.stop import Stop
from jigsolve.execution.work import Work, working
from jigsolve.measures import MEASURES
from jigsolve.measures.calibration import COUNTED
from jigsolve.pricing.prepared import Prepared, prepare
from jigsolve.qr.finding import look_for_code
from jigsolve.solvers.foresight import foresee
from jigsolve.solvers.kernels import prepare_kernels
from jigsolve.solvers.settings import Settings

COMPLETIONS = 8
"""How often segments are completed in each shape; the cheapest result counts."""

CLEAR = COUNTED.boards.clear
"""A shape is clear if so much more speaks for it than for the next, a share of the whole."""

CONVINCING = COUNTED.boards.convincing
"""And if so much speaks for it per seam: in photographs it is 5 to 7, in what is put together by
chance less than 1."""

MOST_OBLONG = 2
"""Seams are priced on a shape of the tiles' number that is at most so oblong, if there is one."""

STRIP = 20
"""Tiles so many times as long as they are wide are strips: they lie side by side in one line."""

ROOM = 0.9
"""Sure segments may be wrong, too: shapes must have room for so much of the largest."""


class BoardGuess(NamedTuple):
    """A board, and how much its seams speak for it."""

    board: Board
    evidence: float


class FoundBoards(NamedTuple):
    """Boards that tiles may fill, and the tiles prepared to be solved on any of them."""

    guesses: list[BoardGuess]
    """The likeliest first."""
    prepared: Prepared | None
    """None where seams had no say: see `find_board`."""


def find_board(
    pieces: np.ndarray,
    settings: Settings | None = None,
    *,
    damage: Damage = UNDAMAGED,
    turns: str = NONE,
    on_event: OnEvent | None = None,
    stop: Stop | None = None,
) -> list[BoardGuess]:
    """Return the boards that tiles, (n, height, width, 3), may fill, likeliest first.

    Strips fill one board only, of which all is said: its evidence is infinite.

    Examples
    --------
    >>> import numpy as np
    >>> ramp = np.add.outer(np.arange(0, 180, 3), np.arange(80)).astype(np.uint8)
    >>> puzzle, truth = Puzzle.cut(ramp, piece=20).shuffle(seed=3)
    >>> find_board(puzzle.pieces)[0].board
    Board(rows=3, columns=4)
    """
    settings = settings or Settings()
    with working(settings.threads, on_event, stop) as work:
        return find_boards(pieces, settings, work, damage=damage, turns=turns).guesses


def find_boards(
    pieces: np.ndarray,
    settings: Settings,
    work: Work,
    *,
    damage: Damage = UNDAMAGED,
    turns: str = NONE,
) -> FoundBoards:
    """Return the boards that tiles may fill; their seams, once priced, are not priced again."""
    measure = MEASURES[settings.pricing.measure]
    if turns == NONE and (fit := look_for_code(pieces, None, measure)):
        return FoundBoards([BoardGuess(fit.frame.board, math.inf)], None)
    if strips := _of_strips(pieces):
        return FoundBoards([BoardGuess(strips, math.inf)], None)
    puzzle = priced_on(pieces, damage=damage, turns=turns)
    foresee(puzzle, settings, work.crew)
    prepare_kernels(work.clock)
    prepared = prepare(puzzle, settings.pricing, settings.seed, work, keep_scores=True)
    extent = Segments.surest_extent(prepared.table, work.crew)
    candidates = _with_room(shapes(len(pieces), turns), extent, turns)
    guesses = []
    with work.clock.stage("boards") as tell:
        for done, board in enumerate(candidates, 1):
            on_board = replace(prepared, puzzle=Puzzle(pieces, board, turns=turns))
            guesses.append(BoardGuess(board, evidence_on(on_board, work)))
            tell(done, len(candidates))
    guesses.sort(key=lambda guess: -guess.evidence)
    _warn_if_narrow(guesses[0].board, extent, turns)
    return FoundBoards(guesses, prepared)


def _of_strips(pieces: np.ndarray) -> Board | None:
    """Return the board of strips, side by side; None where tiles are no strips.

    Two rows of strips are hardly met, but their short ends, which say nothing, fit anywhere and
    would speak for them.
    """
    number, height, width = pieces.shape[:3]
    if height >= STRIP * width:
        return Board(1, number)
    return Board(number, 1) if width >= STRIP * height else None


def is_clear(guesses: Sequence[BoardGuess]) -> bool:
    """Whether much speaks for the first board, and clearly more than for the next."""
    (rows, columns), evidence = guesses[0]
    if evidence < CONVINCING * (2 * rows * columns - rows - columns):
        return False
    return len(guesses) == 1 or evidence - guesses[1].evidence > CLEAR * evidence


def check_clear(guesses: Sequence[BoardGuess], pieces: int) -> Board:
    """Return the likeliest board; raise unless it is clear."""
    if is_clear(guesses):
        return guesses[0].board
    likely = ", ".join(f"{b.columns}x{b.rows}" for b, _ in guesses[:3])
    raise NoBoardError(
        f"expected a board that {pieces:,} tiles clearly fill, found none (some missing, or too "
        f"many?); give `board` (likeliest: {likely})"
    )


def _with_room(boards: list[Board], extent: Board, turns: str) -> list[Board]:
    """Return the boards that a segment which is sure fits in; raise if there is none."""
    ways = [extent, Board(*reversed(extent))] if turns == QUARTER else [extent]
    fit = [
        board
        for board in boards
        if any(
            board.rows >= ROOM * way.rows and board.columns >= ROOM * way.columns for way in ways
        )
    ]
    if not fit:
        pieces = boards[0].rows * boards[0].columns
        raise NoBoardError(
            f"expected tiles that fill a board, found {pieces:,} that fill none with room for the "
            f"{extent.columns} x {extent.rows} that surely belong together (some missing, or too "
            "many?); give `board`"
        )
    return fit


def priced_on(pieces: np.ndarray, *, damage: Damage = UNDAMAGED, turns: str = NONE) -> Puzzle:
    """Return the puzzle on a board that favours no shape.

    What seams cost depends on how many sides have none. Of a prime number of tiles the squarest
    shape is a strip, on which no seam below another would count.
    """
    found = len(pieces)
    rows = max(math.isqrt(found), 1)
    squarest = next((r for r in range(rows, 0, -1) if found % r == 0), 1)
    if MOST_OBLONG * squarest**2 >= found:
        return Puzzle(pieces, Board(squarest, found // squarest), damage=damage, turns=turns)
    columns = -(-found // rows)
    holes = rows * columns - found
    return Puzzle(pieces, Board(rows, columns), holes=holes, damage=damage, turns=turns)


def _warn_if_narrow(board: Board, extent: Board, turns: str) -> None:
    """Say so if a segment that is sure has no room: of 40 x 30 tiles, 30 missing fill 39 x 30."""
    if turns == QUARTER:  # it may lie either way
        board, extent = Board(*sorted(board)), Board(*sorted(extent))
    if extent.rows > board.rows or extent.columns > board.columns:
        warnings.warn(
            f"{extent.columns} x {extent.rows} tiles seem to belong together, more than the "
            f"likeliest board of {board.columns} x {board.rows} has room for; if some are missing, "
            "give `board`",
            stacklevel=3,
        )


def evidence_on(
    prepared: Prepared,
    work: Work,
    says: Evidence = COUNTED.evidence,
    about: np.ndarray | None = None,
) -> float:
    """Return how much speaks for the board of a puzzle: the seams of what segments are made to.

    If only some pieces are asked about, (n,) bool, only their seams.
    """
    puzzle, table = prepared.puzzle, prepared.table
    population = Population.empty(COMPLETIONS, len(puzzle), puzzle.holes)
    nursery = Nursery(
        table,
        puzzle.board,
        Growing(),
        work.crew,
        seed=prepared.seed,
        threads=work.threads,
        holes=puzzle.holes,
    )
    nursery.complete(Segments.assemble(table, puzzle.board, work.crew), 0, population)
    best = population.neighbours[int(population.costs.argmin())]
    found = arrangement_of(best, puzzle.board, len(puzzle), POSES[puzzle.turns])
    across, down = evidence(table, found, says)
    if about is not None:
        own = np.append(about[prepared.order], False)[np.where(found < 0, -1, posed_piece(found))]
        across *= own[:, 1:] | own[:, :-1]
        down *= own[1:] | own[:-1]
    return float(across.sum() + down.sum())
