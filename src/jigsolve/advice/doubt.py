"""How certain each seam of an arrangement is, by whatever its measure can say."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from jigsolve._kernels.geometry import BOTTOM, LEFT, RIGHT, TOP, side_at
from jigsolve.solvers.solution import Solution

BEST_FOR_BOTH = float(np.nextafter(0.5, 1))
"""By costs alone seams are sure from here on: both sides have what costs least."""


class Certainty(NamedTuple):
    """How certain seams are, to the right, (rows, columns - 1), and below; NaN where none is."""

    right: np.ndarray
    below: np.ndarray
    is_probability: bool
    """Or else 1 / (1 + r), by the ratio r of a seam's cost to what its sides could have instead:
    above one half, both sides have what costs least."""

    def sure(self, least: float) -> tuple[np.ndarray, np.ndarray]:
        """Return which seams are so sure; NaN is not."""
        least = least if self.is_probability else BEST_FOR_BOTH
        return self.right >= least, self.below >= least


def certainty_of(solution: Solution) -> Certainty:
    """Return how certain the seams of a solution are; those that are known to hold are, 1."""
    confidence = solution.confidence()
    if confidence is not None:
        return Certainty(confidence.right, confidence.below, True)
    poses = solution.prepared.poses(*solution.placement)
    right, below = (
        _by_ratio(solution, costs, first, second, *sides)
        for costs, first, second, sides in (
            (solution.seam_costs[0], poses[:, :-1], poses[:, 1:], (RIGHT, LEFT)),
            (solution.seam_costs[1], poses[:-1], poses[1:], (BOTTOM, TOP)),
        )
    )
    known = solution.known_seams()
    return Certainty(np.where(known[0], 1.0, right), np.where(known[1], 1.0, below), False)


def _by_ratio(
    solution: Solution,
    costs: np.ndarray,
    first: np.ndarray,
    second: np.ndarray,
    toward: int,
    facing: int,
) -> np.ndarray:
    arrays = solution.prepared.plain.arrays
    costs = costs.astype(np.float64)
    worst = np.zeros_like(costs)
    for poses, side in ((first, toward), (second, facing)):
        own = side_at(np.maximum(poses, 0), side)
        nearest = arrays.nearest_cost[own]
        rival = np.where(costs <= nearest, arrays.runner_up_cost[own], nearest)
        worst = np.maximum(worst, costs / np.maximum(rival, 1e-9))
    return np.asarray(1 / (1 + worst))
