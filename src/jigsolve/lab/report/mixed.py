"""Bags of several pictures: how many were found, and how right they are."""

from __future__ import annotations

import statistics

from jigsolve.lab import published
from jigsolve.lab.records import BAG_FORMAT
from jigsolve.lab.report.document import Section, Table, Text
from jigsolve.lab.report.groups import (
    DIRECT,
    DIRECT_AWARE,
    NEIGHBOUR,
    NEIGHBOUR_AWARE,
    Group,
    of_kind,
    percent,
)

SEDAS = percent("scores", "sedas")


def mixed(groups: list[Group]) -> list[Section]:
    """Return the section on mixed bags."""
    if not of_kind(groups, BAG_FORMAT):
        return []
    text = Text(
        "Bags of pieces of several pictures, boards and the number of pictures unknown. Percent, "
        "averages over bags of scores over all pieces of a bag: pictures found are matched to the "
        "true ones by most shared pieces. SEDAS is the shiftable enhanced direct accuracy score of "
        "Hammoudeh and Pollett 2016, whose pieces are turned and whose bags are drawn from "
        "pomeranz_805; theirs stands beside ours where sets, number and turns agree, but their "
        "draws are not ours."
    )
    return [Section("Mixed bags", [text, mixed_table(groups)])]


def mixed_table(groups: list[Group]) -> Table:
    """Return how many pictures were found in bags, and how right they are."""
    rows = []
    solvers = list(dict.fromkeys(name for by in published.MIXED_SEDAS.values() for name in by))
    ours = of_kind(groups, BAG_FORMAT)
    for group in sorted(ours, key=lambda g: (g.set_name, g.records[0]["mixed"], g.label)):
        first = group.records[0]
        scores = [record["scores"] for record in group.records]
        exact = sum(score["found"] == score["pictures"] for score in scores)
        key = group.set_name, first["mixed"]
        theirs = published.MIXED_SEDAS.get(key, {}) if first["turned"] else {}
        rows.append(
            [
                group.set_name,
                group.label,
                group.runs,
                f"{exact} of {len(scores)}",
                f"{group.mean(NEIGHBOUR):.2f} / {group.mean(NEIGHBOUR_AWARE):.2f}",
                f"{group.mean(DIRECT):.2f} / {group.mean(DIRECT_AWARE):.2f}",
                f"{group.mean(SEDAS):.1f}",
                f"{sum(score['perfect'] for score in scores)} of {len(scores)}",
                f"{statistics.fmean(record['cpu'] for record in group.records):.2f}",
                f"{max(record['memory'] for record in group.records) / 2**20:,.0f}",
                *(f"{theirs[name]:.1f}" if name in theirs else "" for name in solvers),
            ]
        )
    columns = ["sets", "settings", "bags", "right number of pictures", "neighbour, strict / aware"]
    columns += ["direct, strict / aware", "SEDAS", "perfect", "CPU s", "peak MiB"]
    columns += [f"SEDAS, {name}" for name in solvers]
    return Table(columns, rows, names=3)
