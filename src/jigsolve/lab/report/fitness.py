"""What the measure is worth: MGC against dissimilarity, and results cheaper than the truth."""

from __future__ import annotations

from jigsolve.lab import published
from jigsolve.lab.records import Record
from jigsolve.lab.report.document import Block, Section, Table, Text
from jigsolve.lab.report.groups import (
    DIRECT,
    NEIGHBOUR,
    NEIGHBOUR_AWARE,
    Group,
    shared_images,
)

ROUNDING = 1e-9
"""Costs that differ by less are equal: the order of summation alone may do that."""

MOST = 0.5
"""A result is a shift when more than this share of the pieces moved by the same cells."""


def measures(groups: list[Group]) -> list[Section]:
    """Return a section for every set solved with both of the paper's measures."""
    sections = []
    whole = [group for group in groups if group.has_all_phases]
    for mgc in (group for group in whole if group.measure == "mgc"):
        others = [
            group
            for group in whole
            if group.set_name == mgc.set_name
            and group.measure == "dissimilarity"
            and {**group.records[0]["settings"], "measure": 0, "seed": 0}
            == {**mgc.records[0]["settings"], "measure": 0, "seed": 0}
        ]
        for other in others:
            if not shared_images([mgc, other]):
                continue
            title = f"MGC against dissimilarity: {mgc.set_name}, {other.label}"
            sections.append(Section(title, _both(mgc, other)))
    return sections


def _both(mgc: Group, other: Group) -> list[Block]:
    shared = shared_images([mgc, other])
    mgc, other = mgc.of_images(shared), other.of_images(shared)
    like_the_paper = mgc.set_name == published.ABLATION_SET and mgc.covers_set
    rows = []
    for image in [*shared, None]:
        row = [image or "average"]
        for group in (mgc, other):
            some = group if image is None else group.of_images([image])
            row += [f"{some.summary(NEIGHBOUR).best:.2f}", f"{some.mean(NEIGHBOUR):.2f}"]
            row += [f"{some.mean(NEIGHBOUR_AWARE):.2f}"]
        if like_the_paper:
            theirs = published.MGC_BEST[int(image)] if image else published.MGC_BEST_AVERAGE
            row += [f"{value:.2f}" for value in theirs]
        rows.append(row)
    columns = ["image", "MGC: best", "average", "aware average"]
    columns += ["dissimilarity: best", "average", "aware average"]
    if like_the_paper:
        columns += ["paper, best of ten: MGC", "dissimilarity"]
    text = Text(
        f"Neighbour accuracy, percent, strict unless aware is said, of the images run with both. "
        f"Runs: MGC {mgc.runs}, dissimilarity {other.runs}."
    )
    return [text, Table(columns, rows)]


def anomaly(groups: list[Group]) -> list[Section]:
    """Return the section on results that cost less than the truth."""
    whole = [group for group in groups if group.has_all_phases]
    if not whole:
        return []
    counts, found = [], []
    for group in whole:
        cheaper = [record for record in group.records if is_cheaper(record)]
        equal = [record for record in group.records if is_equal(record)]
        counts.append(
            [
                group.set_name,
                group.label,
                str(len(group.records)),
                str(len(cheaper)),
                str(len(equal)),
                str(len(group.records) - len(cheaper) - len(equal)),
                str(sum(is_shifted(record) for record in cheaper)),
                str(sum(is_shifted(record) for record in group.records)),
            ]
        )
        for image, runs in group.by_image.items():
            some = [record for record in runs if is_cheaper(record)]
            if some:
                found.append(_anomalous_image(group, image, len(runs), some))
    columns = ["set", "settings", "runs", "cheaper than the truth", "as cheap", "dearer"]
    columns += ["cheaper and shifted", "shifted"]
    blocks: list[Block] = [
        Text(
            "Where a wrong result costs less than the truth, the measure prefers it; the search "
            "may have missed an even cheaper one. Where it costs more, the search failed. As cheap "
            "as the truth are perfect results and those whose exchanged pieces look the same at "
            "their borders. A result counts as shifted when more than half of its pieces are "
            "displaced by the same rows and columns."
        ),
        Table(columns, counts, names=2),
    ]
    if found:
        columns = ["set", "settings", "image", "runs cheaper", "cost below the truth's"]
        columns += ["neighbour", "aware", "direct", "displaced by (rows, columns)", "pieces so"]
        caption = "Images with results cheaper than the truth (averages over those runs)"
        blocks.append(Table(columns, found, names=2, caption=caption, folded=True))
    return [Section("Cheaper than the truth", blocks)]


def _anomalous_image(group: Group, image: str, runs: int, cheaper: list[Record]) -> list[str]:
    mean = Group(group.set_name, group.label, cheaper).mean
    lowest = min(cheaper, key=lambda record: record["cost"])
    shift, board = lowest["shift"], lowest["board"]
    moved = [_signed(shift[name], board[name]) for name in ("rows", "columns")]
    return [
        group.set_name,
        group.label,
        image,
        f"{len(cheaper)} of {runs}",
        f"{mean(lambda r: 100 * (1 - r['cost'] / r['true_cost'])):.3f} %",
        f"{mean(NEIGHBOUR):.2f}",
        f"{mean(NEIGHBOUR_AWARE):.2f}",
        f"{mean(DIRECT):.2f}",
        f"{moved[0]}, {moved[1]}",
        f"{shift['share']:.0%}",
    ]


def is_cheaper(record: Record) -> bool:
    """Whether a result costs less than the truth."""
    return bool(record["cost"] < record["true_cost"] * (1 - ROUNDING))


def is_equal(record: Record) -> bool:
    """Whether a result costs as much as the truth."""
    return bool(abs(record["cost"] - record["true_cost"]) <= record["true_cost"] * ROUNDING)


def is_shifted(record: Record) -> bool:
    """Whether most pieces are displaced by the same rows and columns."""
    shift = record["shift"]
    return bool((shift["rows"] or shift["columns"]) and shift["share"] > MOST)


def _signed(cells: int, size: int) -> int:
    """Return a displacement on a board without ends as the shorter way."""
    return cells - size if cells > size // 2 else cells
