"""How many answers does it take to the truth? A simulated person answers the queue of questions.

    python benchmarks/clicks.py DATA/pomeranz_805/01.jpg DATA/sholomon_5015/05.jpg --out to.jsonl
    python benchmarks/clicks.py DATA/photos_train --piece 14 --images 10 --most 50

Each picture is solved and its seams are priced, once. Then a person who knows the original
(`person.py`) answers what `jigsolve.advice.questions` asks. After some answers it is solved on from
what was found, near the answers and under all of them so far; with --everywhere, and where no
question is left, all of it and in full. The orders differ in what is asked:

    random  whether doubtful seams are right, in any order
    seams   the same in the order of the queue
    picks   also which of the likeliest pieces belongs into a cell
    drags   also whether a block lies where it belongs; if not the person drags it there

A line of JSON for every solve goes to --out; an order that is complete there is not measured again.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from machine import describe_machine
from person import Person, seam_at

from jigsolve import Constraints, InputError, Puzzle, Settings, Solution, score, solve
from jigsolve.advice import (
    TOUCHING_UP,
    Question,
    SeamQuestion,
    assessed,
    implied,
    near,
    questions,
    staying,
)
from jigsolve.core.constraints import merged
from jigsolve.core.provenance import provenance
from jigsolve.execution.crew import available_threads
from jigsolve.execution.work import working
from jigsolve.pricing.prepared import Prepared, prepare

DOUBTFUL = 0.9
"""Seams that are less sure are asked about at random."""

AT_A_TIME = 5
"""Questions that are answered before the queue is asked for again."""

ORDERS = {
    "random": (),
    "seams": ("seam",),
    "picks": ("seam", "piece"),
    "drags": ("seam", "piece", "block"),
}


class Asking(NamedTuple):
    """How the person is asked."""

    piece: int
    seed: int
    most: int
    every: int
    everywhere: bool
    threads: int

    @property
    def settings(self) -> Settings:
        """Those of each solve after answers."""
        return Settings.of(threads=self.threads, **({} if self.everywhere else TOUCHING_UP))


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("pictures", nargs="+", type=Path, metavar="PICTURE|FOLDER")
    parser.add_argument("--piece", type=int, default=28)
    parser.add_argument("--images", type=int, help="so many of each folder")
    parser.add_argument("--most", type=int, default=100, help="answers (100)")
    parser.add_argument("--every", type=int, default=10, help="answers between two solves (10)")
    parser.add_argument("--orders", nargs="+", choices=[*ORDERS], default=[*ORDERS])
    parser.add_argument("--seed", type=int, default=1, help="of the shuffle (1)")
    parser.add_argument("--everywhere", action="store_true", help="solve all on, and in full")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--kept", type=Path, help="folder of first solves, to use them again")
    parser.add_argument("--out", type=Path, help="lines of JSON, gone on with")
    options = parser.parse_args()
    asking = Asking(
        options.piece,
        options.seed,
        options.most,
        options.every,
        options.everywhere,
        options.threads,
    )
    print(describe_machine())
    steps = range(0, options.most + 1, options.every)
    print("| picture | order | " + " | ".join(map(str, steps)) + " | of these | CPU s a solve |")
    print("|---" * (len(steps) + 4) + "|", flush=True)
    paths = [*pictures(options.pictures, options.images)]
    with (
        tempfile.TemporaryDirectory() as own,
        ProcessPoolExecutor(options.processes, get_context("spawn")) as pool,
    ):
        folder = options.kept or Path(own)
        folder.mkdir(exist_ok=True)
        threads = max(options.threads, available_threads() // len(paths))
        first = {path: pool.submit(solve_first, path, asking, threads, folder) for path in paths}
        asked = []
        for path, solved in first.items():
            where = solved.result()
            for order in options.orders:
                asked.append(pool.submit(ask, path, where, order, asking, options.out))
        for each in asked:
            print(each.result(), flush=True)
    return 0


def pictures(places: list[Path], most: int | None) -> Iterator[Path]:
    for place in places:
        if place.is_dir():
            yield from sorted(p for p in place.iterdir() if p.suffix in (".png", ".jpg"))[:most]
        else:
            yield place


def name_of(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


def solve_first(path: Path, asking: Asking, threads: int, folder: Path) -> Path:
    """Solve a picture; leave its priced seams and its arrangement in a folder."""
    where = folder / f"{name_of(path).replace('/', '-')}-{asking.piece}-{asking.seed}"
    found, priced = where.with_suffix(".npz"), where.with_suffix(".prepared")
    puzzle, _ = Puzzle.cut(path, asking.piece).shuffle(seed=asking.seed)
    settings = Settings.of(threads=threads)
    if found.exists() and not priced.exists():
        with working(threads) as work:
            prepare(puzzle, settings.pricing, settings.seed, work).save(priced)
    if not found.exists():
        began = time.process_time()
        solution = solve(puzzle, settings)
        solution.prepared.save(priced)
        cpu = time.process_time() - began
        np.savez(found, arrangement=solution.arrangement, cpu=cpu)
    return where


def ask(path: Path, where: Path, order: str, asking: Asking, out: Path | None) -> str:
    """Ask in one order; return the row of the table."""
    key = [name_of(path), order, *asking[:5]]
    lines = recorded(out, key)
    if not lines or lines[-1]["asked"] < asking.most:
        lines = []
        for line in Trial(path, where, order, asking).steps():
            record(out, key, line)
            lines.append(line)
    shown = [f"{100 * line['neighbour']:.2f} / {100 * line['aware']:.2f}" for line in lines]
    cpu = np.mean([line["cpu"] for line in lines[1:]])
    said = ", ".join(f"{count} {kind}" for kind, count in lines[-1]["answers"].items())
    return f"| {key[0]} | {order} | {' | '.join(shown)} | {said} | {cpu:.1f} |"


def recorded(out: Path | None, key: list[Any]) -> list[dict[str, Any]]:
    """Return the lines of a run that is in a file already; of one that was broken off the last."""
    if out is None or not out.exists():
        return []
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    found = {line["step"]: line for line in lines if line["key"] == key}
    return [found[step] for step in sorted(found)]


def record(out: Path | None, key: list[Any], line: dict[str, Any]) -> None:
    if out is not None:
        with out.open("a") as file:
            file.write(json.dumps({"key": key, **line, **provenance()}) + "\n")


class Trial:
    """A picture that was solved, and the person who knows it."""

    def __init__(self, path: Path, where: Path, order: str, asking: Asking) -> None:
        self._asking, self._order = asking, order
        puzzle, self._truth = Puzzle.cut(path, asking.piece).shuffle(seed=asking.seed)
        self._prepared = Prepared.load(where.with_suffix(".prepared"), puzzle)
        with np.load(where.with_suffix(".npz")) as first:
            self._first, self._cpu = first["arrangement"], float(first["cpu"])
        self._person = Person(puzzle, self._truth)
        self._rng = np.random.default_rng(0)
        self._answers: Counter[str] = Counter()
        self._is_over = False
        self._given_up: set[tuple[Any, ...]] = set()

    def steps(self) -> Iterator[dict[str, Any]]:
        """Ask, answer, solve on; yield what is found after each solve."""
        found, known, cpu = assessed(self._prepared, self._first), Constraints(), self._cpu
        for step in range(0, self._asking.most + 1, self._asking.every):
            if step:
                before, known = known, self._answered(found, known, step)
                began = time.process_time()
                is_over = self._answers.total() < step
                if known != before or (is_over and not self._is_over):
                    found = self._solved_on(found, known, before, is_over)
                self._is_over = is_over and known == before
                cpu = time.process_time() - began
            yield {
                "step": step,
                "asked": step,
                "answers": dict(self._answers),
                **self._scores(found),
                **{name: len(of) for name, of in known.as_record().items()},
                "cpu": cpu,
            }

    def _answered(self, found: Solution, known: Constraints, until: int) -> Constraints:
        """Return what is known after so many answers in all, or fewer if nothing is left to ask.

        Fewer also where a large block is to lie elsewhere: then all is solved on.
        """
        columns = found.arrangement.shape[1]
        touched: set[int] = set()
        while (left := until - self._answers.total()) > 0:
            queue = self._queue(found, known, left + len(self._given_up) + len(touched))
            queue = [each for each in queue if not touched & {*cells_of(each, columns)}]
            if not queue:
                return known
            for question in queue[: min(left, AT_A_TIME)]:
                if touched & {*cells_of(question, columns)}:
                    continue
                before, known = known, self._person.answered(found, known, question)
                self._answers[question.kind] += 1
                touched |= {*cells_of(question, columns)}
                if known == before:
                    self._given_up.add(question[:3])
                elif question.kind == "block" and question.held_by != question.cells:
                    fixed, row, column = known.fixed[-1][:3]
                    if found.arrangement[row, column] != fixed:
                        return known  # nearly all of the picture moves: it is solved on at once
        return known

    def _queue(self, found: Solution, known: Constraints, count: int) -> list[Question]:
        if self._order == "random":
            return at_random(found, count, known, self._rng)
        asked = questions(found, count, known, ORDERS[self._order])
        return [each for each in asked if each[:3] not in self._given_up]

    def _solved_on(
        self, found: Solution, known: Constraints, before: Constraints, is_over: bool
    ) -> Solution:
        """Solve on near the last answers, or all of it where nothing is left to ask."""
        latest = Constraints(
            *(
                [each for each in getattr(known, name) if each not in {*getattr(before, name)}]
                for name in ("joined", "parted", "fixed")
            )
        )
        more = implied(found, known)
        free = near(found.arrangement, latest, len(found.puzzle))
        stays = staying(found.arrangement, free, known)
        attempts = [[more, stays], [known, stays], [more], [known]]
        settings = self._asking.settings
        if self._asking.everywhere or is_over:
            attempts, settings = attempts[2:], Settings.of(threads=self._asking.threads)
        for attempt in attempts:
            try:
                return solve(
                    self._prepared,
                    settings,
                    constraints=merged(attempt),
                    start=found.arrangement,
                )
            except InputError as error:
                print(f"not solved on: {error}", file=sys.stderr, flush=True)
        return found

    def _scores(self, found: Solution) -> dict[str, Any]:
        scores = score(found, self._truth)
        return {
            "neighbour": scores.neighbour,
            "aware": scores.neighbour_aware,
            "direct": scores.direct,
            "direct_aware": scores.direct_aware,
            "cost": found.cost,
            "believed": found.believed(),
        }


def cells_of(question: Question, columns: int) -> Iterator[int]:
    """Return the cells that a question is about."""
    if question.kind == "block":
        yield from question.cells
        return
    yield question.row * columns + question.column
    if question.kind == "piece":
        yield question.beside[0] * columns + question.beside[1]
    else:
        down = question.direction == "below"
        yield (question.row + down) * columns + question.column + (not down)


def at_random(
    found: Solution, count: int, known: Constraints, rng: np.random.Generator
) -> list[Question]:
    confidence = found.confidence()
    assert confidence is not None
    said = {tuple(seam[:3]) for seam in (*known.joined, *known.parted)}
    every = [
        SeamQuestion(row, column, direction, float(grid[row, column]), 0.0)
        for direction, grid in (("right", confidence.right), ("below", confidence.below))
        for row, column in np.argwhere(grid < DOUBTFUL).tolist()
    ]
    every = [each for each in every if seam_at(found.arrangement, each) not in said]
    chosen = rng.permutation(len(every))[:count]
    return [every[index] for index in chosen]


if __name__ == "__main__":
    sys.exit(main())
