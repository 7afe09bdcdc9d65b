"""What does it help to know some seams? A tenth of the wrong ones is put right by a person.

    python benchmarks/constraints.py DATA/mcgill_540 --piece 14
    python benchmarks/constraints.py DATA/sholomon_22755/20.jpg --seams 100 --go-on

Each picture is solved; of the seams that are wrong, a share (or a number) is chosen at random,
forbidden, and the right partner of its left or upper side joined instead. Then it is solved again,
its seams priced once. Strict neighbour accuracy before and after, what the given seams alone would
add, and how many constraints are violated.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from machine import describe_machine

from jigsolve import Constraints, Puzzle, Settings, score, solve
from jigsolve.core.layout import laid_out


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("pictures", nargs="+", type=Path, metavar="PICTURE|FOLDER")
    parser.add_argument("--piece", type=int, default=28)
    parser.add_argument("--share", type=float, default=0.1, help="of the wrong seams (0.1)")
    parser.add_argument("--seams", type=int, help="so many, instead of a share")
    parser.add_argument(
        "--go-on", action="store_true", help="from what was found, as the studio does"
    )
    options = parser.parse_args()
    print(describe_machine())
    print(
        "| picture | wrong | given | before | after | gained | by those given | violated | CPU s |"
    )
    print("|---" * 9 + "|", flush=True)
    totals, violated = [], 0
    for path in pictures(options.pictures):
        row = measure(path, options.piece, options.share, options.seams, options.go_on)
        if row is None:
            print(f"| {path.parent.name}/{path.stem} | 0 | | 100.00 | | | | | |", flush=True)
            continue
        totals.append(row[2:6])
        violated += row[6]
        before, after, gained, alone = (f"{100 * value:.2f}" for value in row[2:6])
        print(
            f"| {path.parent.name}/{path.stem} | {row[0]} | {row[1]} | {before} | {after} | "
            f"{gained} | {alone} | {row[6]} | {row[7]:.1f} |",
            flush=True,
        )
    before, after, gained, alone = 100 * np.mean(totals, axis=0)
    print(
        f"\n{len(totals)} pictures with wrong seams: {before:.2f} -> {after:.2f}, gained "
        f"{gained:.2f} where the given seams alone would add {alone:.2f}; {violated} constraints "
        "violated"
    )
    return int(violated > 0)


def pictures(places: list[Path]) -> Iterator[Path]:
    for place in places:
        if place.is_dir():
            yield from sorted(p for p in place.iterdir() if p.suffix in (".png", ".jpg"))
        else:
            yield place


def measure(
    path: Path, piece: int, share: float, seams: int | None, go_on: bool
) -> tuple[int, int, float, float, float, float, int, float] | None:
    """Return wrong and given seams, accuracies, gains, violations and CPU seconds."""
    puzzle, truth = Puzzle.cut(path, piece).shuffle(seed=1)
    first = solve(puzzle, Settings())
    wrong = wrong_seams(first.arrangement, truth)
    if not wrong:
        return None
    count = min(len(wrong), seams or max(round(share * len(wrong)), 1))
    chosen = np.random.default_rng(0).choice(len(wrong), count, replace=False)
    parted = [wrong[index][:3] for index in chosen]
    joined = [
        (one, side, right) for one, side, _, right in (wrong[i] for i in chosen) if right >= 0
    ]
    constraints = Constraints(joined=joined, parted=parted)
    second = solve(
        first.prepared, constraints=constraints, start=first.arrangement if go_on else None
    )
    before, after = (score(found, truth).neighbour for found in (first, second))
    every = 2 * truth.size - sum(truth.shape)
    cpu = sum(timing.cpu for timing in second.timings.values())
    violated = laid_out(constraints, puzzle).violated(second.arrangement)
    return (
        len(wrong),
        len(joined),
        before,
        after,
        after - before,
        len(joined) / every,
        violated,
        cpu,
    )


def wrong_seams(found: np.ndarray, truth: np.ndarray) -> list[tuple[int, str, int, int]]:
    """Return seams that are wrong: piece, side, what lies there, what belongs there or -1."""
    beside = {}
    for side, here, there in (
        ("right", truth[:, :-1], truth[:, 1:]),
        ("bottom", truth[:-1], truth[1:]),
    ):
        beside[side] = dict(zip(here.ravel().tolist(), there.ravel().tolist(), strict=True))
    wrong = []
    for side, here, there in (
        ("right", found[:, :-1], found[:, 1:]),
        ("bottom", found[:-1], found[1:]),
    ):
        for one, other in zip(here.ravel().tolist(), there.ravel().tolist(), strict=True):
            right = beside[side].get(one, -1)
            if right != other:
                wrong.append((one, side, other, right))
    return wrong


if __name__ == "__main__":
    sys.exit(main())
