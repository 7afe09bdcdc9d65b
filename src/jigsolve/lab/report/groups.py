"""Runs that belong together: the same set, the same settings."""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePath
from typing import NamedTuple

from jigsolve.assembly.phases import PHASES
from jigsolve.lab.published import TenRuns
from jigsolve.lab.records import BAG_FORMAT, FORMAT, GENETIC, TURNED_FORMAT, Record, solver_of
from jigsolve.lab.sets import KNOWN_SETS, count_images, natural

Value = Callable[[Record], float]


@dataclass(frozen=True)
class Group:
    """All runs of one set with the same settings, the seed aside."""

    set_name: str
    label: str
    """The preset, or a solver other than ours, and what was changed of it."""
    records: list[Record]

    @cached_property
    def by_image(self) -> dict[str, list[Record]]:
        """Runs by the names of images, in order; that of a known set's is its number."""
        images: dict[str, list[Record]] = defaultdict(list)
        for record in sorted(self.records, key=lambda r: (natural(r["file"]), r["run"])):
            images[PurePath(record["file"]).stem].append(record)
        return dict(images)

    def of_images(self, names: Iterable[str]) -> Group:
        """Return the part of the group that has these images."""
        runs = [run for name in names for run in self.by_image.get(name, [])]
        return Group(self.set_name, self.label, runs)

    @property
    def kind(self) -> str:
        """What was run: FORMAT, TURNED_FORMAT or BAG_FORMAT."""
        return str(self.records[0]["format"])

    @property
    def solver(self) -> str:
        """Who solved."""
        return solver_of(self.records[0])

    @property
    def phases(self) -> tuple[str, ...]:
        """The phases of the crossover used."""
        return tuple(self.records[0]["settings"]["phases"])

    @property
    def has_all_phases(self) -> bool:
        """Whether it is the whole crossover, perhaps with a phase of one's own."""
        return set(self.phases) >= set(PHASES)

    @property
    def measure(self) -> str:
        """The measure used."""
        return str(self.records[0]["settings"]["measure"])

    @property
    def pieces(self) -> int:
        """Pieces of its puzzles."""
        return int(self.records[0]["pieces"])

    @property
    def runs(self) -> str:
        """How many images and runs, for people."""
        counts = {len(runs) for runs in self.by_image.values()}
        each = f"{min(counts)}" if len(counts) == 1 else f"{min(counts)}-{max(counts)}"
        return f"{len(self.by_image)} x {each}"

    @property
    def is_repeated(self) -> bool:
        """Whether some image was run more than once."""
        return len(self.records) > len(self.by_image)

    @property
    def covers_set(self) -> bool:
        """Whether all images of a known set were run, so that published averages compare."""
        known = self.set_name in KNOWN_SETS
        return known and len(self.by_image) == count_images(self.set_name)

    def per_image(self, value: Value, over_runs: Callable[[list[float]], float]) -> list[float]:
        """Return a value for each image, of all its runs."""
        return [over_runs([value(r) for r in runs]) for runs in self.by_image.values()]

    def mean(self, value: Value) -> float:
        """Return the mean over images of the mean over runs."""
        return statistics.fmean(self.per_image(value, statistics.fmean))

    def summary(self, value: Value) -> TenRuns:
        """Summarise the runs as the paper does: per image, then averaged over images."""
        repeated = [[value(r) for r in runs] for runs in self.by_image.values() if len(runs) > 1]
        deviations = [statistics.stdev(values) for values in repeated] or [0.0]
        return TenRuns(
            best=statistics.fmean(self.per_image(value, max)),
            worst=statistics.fmean(self.per_image(value, min)),
            average=self.mean(value),
            deviation=statistics.fmean(deviations),
        )


def percent(*keys: str) -> Value:
    """Return what reads a share of a record, in percent."""

    def read(record: Record) -> float:
        value: object = record
        for key in keys:
            assert isinstance(value, dict)
            value = value[key]
        assert isinstance(value, int | float)
        return 100.0 * value

    return read


NEIGHBOUR = percent("scores", "neighbour")
NEIGHBOUR_AWARE = percent("scores", "neighbour_aware")
DIRECT = percent("scores", "direct")
DIRECT_AWARE = percent("scores", "direct_aware")


def group_runs(records: Iterable[Record]) -> list[Group]:
    """Sort runs into groups; sets in order of their size, then as they were first run."""
    groups: dict[tuple[str, str], dict[_Way, dict[str, Record]]] = {}
    for record in records:
        # Two processes that were told to may have made the same run twice: it is one run.
        ways = groups.setdefault((record["set"], label_of(record)), {})
        ways.setdefault(_Way.of(record), {}).setdefault(record["key"], record)
    found = [
        Group(name, label + way.told_from(ways), [*runs.values()])
        for (name, label), ways in groups.items()
        for way, runs in ways.items()
    ]
    return sorted(found, key=lambda group: (group.pieces, group.set_name))


class _Way(NamedTuple):
    """How runs of one label were made.

    Runs of another version, of other weights, or of a time when the preset was another one, are
    never averaged together.
    """

    maker: str
    settings: frozenset[tuple[str, str]]

    @classmethod
    def of(cls, record: Record) -> _Way:
        """Return how a run was made, the seed aside."""
        settings = record["settings"].items()
        return cls(
            record["maker"],
            frozenset((name, repr(value)) for name, value in settings if name != "seed"),
        )

    def told_from(self, ways: Collection[_Way]) -> str:
        """Return what tells it from the others, in brackets; nothing if there are none."""
        makers = {way.maker for way in ways}
        common = frozenset.intersection(*(way.settings for way in ways))
        told = [self.maker] if len(makers) > 1 else []
        told += [f"{name} {value}" for name, value in sorted(self.settings - common)]
        return f" ({', '.join(told)})" if told else ""


def shared_images(groups: Iterable[Group]) -> list[str]:
    """Return the images that all groups have: only over these do averages compare."""
    first, *others = groups
    return [name for name in first.by_image if all(name in other.by_image for other in others)]


def label_of(record: Record) -> str:
    """Return the preset, or who else solved, what was changed, and what became of the pieces."""
    changes = [
        f"{name} {' + '.join(value) or 'none' if name == 'phases' else value}"
        for name, value in sorted(record["changes"].items())
    ]
    mixed = [f"{record['mixed']} mixed"] if record["format"] == BAG_FORMAT else []
    turned = ["turned"] if record["format"] == TURNED_FORMAT or record.get("turned") else []
    solver = solver_of(record)
    who = record["preset"] if solver == GENETIC else solver
    return ", ".join([who, *changes, *mixed, *turned])


def of_kind(groups: Iterable[Group], kind: str) -> list[Group]:
    """Return the groups of one kind of runs."""
    return [group for group in groups if group.kind == kind]


def of_genetic(groups: Iterable[Group]) -> list[Group]:
    """Return the plain runs of the genetic algorithm: what stands beside the paper's."""
    return [group for group in of_kind(groups, FORMAT) if group.solver == GENETIC]
