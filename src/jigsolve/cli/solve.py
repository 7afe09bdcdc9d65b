"""Reassemble a shuffled picture, or tiles.

Tiles are the pictures in a folder (and its folders), a ZIP, TAR or 7z archive, or files given by
their names or a pattern; --board says how many columns and rows they fill.

Ctrl-C stops early and still writes the best result so far.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from jigsolve.assembly.chains import are_single_lines
from jigsolve.cli.by_name import add_by_name, check_by_name, put_together
from jigsolve.cli.honest_words import (
    is_doubtful,
    tell_of_opinion,
    words_on,
)
from jigsolve.cli.known import add_known, known_from
from jigsolve.cli.options import (
    add_force,
    add_output,
    add_quiet,
    board_size,
    check_outputs,
    counted,
    printable,
    say,
)
from jigsolve.cli.progress import Progress
from jigsolve.cli.reading import on_its_board, read
from jigsolve.cli.reference import add_reference, place, report_of, settings_for
from jigsolve.cli.settings import add_settings, settings_from
from jigsolve.cli.signals import finish_in_peace
from jigsolve.cli.single_lines import solve_lines
from jigsolve.cli.usage import real, whole
from jigsolve.core import Puzzle
from jigsolve.core.checks import whole_number
from jigsolve.damage.words import AUTO
from jigsolve.detect.grid import Detection
from jigsolve.errors import InputError
from jigsolve.io.files import write_text
from jigsolve.io.pictures import check_lossless
from jigsolve.measures import MEASURES
from jigsolve.reference import Placement
from jigsolve.render import check_film_name, check_overlay, write_film, write_overlay
from jigsolve.render.listing import as_csv, rename_into
from jigsolve.solvers.genetic.checkpoint import USUAL_SECONDS, check_seconds, read_checkpoint
from jigsolve.solvers.genetic.foresight import foresee
from jigsolve.solvers.genetic.settings import Settings
from jigsolve.solvers.opinions import best_opinion
from jigsolve.solvers.solution import GIVEN, Solution, as_numbers
from jigsolve.solvers.solve import Clock, solve

MOST_NAMED = 10
"""How many pieces without a place are named; --csv and --json list all."""

MOST_HOLES = 10**9

HELP = "put the pieces of a shuffled picture back"
EXAMPLES = """\
examples:
  jigsolve solve puzzle.png -o solved.png
  jigsolve solve puzzle.png -o solved.png --piece 35x11 --film film.gif --json run.json
  jigsolve solve scaled.png -o solved.png --piece 19.6
  jigsolve solve screenshot.png -o solved.png --region 40,120,640,480
  jigsolve solve tiles/ -o solved.png --board 24x18 --csv tiles.csv --rename-into sorted/
  jigsolve solve tiles.zip -o solved.png
  jigsolve solve puzzle.png -o solved.png --preset paper --seed 7 --threads 4
  jigsolve solve puzzle.png -o solved.png --population 300 --patience 20
  jigsolve solve puzzle.png -o solved.png --overlay doubts.png --reference thumbnail.jpg
  jigsolve solve tiles/ -o code.png --measure qr
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
        "--strict",
        action="store_true",
        help="exit with 1 where much is probably wrong; everything is written all the same",
    )
    add_reference(parser)
    add_by_name(parser)
    add_force(parser)
    add_quiet(parser)
    add_known(parser)
    add_settings(parser)


def check(options: argparse.Namespace) -> None:
    """Raise unless the options go together and the outputs' names have known endings."""
    settings = _settings(options)
    check_lossless(options.output)
    known_from(options)
    whole_number("--holes", options.holes, 0, MOST_HOLES)
    if options.every is not None and not options.checkpoint:
        raise InputError("--every: expected with --checkpoint FILE, found no checkpoint")
    if options.every is not None:
        check_seconds(options.every)
    if options.reference and options.resume:
        raise InputError("--reference: expected without --resume, whose run has begun already")
    check_by_name(options)
    if options.film:
        check_film_name(options.film)
    if options.overlay:
        check_overlay(options.overlay, settings.measure)
    if options.strict and not MEASURES[settings.measure].states_confidence:
        raise InputError(
            f"--strict: expected a measure that says how far it believes, found {settings.measure}"
        )


def _settings(options: argparse.Namespace) -> Settings:
    return settings_from(options, Settings.preset(options.preset or "default"))


def run(options: argparse.Namespace) -> bool:
    """Solve and write; return whether the run was left to finish."""
    settings = _settings(options)
    check_all_outputs(options)
    with Progress(quiet=options.quiet) as progress:
        clock = Clock(progress.stage)
        with clock.stage("reading") as tell:
            source = read(options, settings, tell)
        placement = None
        if options.by_name:
            solution = put_together(source, options, settings, clock, progress)
        else:
            puzzle = on_its_board(source, options, settings, clock)
            placement = place(options, puzzle, progress) if options.reference else None
            solution = _solved(puzzle, placement, options, settings, progress)
    finish_in_peace()
    solution.save(options.output)
    if options.json:
        write_text(options.json, record_of(solution, clock, source.detection, placement))
    if options.csv:
        write_text(options.csv, as_csv(solution))
    if options.rename_into:
        rename_into(options.rename_into, solution, options.puzzle, force=options.force)
    if options.film:
        write_film(options.film, solution)
    if options.overlay:
        write_overlay(options.overlay, solution)
    if not options.quiet:
        say(summary(solution))
        for line in left_over(solution):
            say(printable(line))
        if placement:
            say(report_of(placement, solution.puzzle.names))
        if solution.code:
            say(str(solution.code))
        tried = solution.settings.damage == AUTO and solution.puzzle.damage != source.damage
        for line in words_on(solution, solution.puzzle.damage if tried else None):
            say(line)
        say(printable("wrote " + ", ".join(str(path) for path in _outputs(options) if path)))
    if options.strict and is_doubtful(solution) and solution.stopped != "interrupted":
        raise InputError("--strict: expected a result that is believed, found much doubt")
    return solution.stopped != "interrupted"


def _solved(
    puzzle: Puzzle,
    placement: Placement | None,
    options: argparse.Namespace,
    settings: Settings,
    progress: Progress,
) -> Solution:
    if options.resume and options.preset is None:
        saved = read_checkpoint(options.resume, puzzle).settings
        settings = settings_from(options, dataclasses.replace(saved, threads=None))
        if options.overlay:
            check_overlay(options.overlay, settings.measure)
    if placement:
        settings = settings_for(placement, settings)
    lines = are_single_lines(puzzle) and not (placement or options.resume)
    if lines:
        settings = dataclasses.replace(settings, generations=0)

    def solve_from(puzzle: Puzzle, start: np.ndarray | None) -> Solution:
        return solve_with_progress(
            puzzle,
            settings,
            progress,
            quiet=options.quiet,
            keep_arrangements=bool(options.film),
            checkpoint=options.checkpoint,
            checkpoint_every=USUAL_SECONDS if options.every is None else options.every,
            resume=options.resume,
            start=start,
        )

    if lines:
        return solve_lines(puzzle, solve_from, quiet=options.quiet)
    first = solve_from(puzzle, placement.neighbours() if placement else None)
    if placement or options.checkpoint or options.resume or options.film:
        return first
    return best_opinion(
        first,
        lambda other: solve_from(other, None),
        None if options.quiet else tell_of_opinion,
    )


def record_of(
    solution: Solution, before: Clock, detection: Detection | None, placement: Placement | None
) -> str:
    """Return a solution's record as JSON, with what was done and found before it was solved."""
    record = solution.as_dict()
    record["timings"] = as_numbers(solution.timings | before.timings)
    if detection:
        record["detection"] = detection.as_dict()
    if placement:
        record["reference"] = placement.as_dict()
    return json.dumps(record) + "\n"


def _outputs(options: argparse.Namespace) -> list[Path | None]:
    return [
        options.output,
        options.json,
        options.csv,
        options.film,
        options.overlay,
        options.rename_into,
    ]


def check_all_outputs(options: argparse.Namespace) -> None:
    """Raise unless all can be written; a checkpoint may be the one that is resumed."""
    *files, folder = _outputs(options)
    read = [*options.puzzle, *filter(None, [options.resume, options.reference])]
    check_outputs(read, files, force=options.force, folders=[folder])
    goes_on = options.resume == options.checkpoint
    taken = [*options.puzzle, *filter(None, [options.reference, *files, folder])]
    check_outputs(taken, [options.checkpoint], force=options.force or goes_on)


def left_over(solution: Solution) -> Iterator[str]:
    """Say what has no piece, and which pieces have no place."""
    if empty := int((solution.arrangement < 0).sum()):
        yield f"{counted(empty, 'cell')} {'is' if empty == 1 else 'are'} empty"
    if strays := solution.strays:
        names = solution.puzzle.names
        shown = [names[piece] if names else str(piece) for piece in strays[:MOST_NAMED]]
        more = f" and {len(strays) - MOST_NAMED:,} more" if len(strays) > MOST_NAMED else ""
        yield f"left over: {', '.join(shown)}{more}"


def solve_with_progress(
    puzzle: Puzzle, settings: Settings, progress: Progress, *, quiet: bool, **options: Any
) -> Solution:
    """Solve, with what to expect and progress on the terminal unless quiet."""
    if not quiet:
        say(str(foresee(puzzle, settings)))
    progress.generations = settings.generations
    return solve(
        puzzle,
        settings,
        on_generation=progress.generation,
        on_stage=progress.stage,
        **options,
    )


def summary(solution: Solution) -> str:
    """Say in two lines what was done."""
    board, generations = solution.puzzle.board, len(solution.history) - 1
    stages = [timing for name, timing in solution.timings.items() if name != "kernels"]
    wall, cpu = sum(stage.wall for stage in stages), sum(stage.cpu for stage in stages)
    reason = {
        "generations": "all generations done",
        "patience": f"no better for {solution.settings.patience} generations",
        "callback": "stopped",
        "interrupted": "interrupted, best so far",
    }
    search = "nothing was searched"
    if solution.stopped != GIVEN:
        of = solution.settings.population
        search = f"{generations} generations of {of} ({reason[solution.stopped]})"
    return (
        f"{board.columns} x {board.rows} pieces, cost {solution.cost:,.0f}, {search}\n"
        f"{wall:.2f} s, {cpu:.2f} CPU s, seed {solution.settings.seed}"
    )
