"""Write tables and plots of the runs in a folder.

DIR/report.md and DIR/report.html (one page that needs no other file) show whatever has been run
beside the published figures. --into also writes tables of these runs into other documents.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from jigsolve.cli.options import add_quiet
from jigsolve.cli.printing import say
from jigsolve.lab.report import write_report

EXAMPLES = """\
examples:
  jigsolve lab report results
  jigsolve lab report docs/results --into docs/results.md README.md
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("folder", type=Path, metavar="DIR", help="where `lab run --out` kept them")
    parser.add_argument(
        "--into",
        type=Path,
        nargs="+",
        default=[],
        metavar="FILE",
        help="Markdown files whose tables between `<!-- table: NAME -->` and "
        "`<!-- end of table -->` are written anew: accuracy, field, field-measures, "
        "ladder, losses, mixed, summary, turned, variants",
    )
    add_quiet(parser)


def check(options: argparse.Namespace) -> None:
    """Any options go together."""


def run(options: argparse.Namespace) -> bool:
    """Write the report."""
    written = write_report(options.folder, options.into)
    if not options.quiet:
        say("wrote " + ", ".join(str(path) for path in written))
    return True
