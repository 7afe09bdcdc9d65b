"""Verbs of a command line, each a module that is imported when it is asked for."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, NamedTuple

from jigsolve.cli.compiler import import_compiler
from jigsolve.cli.usage import Parser


class Verb(NamedTuple):
    """A module with EXAMPLES, add_arguments, check and run, and what help says of it in a line.

    `check` looks at options only: what it raises is wrong usage. A module without `run` has verbs
    of its own.
    """

    module: str
    help: str


class VerbParser(Parser):
    """The parser of a verb; what it takes is declared when something is to be parsed.

    Most of what verbs need takes longer to import than `--version` and `--help` should take.
    """

    verb: Verb | None = None

    def declare(self) -> None:
        """Import the verb and declare its options, once."""
        if self.verb is None:
            return
        import_compiler()
        module: Any = import_module(self.verb.module)
        self.verb = None
        self.description, self.epilog = module.__doc__, module.EXAMPLES
        module.add_arguments(self)
        if hasattr(module, "run"):
            self.set_defaults(run=module.run, check=module.check)

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """Parse what follows the verb."""
        self.declare()
        return super().parse_known_args(args, namespace)


def add_verbs(parser: argparse.ArgumentParser, verbs: Mapping[str, Verb]) -> None:
    """Add verbs to a parser."""
    group = parser.add_subparsers(
        title="commands", metavar="COMMAND", required=True, parser_class=VerbParser
    )
    for name, verb in verbs.items():
        added = group.add_parser(
            name, help=verb.help, formatter_class=argparse.RawDescriptionHelpFormatter
        )
        added.verb = verb
