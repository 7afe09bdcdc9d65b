"""Reassemble a shuffled picture, or tiles.

Tiles are the pictures in a folder (and its folders), a ZIP, TAR or 7z archive, or files given by
their names or a pattern; --board says how many columns and rows they fill.

Ctrl-C stops early and still writes the best result so far.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from jigsolve.assembly.chains import are_single_lines
from jigsolve.cli.bag import add_pictures, check_pictures, run_bag
from jigsolve.cli.by_name import add_by_name, check_by_name, put_together
from jigsolve.cli.constraints import add_constraints, constraints_from
from jigsolve.cli.helped import add_helped, check_helped, helped_by
from jigsolve.cli.honest_words import (
    is_doubtful,
    states_confidence,
    tell_of_opinion,
    words_on,
)
from jigsolve.cli.known import add_known, known_from
from jigsolve.cli.options import add_force, add_output, add_quiet, board_size
from jigsolve.cli.outputs import check_all_outputs, outputs_of, record_of, write_outputs
from jigsolve.cli.printing import printable, say
from jigsolve.cli.progress import Progress
from jigsolve.cli.reading import on_its_board, read
from jigsolve.cli.reference import add_reference, as_shown, place, report_of
from jigsolve.cli.settings import add_settings, preset_from, settings_from, time_limit
from jigsolve.cli.signals import finish_in_peace
from jigsolve.cli.single_lines import solve_lines
from jigsolve.cli.solve_words import left_over, solve_with_progress, summary
from jigsolve.cli.turns import add_turns, check_turns_go_with, with_turns
from jigsolve.cli.usage import real, whole
from jigsolve.core import Puzzle
from jigsolve.core.checks import whole_number
from jigsolve.damage.words import AUTO
from jigsolve.errors import InputError
from jigsolve.execution.stop import INTERRUPTED, Stop
from jigsolve.execution.work import Helped, Work, working
from jigsolve.io.pictures import check_lossless
from jigsolve.measures import MEASURES
from jigsolve.pricing.prepared import Prepared
from jigsolve.reference import Placement
from jigsolve.render import check_film_name, check_overlay
from jigsolve.solvers.genetic.checkpoint import USUAL_SECONDS, check_seconds, read_checkpoint
from jigsolve.solvers.genetic.solver import GeneticSolver
from jigsolve.solvers.opinions import best_opinion
from jigsolve.solvers.registry import check_saves, solver_of
from jigsolve.solvers.settings import Settings
from jigsolve.solvers.solution import Solution

MOST_HOLES = 10**9

EXAMPLES = """\
examples:
  jigsolve solve puzzle.png -o solved.png
  jigsolve solve puzzle.png -o solved.png --piece 35x11 --film film.gif --json run.json
  jigsolve solve scaled.png -o solved.png --piece 19.6
  jigsolve solve screenshot.png -o solved.png --region 40,120,640,480
  jigsolve solve tiles/ -o solved.png --board 24x18 --csv tiles.csv --rename-into sorted/
  jigsolve solve tiles.zip -o solved.png
  jigsolve solve turned/ -o solved.png --turns quarter
  jigsolve solve bag/ -o pictures/ --pictures auto
  jigsolve solve puzzle.png -o solved.png --preset paper --seed 7 --threads 4
  jigsolve solve puzzle.png -o solved.png --population 300 --patience 20
  jigsolve solve puzzle.png -o solved.png --overlay doubts.png --reference thumbnail.jpg
  jigsolve solve tiles/ -o code.png --measure qr
  jigsolve solve puzzle.png -o solved.png --time-limit 5m --constraints known.json
  jigsolve solve huge.png -o solved.png --cluster tcp://node-1:8786 --shelf priced/
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "puzzle",
        nargs="+",
        metavar="PUZZLE",
        help="the shuffled picture; or a folder, an archive (ZIP, TAR, 7z) or the files of tiles",
    )
    add_output(parser, "OUT.png")
    parser.add_argument(
        "--board",
        type=board_size,
        metavar="COLSxROWS",
        help="the board; where not given, that of the picture, or found from the tiles",
    )
    parser.add_argument(
        "--holes",
        type=whole,
        default=0,
        metavar="N",
        help="cells that may stay empty (0, or as many as there are pieces too few)",
    )
    parser.add_argument(
        "--json",
        type=Path,
        metavar="FILE",
        help="write arrangement, cost, settings, history, timings and versions",
    )
    parser.add_argument(
        "--csv",
        type=Path,
        metavar="FILE",
        help="write a table of row, column, piece, file and confidences",
    )
    parser.add_argument(
        "--rename-into",
        type=Path,
        metavar="DIR",
        help="copy the tiles to names by row and column, such as 003_012.png",
    )
    parser.add_argument(
        "--checkpoint",
        type=Path,
        metavar="FILE",
        help="save the run on the way, and on Ctrl-C; no other damage is tried then",
    )
    parser.add_argument(
        "--every", type=real, metavar="S", help=f"seconds between checkpoints ({USUAL_SECONDS:g})"
    )
    parser.add_argument(
        "--resume",
        type=Path,
        metavar="FILE",
        help="go on from a checkpoint, with its settings, to the same result",
    )
    parser.add_argument("--film", type=Path, metavar="FILE.gif", help="write a film of the run")
    parser.add_argument(
        "--overlay",
        type=Path,
        metavar="FILE.png",
        help="write the result, doubtful pieces tinted, suspicious seams marked (learned, qr)",
    )
    parser.add_argument(
        "--time-limit",
        type=time_limit,
        metavar="90s|5m",
        help="end with the best so far after this time; plans for it. Reading counts, compiling on "
        "the first run does not",
    )
    parser.add_argument(
        "--strict",
        action="store_true",
        help="exit with 1 where much is probably wrong; everything is written all the same",
    )
    add_reference(parser)
    add_constraints(parser)
    add_by_name(parser)
    add_force(parser)
    add_quiet(parser)
    add_turns(parser)
    add_pictures(parser)
    add_known(parser)
    add_helped(parser)
    add_settings(parser)


def check(options: argparse.Namespace) -> None:
    """Raise unless the options go together and the outputs' names have known endings."""
    settings = preset_from(options)
    if options.pictures:
        check_pictures(options, settings)
    else:
        check_lossless(options.output)
    known_from(options)
    check_helped(options)
    check_turns_go_with(options)
    whole_number("--holes", options.holes, 0, MOST_HOLES)
    if options.every is not None and not options.checkpoint:
        raise InputError("--every: expected with --checkpoint FILE, found no checkpoint")
    if options.every is not None:
        check_seconds(options.every)
    if options.checkpoint or options.resume:
        check_saves(solver_of(settings.options))
    if options.reference and options.resume:
        raise InputError("--reference: expected without --resume, whose run has begun already")
    check_by_name(options)
    if options.film:
        check_film_name(options.film)
        if settings.solver != GeneticSolver.name:
            raise InputError(f"--film: expected the solver genetic, found {settings.solver}")
    if options.overlay:
        check_overlay(options.overlay, settings.pricing.measure)
    if options.strict and not MEASURES[settings.pricing.measure].states_confidence:
        raise InputError(
            f"--strict: expected a measure that says how far it believes, found "
            f"{settings.pricing.measure}"
        )


def run(options: argparse.Namespace) -> bool:
    """Solve and write; return whether the run was left to finish."""
    settings = preset_from(options)
    check_all_outputs(options)
    stop = Stop(seconds=options.time_limit)
    with (
        Progress(quiet=options.quiet) as progress,
        helped_by(options, settings.threads) as helped,
        working(settings.threads, progress.hear, stop, helped) as work,
    ):
        with work.clock.stage("reading") as tell:
            source = with_turns(read(options, settings, tell), options)
        if options.pictures:
            return run_bag(source, options, settings, progress, stop, helped)
        placement = None
        if options.by_name:
            solution = put_together(source, options, settings, work, progress.hear, helped)
        else:
            bag = on_its_board(source, options, settings, work)
            puzzle = bag.puzzle if isinstance(bag, Prepared) else bag
            if options.reference:
                placement = place(options, puzzle, work)
                bag = as_shown(bag, placement)
            solution = _solved(bag, placement, options, settings, progress, work, helped)
    finish_in_peace()
    write_outputs(options, solution, record_of(solution, work.clock, source.detection, placement))
    if not options.quiet:
        say(summary(solution, work.clock))
        for line in left_over(solution):
            say(printable(line))
        if placement:
            say(report_of(placement, solution.puzzle.names))
        if solution.code:
            say(str(solution.code))
        is_auto = solution.settings.pricing.damage == AUTO
        tried = is_auto and solution.puzzle.damage != source.damage
        for line in words_on(solution, solution.puzzle.damage if tried else None):
            say(line)
        say(printable("wrote " + ", ".join(str(path) for path in outputs_of(options) if path)))
    if options.strict and solution.stopped != INTERRUPTED:
        if is_doubtful(solution):
            raise InputError("--strict: expected a result that is believed, found much doubt")
        if not states_confidence(solution):  # time was short, and another measure taken
            measure = solution.settings.pricing.measure
            raise InputError(
                f"--strict: expected a result that is believed, found that {measure} cannot say"
            )
    return solution.stopped != INTERRUPTED


def _solved(
    bag: Puzzle | Prepared,
    placement: Placement | None,
    options: argparse.Namespace,
    settings: Settings,
    progress: Progress,
    work: Work,
    helped: Helped | None,
) -> Solution:
    puzzle = bag.puzzle if isinstance(bag, Prepared) else bag
    constraints = constraints_from(options, puzzle, placement)
    if options.resume and options.preset is None:
        saved = read_checkpoint(options.resume, puzzle, constraints).settings
        settings = settings_from(options, Settings.from_record(saved))
        if options.overlay:
            check_overlay(options.overlay, settings.pricing.measure)
    if are_single_lines(puzzle) and not (constraints or options.resume):
        return solve_lines(puzzle, settings, progress.hear, work.stop, quiet=options.quiet)

    def solve_as(bag: Puzzle | Prepared) -> Solution:
        return solve_with_progress(
            bag,
            settings,
            progress,
            quiet=options.quiet,
            crew=work.crew,
            constraints=constraints,
            stop=work.stop,
            keep_arrangements=bool(options.film),
            checkpoint=options.checkpoint,
            checkpoint_every=USUAL_SECONDS if options.every is None else options.every,
            resume=options.resume,
            helped=helped,
        )

    first = solve_as(bag)
    if constraints or options.checkpoint or options.resume or options.film:
        return first
    return best_opinion(first, solve_as, None if options.quiet else tell_of_opinion)
