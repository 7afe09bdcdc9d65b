"""Check that the numpy reference gives the scores of the trained network, and its symmetry."""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import torch
from bags import DEPTH
from cheap import extrapolation_costs, mgc_costs
from network import Sides
from reference import gradient_scale, load_weights, none_of_these, score, seam_scores, side_lines
from weights import load

TOLERANCE = 1e-4


def synthetic_pieces(count: int, size: int, rng: np.random.Generator) -> np.ndarray:
    """Return pieces from flat to lively: random walks, with a little noise, of many contrasts."""
    walks = rng.standard_normal((count, size, size, 3)).cumsum(axis=1).cumsum(axis=2)
    contrast = np.exp(rng.uniform(-4.0, 1.5, (count, 1, 1, 1)))
    level = rng.uniform(0.0, 255.0, (count, 1, 1, 3))
    return np.clip(np.rint(level + contrast * walks), 0, 255).astype(np.uint8)


def main() -> None:
    """Compare, print the largest differences, and fail where they are too large."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("weights", type=Path)
    given = parser.parse_args()
    network, weights = load(given.weights), load_weights(given.weights)
    rng = np.random.default_rng(5)
    worst = 0.0
    for size in (7, 14, 28, 45):
        pieces = synthetic_pieces(60, size, rng)
        # Beside chance pairs, pairs that nearly fit: those are what the network is used on.
        pieces[1::2] = np.clip(pieces[::2, :, ::-1].astype(int) + 1, 0, 255)
        near, far = side_lines(pieces, 1, DEPTH), side_lines(np.roll(pieces, -1, 0), 0, DEPTH)
        lines = torch.from_numpy(near.copy()), torch.from_numpy(far.copy())
        with torch.no_grad():
            sides = Sides.of(lines[0]), Sides.of(lines[1])
            costs = extrapolation_costs(*lines).diagonal(), mgc_costs(*lines).diagonal()
            expected = network(*sides, *costs).numpy()
            none = network.none_of_these(sides[0]).numpy()
        found = score(weights, near, far)
        ids = np.arange(len(pieces))
        differences = {
            "torch": found - expected,
            "none": none_of_these(weights, near) - none,
            "swapped": found - score(weights, far, near),
            "reversed": found - score(weights, near[:, ::-1], far[:, ::-1]),
            "by side": found - seam_scores(weights, pieces, 4 * ids + 1, 4 * np.roll(ids, -1)),
            "transposed": found
            - seam_scores(weights, pieces.swapaxes(1, 2), 4 * ids + 3, 4 * np.roll(ids, -1) + 2),
        }
        shown = ", ".join(f"{name} {np.abs(d).max():.1e}" for name, d in differences.items())
        scales = gradient_scale(near)
        print(
            f"{size} pixels, scores {found.min():.1f} to {found.max():.1f}, "
            f"scales {scales.min():.2f} to {scales.max():.1f}: largest differences: {shown}"
        )
        relative = np.maximum(np.abs(expected), 1.0)
        worst = max(worst, *(float((np.abs(d) / relative).max()) for d in differences.values()))
    if worst > TOLERANCE:
        raise SystemExit(f"differs by {worst}")


if __name__ == "__main__":
    main()
