"""Random streams: every choice of a run derives from its seed and what it is for."""

import numpy as np

SELECTION, RENUMBERING, STARTS, ANNEALING = range(4)
PARTICLES = 8
"""What a stream is for; with the seed (and a generation's number) it makes its key."""


def stream(seed: int, purpose: int, *numbers: int) -> np.random.Generator:
    """Return the random numbers for a purpose."""
    return np.random.default_rng([seed, purpose, *numbers])
