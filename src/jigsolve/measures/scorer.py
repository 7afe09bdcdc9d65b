"""Scoring many seams with the seam network, on a GPU if there is one, or on all threads."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import numpy as np

from jigsolve.execution.crew import Crew, one_thread_per_product, spans
from jigsolve.measures.gpu import SWITCH, GpuNetwork, gpu_allowed, open_gpu
from jigsolve.measures.trunk import Seams

SEAMS_PER_JOB = 1024

WORTH_A_GPU = 200_000
"""Fewer seams take eight threads no longer than the second it takes to get a GPU going."""


class Scorer:
    """Scores the seams of a table by a network, so many in all; close it afterwards."""

    def __init__(self, network: Any, crew: Crew, seams: int) -> None:
        self._network = network
        self._crew = crew
        self._gpu: GpuNetwork | None = None
        if gpu_allowed() and seams >= WORTH_A_GPU:
            with self._or_without_gpu():
                self._gpu = open_gpu(self._network)

    def scores(self, near: Any, far: Any, seams: Seams) -> np.ndarray:
        """Return the scores of seams between sides that face each other, float32; high is good."""
        if self._gpu:
            with self._or_without_gpu():
                return self._gpu.scores(near, far, seams)

        def work(span: tuple[int, int]) -> np.ndarray:
            return np.asarray(self._network.scores(near, far, seams.part(*span)), np.float32)

        with one_thread_per_product():
            return np.concatenate(self._crew.map(work, spans(len(seams), SEAMS_PER_JOB)))

    def close(self) -> None:
        """Let go of the GPU."""
        if self._gpu:
            with suppress(Exception):  # one that failed may fail at this, too
                self._gpu.close()
            self._gpu = None

    @contextmanager
    def _or_without_gpu(self) -> Iterator[None]:
        """Go on without a GPU that fails, and say so."""
        try:
            yield
            return
        except Exception as error:  # drivers, compilers and memory fail in many ways
            reason = " ".join(f"{type(error).__name__}: {error}".split())
        self.close()  # only now: the error's traceback held arrays
        warnings.warn(
            f"the GPU cannot be used, going on without it ({reason}); {SWITCH}=0 leaves it alone",
            RuntimeWarning,
            stacklevel=2,
        )
