"""Tables of runs inside documents that people write.

A document names a table between two comments; what stands between them is replaced:

    <!-- table: accuracy -->
    <!-- end of table -->
"""

from __future__ import annotations

import re
import statistics
from collections.abc import Callable

from jigsolve.errors import InputError
from jigsolve.lab import published
from jigsolve.lab.report.document import Table, table_as_markdown
from jigsolve.lab.report.field import field_table, ladder_table, measures_table
from jigsolve.lab.report.groups import (
    DIRECT,
    DIRECT_AWARE,
    NEIGHBOUR,
    NEIGHBOUR_AWARE,
    Group,
    Value,
    of_genetic,
)
from jigsolve.lab.report.losses import CAUSES, lost
from jigsolve.lab.report.mixed import mixed_table
from jigsolve.lab.report.turned import turned_table
from jigsolve.lab.sets import KNOWN_SETS

PRESET = "default"
UNTRACED = "default, traces False"
BEGIN, NAME_ENDS, END = "<!-- table: ", " -->", "<!-- end of table -->"
_MARKED = re.compile(f"{BEGIN}(.*?){NAME_ENDS}\n.*?{END}", re.DOTALL)


def fill_tables(text: str, groups: list[Group]) -> str:
    """Return a document with the tables that it names, made from these runs."""
    begins, ends = text.count(BEGIN), text.count(END)
    if not begins or not begins == ends == len(_MARKED.findall(text)):
        raise InputError(
            f"expected tables between {BEGIN}NAME{NAME_ENDS} and {END}, found {begins} that begin "
            f"and {ends} that end"
        )

    def filled(match: re.Match[str]) -> str:
        name = match[1]
        if name not in TABLES:
            raise InputError(f"expected a table named {', '.join(TABLES)}, found {name}")
        plain = of_genetic(groups)
        table = table_as_markdown(TABLES[name](plain if name in _OF_PLAIN else groups))
        return f"{BEGIN}{name}{NAME_ENDS}\n\n{table}\n\n{END}"

    return _MARKED.sub(filled, text)


def _accuracy(groups: list[Group]) -> Table:
    rows = []
    for group in _plain(groups):
        paper = _paper(group)
        rows.append(
            [
                group.set_name + _remark(group),
                str(len(group.by_image)),
                _both(group, NEIGHBOUR, NEIGHBOUR_AWARE),
                _untraced(group, groups),
                _both(group, DIRECT, DIRECT_AWARE),
                str(sum(r["scores"]["perfect"] for r in group.records)),
                _cpu(group),
                f"{max(r['memory'] for r in group.records) / 2**20:,.0f}",
                *paper,
            ]
        )
    columns = ["set", "images", "neighbour, strict / aware", "without traces"]
    columns += [
        "direct, strict / aware",
        "perfect",
        "CPU s",
        "peak MiB",
        "paper: neighbour, strict",
        "paper: s",
    ]
    return Table(columns, rows)


def _summary(groups: list[Group]) -> Table:
    rows = [
        [
            group.set_name,
            f"{group.pieces:,}",
            _both(group, NEIGHBOUR, NEIGHBOUR_AWARE),
            _untraced(group, groups),
            _cpu(group),
            *_paper(group),
        ]
        for group in _plain(groups)
        if any(_paper(group))
    ]
    columns = ["set", "pieces", "`default`, strict / aware", "without traces", "CPU s"]
    return Table([*columns, "paper, strict", "paper: s"], rows)


def _variants(groups: list[Group]) -> Table:
    """One row for each change of the preset, over the sets that were run with any.

    Runs without traces have a column of their own beside `default`.
    """
    chosen = [g for g in groups if _is_preset(g) and g.label != UNTRACED]
    found = {(g.label, g.set_name): g for g in chosen if g.has_all_phases}
    sets = list(dict.fromkeys(group.set_name for group in chosen if group.label != PRESET))
    labels = dict.fromkeys(label for label, name in found if name in sets)
    rows = [
        [label, *(_both_or_none(found.get((label, name))) for name in sets)]
        for label in sorted(labels, key=lambda label: (label == PRESET, label))
    ]
    return Table(["settings", *sets], rows)


def _losses(groups: list[Group]) -> Table:
    rows = []
    for group in _plain(groups):
        parts = [lost(record) for record in group.records]
        means = (statistics.fmean(part[cause] for part in parts) for cause in CAUSES)
        rows.append([group.set_name, *(f"{mean:.2f}" for mean in means)])
    return Table(["set", *CAUSES], rows)


_OF_PLAIN: dict[str, Callable[[list[Group]], Table]] = {
    "accuracy": _accuracy,
    "losses": _losses,
    "summary": _summary,
    "variants": _variants,
}

TABLES = {
    **_OF_PLAIN,
    "turned": turned_table,
    "mixed": mixed_table,
    "field": field_table,
    "field-measures": measures_table,
    "ladder": ladder_table,
}


def _is_preset(group: Group) -> bool:
    return bool(group.records[0]["preset"] == PRESET)


def _plain(groups: list[Group]) -> list[Group]:
    return [group for group in groups if group.label == PRESET]


def _both(group: Group, strict: Value, aware: Value) -> str:
    return f"{group.mean(strict):.2f} / {group.mean(aware):.2f} %"


def _untraced(group: Group, groups: list[Group]) -> str:
    """Return the accuracy of a set without traces of compression, if all its images were run."""
    names = group.by_image.keys()
    same = (g for g in groups if (g.set_name, g.label) == (group.set_name, UNTRACED))
    other = next((g for g in same if g.by_image.keys() == names), None)
    return _both_or_none(other)


def _both_or_none(group: Group | None) -> str:
    return _both(group, NEIGHBOUR, NEIGHBOUR_AWARE) if group else ""


def _cpu(group: Group) -> str:
    return f"{statistics.fmean(record['cpu'] for record in group.records):.2f}"


def _paper(group: Group) -> list[str]:
    """Return the paper's average and seconds, where they compare."""
    if not group.covers_set or group.set_name not in published.NEIGHBOUR:
        return ["", ""]
    average = published.NEIGHBOUR[group.set_name].average
    return [f"{average:.2f} %", f"{published.SECONDS[group.set_name]:,.0f}"]


def _remark(group: Group) -> str:
    known = KNOWN_SETS.get(group.set_name)
    return " (stand-ins)" if known and known.is_stand_in else ""
