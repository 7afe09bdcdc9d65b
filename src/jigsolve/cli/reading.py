"""Reading what solve is given, and finding its board."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from jigsolve.boards import BoardGuess, check_clear, find_board
from jigsolve.checks import whole_number
from jigsolve.cli.known import known_from
from jigsolve.cli.options import counted, printable, say
from jigsolve.errors import InputError
from jigsolve.evolution.settings import Settings
from jigsolve.evolution.solve import Clock, prepare_kernels
from jigsolve.parallel import Progress
from jigsolve.puzzle import Board, Puzzle
from jigsolve.puzzle.sources import Source, read_source

MOST = 10**9


def read(options: argparse.Namespace, progress: Progress) -> Source:
    """Read the puzzle, and say what was left out or changed on the way."""
    source = read_source(options.puzzle, known=known_from(options), progress=progress)
    progress(1, 1)
    if not options.quiet:
        for note in source.notes:
            say(printable(note))
    return source


def on_its_board(
    source: Source, options: argparse.Namespace, settings: Settings, clock: Clock
) -> Puzzle:
    """Return the puzzle on the board that is given, the picture's own, or one that is found."""
    board = options.board or source.board
    if board is None and len(source.pieces) > 1:
        if options.holes:
            raise InputError("--holes: expected with --board COLSxROWS, found no board")
        with clock.stage("kernels"):
            prepare_kernels()
        with clock.stage("boards"):
            guesses = find_board(source.pieces, settings, on_stage=clock.on_stage)
        board = check_clear(guesses, len(source.pieces))
        if not options.quiet:
            say(f"found a board of {board.columns} x {board.rows} pieces{_next(guesses[1:4])}")
    puzzle = source.puzzle(board or Board(1, 1), whole_number("--holes", options.holes, 0, MOST))
    if not options.quiet:
        if puzzle.holes:
            say(f"{counted(puzzle.holes, 'cell')} may stay empty")
        if puzzle.strays:
            say(f"{counted(puzzle.strays, 'piece')} may be left over")
    return puzzle


def _next(guesses: Sequence[BoardGuess]) -> str:
    others = ", ".join(f"{board.columns} x {board.rows}" for board, _ in guesses)
    return f" (next: {others})" if others else ""
