"""List the solvers, or the options of one."""

from __future__ import annotations

import argparse
import dataclasses
import json
import textwrap

from jigsolve.cli.printing import say
from jigsolve.core.options import options_of
from jigsolve.errors import InputError
from jigsolve.solvers.registry import SOLVERS

EXAMPLES = """\
examples:
  jigsolve solvers
  jigsolve solvers genetic
  jigsolve solvers --json
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("name", nargs="?", metavar="NAME", help="show the options of this one")
    parser.add_argument("--json", action="store_true", help="print JSON")


def check(options: argparse.Namespace) -> None:
    """Raise unless the solver is known."""
    if options.name is not None and options.name not in SOLVERS:
        raise InputError(f"solver: expected one of {', '.join(SOLVERS)}, found {options.name!r}")


def run(options: argparse.Namespace) -> bool:
    """Print them."""
    names = [options.name] if options.name else [*SOLVERS]
    if options.json:
        say(json.dumps({name: _described(name) for name in names}))
        return True
    for name in names:
        say(f"{name}  {SOLVERS[name].summary}")
        if options.name:
            for option, known in options_of(SOLVERS[name].options).items():
                usual = getattr(SOLVERS[name].options(), option)
                shown = f"{known.help.replace('%%', '%')} ({_shown(usual)})"
                say(textwrap.fill(f"  --{option}: {shown}", 100, subsequent_indent="      "))
    return True


def _shown(value: object) -> str:
    return ",".join(value) if isinstance(value, tuple) else str(value)


def _described(name: str) -> dict[str, object]:
    return {
        "summary": SOLVERS[name].summary,
        "options": dataclasses.asdict(SOLVERS[name].options()),
    }
