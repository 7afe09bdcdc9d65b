"""Scoring many seams with a seam network, on a GPU if there is one, or on all threads."""

from __future__ import annotations

from typing import Any

import numpy as np

from jigsolve.execution.crew import Crew, Progress, spans
from jigsolve.gpu import Gpu
from jigsolve.measures.gpu import GpuNetwork
from jigsolve.measures.trunk import Seams

SEAMS_PER_JOB = 1024

SEAMS_PER_ROUND = 65_536
"""Seams that a GPU is given before progress is told."""


class Scorer:
    """Scores seams by a network; close it afterwards."""

    def __init__(self, network: Any, crew: Crew, gpu: Gpu | None) -> None:
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

        def work(span: tuple[int, int]) -> np.ndarray:
            return np.asarray(self._network.scores(near, far, seams.part(*span)), np.float32)

        every = self._crew.map(
            work,
            spans(len(seams), SEAMS_PER_JOB),
            lambda done, _: tell(min(done * SEAMS_PER_JOB, len(seams)), len(seams)),
        )
        return np.concatenate([np.empty(0, np.float32), *every])

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
