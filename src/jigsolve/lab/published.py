"""What others published, so that a report can show it beside what was run.

Percent, strict scores. The figures and their sources are in published.toml; "the paper" is its
source `sholomon_2016`.
"""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import Any, NamedTuple

from jigsolve.lab.experiment import PARTIAL_CROSSOVERS

UNITS = {"s": 1, "min": 60, "h": 3600}


class TenRuns(NamedTuple):
    """The paper's summary of ten runs (five from 22,755 pieces on), averaged over images."""

    best: float
    worst: float
    average: float
    deviation: float


def read_published() -> dict[str, Any]:
    """Return the content of published.toml."""
    return tomllib.loads(files("jigsolve.lab").joinpath("published.toml").read_text("utf-8"))


def _summaries(rows: list[dict[str, Any]]) -> dict[str, TenRuns]:
    return {row["set"]: TenRuns(*(row[name] for name in TenRuns._fields)) for row in rows}


def _by_set(rows: list[dict[str, Any]]) -> dict[str, dict[str, float]]:
    solvers: dict[str, dict[str, float]] = {}
    for row in rows:
        solvers.setdefault(row["set"], {})[row["solver"]] = row["neighbour"]
    return solvers


def _by_image(rows: list[dict[str, Any]], *names: str) -> dict[int, tuple[float, ...]]:
    return {row["image"]: tuple(row[name] for name in names) for row in rows}


_DATA = read_published()
_SUMMARIES = _DATA["summaries"]

SOURCES: dict[str, str] = _DATA["sources"]

NEIGHBOUR = _summaries(_SUMMARIES["neighbour"])

DIRECT = _summaries(_SUMMARIES["direct"])

OTHERS = _by_set(_SUMMARIES["others"])
"""Neighbour accuracy of other solvers."""


class Figure(NamedTuple):
    """Neighbour accuracy that was published of a solver, or measured with its authors' program."""

    neighbour: float
    is_aware: bool = False


def _field(data: dict[str, Any]) -> dict[str, dict[str, Figure]]:
    figures: dict[str, dict[str, Figure]] = {}
    for solver, published_as in data["field"]["names"].items():
        for set_name, by_solver in OTHERS.items():
            if published_as in by_solver:
                figures.setdefault(solver, {})[set_name] = Figure(by_solver[published_as])
    for row in data["field"]["others"]:
        figure = Figure(row["neighbour"], row["aware"])
        figures.setdefault(row["solver"], {})[row["set"]] = figure
    return figures


FIELD = _field(_DATA)
"""By the name that a solver has here, and by set."""

THREE_WORST: dict[str, tuple[float, float]] = {
    row["set"]: (row["pomeranz"], row["paper"]) for row in _SUMMARIES["three_worst"]
}
"""Neighbour accuracy on the three images solved worst: Pomeranz 2011, the paper's best of ten."""

SECONDS: dict[str, float] = {
    row["set"]: row["time"] * UNITS[row["unit"]] for row in _SUMMARIES["times"]
}
"""The paper's run time per image on one thread of a PC of its time."""


class Turned(NamedTuple):
    """What a solver reaches on a set whose pieces are turned."""

    direct: float
    neighbour: float
    perfect: int


def _turned(rows: list[dict[str, Any]]) -> dict[str, dict[str, Turned]]:
    solvers: dict[str, dict[str, Turned]] = {}
    for row in rows:
        numbers = Turned(*(row[name] for name in Turned._fields))
        solvers.setdefault(row["set"], {})[row["solver"]] = numbers
    return solvers


TURNED = _turned(_DATA["turned"]["others"])
"""By set and solver, pieces turned."""

TURNED_SECONDS: dict[str, float] = {
    row["set"]: row["time"] * UNITS[row["unit"]] for row in _DATA["turned"]["times"]
}
"""Run time per image of Sholomon 2014, pieces turned."""

MIXED_SEDAS: dict[tuple[str, int], dict[str, float]] = {}
"""SEDAS by set and number of pictures in a bag, and by solver; pieces are turned."""
for _row in _DATA["mixed"]["others"]:
    MIXED_SEDAS.setdefault((_row["set"], _row["pictures"]), {})[_row["solver"]] = _row["sedas"]

ABLATION_SET: str = _DATA["crossover"]["set"]
"""What the paper compares variants of the crossover and measures on."""

VARIANTS = tuple(" + ".join(phases) for phases in PARTIAL_CROSSOVERS)
"""The partial crossovers of the paper's ablation on the 432-piece set."""

ABLATION_AVERAGE: tuple[float, ...] = tuple(_DATA["crossover"]["average"])
"""Neighbour accuracy of each variant, averaged over the twenty images."""

ABLATION: dict[int, tuple[float, ...]] = {
    row["image"]: tuple(row["neighbour"]) for row in _DATA["crossover"]["images"]
}
"""Neighbour accuracy of each variant by image."""

ALL_PHASES = _by_image(_DATA["crossover"]["all_phases"], "best", "average", "worst")
"""Best, average and worst neighbour accuracy of ten runs with all phases, by image."""

CONVERGING: tuple[str, ...] = tuple(_DATA["convergence"]["variants"])
"""The variants whose convergence the paper gives."""

CONVERGENCE_AVERAGE: tuple[tuple[float, ...], ...] = tuple(
    tuple(numbers) for numbers in _DATA["convergence"]["average"]
)
"""Of each: generations that improve, and the average and median improvement, over all images."""

CONVERGENCE: dict[int, tuple[float, ...]] = {
    row["image"]: tuple(row["numbers"]) for row in _DATA["convergence"]["images"]
}
"""The same by image: three numbers for each of these variants."""

MGC_BEST = _by_image(_DATA["mgc"]["images"], "mgc", "dissimilarity")
"""Neighbour accuracy with MGC and with dissimilarity, best of ten, by image."""

MGC_BEST_AVERAGE: tuple[float, ...] = tuple(_DATA["mgc"]["average"])
