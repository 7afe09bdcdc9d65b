"""Measure what traces of compression bring, kind by kind, on the validation photographs.

For every side that has a partner: is the right one first, by the costs of the solver's own seam
table, with what offsets of pieces say and without it? It needs jigsolve itself and no PyTorch.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

import numpy as np
from kinds import EVALUATED, photographs, render

from jigsolve import Puzzle
from jigsolve.execution.crew import crew
from jigsolve.measures.traces import Offsets
from jigsolve.pricing.pricing import priced
from jigsolve.pricing.settings import Pricing

CANDIDATES = 64


def right_firsts(puzzle: Puzzle, truth: np.ndarray, *, traces: bool) -> float:
    """Return the share of sides whose cheapest partner is the right one."""
    with crew(1) as hands:
        pricing = Pricing(candidates=CANDIDATES, traces=traces)
        table = priced(puzzle, np.arange(len(puzzle)), pricing, hands).table
    nearest = table.arrays.nearest
    right = []
    for side, ones, others in ((1, truth[:, :-1], truth[:, 1:]), (3, truth[:-1], truth[1:])):
        here, there = 4 * ones.ravel() + side, 4 * others.ravel() + (side ^ 1)
        right += [nearest[here] == there, nearest[there] == here]
    return float(np.concatenate(right).mean())


def main() -> None:
    """Read the command line, measure, print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("photographs", type=Path)
    parser.add_argument("--size", type=int, default=28)
    parser.add_argument("--every", type=int, default=1, help="use every n-th photograph only")
    given = parser.parse_args()
    sources = photographs(given.photographs, validation=True)[:: given.every]
    believed: list[str] = []
    vouched_for = Offsets.vouched_for

    def noted(offsets: Offsets, *choices: tuple[np.ndarray, np.ndarray]) -> Offsets:
        found = vouched_for(offsets, *choices)
        believed.extend(
            f"{way.likely.shape[1]} px x {way.weight:g}" if way.weight else "no"
            for way in (found.across, found.down)
        )
        return found

    Offsets.vouched_for = noted  # type: ignore[method-assign]
    print("kind | without | with | worst change | best change | believed")
    for kind, recipe in EVALUATED.items():
        believed.clear()
        shares = []
        for source in sources:
            rng = np.random.default_rng([source.number, len(kind)])
            puzzle, truth = Puzzle.cut(render(source, recipe, rng), given.size).shuffle(1)
            shares.append([right_firsts(puzzle, truth, traces=t) for t in (False, True)])
        without, together = 100 * np.array(shares).T
        change = together - without
        print(
            f"{kind} | {without.mean():.2f} | {together.mean():.2f} | {change.min():+.2f} | "
            f"{change.max():+.2f} | {dict(Counter(believed).most_common())}",
            flush=True,
        )


if __name__ == "__main__":
    main()
