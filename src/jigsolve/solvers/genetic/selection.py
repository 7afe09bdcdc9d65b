"""Who becomes a parent."""

from collections.abc import Callable

import numpy as np

from jigsolve.errors import InputError


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


def by_rank(costs: np.ndarray, children: int, rng: np.random.Generator) -> np.ndarray:
    """Draw two parents for every child by rank: the place N u^2 for a random u of [0, 1).

    On a large puzzle the costs of a population differ by a percent or two, and 1 / cost hardly
    prefers anyone; ranks do, whatever the costs. Half of all parents come from the best quarter.
    """
    ranking = np.argsort(costs, kind="stable")
    places = (len(costs) * rng.random((children, 2)) ** 2).astype(np.int64)
    return ranking[places]


Selection = Callable[[np.ndarray, int, np.random.Generator], np.ndarray]

SELECTIONS: dict[str, Selection] = {"rank": by_rank, "roulette": roulette}


def select(name: str, costs: np.ndarray, children: int, rng: np.random.Generator) -> np.ndarray:
    """Draw parents by a selection; raise where one of a user's own draws none that exist."""
    parents = np.asarray(SELECTIONS[name](costs, children, rng))
    if parents.shape != (children, 2) or parents.dtype.kind not in "iu":
        raise InputError(
            f"selection {name}: expected whole numbers of shape ({children}, 2), "
            f"found {parents.dtype} of shape {parents.shape}"
        )
    if children and not 0 <= parents.min() <= parents.max() < len(costs):
        raise InputError(
            f"selection {name}: expected numbers from 0 to {len(costs) - 1}, "
            f"found {parents.min()} to {parents.max()}"
        )
    return parents.astype(np.int64, copy=False)
