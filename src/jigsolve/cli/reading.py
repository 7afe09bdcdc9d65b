"""Reading what solve is given, and finding its board."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import NamedTuple

from jigsolve.cli.honest_words import tell_of_damage
from jigsolve.cli.known import known_from
from jigsolve.cli.printing import counted, printable, say
from jigsolve.cli.repeats import name_repeats
from jigsolve.core import Board, Puzzle
from jigsolve.damage.words import AUTO
from jigsolve.detect.file_names import naming_of
from jigsolve.detect.sources import Source, read_source
from jigsolve.errors import InputError, NoBoardError
from jigsolve.execution.crew import Progress
from jigsolve.execution.work import Work
from jigsolve.measures import MEASURES
from jigsolve.pricing.prepared import Prepared
from jigsolve.solvers.boards import BoardGuess, FoundBoards, check_clear, find_boards
from jigsolve.solvers.settings import Settings


def read(options: argparse.Namespace, settings: Settings, progress: Progress) -> Source:
    """Read the puzzle, and say what was left out or changed on the way."""
    source = read_source(options.puzzle, known=known_from(options), progress=progress)
    progress(1, 1)
    if not options.quiet:
        if settings.pricing.damage == AUTO and MEASURES[settings.pricing.measure].reranked:
            tell_of_damage(source.damage)
        for note in source.notes:
            say(printable(note))
        if source.names and not options.by_name and (naming := naming_of(source.names)):
            said = f"names of files are {naming.describe()}, and have no part in what follows"
            say(printable(f"{said}; --by-name believes them"))
    return source


class Told(NamedTuple):
    """The board of a source, and its tiles prepared if their seams were priced to find it."""

    board: Board
    prepared: Prepared | None


def board_of(source: Source, options: argparse.Namespace, settings: Settings, work: Work) -> Told:
    """Return the board that is given, the source's own, or one that is found."""
    board = options.board or source.board
    if board is not None or len(source.pieces) < 2:
        return Told(board or Board(1, 1), None)
    if options.holes:
        raise InputError("--holes: expected with --board COLSxROWS, found no board")
    try:
        found: FoundBoards = find_boards(
            source.pieces, settings, work, damage=source.damage, turns=source.turns
        )
        board = check_clear(found.guesses, len(source.pieces))
    except NoBoardError as error:
        copies = name_repeats(source.pieces, source.names) if source.names else ""
        raise InputError(f"{error}; {copies}" if copies else str(error)) from None
    if not options.quiet:
        others = _next(found.guesses[1:4])
        say(f"found a board of {board.columns} x {board.rows} pieces{others}")
    return Told(board, found.prepared)


def on_its_board(
    source: Source, options: argparse.Namespace, settings: Settings, work: Work
) -> Puzzle | Prepared:
    """Return the puzzle on its board, holes and strays decided; prepared if it is."""
    told = board_of(source, options, settings, work)
    puzzle = source.puzzle(told.board, options.holes)
    if not options.quiet:
        if puzzle.holes:
            say(f"{counted(puzzle.holes, 'cell')} may stay empty")
        if puzzle.strays:
            say(f"{counted(puzzle.strays, 'piece')} may be left over")
    return told.prepared.on(puzzle) if told.prepared else puzzle


def _next(guesses: Sequence[BoardGuess]) -> str:
    others = ", ".join(f"{board.columns} x {board.rows}" for board, _ in guesses)
    return f" (next: {others})" if others else ""
