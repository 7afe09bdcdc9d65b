"""What is lost where: to identical pieces, to the search, and what costs alone cannot tell."""

from __future__ import annotations

import statistics

from jigsolve.lab.records import Record
from jigsolve.lab.report.document import Section, Table, Text
from jigsolve.lab.report.fitness import ROUNDING
from jigsolve.lab.report.groups import Group

CAUSES = ("identical pieces", "search", "search or measure")
LEAST = 0.05
"""Images that lose less, in percent, have no line of their own."""


def lost(record: Record) -> dict[str, float]:
    """Return the percentage of seams that a run lost to each cause.

    What only strict scores count as wrong is lost to identical pieces. If the truth costs less than
    the result, the search missed a cheaper arrangement. If it does not, the cheapest arrangement is
    not the truth or ties with it; whether the search found that arrangement is not known.
    """
    scores = record["scores"]
    rest = 100 * (1 - scores["neighbour_aware"])
    search_failed = record["cost"] > record["true_cost"] * (1 + ROUNDING)
    return {
        "identical pieces": 100 * (scores["neighbour_aware"] - scores["neighbour"]),
        "search": rest if search_failed else 0.0,
        "search or measure": 0.0 if search_failed else rest,
    }


def losses(groups: list[Group]) -> list[Section]:
    """Return the section on what was lost, for single runs of the presets as they are."""
    rows = []
    for group in groups:
        if group.records[0]["changes"] or group.is_repeated:
            continue
        each = {image: lost(runs[0]) for image, runs in group.by_image.items()}
        for image, parts in [*each.items(), ("average", _mean(list(each.values())))]:
            if image != "average" and sum(parts.values()) < LEAST:
                continue
            run = group.by_image[image][0] if image != "average" else None
            excess = 100 * (run["cost"] / run["true_cost"] - 1) if run and run["true_cost"] else 0
            rows.append(
                [
                    group.set_name,
                    group.label,
                    image,
                    *(f"{parts[cause]:.2f}" for cause in CAUSES),
                    f"{excess:+.1f} %" if run else "",
                ]
            )
    text = Text(
        "Percent of seams lost, strict, by what the costs of the result and of the truth can tell. "
        "Identical pieces: wrong by the strict score only. Search: the truth costs less than the "
        "result, so the search missed a cheaper arrangement; how many of these seams the cheapest "
        "arrangement has right is not known. Search or measure: the truth costs no less than the "
        "result, so it is not the only cheapest arrangement; whether an even cheaper one was "
        "missed, and how right that one is, is not known (benchmarks/ceilings.py anneals the truth "
        f"to estimate it). Images that lose less than {LEAST} % are left out; averages are over "
        "all images."
    )
    columns = ["set", "settings", "image", *CAUSES, "cost above the truth's"]
    return [Section("What is lost where", [text, Table(columns, rows, names=3)])] if rows else []


def _mean(parts: list[dict[str, float]]) -> dict[str, float]:
    return {cause: statistics.fmean(part[cause] for part in parts) for cause in CAUSES}
