"""How right: best, worst and average of the runs, beside what others published."""

from __future__ import annotations

import statistics

from jigsolve.lab import published
from jigsolve.lab.published import TenRuns
from jigsolve.lab.report.document import Block, Section, Table, Text
from jigsolve.lab.report.groups import (
    DIRECT,
    DIRECT_AWARE,
    NEIGHBOUR,
    NEIGHBOUR_AWARE,
    Group,
    Value,
    percent,
)

HOW_TO_READ = (
    "Percent: per image the best, worst and average run and their sample deviation, then the "
    "average over images, as in the paper's tables, which are shown where the whole set was run. "
    "Strict scores tell all pieces apart; aware ones let pieces with equal pixels stand in for "
    "each other; a perfect picture's strict score, on average over how identical pieces may be "
    "dealt, is the ceiling. The best of several runs is chosen with the truth in hand: compare "
    "single runs by the average. Runs: images x runs of each."
)


def accuracy(groups: list[Group]) -> list[Section]:
    """Return the sections on accuracy."""
    whole = [group for group in groups if group.has_all_phases]
    if not whole:
        return []
    return [
        Section(
            "Neighbour accuracy",
            [
                Text(HOW_TO_READ),
                _summary_table(whole, NEIGHBOUR, NEIGHBOUR_AWARE, "neighbour"),
            ],
        ),
        Section("Direct accuracy", [_summary_table(whole, DIRECT, DIRECT_AWARE, "direct")]),
        *_three_worst(whole),
        *_comparison(whole),
        Section("Image by image", [_images(group) for group in whole]),
    ]


def _summary_table(groups: list[Group], strict: Value, aware: Value, kind: str) -> Table:
    theirs = published.NEIGHBOUR if kind == "neighbour" else published.DIRECT
    rows = []
    for group in groups:
        ours = group.summary(strict)
        perfect = sum(r["scores"]["perfect"] for r in group.records)
        paper = theirs.get(group.set_name) if group.covers_set else None
        rows.append(
            [
                group.set_name,
                group.label,
                group.runs,
                *(f"{value:.2f}" for value in ours[:3]),
                f"{ours.deviation:.2f}" if group.is_repeated else "",
                f"{group.mean(aware):.2f}",
                f"{group.mean(percent('ceiling', kind)):.2f}",
                f"{perfect} of {len(group.records)}",
                *_paper_cells(paper),
                f"{ours.average - paper.average:+.2f}" if paper else "",
            ]
        )
    columns = ["set", "settings", "runs", "best", "worst", "average", "st. dev.", "aware average"]
    columns += ["perfect picture", "perfect"]
    columns += ["paper: best", "worst", "average", "st. dev.", "average - paper"]
    if not any(row[-1] for row in rows):
        columns, rows = columns[:-5], [row[:-5] for row in rows]
    return Table(columns, rows, names=3)


def _paper_cells(paper: TenRuns | None) -> list[str]:
    return [f"{value:.2f}" for value in paper] if paper else [""] * len(TenRuns._fields)


def _three_worst(groups: list[Group]) -> list[Section]:
    rows = []
    for group in groups:
        theirs = published.THREE_WORST.get(group.set_name)
        if theirs is None or not group.covers_set:
            continue
        best = sorted(zip(group.per_image(NEIGHBOUR, max), group.by_image, strict=True))[:3]
        average = sorted(group.per_image(NEIGHBOUR, statistics.fmean))[:3]
        rows.append(
            [
                group.set_name,
                group.label,
                ", ".join(image for _, image in best),
                f"{statistics.fmean(score for score, _ in best):.2f}",
                f"{statistics.fmean(average):.2f}",
                *(f"{value:.2f}" for value in theirs),
            ]
        )
    if not rows:
        return []
    columns = ["set", "settings", "images", "best run", "average run"]
    columns += ["Pomeranz 2011", "paper, best run"]
    text = Text("Neighbour accuracy, strict, of the three images solved least well.")
    return [Section("The three worst images", [text, Table(columns, rows, names=3)])]


def _comparison(groups: list[Group]) -> list[Section]:
    known = [g for g in groups if g.covers_set and g.set_name in published.NEIGHBOUR]
    if not known:
        return []
    names = list(dict.fromkeys(name for by in published.OTHERS.values() for name in by))
    rows = []
    for set_name in dict.fromkeys(group.set_name for group in known):
        theirs = published.OTHERS.get(set_name, {})
        paper = published.NEIGHBOUR[set_name]
        record = max([*theirs.values(), paper.best])
        others = [f"{theirs[name]:.2f}" if name in theirs else "" for name in names]
        for group in known:
            if group.set_name == set_name:
                ours = group.mean(NEIGHBOUR)
                rows.append(
                    [
                        set_name,
                        *others,
                        f"{paper.best:.2f}",
                        f"{paper.average:.2f}",
                        f"{record:.2f}",
                        group.label,
                        f"{ours:.2f}",
                        f"{ours - record:+.2f}",
                    ]
                )
    columns = ["set", *names, "paper, best run", "paper, average", "highest of these"]
    columns += ["our settings", "our average", "average - highest"]
    text = Text(
        "Neighbour accuracy, strict. Ours is the average of single runs; the paper's best run is "
        "that of ten (five at 22,755 pieces), chosen with the truth in hand. Paikin and Tal 2015 "
        "published 97.7, by a metric they do not name, for several sets pooled."
    )
    return [Section("Beside other solvers", [text, Table(columns, rows)])]


def _images(group: Group) -> Block:
    rows = []
    for image, runs in group.by_image.items():
        alone = Group(group.set_name, group.label, runs)
        neighbour = [NEIGHBOUR(r) for r in runs]
        dearer = [100 * (r["cost"] / r["true_cost"] - 1) for r in runs if r["true_cost"]]
        rows.append(
            [
                image,
                f"{max(neighbour):.2f}",
                f"{min(neighbour):.2f}",
                *(f"{alone.mean(value):.2f}" for value in (NEIGHBOUR, NEIGHBOUR_AWARE)),
                *(f"{alone.mean(value):.2f}" for value in (DIRECT, DIRECT_AWARE)),
                f"{alone.mean(percent('ceiling', 'neighbour')):.2f}",
                f"{sum(r['scores']['perfect'] for r in runs)} of {len(runs)}",
                f"{statistics.fmean(dearer):+.2f} %" if dearer else "",
                f"{statistics.fmean(r['generations'] for r in runs):.0f}",
                f"{statistics.fmean(r['cpu'] for r in runs):.2f}",
            ]
        )
    columns = ["image", "neighbour: best", "worst", "average", "aware", "direct", "direct aware"]
    columns += ["perfect picture", "perfect", "cost above the truth's", "generations", "CPU s"]
    caption = f"{group.set_name}, {group.label}: {group.runs}"
    return Table(columns, rows, caption=caption, folded=True)
