"""Show how reliable the curve of `jigsolve.confidence` is, or fit it anew.

It says how likely a seam of a solution is right, given its cost. Validation photographs of every
kind are cut, shuffled and solved with the solver itself: half of them are for fitting, the other
half tell how reliable the curve is.
"""

from __future__ import annotations

import argparse
import itertools
from pathlib import Path

import numpy as np
from kinds import EVALUATED, photographs, render

from jigsolve import Puzzle, Settings, solve
from jigsolve.confidence import WEIGHTS, features
from jigsolve.scores import wrong_seams

BINS = np.array([0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1.0])


def seams_of(photo_folder: Path, sizes: list[int], fitting: bool) -> tuple[np.ndarray, np.ndarray]:
    """Return the costs of all seams of solutions, and which of them are right."""
    costs, right = [], []
    for photograph in photographs(photo_folder, validation=True):
        if (photograph.number % 10 == 0) != fitting:
            continue
        for name, recipe in EVALUATED.items():
            rng = np.random.default_rng([photograph.number, len(name)])
            picture = render(photograph, recipe, rng)
            for size in sizes:
                puzzle, truth = Puzzle.cut(picture, size).shuffle(seed=photograph.number)
                solution = solve(puzzle, Settings())
                wrong = wrong_seams(puzzle, solution.arrangement, truth)
                costs += [part.ravel() for part in solution.seam_costs]
                right += [~part.ravel() for part in wrong]
        print(f"photograph {photograph.number}: {sum(map(len, costs)):,} seams", flush=True)
    return np.concatenate(costs), np.concatenate(right)


def fit(costs: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Return the weights that make what was seen most likely, by Newton's method."""
    values = features(costs)
    weights = np.zeros(values.shape[1])
    for _ in range(50):
        chance = 1 / (1 + np.exp(-values @ weights))
        slope = values.T @ (right - chance)
        curvature = (values * (chance * (1 - chance))[:, None]).T @ values
        weights += np.linalg.solve(curvature + 1e-9 * np.eye(len(weights)), slope)
    return weights


def main() -> None:
    """Read the command line, solve, fit if wanted, print and draw."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("photographs", type=Path)
    parser.add_argument("--sizes", type=int, nargs="+", default=[28, 14])
    parser.add_argument("--fit", action="store_true", help="fit a curve, and judge that one")
    parser.add_argument("--plot", type=Path, help="write the reliability diagram here")
    given = parser.parse_args()
    weights = WEIGHTS
    if given.fit:
        weights = fit(*seams_of(given.photographs, given.sizes, fitting=True))
        print("weights:", [round(float(weight), 4) for weight in weights])
    costs, right = seams_of(given.photographs, given.sizes, fitting=False)
    stated = 1 / (1 + np.exp(-features(costs) @ weights))
    rows = []
    for low, high in itertools.pairwise(BINS):
        inside = (stated > low) & (stated <= high)
        if inside.sum() >= 50:
            rows.append((stated[inside].mean(), right[inside].mean(), int(inside.sum())))
    error = sum(abs(said - found) * count for said, found, count in rows) / len(stated)
    print("stated | right | seams")
    for said, found, count in rows:
        print(f"{said:.3f} | {found:.3f} | {count}")
    print(f"expected calibration error {error:.4f} over {len(stated):,} seams")
    if given.plot:
        draw(given.plot, rows)


def draw(path: Path, rows: list[tuple[float, float, int]]) -> None:
    """Write the reliability diagram."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(4.5, 4.5), layout="constrained")
    axes = figure.add_subplot()
    axes.plot([0, 1], [0, 1], color="grey", linewidth=0.8)
    said, found, counts = zip(*rows, strict=True)
    axes.scatter(said, found, s=8 + 4 * np.log(counts) ** 2, alpha=0.6)
    axes.plot(said, found)
    axes.set(xlabel="stated confidence", ylabel="share of right seams", xlim=(0, 1), ylim=(0, 1))
    figure.savefig(path)


if __name__ == "__main__":
    main()
