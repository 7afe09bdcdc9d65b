"""One option for each parameter of the genetic algorithm."""

from __future__ import annotations

import argparse
import dataclasses

from jigsolve.cli.usage import real, whole
from jigsolve.core.checks import whole_number
from jigsolve.damage.words import AUTO, KINDS
from jigsolve.measures import MEASURES
from jigsolve.solvers.genetic.phases import PHASES
from jigsolve.solvers.genetic.selection import SELECTIONS
from jigsolve.solvers.genetic.settings import MOST_GENERATIONS, PRESETS, SEEDINGS, Settings


def add_settings(
    parser: argparse.ArgumentParser, preset: str = "default", *, threads: bool = True
) -> None:
    """Declare one option for each parameter of the genetic algorithm, threads if wanted."""
    group = parser.add_argument_group("settings", "where not given, the preset decides")
    group.add_argument("--preset", metavar="|".join(PRESETS), help=f"({preset})")
    group.add_argument(
        "--measure",
        metavar="|".join(MEASURES),
        help="what a seam costs; qr places the tiles of a QR code by its patterns and check sums, "
        f"as learned does where it finds one{_usual('measure')}",
    )
    group.add_argument(
        "--damage",
        metavar="|".join((AUTO, *KINDS)),
        help="what happened to the pieces after the picture was shuffled, for learned: eroded:2 "
        f"says that two lines were lost at every side, scaled+jpeg both{_usual('damage')}",
    )
    group.add_argument(
        "--selection", metavar="|".join(SELECTIONS), help=f"of parents{_usual('selection')}"
    )
    group.add_argument(
        "--seeding",
        metavar="|".join(SEEDINGS),
        help=f"of the first generation{_usual('seeding')}",
    )
    for name, text in (
        ("population", "arrangements in a generation"),
        ("generations", "the most generations to evolve"),
        ("elites", "best arrangements that live on unchanged"),
        ("repairs", "most rounds that take apart what was found and evolve again"),
        ("annealing", "moves tried in a round for each piece in doubt, 30 million in all at most"),
        ("boundaries", "random boundaries the greedy phase looks at"),
        ("weighed", "candidates the greedy phase weighs by all seams of a cell"),
        ("candidates", "partners kept per side"),
        ("threads", "by default all cores; the result does not depend on it"),
        ("seed", "of all random choices"),
    ):
        if name == "threads" and not threads:
            parser.set_defaults(threads=None)
            continue
        group.add_argument(f"--{name}", type=whole, metavar="N", help=f"{text}{_usual(name)}")
    group.add_argument(
        "--mutation",
        type=real,
        metavar="P",
        help=f"share of children with a mutation{_usual('mutation')}",
    )
    group.add_argument(
        "--patience",
        type=whole,
        metavar="N",
        help=f"end a round after N generations without gain, 0 never does{_usual('patience')}",
    )
    group.add_argument(
        "--phases",
        metavar="A,B,...",
        help=f"phases of the crossover to use, of {','.join(PHASES)} (none: random only)",
    )


def _usual(name: str) -> str:
    """Say what the presets have for a setting."""
    values = {preset: getattr(settings, name) for preset, settings in PRESETS.items()}
    shown = {preset: value for preset, value in values.items() if value is not None}
    if not shown:
        return ""
    if len(set(values.values())) == 1:
        return f" ({next(iter(shown.values()))})"
    return f" ({', '.join(f'{preset}: {value}' for preset, value in shown.items())})"


def settings_from(options: argparse.Namespace, base: Settings) -> Settings:
    """Return settings with the given options changed."""
    changes = {
        field.name: getattr(options, field.name)
        for field in dataclasses.fields(Settings)
        if getattr(options, field.name) is not None
    }
    if options.patience is not None:
        changes["patience"] = (
            whole_number("patience", options.patience, 0, MOST_GENERATIONS) or None
        )
    if options.phases is not None:
        names = [name.strip() for name in options.phases.split(",")]
        changes["phases"] = tuple(n for n in names if n and n != "none")
    return dataclasses.replace(base, **changes)
