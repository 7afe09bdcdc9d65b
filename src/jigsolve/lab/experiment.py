"""What is to be run: images, settings, repeats."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

from jigsolve.core.provenance import weights_hash
from jigsolve.damage.words import AUTO
from jigsolve.lab.bags import SetBag
from jigsolve.lab.sets import SetImage
from jigsolve.measures import MEASURES
from jigsolve.solvers.settings import PRESETS, Settings

PARTIAL_CROSSOVERS = (
    ("agreed",),
    ("best-buddy",),
    ("greedy",),
    ("best-buddy", "greedy"),
    ("agreed", "greedy"),
    ("agreed", "best-buddy"),
)
"""The paper's variants of the crossover, in the order of its table."""


LADDER: dict[str, Settings] = {
    "the paper's": PRESETS["paper"],
    "+ measure": PRESETS["paper"].changed(measure="learned", traces=False),
    "+ segments": Settings.of(repairs=0, annealing=0, traces=False),
    "+ repair": Settings.of(annealing=0, traces=False),
    "+ annealing": Settings.of(traces=False),
    "+ traces": Settings.of(),
}
"""From the paper's genetic algorithm to ours, one idea after another. Where evolution begins with
segments, a small population, selection by rank and patience go with them."""

FORMERLY = {"solver": "genetic", "damage": AUTO, "traces": True}
"""What all runs had before there was a choice: such a run is one of these, and not made again."""


@dataclass(frozen=True)
class Task:
    """One run of one image."""

    image: SetImage | SetBag
    preset: str
    settings: Settings
    run: int
    """Counted from 0; the settings' seed is the experiment's plus this."""
    turned: bool = False
    """Whether pieces are turned at random."""

    @property
    def key(self) -> str:
        """What makes two tasks the same: pixels, cut, all settings but threads, and who solves.

        The set and the name count, too: a picture may stand in several, and is reported in each.
        A run of another version, or of other weights, is another run.
        """
        described = {
            "set": self.image.set_name,
            **_named(self.image),
            "shuffle": self.image.number,
            "piece": self.image.piece,
            "settings": settings_record(self.settings),
            **({"turned": True} if self.turned else {}),
        }
        task = hashlib.sha256(json.dumps(described, sort_keys=True).encode()).hexdigest()[:20]
        return f"{task}.{self.maker}"

    @property
    def maker(self) -> str:
        """The version, and the weights if a network scores seams."""
        reranked = MEASURES[self.settings.pricing.measure].reranked
        weights = f"-{weights_hash('seam-network')[:8]}" if reranked else ""
        return f"{version('jigsolve')}{weights}"

    @property
    def changes(self) -> dict[str, Any]:
        """Settings that differ from the preset's, seed and threads aside.

        Those of another solver than the preset's: from the ones that solver usually has.
        """
        own = settings_record(self.settings)
        preset, solver = PRESETS[self.preset], self.settings.solver
        usual = settings_record(preset if preset.solver == solver else Settings.of(solver))
        return {name: own[name] for name in own if name != "seed" and own[name] != usual.get(name)}


def _named(image: SetImage | SetBag) -> dict[str, Any]:
    """Return what tells an image, or a bag of images, from others of its set."""
    if isinstance(image, SetBag):
        return {"mixed": [[one.set_name, one.path.name, one.pixels] for one in image.images]}
    return {"image": image.path.name, "pixels": image.pixels}


def settings_record(settings: Settings) -> dict[str, Any]:
    """Return all settings that can change a result, as JSON holds them."""
    record = settings.flat() | {"solver": settings.solver}
    del record["threads"]
    if "phases" in record:
        record["phases"] = sorted(record["phases"])
    for name, usual in FORMERLY.items():
        if record[name] == usual:
            del record[name]
    return record


def plan_ladder(
    images: Sequence[SetImage | SetBag], changes: Mapping[str, Any], runs: int, *, turned: bool
) -> list[Task]:
    """Return the tasks of all rungs of the ladder, with some settings changed in all of them."""
    rungs = [rung.changed(**changes) for rung in LADDER.values()]
    # What differs from the preset says which rung it is.
    tasks = [
        task
        for preset, some in (("paper", rungs[:2]), ("default", rungs[2:]))
        for task in plan(images, preset, some, runs, turned=turned)
    ]
    return sorted(tasks, key=lambda task: task.run)


def plan(
    images: Sequence[SetImage | SetBag],
    preset: str,
    variants: list[Settings],
    runs: int,
    *,
    turned: bool = False,
) -> list[Task]:
    """Return the tasks of an experiment: every image, `runs` times, with each of the settings.

    Repeats come last, so that an experiment stopped halfway has seen every image. What is asked
    for twice is one task.
    """
    tasks = [
        Task(image, preset, settings.changed(seed=settings.seed + run), run, turned)
        for run in range(runs)
        for settings in variants
        for image in images
    ]
    return list({task.key: task for task in tasks}.values())
