"""How many answers does it take to the truth? A simulated person answers the queue of questions.

    python benchmarks/clicks.py DATA/pomeranz_805/01.jpg DATA/sholomon_5015/05.jpg --out to.jsonl
    python benchmarks/clicks.py DATA/photos_train --piece 14 --images 10 --most 50

Each picture is solved and its seams are priced, once. Then a person who knows the original accepts
or rejects seams that lie on the board, in the order of `jigsolve.advice.questions` or, to compare,
doubtful seams at random. After some answers it is solved on from what lies there, under all answers
so far. Pieces with equal pixels are one to the person. With --picks a person who rejects a seam
looks at the likeliest pieces for the cell (`jigsolve.advice.candidates`) and picks the right one if
it is among them; that is one more answer. A line of JSON for every solve goes to --out; what is
there already is not measured again.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from machine import describe_machine

from jigsolve import Constraints, InputError, Puzzle, Settings, Solution, score, solve
from jigsolve.advice import Question, candidates, implied, questions
from jigsolve.core.constraints import merged
from jigsolve.core.layout import laid_out
from jigsolve.core.provenance import provenance

DOUBTFUL = 0.9
"""Seams that are less sure are asked about at random."""

SHOWN = 24
"""Pieces that a person looks at to pick one."""

Order = Callable[[Solution, int, Constraints, np.random.Generator], list[Question]]


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("pictures", nargs="+", type=Path, metavar="PICTURE|FOLDER")
    parser.add_argument("--piece", type=int, default=28)
    parser.add_argument("--images", type=int, help="so many of each folder")
    parser.add_argument("--most", type=int, default=100, help="answers (100)")
    parser.add_argument("--every", type=int, default=10, help="answers between two solves (10)")
    parser.add_argument("--order", choices=["both", *ORDERS], default="both")
    parser.add_argument("--picks", action="store_true", help="pick the right piece, too")
    parser.add_argument("--seed", type=int, default=1, help="of the shuffle (1)")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--out", type=Path, help="lines of JSON, gone on with")
    options = parser.parse_args()
    print(describe_machine())
    steps = range(0, options.most + 1, options.every)
    print("| picture | order | " + " | ".join(map(str, steps)) + " | CPU s |")
    print("|---" * (len(steps) + 3) + "|", flush=True)
    orders = [*ORDERS] if options.order == "both" else [options.order]
    for path in pictures(options.pictures, options.images):
        trial: Trial | None = None
        for name in orders:
            key = f"{path.parent.name}/{path.stem}", options.piece, options.seed, name
            key += options.every, options.most, options.picks
            lines = recorded(options.out, key)
            if len(lines) < len(steps):
                trial = trial or Trial.of(path, options.piece, options.seed, options.threads)
                lines = [*trial.steps(name, options.most, options.every, options.picks)]
                record(options.out, key, lines)
            shown = [f"{100 * line['neighbour']:.2f} / {100 * line['aware']:.2f}" for line in lines]
            cpu = sum(line["cpu"] for line in lines)
            print(f"| {key[0]} | {name} | {' | '.join(shown)} | {cpu:.0f} |", flush=True)
    return 0


def pictures(places: list[Path], most: int | None) -> Iterator[Path]:
    for place in places:
        if place.is_dir():
            yield from sorted(p for p in place.iterdir() if p.suffix in (".png", ".jpg"))[:most]
        else:
            yield place


def recorded(out: Path | None, key: tuple[Any, ...]) -> list[dict[str, Any]]:
    """Return the lines of a run that is in a file already."""
    if out is None or not out.exists():
        return []
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    return [line for line in lines if tuple(line["key"]) == key]


def record(out: Path | None, key: tuple[Any, ...], lines: list[dict[str, Any]]) -> None:
    if out is not None:
        made_by = provenance()
        with out.open("a") as file:
            for line in lines:
                file.write(json.dumps({"key": key, **line, **made_by}) + "\n")


class Trial(NamedTuple):
    """A picture that was solved, and the person who knows it."""

    first: Solution
    truth: np.ndarray
    person: Person
    cpu: float

    @classmethod
    def of(cls, path: Path, piece: int, seed: int, threads: int) -> Trial:
        puzzle, truth = Puzzle.cut(path, piece).shuffle(seed=seed)
        began = time.process_time()
        first = solve(puzzle, Settings.of(threads=threads))
        return cls(first, truth, Person(puzzle, truth), time.process_time() - began)

    def steps(self, order: str, most: int, every: int, picks: bool) -> Iterator[dict[str, Any]]:
        """Ask, answer, solve on; yield what is found after each solve."""
        rng = np.random.default_rng(0)
        found, known, asked, cpu = self.first, Constraints(), 0, self.cpu
        while True:
            yield {**self._scores(found), **self._counts(known), "asked": asked, "cpu": cpu}
            if asked >= most:
                return
            began = time.process_time()
            before, until = known, asked + every
            while asked < until:  # each answer may change what is asked next
                asking = ORDERS[order](found, 1, known, rng)
                answer = self.person.answer(found, asking[0]) if asking else Constraints()
                known = merged([known, answer])
                asked += 1
                if picks and answer.parted:
                    known = merged([known, self.person.pick(found, asking[0])])
                    asked += 1
            if known != before:
                found = solve(
                    self.first.prepared,
                    found.settings,
                    constraints=implied(found, self.person.without_clashes(known)),
                    start=found.placement,
                )
            cpu = time.process_time() - began

    def _scores(self, found: Solution) -> dict[str, Any]:
        scores = score(found, self.truth)
        return {
            "neighbour": scores.neighbour,
            "aware": scores.neighbour_aware,
            "direct": scores.direct,
            "direct_aware": scores.direct_aware,
            "cost": found.cost,
            "believed": found.believed(),
        }

    @staticmethod
    def _counts(known: Constraints) -> dict[str, int]:
        return {"accepted": len(known.joined), "rejected": len(known.parted)}


class Person:
    """Knows the original; pieces with equal pixels are one to them."""

    def __init__(self, puzzle: Puzzle, truth: np.ndarray) -> None:
        flat = puzzle.pieces.reshape(len(puzzle), -1)
        _, self._look = np.unique(flat, axis=0, return_inverse=True)
        self._puzzle = puzzle
        self._strict = seams_of(truth)
        self._alike = {self._as_seen(seam) for seam in self._strict}
        self._after = {(one, side): other for one, side, other in self._strict}
        self._before = {(other, side): one for one, side, other in self._strict}

    def _as_seen(self, seam: tuple[int, str, int]) -> tuple[int, str, int]:
        return int(self._look[seam[0]]), seam[1], int(self._look[seam[2]])

    def answer(self, found: Solution, question: Question) -> Constraints:
        """Accept or reject the seam that is asked about."""
        seam = seam_at(found.arrangement, question)
        if self._as_seen(seam) in self._alike:
            return Constraints(joined=[seam])
        return Constraints(parted=[seam])

    def pick(self, found: Solution, question: Question) -> Constraints:
        """Pick the right piece for one of the two cells of a seam, if it is shown."""
        one, side, other = seam_at(found.arrangement, question)
        below = question.direction == "below"
        cells = (
            (question.row + below, question.column + (not below), self._after.get((one, side))),
            (question.row, question.column, self._before.get((other, side))),
        )
        for row, column, right in cells:
            shown = candidates(found.prepared, found.placement, row, column, SHOWN)
            if right is not None and right in (candidate.piece for candidate in shown):
                is_after = (row, column) != (question.row, question.column)
                return Constraints(
                    joined=[(one, side, right) if is_after else (right, side, other)]
                )
        return Constraints()

    def without_clashes(self, known: Constraints) -> Constraints:
        """Return what can be kept: of equal pieces it may have been said of too many."""
        try:
            laid_out(known, self._puzzle)
        except InputError:
            certain = [seam for seam in known.joined if tuple(seam) in self._strict]
            return Constraints(certain, known.parted)
        return known


def seams_of(arrangement: np.ndarray) -> set[tuple[int, str, int]]:
    """Return all seams of an arrangement without empty cells."""
    beside = {
        "right": (arrangement[:, :-1], arrangement[:, 1:]),
        "bottom": (arrangement[:-1], arrangement[1:]),
    }
    return {
        (one, side, other)
        for side, ends in beside.items()
        for one, other in zip(*(end.ravel().tolist() for end in ends), strict=True)
    }


def seam_at(arrangement: np.ndarray, question: Question) -> tuple[int, str, int]:
    row, column, direction = question[:3]
    if direction == "right":
        return int(arrangement[row, column]), "right", int(arrangement[row, column + 1])
    return int(arrangement[row, column]), "bottom", int(arrangement[row + 1, column])


def in_order(
    found: Solution, count: int, known: Constraints, rng: np.random.Generator
) -> list[Question]:
    return questions(found, count, known)


def at_random(
    found: Solution, count: int, known: Constraints, rng: np.random.Generator
) -> list[Question]:
    confidence = found.confidence()
    assert confidence is not None
    said = {tuple(seam) for seam in (*known.joined, *known.parted)}
    every = [
        Question(row, column, direction, float(grid[row, column]), 0.0)
        for direction, grid in (("right", confidence.right), ("below", confidence.below))
        for row, column in np.argwhere(grid < DOUBTFUL).tolist()
    ]
    every = [each for each in every if seam_at(found.arrangement, each) not in said]
    chosen = rng.permutation(len(every))[:count]
    return [every[index] for index in chosen]


ORDERS: dict[str, Order] = {"questions": in_order, "random": at_random}

if __name__ == "__main__":
    sys.exit(main())
