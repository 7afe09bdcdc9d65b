"""What each phase of the crossover brings: the paper's ablation, and how fast variants converge."""

from __future__ import annotations

import statistics

from jigsolve.evolution.phases import PHASES
from jigsolve.lab import published
from jigsolve.lab.experiment import PARTIAL_CROSSOVERS
from jigsolve.lab.records import Record
from jigsolve.lab.report.document import Block, Section, Table, Text
from jigsolve.lab.report.groups import NEIGHBOUR, Group


def variants(groups: list[Group]) -> dict[tuple[str, str], dict[str, Group]]:
    """Return groups that differ in phases only, by phases; several phases or none at all."""
    families: dict[tuple[str, str], dict[str, Group]] = {}
    for group in groups:
        others = [p for p in group.label.split(", ") if not p.startswith("phases ")]
        name = phases_name(group.phases)
        families.setdefault((group.set_name, ", ".join(others)), {})[name] = group
    return {key: family for key, family in families.items() if len(family) > 1}


def phases_name(phases: tuple[str, ...]) -> str:
    """Return the name of a variant, as the paper orders phases."""
    known = {frozenset(some): " + ".join(some) for some in PARTIAL_CROSSOVERS}
    known[frozenset(PHASES)] = "all"
    return known.get(frozenset(phases), " + ".join(phases) or "none")


def phases(groups: list[Group]) -> list[Section]:
    """Return the sections on the phases of the crossover."""
    sections = []
    for (set_name, label), family in variants(groups).items():
        names = [name for name in (*published.VARIANTS, "all") if name in family]
        names += [name for name in family if name not in names]
        about = f"{set_name}, {label}"
        is_cho = set_name == published.ABLATION_SET and all(g.covers_set for g in family.values())
        sections.append(
            Section(f"Crossover variants: {about}", _accuracy_of(names, family, is_cho))
        )
        sections.append(
            Section(f"Convergence of the variants: {about}", _convergence(names, family, is_cho))
        )
    return sections


def _accuracy_of(names: list[str], family: dict[str, Group], is_cho: bool) -> list[Block]:
    images = sorted({image for group in family.values() for image in group.by_image})
    means = {
        name: dict(zip(g.by_image, g.per_image(NEIGHBOUR, statistics.fmean), strict=True))
        for name, g in family.items()
    }
    rows = [[f"{image:02}", *(_cell(means[name].get(image)) for name in names)] for image in images]
    averages = {name: family[name].mean(NEIGHBOUR) for name in names}
    rows.append(["average", *(f"{averages[name]:.2f}" for name in names)])
    blocks: list[Block] = [
        Text("Neighbour accuracy, strict, percent; the average where there are several runs.")
    ]
    if is_cho:
        theirs = dict(zip(published.VARIANTS, published.ABLATION_AVERAGE, strict=True))
        theirs["all"] = published.NEIGHBOUR["cho_432"].average
        rows.append(["paper", *(_cell(theirs.get(name)) for name in names)])
        shared = [name for name in names if name in theirs]
        ours_sorted = sorted(shared, key=lambda name: averages[name])
        same = ours_sorted == sorted(shared, key=lambda name: theirs[name])
        blocks.append(
            Text(
                f"From lowest to highest average: {', '.join(ours_sorted)}. "
                f"The paper's order is {'the same' if same else 'another'}."
            )
        )
    blocks.append(Table(["image", *names], rows))
    return [*blocks, _ablation_of_the_paper()] if is_cho else blocks


def _ablation_of_the_paper() -> Table:
    rows = [
        [f"{image:02}", *(_cell(score) for score in (*scores, *published.ALL_PHASES[image]))]
        for image, scores in published.ABLATION.items()
    ]
    columns = ["image", *published.VARIANTS, "all: best", "average", "worst"]
    return Table(columns, rows, caption="The paper's, image by image", folded=True)


def _convergence(names: list[str], family: dict[str, Group], is_cho: bool) -> list[Block]:
    rows = []
    paper = dict(zip(published.CONVERGING, published.CONVERGENCE_AVERAGE, strict=True))
    for name in names:
        group = family[name]
        of_runs = [improvements(record) for record in group.records]
        rows.append(
            [
                name,
                f"{statistics.fmean(len(steps) for steps in of_runs):.2f}",
                f"{statistics.fmean(statistics.fmean(s) for s in of_runs if s):.1f}"
                if any(of_runs)
                else "",
                f"{statistics.fmean(statistics.median(s) for s in of_runs if s):.1f}"
                if any(of_runs)
                else "",
                *(_cell(value) for value in (paper.get(name) if is_cho else None) or [None] * 3),
            ]
        )
    columns = ["variant", "meaningful generations", "average improvement", "median improvement"]
    columns += ["paper: generations", "average", "median"]
    text = Text(
        "A generation is meaningful when its best arrangement costs less than the best before it; "
        "the improvement is by how much. Averages over all runs."
    )
    return [text, Table(columns, rows), _convergence_by_image(names, family)]


def _convergence_by_image(names: list[str], family: dict[str, Group]) -> Table:
    images = sorted({image for group in family.values() for image in group.by_image})
    rows = []
    for image in images:
        cells = [f"{image:02}"]
        for name in names:
            steps = [improvements(record) for record in family[name].by_image.get(image, [])]
            of_all = [step for some in steps for step in some]
            if of_all:
                count = len(of_all) / len(steps)
                cells += [f"{count:.0f}", f"{statistics.fmean(of_all):.0f}"]
                cells += [f"{statistics.median(of_all):.0f}"]
            else:
                cells += ["0" if steps else "", "", ""]
        rows.append(cells)
    columns = ["image"]
    for name in names:
        columns += [f"{name}: gen.", "avg.", "med."]
    caption = "Meaningful generations, average and median improvement, image by image"
    return Table(columns, rows, caption=caption, folded=True)


def improvements(record: Record) -> list[float]:
    """Return by how much the best cost fell, for every generation in which it did."""
    steps = []
    lowest = record["history"]["best"][0]
    for best in record["history"]["best"][1:]:
        if best < lowest:
            steps.append(lowest - best)
            lowest = best
    return steps


def _cell(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"
