"""Who becomes a parent."""

import numpy as np


def roulette(costs: np.ndarray, children: int, rng: np.random.Generator) -> np.ndarray:
    """Draw two parents for every child, each with probability proportional to 1 / cost.

    Returns
    -------
    parents
        Indices into `costs`, shape (children, 2).
    """
    # A perfect arrangement of a flat picture costs nothing; it must not weigh infinitely.
    weights = 1.0 / np.maximum(costs, np.finfo(np.float64).tiny * len(costs))
    wheel = np.cumsum(weights / weights.max())
    spins = rng.random((children, 2)) * wheel[-1]
    return np.asarray(np.searchsorted(wheel, spins, side="right"), np.int64)
