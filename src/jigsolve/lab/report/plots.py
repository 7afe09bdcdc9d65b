"""The drawings of a report."""

from __future__ import annotations

import io
import statistics
from collections.abc import Callable, Sequence
from typing import Any

from jigsolve.lab import published
from jigsolve.lab.records import FORMAT
from jigsolve.lab.report.document import Block, Plot, Text
from jigsolve.lab.report.field import as_published, name_of
from jigsolve.lab.report.groups import NEIGHBOUR, NEIGHBOUR_AWARE, Group, of_kind
from jigsolve.lab.report.phases import variants

SIZE = (9, 4.5)


def plots_of(groups: list[Group]) -> Sequence[Block]:
    """Return the drawings that the runs allow; without Matplotlib, a line that says so."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return [Text("Plots need Matplotlib: pip install 'jigsolve[plots]'.")]
    whole = [group for group in groups if group.has_all_phases]
    plots = []

    def draw(name: str, caption: str, on: Callable[[Any], None]) -> None:
        figure = Figure(figsize=SIZE, layout="constrained")
        on(figure.add_subplot())
        plots.append(Plot(name, _svg(figure), caption))

    if whole:
        draw(
            "accuracy",
            "Strict neighbour accuracy of every image (dots), its average (lines), and the paper's "
            "average (crosses)",
            lambda axes: _accuracy(axes, whole),
        )
        draw(
            "time",
            "CPU seconds per run against the number of pieces, and the paper's times on one thread",
            lambda axes: _time(axes, whole),
        )
        draw(
            "cost",
            "Cost of each result relative to the truth's, and its accuracy: left of the line the "
            "measure prefers a wrong picture, right of it the search has not found the cheapest",
            lambda axes: _cost(axes, whole),
        )
    for number, ((set_name, label), family) in enumerate(variants(groups).items(), 1):
        draw(
            f"convergence-{number}",
            f"Best cost by generation relative to the truth's, by phases of the crossover, mean "
            f"over runs: {set_name}, {label}",
            lambda axes, family=family: _convergence(axes, family),  # type: ignore[misc]
        )
    return plots


def plots_of_field(groups: list[Group]) -> list[Block]:
    """Return the drawings that compare solvers: accuracy and time by size, gains by measure."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return []
    own = as_published(groups)
    if len(_solvers(own)) < 2:
        return []
    drawings: tuple[tuple[str, str, Callable[[Any], None]], ...] = (
        (
            "field-accuracy",
            "Strict neighbour accuracy of solvers with their own measures, by size of the puzzles",
            lambda axes: _field_accuracy(axes, own),
        ),
        (
            "field-time",
            "CPU seconds of solvers with their own measures, by size of the puzzles",
            lambda axes: _field_time(axes, own),
        ),
        (
            "field-measures",
            "Strict neighbour accuracy of solvers by measure, mean over sets",
            lambda axes: _field_measures(axes, groups),
        ),
    )
    plots: list[Block] = []
    for name, caption, draw in drawings:
        figure = Figure(figsize=SIZE, layout="constrained")
        draw(figure.add_subplot())
        plots.append(Plot(name, _svg(figure), caption))
    return plots


def _solvers(groups: list[Group]) -> dict[str, list[Group]]:
    solvers: dict[str, list[Group]] = {}
    for group in groups:
        solvers.setdefault(name_of(group), []).append(group)
    return solvers


def _field_accuracy(axes: Any, own: list[Group]) -> None:
    for which, (name, some) in enumerate(_solvers(own).items()):
        means = [group.mean(NEIGHBOUR) for group in some]
        axes.plot([g.pieces for g in some], means, "o-", color=f"C{which}", label=name)
    axes.set(xscale="log", xlabel="pieces", ylabel="neighbour accuracy, %")
    axes.legend()
    axes.grid(alpha=0.3)


def _field_time(axes: Any, own: list[Group]) -> None:
    for which, (name, some) in enumerate(_solvers(own).items()):
        means = [statistics.fmean(r["cpu"] for r in group.records) for group in some]
        axes.plot([g.pieces for g in some], means, "o-", color=f"C{which}", label=name)
    axes.set(xscale="log", yscale="log", xlabel="pieces", ylabel="CPU seconds")
    axes.legend()
    axes.grid(alpha=0.3)


def _field_measures(axes: Any, groups: list[Group]) -> None:
    unchanged = [
        group
        for group in of_kind(groups, FORMAT)
        if not group.records[0]["changes"].keys() - {"measure"}
    ]
    solvers = _solvers(unchanged)
    measures = sorted({group.measure for group in unchanged})
    width = 0.8 / len(measures)
    for which, measure in enumerate(measures):
        heights = [
            statistics.fmean(means)
            if (means := [g.mean(NEIGHBOUR) for g in some if g.measure == measure])
            else 0.0
            for some in solvers.values()
        ]
        x = [place + (which - (len(measures) - 1) / 2) * width for place in range(len(solvers))]
        axes.bar(x, heights, width, color=f"C{which}", label=measure)
    axes.set_xticks(range(len(solvers)), solvers, rotation=20, ha="right")
    axes.set_ylabel("neighbour accuracy, %")
    axes.legend(loc="lower right")
    axes.grid(axis="y", alpha=0.3)


def _svg(figure: Any) -> str:
    """Return a figure as SVG that is the same whenever it is drawn."""
    from matplotlib import rc_context

    text = io.StringIO()
    with rc_context({"svg.hashsalt": "jigsolve", "svg.fonttype": "none"}):
        figure.savefig(text, format="svg", metadata={"Date": None})
    return "\n".join(line.rstrip() for line in text.getvalue().splitlines()) + "\n"


def _labels(groups: list[Group]) -> list[str]:
    return list(dict.fromkeys(group.label for group in groups))


def _accuracy(axes: Any, groups: list[Group]) -> None:
    sets = list(dict.fromkeys(group.set_name for group in groups))
    labels = _labels(groups)
    width = 0.8 / len(labels)
    for group in groups:
        which = labels.index(group.label)
        x = sets.index(group.set_name) + (which - (len(labels) - 1) / 2) * width
        values = group.per_image(NEIGHBOUR, statistics.fmean)
        colour = f"C{which}"
        axes.plot([x] * len(values), values, "o", color=colour, alpha=0.35, markersize=4)
        mean = statistics.fmean(values)
        axes.plot([x - width / 2, x + width / 2], [mean, mean], color=colour, linewidth=2)
    for which, label in enumerate(labels):
        axes.plot([], [], "o-", color=f"C{which}", label=label)
    whole = {group.set_name for group in groups if group.covers_set}
    theirs = [
        (place, published.NEIGHBOUR[name].average)
        for place, name in enumerate(sets)
        if name in whole and name in published.NEIGHBOUR
    ]
    if theirs:
        axes.plot(*zip(*theirs, strict=True), "kx", label="the paper")
    axes.set_xticks(range(len(sets)), sets, rotation=20, ha="right")
    axes.set_ylabel("neighbour accuracy, %")
    axes.legend(loc="lower left")
    axes.grid(axis="y", alpha=0.3)


def _time(axes: Any, groups: list[Group]) -> None:
    for which, label in enumerate(_labels(groups)):
        some = [group for group in groups if group.label == label]
        means = [statistics.fmean(r["cpu"] for r in group.records) for group in some]
        axes.plot([g.pieces for g in some], means, "o-", color=f"C{which}", label=label)
    sizes = {group.set_name: group.pieces for group in groups if group.covers_set}
    theirs = sorted(
        (pieces, published.SECONDS[name])
        for name, pieces in sizes.items()
        if name in published.SECONDS
    )
    if theirs:
        axes.plot(*zip(*theirs, strict=True), "kx--", label="the paper")
    axes.set(xscale="log", yscale="log", xlabel="pieces", ylabel="CPU seconds")
    axes.legend()
    axes.grid(alpha=0.3)


def _cost(axes: Any, groups: list[Group]) -> None:
    for which, label in enumerate(_labels(groups)):
        records = [r for g in groups if g.label == label for r in g.records if r["true_cost"]]
        axes.plot(
            [100 * (r["cost"] / r["true_cost"] - 1) for r in records],
            [NEIGHBOUR_AWARE(r) for r in records],
            "o",
            color=f"C{which}",
            alpha=0.4,
            markersize=4,
            label=label,
        )
    axes.axvline(0, color="black", linewidth=0.8)
    axes.set_xscale("symlog", linthresh=0.1)
    axes.set(xlabel="cost above the truth's, %", ylabel="neighbour accuracy, aware, %")
    axes.legend()
    axes.grid(alpha=0.3)


def _convergence(axes: Any, family: dict[str, Group]) -> None:
    for name, group in sorted(family.items(), key=lambda item: -item[1].mean(NEIGHBOUR)):
        longest = max(len(record["history"]["best"]) for record in group.records)
        curves = []
        for record in group.records:
            if not record["true_cost"]:
                continue
            best = [cost / record["true_cost"] for cost in record["history"]["best"]]
            curves.append(best + best[-1:] * (longest - len(best)))
        mean = [statistics.fmean(values) for values in zip(*curves, strict=True)]
        axes.plot(range(len(mean)), mean, label=name)
    axes.set(yscale="log", xlabel="generation", ylabel="best cost / cost of the truth")
    axes.legend()
    axes.grid(alpha=0.3)
