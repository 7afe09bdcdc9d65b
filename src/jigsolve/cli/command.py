"""The `jigsolve` command: its verbs, and how errors become exit codes."""

from __future__ import annotations

import argparse
import functools
import io
import os
import sys
import warnings
from collections.abc import Callable, Sequence
from importlib.metadata import version

from jigsolve.cli import BAD_INPUT, DONE, INTERRUPTED, WRONG_USAGE
from jigsolve.cli.flags import in_flags
from jigsolve.cli.printing import drop_output, printable
from jigsolve.cli.usage import Parser, UsageError, check_usage
from jigsolve.cli.verbs import Verb, add_verbs
from jigsolve.errors import InputError
from jigsolve.execution.stop import Stopped

VERBS = {
    "cut": Verb("jigsolve.cli.cut", "cut pictures into pieces and shuffle them"),
    "detect": Verb("jigsolve.cli.detect", "find the size of the pieces of a shuffled picture"),
    "solve": Verb("jigsolve.cli.solve", "put the pieces of a shuffled picture back"),
    "solvers": Verb("jigsolve.cli.solvers", "list the solvers, or the options of one"),
    "score": Verb("jigsolve.cli.score", "compare a solved picture with the original"),
    "demo": Verb(
        "jigsolve.cli.demo", "cut, shuffle and solve a photograph that ships with jigsolve"
    ),
    "studio": Verb("jigsolve.cli.studio", "solve in the browser, and help where it is in doubt"),
    "lab": Verb("jigsolve.cli.lab", "run experiments over image sets and report them"),
}

EXAMPLES = """\
examples:
  jigsolve demo                                  see it work
  jigsolve cut photo.jpg -o puzzle.png           cut a picture and shuffle the pieces
  jigsolve detect puzzle.png                     find the size of its pieces
  jigsolve solve puzzle.png -o solved.png        put the pieces back
  jigsolve score photo.jpg solved.png --piece 28 compare with the original
  jigsolve studio                                watch, correct and solve on in the browser
  jigsolve lab --help                            experiments over sets of images

exit codes: 0 done, 1 bad input, 2 wrong usage, 130 interrupted (what was finished is kept)
"""


def parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command line."""
    top = Parser(
        prog="jigsolve",
        description="Reassemble pictures that were cut into equal pieces and shuffled.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action="version", version=f"jigsolve {version('jigsolve')}")
    add_verbs(top, VERBS)
    return top


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    _mend_streams()
    try:
        with warnings.catch_warnings():
            warnings.showwarning = _show_once()
            code = _exit_code(arguments)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader of our output, `head` say, has gone
        drop_output()
        return DONE
    except OSError as error:
        drop_output()
        _complain(f"cannot write to standard output: {error.strerror}")
        return BAD_INPUT
    return code


def _exit_code(arguments: Sequence[str] | None) -> int:
    try:
        options = parser().parse_args(arguments)
        check_usage(options)
        return DONE if options.run(options) else INTERRUPTED
    except SystemExit:  # argparse has printed help or the version
        return DONE
    except UsageError as error:
        _complain(str(error))
        return WRONG_USAGE
    except InputError as error:
        _complain(str(error))
        return BAD_INPUT
    except Stopped:
        _complain("the time was up before there was a result, nothing written")
        return BAD_INPUT
    except MemoryError:
        _complain("out of memory; expected to need less than is free")
        return BAD_INPUT
    except KeyboardInterrupt as stop:
        _complain(str(stop) or "interrupted before there was a result, nothing written")
        return INTERRUPTED


def _complain(message: str) -> None:
    """Print a message on one line, in the words of the command line."""
    print(f"jigsolve: {printable(in_flags(message))}", file=sys.stderr)


def _show_once() -> Callable[..., None]:
    """Return what prints warnings, above the bar if there is one, each of them once.

    Python's own memory of what was said is lost whenever a library changes the filters, as Numba
    does when it compiles.
    """

    @functools.cache
    def show(line: str) -> None:
        from tqdm import tqdm  # few runs warn

        tqdm.write(line, file=sys.stderr)

    def show_warning(message: Warning | str, *_where: object, **_more: object) -> None:
        show(f"jigsolve: warning: {printable(in_flags(str(message)))}")

    return show_warning


def _mend_streams() -> None:
    """Make printing safe where a stream is closed or knows few characters."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115, PTH123
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
