"""Scoring many seams with a seam network, on a GPU if there is one, or on all threads."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

import numpy as np

from jigsolve.execution.crew import Executor, Progress, spans
from jigsolve.execution.spreading import Check, ShardWork, are_arrays, digest_of
from jigsolve.gpu import Gpu
from jigsolve.measures.gpu import GpuNetwork
from jigsolve.measures.trunk import Seams

SEAMS_PER_JOB = 1024

SEAMS_PER_ROUND = 65_536
"""Seams that a GPU, or another machine, is given before progress is told."""


@dataclass(frozen=True, eq=False)
class Scoring:
    """What it takes to score seams, wherever that is done; a shard is a round of them."""

    network: Any
    near: Any
    far: Any
    seams: Seams
    name = "network"

    @property
    def shards(self) -> range:
        """The numbers of all rounds."""
        return range(-(-len(self.seams) // SEAMS_PER_ROUND))

    @property
    def digest(self) -> str:
        """What tells it from all others; the weights are those of this version."""
        facts = [type(self.network).__name__]
        for part in (self.near, self.far, self.seams):
            facts += [getattr(part, field.name) for field in dataclasses.fields(part)]
        return digest_of(*facts)

    @property
    def memory(self) -> int:
        """Nothing to speak of: what a seam takes on its way is small."""
        return 0

    def accepts(self, shard: int, value: Any) -> bool:
        """Whether these may be the scores of a round."""
        some = self.seams.part(shard * SEAMS_PER_ROUND, (shard + 1) * SEAMS_PER_ROUND)
        return are_arrays(value, ((len(some),), np.float32))

    def begin(self, crew: Executor) -> ShardWork[tuple[np.ndarray]]:
        """Return what scores a round."""

        def work(shard: int, check: Check, /) -> tuple[np.ndarray]:
            some = self.seams.part(shard * SEAMS_PER_ROUND, (shard + 1) * SEAMS_PER_ROUND)
            found = np.empty(len(some), np.float32)
            for span in spans(len(some), SEAMS_PER_JOB):
                check()
                part = some.part(*span)
                found[slice(*span)] = self.network.scores(self.near, self.far, part)
            return (found,)

        return work


class Scorer:
    """Scores seams by a network; close it afterwards."""

    def __init__(self, network: Any, crew: Executor, gpu: Gpu | None) -> None:
        self._network = network
        self._crew = crew
        self._gpu = gpu
        self._there = gpu.attempt(lambda device: GpuNetwork(network, device)) if gpu else None

    def scores(
        self, near: Any, far: Any, seams: Seams, progress: Progress | None = None
    ) -> np.ndarray:
        """Return the scores of seams between sides that face each other, float32; high is good.

        `progress` is told seams scored, and how many there are.
        """
        tell = progress or (lambda done, total: None)
        there = self._there
        if self._gpu and there:
            found = self._gpu.attempt(lambda device: _in_rounds(there, near, far, seams, tell))
            if found is not None:
                return found
            self.close()
        if not self._crew.is_local:
            return self._scores_elsewhere(Scoring(self._network, near, far, seams), tell)

        def work(span: tuple[int, int]) -> np.ndarray:
            return np.asarray(self._network.scores(near, far, seams.part(*span)), np.float32)

        every = self._crew.map(
            work,
            spans(len(seams), SEAMS_PER_JOB),
            lambda done, _: tell(min(done * SEAMS_PER_JOB, len(seams)), len(seams)),
        )
        return np.concatenate([np.empty(0, np.float32), *every])

    def _scores_elsewhere(self, scoring: Scoring, tell: Progress) -> np.ndarray:
        found = np.empty(len(scoring.seams), np.float32)
        done = 0
        for (some,) in self._crew.spread(scoring, scoring.shards):
            found[done : done + len(some)] = some
            done += len(some)
            tell(done, len(found))
        return found

    def close(self) -> None:
        """Let go of what is on the GPU."""
        self._there = None


def _in_rounds(there: GpuNetwork, near: Any, far: Any, seams: Seams, tell: Progress) -> np.ndarray:
    """Return the scores of seams, and tell now and then how many there are."""
    found = np.empty(len(seams), np.float32)
    for first, last in spans(len(seams), SEAMS_PER_ROUND):
        found[first:last] = there.scores(near, far, seams.part(first, last))
        tell(last, len(seams))
    return found
