"""The `jigsolve` command: its verbs, and how errors become exit codes."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Sequence
from importlib.metadata import version

from jigsolve.cli import cut, demo, score, solve
from jigsolve.errors import InputError

DONE, BAD_INPUT, USAGE, INTERRUPTED = 0, 1, 2, 130

EXAMPLES = """\
examples:
  jigsolve demo                                  see it work
  jigsolve cut photo.jpg -o puzzle.png           cut a picture and shuffle the pieces
  jigsolve solve puzzle.png -o solved.png        put the pieces back
  jigsolve score photo.jpg solved.png --piece 28 compare with the original

exit codes: 0 done, 1 bad input, 2 wrong usage, 130 interrupted (best result written)
"""


def parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command line."""
    top = argparse.ArgumentParser(
        prog="jigsolve",
        description="Reassemble pictures that were cut into equal pieces and shuffled.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action="version", version=f"jigsolve {version('jigsolve')}")
    verbs = top.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for verb in (cut, solve, score, demo):
        added = verbs.add_parser(
            verb.__name__.rpartition(".")[2],
            help=verb.HELP,
            description=verb.__doc__,
            epilog=verb.EXAMPLES,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        verb.add_arguments(added)
        added.set_defaults(run=verb.run)
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    options = parser().parse_args(arguments)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # as gentle as Ctrl-C
    try:
        finished = options.run(options)
    except InputError as error:
        print(f"jigsolve: {error}", file=sys.stderr)
        return BAD_INPUT
    except MemoryError:
        print("jigsolve: out of memory; try a smaller --population", file=sys.stderr)
        return BAD_INPUT
    except KeyboardInterrupt:
        print("jigsolve: interrupted, nothing written", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:  # the reader of our output, `head` say, has gone
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    return DONE if finished else INTERRUPTED
