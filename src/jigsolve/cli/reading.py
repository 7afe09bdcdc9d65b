"""Reading what solve is given, and finding its board."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from jigsolve.cli.honest_words import tell_of_damage
from jigsolve.cli.known import known_from
from jigsolve.cli.options import counted, printable, say
from jigsolve.cli.repeats import name_repeats
from jigsolve.core import Board, Puzzle
from jigsolve.damage.words import AUTO
from jigsolve.detect.file_names import naming_of
from jigsolve.detect.sources import Source, read_source
from jigsolve.errors import InputError, NoBoardError
from jigsolve.execution.crew import Progress
from jigsolve.measures import MEASURES
from jigsolve.solvers.boards import BoardGuess, check_clear, find_board
from jigsolve.solvers.genetic.settings import Settings
from jigsolve.solvers.kernels import prepare_kernels
from jigsolve.solvers.solve import Clock


def read(options: argparse.Namespace, settings: Settings, progress: Progress) -> Source:
    """Read the puzzle, and say what was left out or changed on the way."""
    source = read_source(options.puzzle, known=known_from(options), progress=progress)
    progress(1, 1)
    if not options.quiet:
        if settings.damage == AUTO and MEASURES[settings.measure].reranked:
            tell_of_damage(source.damage)
        for note in source.notes:
            say(printable(note))
        if source.names and not options.by_name and (naming := naming_of(source.names)):
            said = f"names of files are {naming.describe()}, and have no part in what follows"
            say(printable(f"{said}; --by-name believes them"))
    return source


def board_of(
    source: Source, options: argparse.Namespace, settings: Settings, clock: Clock
) -> Board:
    """Return the board that is given, the source's own, or one that is found."""
    board = options.board or source.board
    if board is None and len(source.pieces) > 1:
        if options.holes:
            raise InputError("--holes: expected with --board COLSxROWS, found no board")
        with clock.stage("kernels"):
            prepare_kernels()
        try:
            with clock.stage("boards"):
                guesses = find_board(
                    source.pieces, settings, damage=source.damage, on_stage=clock.on_stage
                )
            board = check_clear(guesses, len(source.pieces))
        except NoBoardError as error:
            copies = name_repeats(source.pieces, source.names) if source.names else ""
            raise InputError(f"{error}; {copies}" if copies else str(error)) from None
        if not options.quiet:
            say(f"found a board of {board.columns} x {board.rows} pieces{_next(guesses[1:4])}")
    return board or Board(1, 1)


def on_its_board(
    source: Source, options: argparse.Namespace, settings: Settings, clock: Clock
) -> Puzzle:
    """Return the puzzle on its board, holes and strays decided."""
    puzzle = source.puzzle(board_of(source, options, settings, clock), options.holes)
    if not options.quiet:
        if puzzle.holes:
            say(f"{counted(puzzle.holes, 'cell')} may stay empty")
        if puzzle.strays:
            say(f"{counted(puzzle.strays, 'piece')} may be left over")
    return puzzle


def _next(guesses: Sequence[BoardGuess]) -> str:
    others = ", ".join(f"{board.columns} x {board.rows}" for board, _ in guesses)
    return f" (next: {others})" if others else ""
