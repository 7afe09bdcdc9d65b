"""Show how reliable the curves of `jigsolve.seams.confidence` are, kind by kind, or fit them anew.

They say how likely a seam of a solution is right, given what it and the seams around it cost.
Validation photographs of every kind and with every damage are cut, shuffled and solved with the
solver itself, those that fail included: half of them are for fitting, the other half tell how
reliable the curves are. One curve is for each of the two networks.
"""

from __future__ import annotations

import argparse
import itertools
import multiprocessing
from pathlib import Path

import numpy as np
from counted import note
from damaging import KINDS, Mishap, damaged
from kinds import EVALUATED, Photograph, Recipe, photographs, render

from jigsolve import Board, Puzzle, Settings, score, solve
from jigsolve.damage import UNDAMAGED
from jigsolve.scores.scores import wrong_seams
from jigsolve.seams.confidence import DAMAGED, WHOLE, features

BINS = np.array([0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1.0])
WARNED = 0.8
"""The command warns where fewer seams than this are probably right."""
BLIND = "eroded 1", "eroded 2", "eroded 4"
"""Kinds that are also solved by who does not know of them."""

BOTH = "both"
USUAL_SIZE = 28

Seams = tuple[np.ndarray, np.ndarray]
"""What the curve weighs, (n, FEATURES), and which seams are right, (n,)."""


def tasks(photo_folder: Path, sizes: list[int], only: str) -> list[tuple[Photograph, str, int]]:
    """Return what is solved: every third kind of each photograph, others of the next ones."""
    kinds = [*EVALUATED, *KINDS, *(f"{kind}, not known" for kind in BLIND)]
    of_damaged = [kind for kind in KINDS if KINDS[kind] != Mishap()]
    wanted = [kind for kind in kinds if only == BOTH or (kind in of_damaged) == (only == "damaged")]
    found = []
    for number, photograph in enumerate(photographs(photo_folder, validation=True)):
        for place, kind in enumerate(kinds):
            if kind in wanted and (number // 2 + place) % 3 == 0:
                found += [(photograph, kind, size) for size in sizes]
    return found


def solved(task: tuple[Photograph, str, int]) -> tuple[str, int, bool, float, Seams]:
    """Solve one; return its kind, photograph, network, accuracy and seams."""
    photograph, kind, size = task
    rng = np.random.default_rng([photograph.number, len(kind)])
    recipe = EVALUATED.get(kind, Recipe())
    mishap = KINDS.get(kind.removesuffix(", not known"), Mishap())
    picture = render(photograph, recipe, rng, multiple=size)
    pieces, damage, places = damaged(picture, size, mishap, rng)
    if kind.endswith("not known"):
        damage = UNDAMAGED
    board = Board(picture.shape[0] // size, picture.shape[1] // size)
    order = rng.permutation(len(pieces))
    truth = np.argsort(order).reshape(board).astype(np.int32)
    puzzle = Puzzle(
        pieces[order], board, damage=damage, places=places.taken(order) if places else None
    )
    solution = solve(puzzle, Settings.of(threads=1))
    weighed = np.concatenate(
        [part.reshape(-1, part.shape[-1]) for part in features(*solution.seam_costs)]
    )
    wrong = np.concatenate(
        [part.ravel() for part in wrong_seams(puzzle, solution.arrangement, truth)]
    )
    accuracy = score(solution, truth).neighbour_aware
    name = kind if size == USUAL_SIZE else f"{kind}, {size} pixels"
    return name, photograph.number, damage.is_none, accuracy, (weighed, ~wrong)


def fit(weighed: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Return the weights that make what was seen most likely, by Newton's method.

    Only the first may be positive: where another one is, it is left out.
    """
    weights, free = np.zeros(weighed.shape[1]), np.ones(weighed.shape[1], bool)
    while True:
        for _ in range(50):
            chance = 1 / (1 + np.exp(-np.clip(weighed @ weights, -30, 30)))
            slope = weighed.T @ (right - chance) - 1e-3 * weights
            curvature = (weighed * (chance * (1 - chance))[:, None]).T @ weighed
            curvature += 1e-3 * np.eye(len(weights))
            weights[free] += np.linalg.solve(curvature[np.ix_(free, free)], slope[free])
        largest = 1 + int(np.argmax(weights[1:]))
        if weights[largest] <= 0:
            return weights
        free[largest], weights[largest] = False, 0.0


def reliability(
    stated: np.ndarray, right: np.ndarray
) -> tuple[float, list[tuple[float, float, int]]]:
    """Return the expected calibration error, and what was stated and found, bin by bin."""
    rows, error = [], 0.0
    for low, high in itertools.pairwise(BINS):
        inside = (stated > low) & (stated <= high)
        if inside.any():
            said, found = stated[inside].mean(), right[inside].mean()
            error += abs(said - found) * inside.sum() / len(stated)
            rows.append((said, found, int(inside.sum())))
    return error, rows


def main() -> None:
    """Read the command line, solve, fit if wanted, print and draw."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("photographs", type=Path)
    parser.add_argument("--sizes", type=int, nargs="+", default=[USUAL_SIZE])
    parser.add_argument("--only", choices=["whole", "damaged", BOTH], default=BOTH, help="curves")
    parser.add_argument("--fit", action="store_true", help="fit curves, and judge these")
    parser.add_argument("--write", action="store_true", help="note what was fitted, see counted.py")
    parser.add_argument("--keep", type=Path, help="an .npz of all that was solved, read if there")
    parser.add_argument("--workers", type=int, default=multiprocessing.cpu_count())
    parser.add_argument("--plot", type=Path, help="write the reliability diagram here")
    given = parser.parse_args()
    if given.keep and given.keep.exists():
        with np.load(given.keep, allow_pickle=True) as file:
            results = list(file["results"])
    else:
        work = tasks(given.photographs, given.sizes, given.only)
        with multiprocessing.get_context("spawn").Pool(given.workers) as pool:
            results = []
            for done in pool.imap_unordered(solved, work):
                results.append(done)
                print(f"{len(results)} of {len(work)}: {done[0]} {done[3]:.3f}", flush=True)
        if given.keep:
            np.savez_compressed(given.keep, results=np.array(results, dtype=object))
    curves = {True: WHOLE, False: DAMAGED}
    if given.fit:
        for is_whole in {result[2] for result in results}:
            seams = [r[4] for r in results if r[2] == is_whole and r[1] % 10 == 0]
            weighed, right = (np.concatenate(part) for part in zip(*seams, strict=True))
            curves[is_whole] = fit(weighed, right)
            kind, weights = "whole" if is_whole else "damaged", curves[is_whole].round(4).tolist()
            print(kind, weights)
            if given.write:
                note(f"confidence_{kind}", weights=weights)
    held_out = [result for result in results if result[1] % 10]
    print("| kind | puzzles | right | stated | calibration error |\n|---|---|---|---|---|")
    together = []
    for kind in dict.fromkeys(result[0] for result in held_out):
        of_kind = [result for result in held_out if result[0] == kind]
        stated = np.concatenate([1 / (1 + np.exp(-r[4][0] @ curves[r[2]])) for r in of_kind])
        right = np.concatenate([r[4][1] for r in of_kind])
        together.append((stated, right))
        error, _ = reliability(stated, right)
        print(
            f"| {kind} | {len(of_kind)} | {right.mean():.3f} | {stated.mean():.3f} | {error:.2%} |"
        )
    stated, right = (np.concatenate(part) for part in zip(*together, strict=True))
    error, rows = reliability(stated, right)
    print(f"| all | {len(held_out)} | {right.mean():.3f} | {stated.mean():.3f} | {error:.2%} |")
    right_about, doubtful = 0, 0
    for result in held_out:
        weighed, is_right = result[4]
        believed = float(np.mean(1 / (1 + np.exp(-weighed @ curves[result[2]]))))
        right_about += (believed < WARNED) == (is_right.mean() < WARNED)
        doubtful += is_right.mean() < WARNED
    print(
        f"{doubtful} of {len(held_out)} puzzles are below {WARNED:.0%}; the warning is right about "
        f"{right_about} of all"
    )
    print("stated | right | seams")
    for said, found, count in rows:
        print(f"{said:.3f} | {found:.3f} | {count}")
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
