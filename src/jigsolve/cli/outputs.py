"""What `solve` writes: the picture, records and tables of it, films and overlays."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from jigsolve.cli.bag import is_picture_name
from jigsolve.cli.options import check_outputs, check_outside
from jigsolve.detect.grid import Detection
from jigsolve.execution.clock import Clock
from jigsolve.io.files import write_text
from jigsolve.io.tile_file import is_tile_name
from jigsolve.reference import Placement
from jigsolve.render import write_film, write_overlay
from jigsolve.render.listing import as_csv
from jigsolve.render.renaming import rename_into
from jigsolve.solvers.solution import Solution, as_numbers


def outputs_of(options: argparse.Namespace) -> list[Path | None]:
    """Return all that can be written, the folder of renamed copies last."""
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
    *files, folder = outputs_of(options)
    folders = {folder: is_tile_name} if folder else {}
    if options.pictures:
        files = files[1:]
        folders[options.output] = is_picture_name
    if options.shelf:
        check_outside(options.shelf, options.puzzle)
    read = [*options.puzzle, *filter(None, [options.resume, options.reference, options.shelf])]
    check_outputs(read, files, force=options.force, folders=folders)
    goes_on = options.resume == options.checkpoint
    taken = [*options.puzzle, *filter(None, [options.reference, options.shelf, *files, *folders])]
    check_outputs(taken, [options.checkpoint], force=options.force or goes_on)


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


def write_outputs(options: argparse.Namespace, solution: Solution, record: str) -> None:
    """Write all that was asked for."""
    solution.save(options.output)
    if options.json:
        write_text(options.json, record)
    if options.csv:
        write_text(options.csv, as_csv(solution))
    if options.rename_into:
        rename_into(options.rename_into, solution, options.puzzle, force=options.force)
    if options.film:
        write_film(options.film, solution)
    if options.overlay:
        write_overlay(options.overlay, solution)
