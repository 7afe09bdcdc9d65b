"""Turned pieces: how right, what turns cost beside the same unturned, and what others have."""

from __future__ import annotations

import statistics

from jigsolve.execution.clock import time_in_words
from jigsolve.lab import published
from jigsolve.lab.records import FORMAT, TURNED_FORMAT
from jigsolve.lab.report.document import Block, Section, Table, Text
from jigsolve.lab.report.groups import (
    DIRECT,
    DIRECT_AWARE,
    NEIGHBOUR,
    NEIGHBOUR_AWARE,
    Group,
    Value,
    of_kind,
    percent,
    shared_images,
)

SUFFIX = ", turned"


def turned(groups: list[Group]) -> list[Section]:
    """Return the sections on turned pieces."""
    ours = of_kind(groups, TURNED_FORMAT)
    if not ours:
        return []
    text = Text(
        "Pieces of unknown orientation (the literature's Type 2), boards known. Percent, averages "
        "over images of averages over runs. The whole is compared in each turn that fits the "
        "board, and the best counts. A seam is right if the same two sides touch; direct asks for "
        "the right turn, too. Aware scores let what looks the same stand in for each other, also a "
        "piece turned so that it looks as it should. The last columns compare with the same images "
        "and settings unturned."
    )
    beside = _others(ours)
    return [
        Section("Turned pieces", [text, turned_table(groups)]),
        *([Section("Turned pieces: other solvers", beside)] if beside else []),
    ]


def turned_table(groups: list[Group]) -> Table:
    """Return accuracy and costs of turned pieces, beside the same unturned."""
    rows = []
    for group in of_kind(groups, TURNED_FORMAT):
        perfect = sum(record["scores"]["perfect"] for record in group.records)
        rows.append(
            [
                group.set_name,
                group.label.replace(SUFFIX, ""),
                group.runs,
                _both(group, NEIGHBOUR, NEIGHBOUR_AWARE),
                _both(group, DIRECT, DIRECT_AWARE),
                f"{group.mean(percent('ceiling', 'neighbour')):.2f}",
                f"{perfect} of {len(group.records)}",
                f"{_mean(group, 'cpu'):.2f}",
                f"{max(r['memory'] for r in group.records) / 2**20:,.0f}",
                *_unturned(group, groups),
            ]
        )
    columns = ["set", "settings", "runs", "neighbour, strict / aware", "direct, strict / aware"]
    columns += ["perfect picture", "perfect", "CPU s", "peak MiB"]
    columns += ["unturned: neighbour aware", "times the CPU", "times the memory"]
    return Table(columns, rows, names=3)


def _unturned(group: Group, groups: list[Group]) -> list[str]:
    """Return how the same images are solved unturned, over those that both have."""
    label = group.label.replace(SUFFIX, "")
    same = (g for g in of_kind(groups, FORMAT) if (g.set_name, g.label) == (group.set_name, label))
    other = next(same, None)
    if other is None or not (images := shared_images([group, other])):
        return ["", "", ""]
    mine, plain = group.of_images(images), other.of_images(images)
    ratios = (_mean(mine, name) / _mean(plain, name) for name in ("cpu", "memory"))
    return [f"{plain.mean(NEIGHBOUR_AWARE):.2f}", *(f"{ratio:.2f}" for ratio in ratios)]


def _others(groups: list[Group]) -> list[Block]:
    known = [g for g in groups if g.covers_set and g.set_name in published.TURNED]
    if not known:
        return []
    names = list(dict.fromkeys(name for by in published.TURNED.values() for name in by))
    rows = []
    for group in known:
        theirs = published.TURNED[group.set_name]
        best = max(numbers.neighbour for numbers in theirs.values())
        seconds = published.TURNED_SECONDS.get(group.set_name)
        ours = group.mean(NEIGHBOUR)
        rows.append(
            [
                group.set_name,
                *(_published(theirs.get(name)) for name in names),
                group.label.replace(SUFFIX, ""),
                f"{group.mean(DIRECT):.1f} / {ours:.1f}",
                f"{ours - best:+.1f}",
                time_in_words(seconds) if seconds else "",
            ]
        )
    text = Text(
        "Direct / neighbour accuracy, strict, and in parentheses how many pictures are perfect. "
        "Gallagher compares pieces only, not their turns. The best of five runs is chosen with the "
        "truth in hand; ours is the average of single runs."
    )
    columns = ["set", *names, "our settings", "ours", "neighbour - highest", "Sholomon 2014, time"]
    return [text, Table(columns, rows)]


def _published(numbers: published.Turned | None) -> str:
    if numbers is None:
        return ""
    return f"{numbers.direct:.1f} / {numbers.neighbour:.1f} ({numbers.perfect})"


def _both(group: Group, strict: Value, aware: Value) -> str:
    return f"{group.mean(strict):.2f} / {group.mean(aware):.2f}"


def _mean(group: Group, name: str) -> float:
    return statistics.fmean(record[name] for record in group.records)
