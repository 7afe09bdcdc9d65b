"""Scoring many seams with the seam network, on all threads."""

from __future__ import annotations

import numpy as np

from jigsolve.measures.network import SeamNetwork, Seams, Sides
from jigsolve.parallel import Crew, one_thread_per_product, spans

SEAMS_PER_JOB = 1024


class Scorer:
    """What scores the seams of a table."""

    def __init__(self, crew: Crew) -> None:
        self._network = SeamNetwork.load()
        self._crew = crew

    def scores(self, near: Sides, far: Sides, seams: Seams) -> np.ndarray:
        """Return the scores of seams between sides that face each other, float32; high is good."""
        found = np.empty(len(seams), np.float32)

        def work(span: tuple[int, int]) -> None:
            found[slice(*span)] = self._network.scores(near, far, seams.part(*span))

        with one_thread_per_product():
            self._crew.all(work, spans(len(seams), SEAMS_PER_JOB))
        return found
