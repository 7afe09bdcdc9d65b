"""See it work: cut the photograph that ships with jigsolve, shuffle, solve and score it."""

from __future__ import annotations

import argparse
from pathlib import Path

from jigsolve.cli.options import add_piece, add_quiet, check_outputs
from jigsolve.cli.printing import say
from jigsolve.cli.progress import Progress
from jigsolve.cli.signals import finish_in_peace
from jigsolve.cli.solve_words import solve_with_progress, summary
from jigsolve.cli.usage import whole
from jigsolve.core import Puzzle
from jigsolve.core.checks import check_seed
from jigsolve.execution.stop import INTERRUPTED
from jigsolve.io.demo import demo_photo
from jigsolve.io.pictures import write_picture
from jigsolve.render import write_film
from jigsolve.scores.scores import score
from jigsolve.solvers.settings import Settings

EXAMPLES = """\
examples:
  jigsolve demo
  jigsolve demo --into /tmp --seed 5 --piece 14
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "--into", type=Path, default=Path(), metavar="FOLDER", help="where to write (here)"
    )
    add_piece(parser)
    parser.add_argument("--seed", type=whole, default=1, metavar="N", help="of shuffle and run (1)")
    add_quiet(parser)


def check(options: argparse.Namespace) -> None:
    """Raise unless the seed is one."""
    check_seed(options.seed)


def run(options: argparse.Namespace) -> bool:
    """Cut, solve, write and print."""
    # From chance: segments alone would put the photograph together, and there would be no film.
    settings = Settings.of(seed=options.seed, seeding="random")
    names = ("demo-shuffled.png", "demo-solved.png", "demo-film.gif")
    shuffled, solved, film = (options.into / name for name in names)
    check_outputs([], [shuffled, solved, film], force=True)  # its own files of the last time
    puzzle, truth = Puzzle.cut(demo_photo(), options.piece).shuffle(options.seed)
    with Progress(quiet=options.quiet) as progress:
        solution = solve_with_progress(
            puzzle, settings, progress, quiet=options.quiet, keep_arrangements=True
        )
    finish_in_peace()
    write_picture(shuffled, puzzle.image())
    solution.save(solved)
    write_film(film, solution)
    if not options.quiet:
        say(summary(solution))
        scores = score(solution, truth)
        say(
            f"neighbour {scores.neighbour:.2%}, direct {scores.direct:.2%}; identical pieces "
            f"interchangeable: neighbour {scores.neighbour_aware:.2%}, "
            f"direct {scores.direct_aware:.2%}"
        )
        say(f"wrote {shuffled}, {solved} and {film}")
    return solution.stopped != INTERRUPTED
