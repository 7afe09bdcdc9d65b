"""The option `--pictures` of solve: tiles of several pictures in one bag."""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path

from jigsolve.cli.honest_words import is_doubtful
from jigsolve.cli.printing import counted, printable, say
from jigsolve.cli.progress import Progress
from jigsolve.cli.signals import finish_in_peace
from jigsolve.core.bag import Bag
from jigsolve.core.turns import NONE
from jigsolve.detect.sources import Source
from jigsolve.errors import InputError
from jigsolve.execution.stop import INTERRUPTED, Stop
from jigsolve.execution.work import Helped
from jigsolve.io.files import replacing_folder, write_text
from jigsolve.io.pictures import write_picture
from jigsolve.measures import MEASURES
from jigsolve.render.listing import bag_as_csv
from jigsolve.render.renaming import rename_bag_into
from jigsolve.solvers.bags import MOST_PICTURES, BagSolution, solve_bag
from jigsolve.solvers.settings import Settings

AUTO = "auto"
OF_ONE_PICTURE = ("board", "film", "overlay", "reference", "constraints", "by_name")
"""Options that are about one picture."""
OF_ONE_RUN = ("checkpoint", "resume")

_WRITTEN = re.compile(rf"picture-\d{{1,{len(str(MOST_PICTURES))}}}\.png")
"""No name that others give: a folder of 1.png and 2.png may be somebody's photographs."""


def add_pictures(parser: argparse.ArgumentParser) -> None:
    """Add `--pictures`."""
    parser.add_argument(
        "--pictures",
        type=_number,
        metavar="auto|N",
        help="the tiles are of so many pictures: -o is a folder, with one file for each",
    )


def _number(text: str) -> str | int:
    """Read `auto` or a number."""
    if text.strip().lower() == AUTO:
        return AUTO
    if not text.strip().isdigit() or not 1 <= int(text) <= MOST_PICTURES:
        raise argparse.ArgumentTypeError(
            f"expected auto or a number from 1 to {MOST_PICTURES:,}, found {text!r}"
        )
    return int(text)


def check_pictures(options: argparse.Namespace, settings: Settings) -> None:
    """Raise unless the options go together."""
    for names, why in ((OF_ONE_PICTURE, "it is of one picture"), (OF_ONE_RUN, "runs are not kept")):
        for name in names:
            if getattr(options, name):
                flag = f"--{name.replace('_', '-')}"
                raise InputError(f"{flag}: expected without --pictures, where {why}")
    measure = settings.pricing.measure
    if not MEASURES[measure].reranked:
        raise InputError(f"--measure: expected learned with --pictures, found {measure}")
    if options.output.suffix:
        raise InputError(
            f"-o: expected a folder for the pictures, such as pictures/, found {options.output}"
        )


def run_bag(
    source: Source,
    options: argparse.Namespace,
    settings: Settings,
    progress: Progress,
    stop: Stop,
    helped: Helped | None,
) -> bool:
    """Solve a bag and write what is in it; return whether the run was left to finish."""
    bag = Bag(source.pieces, source.names, source.damage, source.turns)
    number = None if options.pictures == AUTO else options.pictures
    solution = solve_bag(
        bag,
        settings,
        pictures=number,
        holes=options.holes,
        on_event=progress.hear,
        stop=stop,
        helped=helped,
    )
    finish_in_peace()
    _write_pictures(options.output, solution, force=options.force)
    if options.json:
        write_text(options.json, json.dumps(solution.as_dict()) + "\n")
    if options.csv:
        table = bag_as_csv(solution.pictures, solution.strays, bag.names, turned=bag.turns != NONE)
        write_text(options.csv, table)
    if options.rename_into:
        placements = [picture.placement for picture in solution.pictures]
        rename_bag_into(
            options.rename_into, bag, placements, solution.strays, options.puzzle,
            force=options.force,
        )  # fmt: skip
    if not options.quiet:
        for line in summary(solution):
            say(printable(line))
        written = [options.output, options.json, options.csv, options.rename_into]
        say(printable("wrote " + ", ".join(str(path) for path in written if path)))
    if options.strict and solution.stopped != INTERRUPTED:
        _check_believed(solution)
    return solution.stopped != INTERRUPTED


def _check_believed(solution: BagSolution) -> None:
    solved = [picture.solution for picture in solution.pictures if picture.solution]
    doubtful = sum(is_doubtful(one) for one in solved)
    if doubtful:
        raise InputError(
            f"--strict: expected pictures that are believed, found much doubt in {doubtful} of "
            f"{len(solution.pictures)}"
        )


def _write_pictures(folder: Path, solution: BagSolution, *, force: bool) -> None:
    digits = len(str(len(solution.pictures)))
    with replacing_folder(folder, is_picture_name if force else None) as beside:
        for number in range(len(solution.pictures)):
            write_picture(beside / f"picture-{number + 1:0{digits}}.png", solution.image(number))


def is_picture_name(name: str) -> bool:
    """Whether pictures of a bag are written under such names."""
    return bool(_WRITTEN.fullmatch(name))


def summary(solution: BagSolution) -> list[str]:
    """Say what was found, a line for each picture."""
    sure = "" if solution.is_clear else ", though their number is not certain"
    lines = [f"{counted(len(solution.pictures), 'picture')}{sure}"]
    for number, picture in enumerate(solution.pictures, 1):
        rows, columns = picture.placement.pieces.shape
        empty = int((picture.placement.pieces < 0).sum())
        believed = picture.solution.believed() if picture.solution else None
        said = [f"{columns} x {rows} pieces"]
        said += [f"about {believed:.0%} of the seams are right"] if believed is not None else []
        said += [f"{counted(empty, 'cell')} empty"] if empty else []
        lines.append(f"{number}: {', '.join(said)}")
    if solution.strays:
        lines.append(f"{counted(len(solution.strays), 'piece')} left over")
    return lines
