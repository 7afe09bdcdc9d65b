"""Train the seam network on a folder of photographs.

Pictures of all kinds are made by worker processes while the training already runs on those that
are ready. A group of pictures shares one recipe, as the pieces of one puzzle do; or it is one large
picture.
"""

from __future__ import annotations

import argparse
import math
import mmap
import multiprocessing
import os
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from bags import Bag, cheapest, cut, is_right
from cheap import extrapolation_costs, mgc_costs
from descent import descend
from kinds import (
    JPEG_BLOCK,
    Photograph,
    draw_large_recipe,
    draw_recipe,
    photographs,
    render,
)
from network import SeamNetwork, Sides
from weights import load, save

CANVAS = (420, 588)
GROUP = 12
LARGE_CANVAS = (980, 1484)
LARGE_SHARE = 0.5
"""How often a group is one large picture instead: a sky of thousands of pieces has many more that
look alike than one of a hundred."""

USUAL_SIZE = 28
SMALLEST, LARGEST = 7, 64
MOST_PIECES = 5000
CANDIDATES = 48
ALONE = 0.65
"""How often only pieces of the same picture are candidates: in a sky they are all alike."""

LEAST_CHANCE = 0.02
"""How often, relative to the least sure sides, those are trained on that are sure by cost."""


@dataclass(frozen=True)
class Plan:
    """How to train."""

    channels: int
    taps: tuple[int, ...]
    seconds: float
    groups: int
    workers: int
    seed: int
    seams_per_step: int
    resume: Path | None
    rate: float
    device: str


class Pool:
    """Groups of pictures in memory that worker processes fill."""

    def __init__(self, sources: list[Photograph], plan: Plan) -> None:
        self.room = 3 * max(GROUP * math.prod(CANVAS), math.prod(LARGE_CANVAS))
        self.memory = mmap.mmap(-1, plan.groups * self.room)
        self.ready = mmap.mmap(-1, plan.groups)
        self.sources, self.plan = sources, plan
        self.on_device: dict[int, torch.Tensor] = {}
        context = multiprocessing.get_context("fork")
        self.processes = [
            context.Process(target=self._fill, args=(worker,), daemon=True)
            for worker in range(plan.workers)
        ]
        for process in self.processes:
            process.start()

    def _is_large(self, group: int) -> bool:
        return bool(np.random.default_rng([self.plan.seed, group, 1]).random() < LARGE_SHARE)

    def _pictures(self, group: int) -> np.ndarray:
        shape = (1, *LARGE_CANVAS, 3) if self._is_large(group) else (GROUP, *CANVAS, 3)
        begin = group * self.room
        return np.frombuffer(self.memory, np.uint8, math.prod(shape), begin).reshape(shape)

    def _flags(self) -> np.ndarray:
        # A copy: numpy objects to numbers that change while it looks at them.
        return np.frombuffer(self.ready, np.uint8).copy()

    def _fill(self, worker: int) -> None:
        os.nice(5)
        for group in range(worker, self.plan.groups, self.plan.workers):
            rng = np.random.default_rng([self.plan.seed, group])
            recipe = (draw_large_recipe if self._is_large(group) else draw_recipe)(rng)
            pictures = self._pictures(group)
            count = len(pictures)
            chosen = rng.choice(len(self.sources), count, replace=len(self.sources) < count)
            for place, source in enumerate(chosen):
                pictures[place] = render(self.sources[source], recipe, rng, pictures.shape[1:3])
            self.ready[group] = 1

    def filled(self) -> int:
        """Return how many groups are there."""
        return int(self._flags().sum())

    def wait_for(self, groups: int) -> None:
        """Wait until so many groups are there."""
        while self.filled() < groups:
            if not any(process.is_alive() for process in self.processes):
                raise RuntimeError("the workers ended before the pool was filled")
            time.sleep(0.1)

    def draw(self, rng: np.random.Generator) -> torch.Tensor:
        """Return the pictures of a random group that is ready."""
        group = int(rng.choice(np.flatnonzero(self._flags())))
        if group not in self.on_device:
            pictures = torch.from_numpy(self._pictures(group).copy())
            self.on_device[group] = pictures.to(self.plan.device)
        return self.on_device[group]


def draw_size(rng: np.random.Generator) -> int:
    """Draw a piece size: half of the time the usual one."""
    if rng.random() < 0.5:
        return USUAL_SIZE
    low, high = math.log(SMALLEST), math.log(LARGEST + 1)
    return int(math.exp(rng.uniform(low, high)))


def draw_bag(pool: Pool, rng: np.random.Generator) -> tuple[Bag, bool]:
    """Return a bag, and whether only pieces of the same picture are candidates."""
    size = draw_size(rng)
    pictures = pool.draw(rng)
    each = (pictures.shape[1] // size) * (pictures.shape[2] // size)
    if each > MOST_PIECES:
        pictures = random_window(pictures[:1], (MOST_PIECES / each) ** 0.5, rng)
    else:
        some = rng.permutation(len(pictures))[: MOST_PIECES // each]
        pictures = torch.stack([pictures[place] for place in some])
    return cut(pictures, size, transposed=rng.random() < 0.5), rng.random() < ALONE


def random_window(pictures: torch.Tensor, share: float, rng: np.random.Generator) -> torch.Tensor:
    """Return a part of pictures, in height and width such a share of them, from a random place.

    It begins with a block of JPEG and its halved colours, if the whole does.
    """
    step = 2 * JPEG_BLOCK
    height, width = (int(share * extent) for extent in pictures.shape[1:3])
    top = step * int(rng.integers((pictures.shape[1] - height) // step + 1))
    left = step * int(rng.integers((pictures.shape[2] - width) // step + 1))
    return pictures[:, top : top + height, left : left + width]


def row_loss(
    network: SeamNetwork,
    sides: tuple[Sides, Sides],
    costs: tuple[torch.Tensor, torch.Tensor],
    proposing: torch.Tensor,
    truth: tuple[torch.Tensor, torch.Tensor],
    rows: int,
) -> torch.Tensor:
    """Return the cross-entropy of the right partners of some of the own sides.

    Sides are own and other, costs extrapolation and MGC, truth the partner of each own side and
    what says that two other sides look the same.
    """
    own, other = sides
    partner, twins = truth
    lowest, second = proposing.topk(2, largest=False).values.unbind(1)
    weight = (lowest / second.clamp(min=1e-6)).pow(4).nan_to_num(1.0).clamp(LEAST_CHANCE, 1.0)
    chosen = torch.multinomial(weight, min(rows, len(weight)))
    candidates = cheapest(proposing[chosen], CANDIDATES)
    count = candidates.shape[1]
    flat_own, flat_other = chosen.repeat_interleave(count), candidates.flatten()
    scores = network(
        own.take(flat_own),
        other.take(flat_other),
        *(cost[flat_own, flat_other] for cost in costs),
    ).view(-1, count)
    right = is_right(candidates, partner[chosen], twins)
    right = torch.cat([right, ~right.any(1, keepdim=True)], 1)
    scores = torch.cat([scores, network.none_of_these(own.take(chosen))[:, None]], 1)
    among_right = scores.masked_fill(~right, -torch.inf).logsumexp(1)
    return (scores.logsumexp(1) - among_right).mean()


def bag_loss(
    network: SeamNetwork, bag: Bag, rng: np.random.Generator, seams: int, alone: bool
) -> torch.Tensor:
    """Return the loss of a bag, along its rows and along its columns."""
    extrapolation, mgc = extrapolation_costs(bag.near, bag.far), mgc_costs(bag.near, bag.far)
    proposing = extrapolation if rng.random() < 0.5 else mgc
    # A piece is not its own neighbour; and a puzzle may be one picture or as large as the bag.
    forbidden = torch.eye(len(proposing), dtype=torch.bool, device=proposing.device)
    if alone:
        forbidden |= bag.picture[:, None] != bag.picture
    proposing = proposing.masked_fill(forbidden, 1e9)
    near, far = Sides.of(bag.near), Sides.of(bag.far)
    rows = max(64, seams * USUAL_SIZE // (bag.near.shape[1] * 2 * CANDIDATES))
    along_rows = row_loss(
        network, (near, far), (extrapolation, mgc), proposing, (bag.far_of, bag.far_twins), rows
    )
    along_columns = row_loss(
        network,
        (far, near),
        (extrapolation.T, mgc.T),
        proposing.T,
        (bag.near_of, bag.near_twins),
        rows,
    )
    return 0.5 * (along_rows + along_columns)


def train(pool: Pool, plan: Plan) -> SeamNetwork:
    """Return the trained network: the running mean of its weights."""
    torch.manual_seed(plan.seed)
    rng = np.random.default_rng(plan.seed)
    if plan.resume:
        network = load(plan.resume, plan.device).train()
    else:
        network = SeamNetwork(plan.channels, plan.taps).to(plan.device)
    print(f"{network.multiply_adds():,} multiply-adds for a seam of 28 pixels", flush=True)

    def losses() -> tuple[torch.Tensor, ...]:
        bag, alone = draw_bag(pool, rng)
        return (bag_loss(network, bag, rng, plan.seams_per_step, alone),)

    return descend(
        network,
        losses,
        seconds=plan.seconds,
        rate=plan.rate,
        note=lambda: f"{pool.filled()} groups",
    )


def main() -> None:
    """Read the command line, train, and write the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("photographs", type=Path, help="folder of NNN_photo.jpg and NNN_full.jpg")
    parser.add_argument("weights", type=Path, help="the .npz to write")
    parser.add_argument("--channels", type=int, default=24)
    parser.add_argument("--taps", type=int, nargs="+", default=[5, 3, 3])
    parser.add_argument("--seconds", type=float, default=480.0)
    parser.add_argument("--groups", type=int, default=2500)
    parser.add_argument("--workers", type=int, default=multiprocessing.cpu_count())
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seams-per-step", type=int, default=65536)
    parser.add_argument("--resume", type=Path, help="weights to begin from")
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--device", default="cuda")
    given = parser.parse_args()
    plan = Plan(
        channels=given.channels,
        taps=tuple(given.taps),
        seconds=given.seconds,
        groups=given.groups,
        workers=given.workers,
        seed=given.seed,
        seams_per_step=given.seams_per_step,
        resume=given.resume,
        rate=given.rate,
        device=given.device,
    )
    pool = Pool(photographs(given.photographs, validation=False), plan)
    pool.wait_for(min(plan.groups, 4 * plan.workers))
    save(given.weights, train(pool, plan))


if __name__ == "__main__":
    main()
