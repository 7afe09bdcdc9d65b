"""How verbs are added to a command line."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from types import ModuleType


def add_verbs(parser: argparse.ArgumentParser, verbs: Mapping[str, ModuleType]) -> None:
    """Add verbs, each a module with HELP, EXAMPLES, add_arguments, check and run, to a parser.

    `check` looks at options only: what it raises is wrong usage. A module without `run` has verbs
    of its own.
    """
    group = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name, verb in verbs.items():
        added = group.add_parser(
            name,
            help=verb.HELP,
            description=verb.__doc__,
            epilog=verb.EXAMPLES,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        verb.add_arguments(added)
        if hasattr(verb, "run"):
            added.set_defaults(run=verb.run, check=verb.check)
