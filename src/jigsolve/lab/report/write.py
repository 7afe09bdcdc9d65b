"""Putting a report together, and writing it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from jigsolve.errors import InputError
from jigsolve.io.files import cannot_write, write_text
from jigsolve.lab.records import RUNS, Runs
from jigsolve.lab.report.accuracy import accuracy
from jigsolve.lab.report.costs import provenance, remarks, times
from jigsolve.lab.report.document import Plot, Section, as_html, as_markdown
from jigsolve.lab.report.embed import fill_tables
from jigsolve.lab.report.field import field
from jigsolve.lab.report.fitness import anomaly, measures
from jigsolve.lab.report.groups import Group, group_runs, of_genetic
from jigsolve.lab.report.losses import losses
from jigsolve.lab.report.mixed import mixed
from jigsolve.lab.report.phases import phases
from jigsolve.lab.report.plots import plots_of, plots_of_field
from jigsolve.lab.report.turned import turned

TITLE = "Results"
PLOTS = "plots"


def write_report(folder: Path, into: Sequence[Path] = ()) -> list[Path]:
    """Write report.md, report.html and plots beside the runs of a folder; return their names.

    The documents `into` get the tables that they name, see `embed.py`.
    """
    if not folder.is_dir():
        raise InputError(f"{folder}: expected a folder made by `jigsolve lab run`, found none")
    runs = Runs(folder)
    if not runs.records:
        raise InputError(f"{folder}: expected runs in {RUNS}, found none")
    groups = group_runs(runs.records)
    documents = {path: _filled(path, groups) for path in into}
    plain = of_genetic(groups)
    sections = [
        *field(groups, plots_of_field(groups)),
        *accuracy(plain),
        *turned(groups),
        *mixed(groups),
        *losses(plain),
        *times(plain),
        *phases(plain),
        *measures(plain),
        *anomaly(plain),
    ]
    drawn = plots_of(plain) if plain else []
    glance = [Section("At a glance", list(drawn))] if plain else []
    sections[:0] = [*glance, *remarks(groups)]
    sections.append(provenance(runs.records, runs.unreadable + runs.unfinished))
    # The page last: what it is made of is there when it is.
    written = []
    blocks = [block for section in sections for block in section.blocks]
    plots = [block for block in blocks if isinstance(block, Plot)]
    if plots:
        with cannot_write(folder / PLOTS):
            (folder / PLOTS).mkdir(exist_ok=True)
    for plot in plots:
        written.append(folder / PLOTS / f"{plot.name}.svg")
        write_text(written[-1], plot.svg)
    page, markdown = folder / "report.html", folder / "report.md"
    write_text(page, as_html(TITLE, sections))
    write_text(markdown, as_markdown(TITLE, sections, PurePosixPath(PLOTS)))
    for path, text in documents.items():
        write_text(path, text)
    return [markdown, page, *written, *documents]


def _filled(path: Path, groups: list[Group]) -> str:
    try:
        return fill_tables(path.read_text("utf-8"), groups)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: expected a text file, found something else") from None
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
