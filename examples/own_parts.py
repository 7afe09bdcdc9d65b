"""Plug in a measure, a selection and a crossover phase of your own, and compare them on a set.

    python examples/own_parts.py path/to/a/folder/of/pictures results

Every picture of the folder is cut into 28-pixel pieces, shuffled and solved with the usual parts
and with each of your own in turn. Stop it and start it again as you like: nothing is run twice. A
part is known by its name only: when you change one, give it another name, or use a new folder.
The table is in results/report.html (and .md).
"""

import sys
from pathlib import Path

import numpy as np

from jigsolve import Settings, own_phase
from jigsolve.lab import Bench, conduct, find_images, plan, write_report
from jigsolve.measures import MAGNITUDES, MEASURES, Measure
from jigsolve.solvers.genetic.selection import SELECTIONS

# --- a measure: what a side looks like, and how two looks are compared -------------------------


def grey_edge(edge: np.ndarray, inner: np.ndarray) -> np.ndarray:
    """Look at the brightness of the outermost pixels only.

    `edge` is the outermost line of pixels of a side and `inner` the next one, for n pieces:
    (n, length, 3), uint8. A look is whole numbers, (n, 3 * length).
    """
    brightness = edge.sum(axis=2, dtype=np.int16)
    return np.repeat(brightness, 3, axis=1)


MEASURES["grey"] = Measure("grey", look=grey_edge, rule=MAGNITUDES)

# --- a selection: from the costs of a population to pairs of parents ---------------------------


def tournament(costs: np.ndarray, children: int, rng: np.random.Generator) -> np.ndarray:
    """Let three random arrangements compete for each place; the cheapest becomes a parent."""
    rivals = rng.integers(0, len(costs), (children, 2, 3))
    winners = costs[rivals].argmin(axis=2)
    return np.take_along_axis(rivals, winners[:, :, None], axis=2)[:, :, 0]


SELECTIONS["tournament"] = tournament

# --- a phase: a piece for a cell, or -1 to leave it to the greedy phase ------------------------


@own_phase("two-votes")
def two_votes(partners, costs, slot, around):
    """Place a piece that is the first candidate of two pieces around the cell."""
    for side in around:
        if side < 0:
            continue
        piece = partners[side, 0] // 4
        votes = 0
        for other in around:
            if other >= 0 and partners[other, 0] // 4 == piece:
                votes += 1
        if votes >= 2 and slot[piece] >= 0:
            return piece
    return -1


def main() -> None:
    """Run the usual parts and each of your own, then write the report."""
    if len(sys.argv) != 3:
        sys.exit("usage: python examples/own_parts.py FOLDER RESULTS")
    folder, out = Path(sys.argv[1]), Path(sys.argv[2])
    usual = Settings.of(seeding="random")  # from chance, so that selection and phases matter
    variants = [
        usual,
        usual.changed(measure="grey"),
        usual.changed(selection="tournament"),
        usual.changed(phases=("agreed", "best-buddy", "two-votes", "greedy")),
    ]
    tasks = plan(find_images(str(folder)), "default", variants, runs=1)
    with Bench(out) as bench:
        for record in conduct(tasks, bench, "python examples/own_parts.py"):
            right = record["scores"]["neighbour_aware"]
            print(f"{record['file']} {record['changes']}: {right:.2%} of seams right (aware)")
    print("wrote", *write_report(out))


if __name__ == "__main__":  # runs go on in other processes, which read this file, too
    main()
