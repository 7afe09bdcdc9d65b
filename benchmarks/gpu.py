"""Pricing a puzzle with a GPU and without, stage by stage.

    python benchmarks/gpu.py PICTURE [PIECE] [--threads 16] [--repeats 3] [--only gpu]

Wall seconds of the best repetition, after one that loads what there is to load; and how far the
costs of the two differ. Each stage includes what is copied to the GPU and from there.
"""

import argparse
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from machine import describe_machine

from jigsolve import Pricing, Puzzle
from jigsolve._kernels.costs import SeamArrays
from jigsolve.execution.crew import available_threads, crew
from jigsolve.gpu import SWITCH
from jigsolve.gpu.device import open_device
from jigsolve.measures.shares import STEPS
from jigsolve.pricing.pricing import priced

WITH, WITHOUT = "gpu", "threads"


class Stages:
    """Measures how long stages take."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    @contextmanager
    def __call__(self, name: str) -> Iterator[None]:
        begin = time.perf_counter()
        yield
        self.seconds[name] = time.perf_counter() - begin


def name_of_gpu() -> str:
    device = open_device()
    if device is None:
        return "none"
    return str(device.xp.cuda.runtime.getDeviceProperties(0)["name"].decode())


def price(puzzle: Puzzle, by: str, threads: int) -> tuple[dict[str, float], SeamArrays]:
    os.environ[SWITCH] = "1" if by == WITH else "0"
    stages = Stages()
    begin = time.perf_counter()
    with crew(threads) as hands:
        found = priced(puzzle, np.arange(len(puzzle)), Pricing(), hands, stages)
    stages.seconds["all"] = time.perf_counter() - begin
    return stages.seconds, found.table.arrays


def compare(one: SeamArrays, other: SeamArrays) -> None:
    same = one.partners == other.partners
    steps = np.abs(one.costs - other.costs)[same] * STEPS
    print(
        f"{1 - same.mean():.5%} of candidates are others, {np.mean(steps > 0):.5%} of the costs of "
        f"the same ones differ, by at most {steps.max():.0f} / {STEPS}; of best buddies "
        f"{np.mean(one.buddies != other.buddies):.5%}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("picture", type=Path)
    parser.add_argument("piece", type=int, nargs="?", default=28)
    parser.add_argument("--threads", type=int, default=available_threads())
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--only", choices=(WITH, WITHOUT))
    options = parser.parse_args()
    puzzle, _ = Puzzle.cut(options.picture, options.piece).shuffle(seed=1)
    print(describe_machine())
    print(f"GPU: {name_of_gpu()}")
    print(f"{len(puzzle):,} pieces of {options.piece} pixels, {options.threads} threads")
    tables = {}
    for by in (options.only,) if options.only else (WITH, WITHOUT):
        first, tables[by] = price(puzzle, by, options.threads)
        print(f"{by}, the first time: {first['all']:.2f} s", flush=True)
        again = [price(puzzle, by, options.threads)[0] for _ in range(options.repeats)]
        best = min([*again, *[first] * (not again)], key=lambda seconds: seconds["all"])
        told = ", ".join(f"{name} {passed:.2f}" for name, passed in best.items())
        print(f"{by}: {told} s", flush=True)
    if len(tables) == 2:
        compare(*tables.values())


if __name__ == "__main__":
    main()
