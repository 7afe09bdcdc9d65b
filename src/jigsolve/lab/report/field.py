"""The field: every solver beside every other, with its own measure and with those of others."""

from __future__ import annotations

import statistics
from collections.abc import Iterable

from jigsolve.lab import published
from jigsolve.lab.experiment import LADDER, settings_record
from jigsolve.lab.records import FORMAT, GENETIC
from jigsolve.lab.report.document import Block, Section, Table, Text
from jigsolve.lab.report.groups import (
    DIRECT,
    DIRECT_AWARE,
    NEIGHBOUR,
    NEIGHBOUR_AWARE,
    Group,
    Value,
    of_kind,
    shared_images,
)

WORST = 3
"""So many images of each solver are named."""


def field(groups: list[Group], drawn: list[Block]) -> list[Section]:
    """Return the sections on the field, with drawings of it; none for one solver alone."""
    blocks: list[Block] = []
    own = as_published(groups)
    if len({group.solver for group in own}) > 1:
        blocks += [Text(_ABOUT), field_table(groups), _details(own), *drawn]
    if (by_measure := measures_table(groups)).rows:
        blocks += [Text(_ABOUT_MEASURES), by_measure]
    if blocks:
        blocks += [Text(_ABOUT_COSTS), _costs_by_size(own), Text(_ABOUT_WORST), _worst(own)]
    ladder = ladder_table(groups)
    sections = [Section("The field", blocks)] if blocks else []
    if len(ladder.rows) > 1:
        sections.append(Section("From the paper's to ours", [Text(_ABOUT_LADDER), ladder]))
    return sections


_ABOUT = (
    "Neighbour accuracy, strict / aware, of each solver with the measure it was published with, "
    "single runs; below or beside it what was published, strict unless it says aware. Ours is the "
    "average over all images of a set where published figures stand beside it."
)
_ABOUT_MEASURES = (
    "Who gains what from a better measure: neighbour accuracy, strict / aware, of each solver with "
    "each measure, over the images that were run with all of them."
)
_ABOUT_COSTS = "CPU seconds / peak memory in MiB of a run, averages and maxima over images."
_ABOUT_WORST = f"Where each fails: the {WORST} images solved least well, by aware neighbour score."
_ABOUT_LADDER = (
    "Our own ideas, switched off one by one: the paper's genetic algorithm as published; with the "
    "learned measure; beginning with segments, whose population is small and whose parents are "
    "chosen by rank; with repair; with annealing; with traces of compression. Neighbour accuracy, "
    "strict / aware, and CPU seconds."
)


def name_of(group: Group) -> str:
    """Return what a solver is called here; the genetic one has two presets."""
    return f"{GENETIC}, {group.records[0]['preset']}" if group.solver == GENETIC else group.solver


def as_published(groups: Iterable[Group]) -> list[Group]:
    """Return runs of solvers as they are, each with its own measure."""
    return [group for group in of_kind(groups, FORMAT) if not group.records[0]["changes"]]


def sets_of(groups: Iterable[Group]) -> list[str]:
    """Return the sets of groups, in the order of the groups: the smallest puzzles first."""
    return list(dict.fromkeys(group.set_name for group in groups))


def _by_name(groups: Iterable[Group]) -> dict[str, dict[str, Group]]:
    """Return groups by the name of the solver and by set."""
    found: dict[str, dict[str, Group]] = {}
    for group in groups:
        found.setdefault(name_of(group), {})[group.set_name] = group
    return found


def field_table(groups: list[Group]) -> Table:
    """Return solvers by sets, each with its own measure, beside what was published."""
    own = as_published(groups)
    sets = sets_of(own)
    rows = []
    for name, by_set in _by_name(own).items():
        first = next(iter(by_set.values()))
        cells = [_beside_published(by_set.get(set_name)) for set_name in sets]
        rows.append([name, first.measure, *cells])
    return Table(["solver", "measure", *sets], rows, names=2)


def _beside_published(group: Group | None) -> str:
    if group is None:
        return ""
    ours = _both(group, NEIGHBOUR, NEIGHBOUR_AWARE)
    theirs = _published(group)
    if theirs is None:
        return ours
    return f"{ours} ({theirs.neighbour:.2f}{' aware' if theirs.is_aware else ''})"


def _published(group: Group) -> published.Figure | None:
    """Return what was published of the solver, where it compares."""
    if not group.covers_set:
        return None
    if group.solver == GENETIC:
        average = published.NEIGHBOUR.get(group.set_name)
        is_paper = group.records[0]["preset"] == "paper"
        return published.Figure(average.average) if average and is_paper else None
    return published.FIELD.get(group.solver, {}).get(group.set_name)


def _details(own: list[Group]) -> Table:
    rows = []
    for group in own:
        theirs = _published(group)
        perfect = sum(record["scores"]["perfect"] for record in group.records)
        ours = NEIGHBOUR_AWARE if theirs and theirs.is_aware else NEIGHBOUR
        rows.append(
            [
                group.set_name,
                name_of(group),
                group.runs,
                _both(group, NEIGHBOUR, NEIGHBOUR_AWARE),
                _both(group, DIRECT, DIRECT_AWARE),
                f"{perfect} of {len(group.records)}",
                *_costs(group),
                f"{theirs.neighbour:.2f}" if theirs else "",
                f"{group.mean(ours) - theirs.neighbour:+.2f}" if theirs else "",
            ]
        )
    columns = ["set", "solver", "runs", "neighbour, strict / aware", "direct, strict / aware"]
    columns += ["perfect", "CPU s", "peak MiB", "published neighbour", "ours - published"]
    return Table(columns, rows, names=3, caption="Set by set", folded=True)


def measures_table(groups: list[Group]) -> Table:
    """Return solvers by measures, a row for each solver and set that has several."""
    found: dict[tuple[str, str], dict[str, Group]] = {}
    for group in of_kind(groups, FORMAT):
        others = group.records[0]["changes"].keys() - {"measure"}
        if not others:
            found.setdefault((group.set_name, name_of(group)), {})[group.measure] = group
    several = {key: by for key, by in found.items() if len(by) > 1}
    names = list(dict.fromkeys(measure for by in several.values() for measure in by))
    measures = sorted(names, key=lambda name: (name == "learned", name))
    rows = []
    for (set_name, name), by_measure in several.items():
        if not (images := shared_images(by_measure.values())):
            continue
        cells = (
            _both(by_measure[m].of_images(images), NEIGHBOUR, NEIGHBOUR_AWARE)
            if m in by_measure
            else ""
            for m in measures
        )
        rows.append([set_name, name, _own_measure(by_measure), str(len(images)), *cells])
    return Table(["set", "solver", "its own", "images", *measures], rows, names=3)


def _own_measure(by_measure: dict[str, Group]) -> str:
    return next((m for m, group in by_measure.items() if not group.records[0]["changes"]), "")


def _costs_by_size(own: list[Group]) -> Table:
    sets = {group.set_name: group.pieces for group in own}
    rows = [
        [name, *(" / ".join(_costs(by_set[s])) if s in by_set else "" for s in sets)]
        for name, by_set in _by_name(own).items()
    ]
    columns = [f"{name}: {pieces:,}" for name, pieces in sets.items()]
    return Table(["solver", *columns], rows)


def _worst(own: list[Group]) -> Table:
    rows = []
    for group in own:
        scores = group.per_image(NEIGHBOUR_AWARE, statistics.fmean)
        lowest = sorted(zip(scores, group.by_image, strict=True))[:WORST]
        shown = [f"{image}: {score:.2f}" for score, image in lowest]
        rows.append([group.set_name, name_of(group), *shown, *[""] * (WORST - len(shown))])
    columns = ["set", "solver", *("worst", "second", "third")[:WORST]]
    return Table(columns, rows, names=2, folded=True)


def ladder_table(groups: list[Group]) -> Table:
    """Return what each of our own ideas adds to the paper's, by set."""
    plain = of_kind(groups, FORMAT)
    by_rung = {
        name: {group.set_name: group for group in plain if _settings(group) == _known(rung)}
        for name, rung in LADDER.items()
    }
    # Every set has the paper's or ours; only where there is more is it a ladder.
    steps = [by for name, by in by_rung.items() if name not in ("the paper's", "+ traces")]
    climbed = {set_name for by in steps for set_name in by}
    sets = [name for name in sets_of(plain) if name in climbed]
    rows = [
        [name, *(_rung(by_set.get(set_name)) for set_name in sets)]
        for name, by_set in by_rung.items()
        if any(set_name in by_set for set_name in sets)
    ]
    return Table(["genetic", *sets], rows)


def _settings(group: Group) -> dict[str, object]:
    return {**group.records[0]["settings"], "seed": 0}


def _known(settings: object) -> dict[str, object]:
    return {**settings_record(settings), "seed": 0}  # type: ignore[arg-type]


def _rung(group: Group | None) -> str:
    if group is None:
        return ""
    return f"{_both(group, NEIGHBOUR, NEIGHBOUR_AWARE)}, {_costs(group)[0]} s"


def _both(group: Group, strict: Value, aware: Value) -> str:
    return f"{group.mean(strict):.2f} / {group.mean(aware):.2f}"


def _costs(group: Group) -> list[str]:
    """Return CPU seconds and peak memory in MiB."""
    cpu = statistics.fmean(record["cpu"] for record in group.records)
    return [f"{cpu:.2f}", f"{max(r['memory'] for r in group.records) / 2**20:,.0f}"]
