"""Draw how a picture is solved: it is cut, shuffled and solved for the figure.

generations  the best arrangements of generations 1, 2 and the last, beside the original
crossover    two parents, the growing kernel of their child, and which phase placed what
seams        the solution, with the seams marked that join no neighbours of the original

A film of the evolution: jigsolve solve --film.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from jigsolve.cli.options import add_force, add_output, add_piece, add_quiet, check_outputs
from jigsolve.cli.printing import say
from jigsolve.cli.progress import Progress
from jigsolve.cli.settings import add_settings, preset_from
from jigsolve.cli.signals import finish_in_peace
from jigsolve.cli.solve_words import solve_with_progress
from jigsolve.cli.usage import whole
from jigsolve.core import Puzzle
from jigsolve.core.checks import check_seed, whole_number
from jigsolve.execution.stop import INTERRUPTED
from jigsolve.io.pictures import check_lossless, write_picture
from jigsolve.lab.figures.crossover import draw_crossover
from jigsolve.lab.figures.generations import draw_generations
from jigsolve.lab.figures.seams import draw_wrong_seams
from jigsolve.solvers.foresight import foresee
from jigsolve.solvers.kernels import prepare_kernels
from jigsolve.solvers.settings import Settings

EXAMPLES = """\
examples:
  jigsolve lab figure generations photo.jpg -o generations.png
  jigsolve lab figure crossover photo.jpg -o crossover.png --generation 2 --population 200
  jigsolve lab figure seams cho_432/04.png -o seams.png --shuffle 4 --seed 0
"""

KINDS = ("generations", "crossover", "seams")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("kind", choices=KINDS, help="what to draw")
    parser.add_argument("picture", type=Path, metavar="PICTURE", help="an unshuffled picture")
    add_output(parser, "OUT.png")
    add_piece(parser)
    parser.add_argument(
        "--generation",
        type=whole,
        metavar="N",
        help="of the parents of a crossover, evolved from chance; 0 are random arrangements (2)",
    )
    parser.add_argument(
        "--shuffle",
        type=whole,
        metavar="N",
        help="seed of the shuffle (that of the run); `lab run` takes the number of the image",
    )
    add_force(parser)
    add_quiet(parser)
    add_settings(parser, preset="paper")


def check(options: argparse.Namespace) -> None:
    """Raise unless numbers are within their limits and the output's name has a known ending."""
    settings = _settings(options)
    if options.generation is not None:
        whole_number("generation", options.generation, 0, settings.options.generations)
    if options.shuffle is not None:
        check_seed(options.shuffle)
    check_lossless(options.output)


def _settings(options: argparse.Namespace) -> Settings:
    return preset_from(options, "paper")


def run(options: argparse.Namespace) -> bool:
    """Solve as far as the figure needs, draw and write it."""
    settings = _settings(options)
    generation = min(2, settings.options.generations)
    if options.generation is not None:
        generation = options.generation
    check_outputs([options.picture], [options.output], force=options.force)
    cut = Puzzle.cut(options.picture, options.piece)
    puzzle, truth = cut.shuffle(settings.seed if options.shuffle is None else options.shuffle)
    stopped = False
    with Progress(quiet=options.quiet) as progress:
        if options.kind == "crossover":
            foresee(puzzle, settings)
            clock = progress.clock()
            prepare_kernels(clock)
            with clock.stage("parents") as tell:
                pixels = draw_crossover(puzzle, settings, generation, progress=tell)
        else:
            solution = solve_with_progress(
                puzzle,
                settings,
                progress,
                quiet=options.quiet,
                keep_arrangements=options.kind == "generations",
            )
            stopped = solution.stopped == INTERRUPTED
            draw = draw_generations if options.kind == "generations" else draw_wrong_seams
            finish_in_peace()
            pixels = draw(solution, truth)
    write_picture(options.output, pixels)
    if not options.quiet:
        say(f"wrote {options.output}")
    return not stopped
