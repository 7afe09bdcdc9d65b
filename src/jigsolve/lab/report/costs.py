"""What runs took: time and memory, and on what machine."""

from __future__ import annotations

import statistics
from collections import Counter

from jigsolve.execution.clock import time_in_words
from jigsolve.lab import published
from jigsolve.lab.records import Record
from jigsolve.lab.report.document import Block, Code, Section, Table, Text
from jigsolve.lab.report.groups import Group
from jigsolve.lab.sets import KNOWN_SETS


def times(groups: list[Group]) -> list[Section]:
    """Return the section on run times."""
    rows = []
    for group in groups:
        if not group.has_all_phases:
            continue
        cpu = [record["cpu"] for record in group.records]
        paper = published.SECONDS.get(group.set_name) if group.covers_set else None
        mean = statistics.fmean(cpu)
        rows.append(
            [
                group.set_name,
                group.label,
                group.runs,
                f"{mean:.2f}",
                f"{min(cpu):.2f}-{max(cpu):.2f}",
                f"{statistics.fmean(r['wall'] for r in group.records):.2f}",
                "/".join(str(n) for n in sorted({r["threads"] for r in group.records})),
                f"{max(r['memory'] for r in group.records) / 2**20:,.0f}",
                time_in_words(paper) if paper else "",
                f"{paper / mean:,.0f}" if paper and mean else "",
            ]
        )
    columns = ["set", "settings", "runs", "CPU s", "from-to", "wall s", "threads", "peak MiB"]
    columns += ["paper, one thread", "times less"]
    text = Text(
        "Per run, from pixels to the arrangement, without loading or compiling kernels and without "
        "scoring; CPU time summed over threads. The paper's times are those of a PC of its time: "
        "the last column compares machines as well as programs. On four threads it gives 3.43 "
        "hours for 22,755 pieces."
    )
    return [Section("Run times", [text, Table(columns, rows, names=3)])] if rows else []


def remarks(groups: list[Group]) -> list[Section]:
    """Return the section on sets that need a word of caution."""
    said = {
        name: known.remark
        for name, known in KNOWN_SETS.items()
        if known.is_stand_in and any(group.set_name.split("@")[0] == name for group in groups)
    }
    blocks: list[Block] = [Text(f"{name}: {remark}.") for name, remark in said.items()]
    return [Section("Mind", blocks)] if blocks else []


def provenance(records: list[Record], unreadable: int) -> Section:
    """Return the section that says where the runs come from."""
    commands = Counter(record["command"] for record in records)
    machines = Counter(f"{r['machine']}, {r['cores']} cores" for r in records)
    versions = Counter(
        ", ".join(f"{name} {number}" for name, number in record["versions"].items())
        for record in records
    )
    days = sorted({record["finished"][:10] for record in records})
    blocks: list[Block] = [
        Text(
            "Commands that made these runs (besides --data and --out), and how many each gave: "
            + ", ".join(str(count) for count in commands.values())
            + "."
        ),
        Code(list(commands)),
        Text(f"Machines: {_listed(machines)}. Software: {_listed(versions)}."),
        Text(f"Runs finished from {days[0]} to {days[-1]}."),
    ]
    if unreadable:
        blocks.append(Text(f"{unreadable} lines held no complete run and were left out."))
    return Section("Where these runs come from", blocks)


def _listed(counted: Counter[str]) -> str:
    if len(counted) == 1:
        return next(iter(counted))
    return "; ".join(f"{name} ({count} runs)" for name, count in counted.items())
