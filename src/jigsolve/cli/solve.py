"""Reassemble a shuffled picture.

Ctrl-C stops early and still writes the best result so far.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
from pathlib import Path
from typing import Any

from jigsolve.cli.detect import cut_shuffled
from jigsolve.cli.options import add_output, add_piece, add_quiet, check_outputs, checked_piece
from jigsolve.cli.progress import Progress
from jigsolve.cli.signals import finish_in_peace
from jigsolve.evolution.checkpoint import read_checkpoint
from jigsolve.evolution.foresight import foresee
from jigsolve.evolution.phases import PHASES
from jigsolve.evolution.selection import SELECTIONS
from jigsolve.evolution.settings import PRESETS, SEEDINGS, Settings
from jigsolve.evolution.solution import Solution
from jigsolve.evolution.solve import solve
from jigsolve.files import write_text
from jigsolve.measures import MEASURES
from jigsolve.puzzle import Puzzle
from jigsolve.puzzle.pictures import check_lossless
from jigsolve.render import check_film_name, write_film

HELP = "put the pieces of a shuffled picture back"
EXAMPLES = """\
examples:
  jigsolve solve puzzle.png -o solved.png
  jigsolve solve puzzle.png -o solved.png --piece 35x11 --film film.gif --json run.json
  jigsolve solve puzzle.png -o solved.png --preset paper --seed 7 --threads 4
  jigsolve solve puzzle.png -o solved.png --population 300 --patience 20
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("puzzle", type=Path, metavar="PUZZLE.png", help="the shuffled picture")
    add_output(parser, "OUT.png")
    add_piece(parser, detected=True)
    parser.add_argument(
        "--crop",
        action="store_true",
        help="with --piece: leave out what is too narrow for one at the right and the bottom",
    )
    parser.add_argument(
        "--json",
        type=Path,
        metavar="FILE",
        help="write arrangement, cost, settings, history, timings and versions",
    )
    parser.add_argument(
        "--checkpoint", type=Path, metavar="FILE", help="save the run on the way, and on Ctrl-C"
    )
    parser.add_argument(
        "--every", type=float, default=60.0, metavar="S", help="seconds between checkpoints (60)"
    )
    parser.add_argument(
        "--resume",
        type=Path,
        metavar="FILE",
        help="go on from a checkpoint, with its settings, to the same result",
    )
    parser.add_argument("--film", type=Path, metavar="FILE.gif", help="write a film of the run")
    add_quiet(parser)
    add_settings(parser)


def add_settings(
    parser: argparse.ArgumentParser, preset: str = "default", *, threads: bool = True
) -> None:
    """Declare one option for each parameter of the genetic algorithm, threads if wanted."""
    group = parser.add_argument_group("settings", "where not given, the preset decides")
    group.add_argument("--preset", metavar="|".join(PRESETS), help=f"({preset})")
    group.add_argument(
        "--measure", metavar="|".join(MEASURES), help=f"what a seam costs{_usual('measure')}"
    )
    group.add_argument(
        "--selection", metavar="|".join(SELECTIONS), help=f"of parents{_usual('selection')}"
    )
    group.add_argument(
        "--seeding",
        metavar="|".join(SEEDINGS),
        help=f"of the first generation{_usual('seeding')}",
    )
    for name, text in (
        ("population", "arrangements in a generation; by default sized by the pieces"),
        ("generations", "the most generations to evolve"),
        ("elites", "best arrangements that live on unchanged"),
        ("boundaries", "random boundaries the greedy phase looks at"),
        ("weighed", "candidates the greedy phase weighs by all seams of a cell"),
        ("candidates", "partners kept per side"),
        ("threads", "by default all cores; the result does not depend on it"),
        ("seed", "of all random choices"),
    ):
        if name == "threads" and not threads:
            parser.set_defaults(threads=None)
            continue
        group.add_argument(f"--{name}", type=int, metavar="N", help=f"{text}{_usual(name)}")
    group.add_argument(
        "--mutation",
        type=float,
        metavar="P",
        help=f"share of children with a mutation{_usual('mutation')}",
    )
    group.add_argument(
        "--patience",
        type=int,
        metavar="N",
        help=f"stop after N generations without improvement, 0 never does{_usual('patience')}",
    )
    group.add_argument(
        "--phases",
        metavar="A,B,...",
        help=f"phases of the crossover to use, of {','.join(PHASES)} (none: random only)",
    )


def _usual(name: str) -> str:
    """Say what the presets have for a setting."""
    values = {preset: getattr(settings, name) for preset, settings in PRESETS.items()}
    shown = {preset: value for preset, value in values.items() if value is not None}
    if not shown:
        return ""
    if len(set(values.values())) == 1:
        return f" ({next(iter(shown.values()))})"
    return f" ({', '.join(f'{preset}: {value}' for preset, value in shown.items())})"


def settings_from(options: argparse.Namespace, base: Settings) -> Settings:
    """Return settings with the given options changed."""
    changes = {
        field.name: getattr(options, field.name)
        for field in dataclasses.fields(Settings)
        if getattr(options, field.name) is not None
    }
    if options.patience is not None:
        changes["patience"] = options.patience or None
    if options.phases is not None:
        names = [name.strip() for name in options.phases.split(",")]
        changes["phases"] = tuple(n for n in names if n and n != "none")
    return dataclasses.replace(base, **changes)


def run(options: argparse.Namespace) -> bool:
    """Solve and write; return whether the run was left to finish."""
    settings = settings_from(options, Settings.preset(options.preset or "default"))
    check_lossless(options.output)
    if options.film:
        check_film_name(options.film)
    outputs = [options.output, options.json, options.film]
    check_outputs([options.puzzle], [*outputs, options.checkpoint])
    check_outputs([options.puzzle, *filter(None, [options.resume])], outputs)
    with Progress(quiet=options.quiet) as progress:
        progress.stage("reading", 0, 1)
        piece = checked_piece(options) if options.piece else None
        puzzle, detection = cut_shuffled(options.puzzle, piece, crop=options.crop)
        progress.stage("reading", 1, 1)
        if detection and not options.quiet:
            print(f"found {detection.describe()}")
        if options.resume and options.preset is None:
            saved = read_checkpoint(options.resume, puzzle).settings
            settings = settings_from(options, dataclasses.replace(saved, threads=None))
        solution = solve_with_progress(
            puzzle,
            settings,
            progress,
            quiet=options.quiet,
            keep_arrangements=bool(options.film),
            checkpoint=options.checkpoint,
            checkpoint_every=options.every,
            resume=options.resume,
        )
    finish_in_peace()
    solution.save(options.output)
    if options.json:
        record = {**solution.as_dict(), "detection": detection and detection.as_dict()}
        write_text(options.json, json.dumps(record) + "\n")
    if options.film:
        write_film(options.film, solution)
    if not options.quiet:
        print(summary(solution))
        written = [options.output, options.json, options.film]
        print("wrote " + ", ".join(str(path) for path in written if path))
    return solution.stopped != "interrupted"


def solve_with_progress(
    puzzle: Puzzle, settings: Settings, progress: Progress, *, quiet: bool, **options: Any
) -> Solution:
    """Solve, with what to expect and progress on the terminal unless quiet."""
    if not quiet:
        print(foresee(puzzle, settings), flush=True)
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
    }[solution.stopped]
    return (
        f"{board.columns} x {board.rows} pieces, cost {solution.cost:,.0f}, "
        f"{generations} generations of {solution.settings.population} ({reason})\n"
        f"{wall:.2f} s, {cpu:.2f} CPU s, seed {solution.settings.seed}"
    )
