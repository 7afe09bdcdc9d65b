"""What each phase of the crossover brings: the paper's ablation, and how fast variants converge."""

from __future__ import annotations

import statistics
from collections.abc import Iterable

from jigsolve.assembly.phases import PHASES
from jigsolve.lab import published
from jigsolve.lab.experiment import PARTIAL_CROSSOVERS
from jigsolve.lab.records import Record
from jigsolve.lab.report.document import Block, Section, Table, Text
from jigsolve.lab.report.groups import NEIGHBOUR, Group, label_of, shared_images
from jigsolve.measures import MEASURES


def variants(groups: list[Group]) -> dict[tuple[str, str], dict[str, Group]]:
    """Return groups that differ in phases only, by phases, where there are several."""
    families: dict[tuple[str, str], dict[str, Group]] = {}
    for group in groups:
        record = group.records[0]
        others = {n: v for n, v in record["changes"].items() if n != "phases"}
        label = label_of({**record, "changes": others})
        families.setdefault((group.set_name, label), {})[phases_name(group.phases)] = group
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
        shared = shared_images(family.values())
        if not shared:
            continue
        compared = {name: family[name].of_images(shared) for name in names}
        like_the_paper = set_name == published.ABLATION_SET and all(
            group.covers_set and group.measure == "dissimilarity" for group in compared.values()
        )
        about = f"{set_name}, {label}"
        sections += [
            Section(f"Crossover variants: {about}", _accuracy_of(compared, like_the_paper)),
            Section(
                f"Convergence of the variants: {about}", _convergence(compared, like_the_paper)
            ),
        ]
    return sections


def _accuracy_of(family: dict[str, Group], like_the_paper: bool) -> list[Block]:
    means = [group.per_image(NEIGHBOUR, statistics.fmean) for group in family.values()]
    images = next(iter(family.values())).by_image
    rows = [
        [image, *(f"{score:.2f}" for score in scores)]
        for image, *scores in zip(images, *means, strict=True)
    ]
    averages = {name: group.mean(NEIGHBOUR) for name, group in family.items()}
    rows.append(["average", *(f"{average:.2f}" for average in averages.values())])
    blocks: list[Block] = [
        Text(
            "Neighbour accuracy, strict, percent, of the images that all variants were run on; the "
            "average where there are several runs."
        )
    ]
    if like_the_paper:
        theirs = dict(zip(published.VARIANTS, published.ABLATION_AVERAGE, strict=True))
        theirs["all"] = published.NEIGHBOUR[published.ABLATION_SET].average
        rows.append(["paper", *(_cell(theirs.get(name)) for name in family)])
        shared = [name for name in family if name in theirs]
        ours_sorted = sorted(shared, key=lambda name: averages[name])
        same = ours_sorted == sorted(shared, key=lambda name: theirs[name])
        blocks.append(
            Text(
                f"From lowest to highest average: {', '.join(ours_sorted)}. "
                f"The paper's order is {'the same' if same else 'another'}."
            )
        )
    blocks.append(Table(["image", *family], rows))
    return [*blocks, _ablation_of_the_paper()] if like_the_paper else blocks


def _ablation_of_the_paper() -> Table:
    rows = [
        [f"{image:02}", *(_cell(score) for score in (*scores, *published.ALL_PHASES[image]))]
        for image, scores in published.ABLATION.items()
    ]
    columns = ["image", *published.VARIANTS, "all: best", "average", "worst"]
    return Table(columns, rows, caption="The paper's, image by image", folded=True)


def _convergence(family: dict[str, Group], like_the_paper: bool) -> list[Block]:
    measured = {name: _improvements_by_image(group) for name, group in family.items()}
    paper = dict(zip(published.CONVERGING, published.CONVERGENCE_AVERAGE, strict=True))
    columns = ["variant", "meaningful generations", "average improvement", "median improvement"]
    rows = []
    for name, by_image in measured.items():
        means = [statistics.fmean(values) for values in zip(*by_image.values(), strict=True)]
        rows.append([name, *(f"{value:.2f}" for value in means)])
        if like_the_paper:
            rows[-1] += [_cell(value) for value in paper.get(name, (None,) * 3)]
    if like_the_paper:
        columns += ["paper: generations", "average", "median"]
    by_image_rows = [
        [image, *(f"{value:.0f}" for by_image in measured.values() for value in by_image[image])]
        for image in next(iter(measured.values()))
    ]
    text = Text(
        "A generation is meaningful when its best arrangement costs less than the best before it; "
        "the improvement is by how much, in the measure's own units. Per run, then averaged over "
        "the runs of an image, then over images."
    )
    caption = "Meaningful generations, average and median improvement, image by image"
    blocks: list[Block] = [text, Table(columns, rows)]
    blocks.append(Table(_three_each(measured), by_image_rows, caption=caption, folded=True))
    if like_the_paper:
        rows = [
            [f"{image:02}", *(f"{value:.0f}" for value in values)]
            for image, values in published.CONVERGENCE.items()
        ]
        caption = "The paper's, image by image"
        blocks.append(Table(_three_each(published.CONVERGING), rows, caption=caption, folded=True))
    return blocks


def _three_each(names: Iterable[str]) -> list[str]:
    return ["image", *(c for name in names for c in (f"{name}: gen.", "avg.", "med."))]


def _improvements_by_image(group: Group) -> dict[str, tuple[float, float, float]]:
    """Return, by image, meaningful generations and their average and median improvement."""
    units = MEASURES[group.measure].units if group.measure in MEASURES else 1.0
    found = {}
    for image, runs in group.by_image.items():
        steps = [[step / units for step in improvements(run)] for run in runs]
        found[image] = (
            statistics.fmean(len(some) for some in steps),
            statistics.fmean(statistics.fmean(some or [0.0]) for some in steps),
            statistics.fmean(statistics.median(some or [0.0]) for some in steps),
        )
    return found


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
