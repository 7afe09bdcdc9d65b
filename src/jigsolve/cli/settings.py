"""One option of the command line for each option of pricing, solvers and running."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from typing import Any

from jigsolve.cli.usage import real, whole
from jigsolve.core.checks import whole_number
from jigsolve.core.options import FLAG, NAMES, REAL, TEXT, WHOLE, Option, options_of
from jigsolve.errors import InputError
from jigsolve.measures import MEASURES
from jigsolve.pricing.settings import Pricing
from jigsolve.solvers.registry import SOLVERS
from jigsolve.solvers.settings import PRESETS, Running, Settings

UNITS = {"": 1.0, "s": 1.0, "m": 60.0, "h": 3600.0}
PARSERS: dict[str, Any] = {WHOLE: whole, REAL: real, TEXT: str, NAMES: str}


def known_options() -> dict[str, Option]:
    """Return all options by their names: of pricing, of every solver and of running."""
    kinds: list[type] = [Pricing, *(solver.options for solver in SOLVERS.values()), Running]
    return {name: option for kind in kinds for name, option in options_of(kind).items()}


def add_settings(
    parser: argparse.ArgumentParser,
    preset: str = "default",
    *,
    threads: bool = True,
    several: bool = False,
) -> None:
    """Declare one option for each of pricing, solvers and running, threads if wanted.

    Several solvers and measures may be named where `settings_of_each` reads the options.
    """
    group = parser.add_argument_group("settings", "where not given, the preset decides")
    group.add_argument("--preset", metavar="|".join(PRESETS), help=f"({preset})")
    group.add_argument(
        *(["--solver", "--solvers"] if several else ["--solver"]),
        metavar="A,B" if several else "|".join(SOLVERS),
        help="who solves; jigsolve solvers says who they are (genetic)",
    )
    for name, option in known_options().items():
        if name == "measure" and several:
            group.add_argument(
                "--measure",
                "--measures",
                metavar="A,B",
                help=f"what seams cost, of {', '.join(MEASURES)}; with several solvers every "
                "combination is run (each solver's own)",
            )
            continue
        if name == "threads" and not threads:
            parser.set_defaults(threads=None)
            continue
        text = f"{option.help}{_usual(name)}"
        if option.kind == FLAG:
            group.add_argument(
                f"--{name}", action=argparse.BooleanOptionalAction, default=None, help=text
            )
        else:
            group.add_argument(
                f"--{name}", type=PARSERS[option.kind], metavar=option.shown, help=text
            )


def _usual(name: str) -> str:
    """Say what the presets have for an option; names are said by its help."""
    values = {preset: settings.flat().get(name) for preset, settings in PRESETS.items()}
    shown = {
        preset: value
        for preset, value in values.items()
        if value is not None and not isinstance(value, bool | tuple)
    }
    if not shown:
        return ""
    if len(set(values.values())) == 1:
        return f" ({next(iter(shown.values()))})"
    return f" ({', '.join(f'{preset}: {value}' for preset, value in shown.items())})"


def settings_from(options: argparse.Namespace, base: Settings) -> Settings:
    """Return settings with the given options changed."""
    if options.solver is not None and options.solver != base.solver:
        base = Settings.of(options.solver)
    return base.changed(**dict(_given(options)))


def preset_from(options: argparse.Namespace, usual: str = "default") -> Settings:
    """Return the settings of the preset that is asked for, with the given options changed."""
    return settings_from(options, Settings.preset(options.preset or usual))


def settings_of_each(options: argparse.Namespace) -> list[Settings]:
    """Return settings for every combination of the solvers and measures that are asked for.

    An option that only some of the solvers have is theirs.
    """
    preset = Settings.preset(options.preset or "default")
    solvers = _listed(options.solver) or [preset.solver]
    bases = [preset if name == preset.solver else Settings.of(name) for name in solvers]
    given = {name: value for name, value in _given(options) if name != "measure"}
    for name, value in given.items():
        if not any(name in base.flat() for base in bases):
            bases[0].changed(**{name: value})  # raises
    each = [
        base.changed(**{name: value for name, value in given.items() if name in base.flat()})
        for base in bases
    ]
    measures = _listed(options.measure)
    if not measures:
        return each
    return [one.changed(measure=measure) for one in each for measure in measures]


def given_options(options: argparse.Namespace) -> dict[str, Any]:
    """Return the options that are given, as the settings take them."""
    return dict(_given(options))


def _listed(text: str | None) -> list[str]:
    """Return names that are separated by commas, each once."""
    return list(dict.fromkeys(n for part in (text or "").split(",") if (n := part.strip())))


def _given(options: argparse.Namespace) -> Iterator[tuple[str, Any]]:
    """Yield the options that are given, as the settings take them."""
    for name, option in known_options().items():
        value = getattr(options, name)
        if value is None:
            continue
        if option.kind == NAMES:
            value = tuple(n for part in value.split(",") if (n := part.strip()) and n != "none")
        elif option.none is not None:
            number = whole_number(name, value, option.none, option.highest)
            value = None if number == option.none else number
        yield name, value


def time_limit(text: str) -> float:
    """Read `90`, `90s`, `5m` or `1.5h`."""
    match = re.fullmatch(r"(\d{1,9}(?:\.\d{1,6})?)\s*([smh]?)", text.strip().lower())
    seconds = float(match[1]) * UNITS[match[2]] if match else 0.0
    if not seconds:
        raise argparse.ArgumentTypeError(f"expected a time such as 90s or 5m, found {text!r}")
    return seconds


def check_solver(options: argparse.Namespace) -> None:
    """Raise unless the solver that is asked for is known."""
    if options.solver is not None and options.solver not in SOLVERS:
        raise InputError(f"solver: expected one of {', '.join(SOLVERS)}, found {options.solver!r}")
