"""Train the network for damaged borders on a folder of photographs.

Worker processes render photographs, cut, shuffle and damage them; the training runs on what is
ready. Pieces of a group share one recipe and one kind of damage, as those of a puzzle do.
"""

from __future__ import annotations

import argparse
import math
import multiprocessing
import os
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from queue import Empty

import numpy as np
import torch
from bags import NO_PARTNER, cheapest, fingerprints, is_right
from damaged_network import DamagedSeamNetwork, DamagedSides, SideNumbers, taken
from damaging import SHARES, damaged, draw_mishap
from descent import descend
from drawings import draw_page
from export_damaged import state_of
from kinds import Photograph, draw_large_recipe, draw_recipe, photographs, render
from train import CANVAS, LARGE_CANVAS, USUAL_SIZE

from jigsolve.damage import Conditions
from jigsolve.damage.conditions import LINES

LARGE_SHARE = 0.35
DRAWN_SHARE = 0.07
MOST_PIECES = 2600
MOST_PIXELS = 2_200_000
CANDIDATES = 40
ALONE = 0.75
TOWER_SHARE = 0.3
"""Of the tower's loss in the sum."""

TOWER_ROWS = 160
TOWER_OTHERS = 1024
LEAST_CHANCE = 0.03


@dataclass(frozen=True)
class Group:
    """Pieces of pictures of one kind, with what is known of their sides."""

    pieces: np.ndarray  # (n, height, width, 3) uint8
    board: tuple[int, int, int]  # pictures, rows, columns
    features: np.ndarray  # (4, n, FEATURES) float32
    ends: np.ndarray  # (4, n, 4) int32


def draw_size(rng: np.random.Generator) -> int:
    """Draw a piece size: most often the usual one or its double."""
    chance = rng.random()
    if chance < 0.5:
        return USUAL_SIZE
    if chance < 0.65:
        return 2 * USUAL_SIZE
    return int(math.exp(rng.uniform(math.log(16), math.log(72))))


def make_group(
    sources: list[Photograph], rng: np.random.Generator, shares: dict[str, float]
) -> Group:
    """Render, cut, shuffle and damage pictures of one kind."""
    large = rng.random() < LARGE_SHARE
    canvas = LARGE_CANVAS if large else CANVAS
    size, mishap = draw_size(rng), draw_mishap(rng, shares)
    rows, columns = canvas[0] // size, canvas[1] // size
    pixels = rows * columns * (size * mishap.scale) ** 2
    count = 1 if large else min(8, MOST_PIECES // (rows * columns), int(MOST_PIXELS // pixels))
    count = max(1, count)
    recipe = (draw_large_recipe if large else draw_recipe)(rng)
    drawn = rng.random() < DRAWN_SHARE
    parts = []
    for source in rng.choice(len(sources), count, replace=False):
        whole = draw_page(canvas, rng) if drawn else render(sources[source], recipe, rng, canvas)
        picture = whole[: rows * size, : columns * size]
        if rng.random() < 0.5:
            picture = np.ascontiguousarray(picture.transpose(1, 0, 2))
            parts.append((damaged(picture, size, mishap, rng), True))
        else:
            parts.append((damaged(picture, size, mishap, rng), False))
    pieces, features, ends = [], [], []
    shape = parts[0][0][0].shape[1:]
    parts = [part for part in parts if part[0][0].shape[1:] == shape]  # scaled ones may differ
    for (found, damage, places), transposed in parts:
        sides = [Conditions.of(damage, places, len(found), found.shape[1:3], s) for s in range(4)]
        if transposed:  # back to landscape, so that pictures of a group have one board
            order = np.arange(len(found)).reshape(columns, rows).T.ravel()
            found = found[order].transpose(0, 2, 1, 3)
            sides = [sides[s ^ 2] for s in range(4)]
            sides = [Conditions(side.features[order], side.ends[order]) for side in sides]
        pieces.append(found)
        features.append([side.features for side in sides])
        ends.append([side.ends for side in sides])
    return Group(
        np.ascontiguousarray(np.concatenate(pieces)),
        (len(parts), rows, columns),
        np.concatenate(features, 1),
        np.concatenate(ends, 1),
    )


class Pool:
    """Groups that worker processes make, on the device as they come."""

    def __init__(self, sources: list[Photograph], given: argparse.Namespace) -> None:
        self.groups: list[tuple[torch.Tensor, tuple[int, int, int], torch.Tensor, torch.Tensor]]
        self.groups = []
        self.most, self.device = given.groups, given.device
        context = multiprocessing.get_context("fork")
        self.queue = context.Queue(2 * given.workers)
        self.workers = [
            context.Process(target=self._make, args=(sources, given, worker), daemon=True)
            for worker in range(given.workers)
        ]
        for process in self.workers:
            process.start()
        threading.Thread(target=self._drain, daemon=True).start()

    def _make(self, sources: list[Photograph], given: argparse.Namespace, worker: int) -> None:
        os.nice(5)
        torch.set_num_threads(1)
        shares = dict(zip(SHARES, given.shares, strict=True))
        for number in range(worker, 1_000_000, given.workers):
            rng = np.random.default_rng([given.seed, number])
            self.queue.put(make_group(sources, rng, shares))

    def _drain(self) -> None:
        replaced = 0
        while True:
            try:
                group = self.queue.get(timeout=5)
            except Empty:
                continue
            ready = (
                torch.from_numpy(group.pieces).to(self.device),
                group.board,
                torch.from_numpy(group.features).to(self.device),
                torch.from_numpy(group.ends).to(self.device),
            )
            if len(self.groups) < self.most:
                self.groups.append(ready)
            else:  # the oldest makes room
                self.groups[replaced % self.most] = ready
                replaced += 1
                time.sleep(0.1)  # taking groups in holds up the training

    def wait_for(self, groups: int) -> None:
        """Wait until so many groups are there."""
        while len(self.groups) < groups:
            time.sleep(0.1)

    def draw(self, rng: np.random.Generator) -> DamagedBag:
        """Return a bag of a random group: its rows or its columns."""
        pieces, board, features, ends = self.groups[int(rng.integers(len(self.groups)))]
        return bag_of(pieces, board, features, ends, transposed=bool(rng.random() < 0.5))


@dataclass(frozen=True)
class DamagedBag:
    """The sides that may meet, and which belong together."""

    near: DamagedSides
    far: DamagedSides
    far_of: torch.Tensor
    near_of: torch.Tensor
    picture: torch.Tensor
    near_twins: torch.Tensor
    far_twins: torch.Tensor


def bag_of(
    pieces: torch.Tensor,
    board: tuple[int, int, int],
    features: torch.Tensor,
    ends: torch.Tensor,
    *,
    transposed: bool,
) -> DamagedBag:
    """Return the bag of all seams along rows, or along columns."""
    _, rows, columns = board
    ids = torch.arange(len(pieces), device=pieces.device)
    each = rows * columns
    if transposed:
        pieces = pieces.transpose(1, 2)
        at, last, step, sides = ids % each // columns, rows - 1, columns, (3, 2)
    else:
        at, last, step, sides = ids % columns, columns - 1, 1, (1, 0)
    width = pieces.shape[2]
    inward = torch.arange(LINES, device=pieces.device).clamp(max=width - 1)
    near, far = pieces[:, :, width - 1 - inward], pieces[:, :, inward]
    return DamagedBag(
        DamagedSides.of(near, features[sides[0]], ends[sides[0]]),
        DamagedSides.of(far, features[sides[1]], ends[sides[1]]),
        torch.where(at < last, ids + step, NO_PARTNER),
        torch.where(at > 0, ids - step, NO_PARTNER),
        ids // each,
        fingerprints(near),
        fingerprints(far),
    )


def rough_distances(one: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """Return Euclidean distances of all pairs, squared: enough to choose candidates by."""
    centre = other.mean(0)
    one, other = one - centre, other - centre
    return (one**2).sum(1)[:, None] + (other**2).sum(1)[None] - 2 * one @ other.T


def some_of(chances: torch.Tensor, count: int) -> torch.Tensor:
    """Draw places without putting back, by their chances; never waits for the device."""
    keys = torch.log(chances) - torch.log(-torch.log(torch.rand_like(chances).clamp(1e-9)))
    return keys.topk(min(count, len(keys))).indices


def tower_loss(
    network: DamagedSeamNetwork,
    own: torch.Tensor,
    other: torch.Tensor,
    partner: torch.Tensor,
    picture: torch.Tensor,
    alone: bool,
) -> torch.Tensor:
    """Return the cross-entropy of the right partners by the tower alone, for some sides."""
    rows = some_of((partner != NO_PARTNER).float() + 1e-9, min(TOWER_ROWS, len(own) // 2))
    others = torch.randperm(len(other), device=own.device)[:TOWER_OTHERS]
    right_ones = partner[rows].clamp(min=0)
    mine, theirs = own[rows], other[others]
    far = (mine[:, None] - theirs[None]).abs().mean(2)
    right = (mine - other[right_ones]).abs().mean(1)
    wrong = (others[None] == right_ones[:, None]) | (others[None] == rows[:, None])
    if alone:
        wrong |= picture[others][None] != picture[rows][:, None]
    sharp = network.sharpness.exp()
    logits = (-sharp * torch.log(far + 0.05)).masked_fill(wrong, -torch.inf)
    mine_logit = -sharp * torch.log(right + 0.05)
    return (torch.cat([mine_logit[:, None], logits], 1).logsumexp(1) - mine_logit).mean()


def bag_loss(
    network: DamagedSeamNetwork, bag: DamagedBag, rng: np.random.Generator, seams: int, alone: bool
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the losses of a bag: of the seam network, and of the tower."""
    sides = bag.near, bag.far
    length = bag.near.values.shape[1]
    known = [network.knowing(side) for side in sides]
    answers, seen = zip(*map(network.looks, sides, known), strict=True)
    proposals = 0.5 * (
        tower_loss(network, *answers, bag.far_of, bag.picture, alone)
        + tower_loss(network, *answers[::-1], bag.near_of, bag.picture, alone)
    )
    answers = [answer.detach() for answer in answers]
    broads = [side.broad() for side in sides]
    by_tower = rng.random() < 0.75
    proposing = rough_distances(*(answers if by_tower else broads))
    forbidden = torch.eye(len(proposing), dtype=torch.bool, device=proposing.device)
    if alone:
        forbidden |= bag.picture[:, None] != bag.picture
    proposing = proposing.masked_fill(forbidden, 1e12)
    products = list(map(network.first_products, sides, known, seen))
    numbers = [
        SideNumbers(side.level, side.scale, about.told)
        for side, about in zip(sides, known, strict=True)
    ]
    rows = max(64, seams * USUAL_SIZE // (length * 2 * CANDIDATES))
    losses = []
    for own, partner, twins in ((0, bag.far_of, bag.far_twins), (1, bag.near_of, bag.near_twins)):
        other = 1 - own
        proposed = proposing.T if own else proposing
        lowest, second = proposed.topk(2, largest=False).values.clamp(min=1e-6).unbind(1)
        chances = (lowest / second).square().clamp(LEAST_CHANCE, 1.0)
        chosen = some_of(chances, rows)
        candidates = cheapest(proposed[chosen], CANDIDATES)
        scores = network(
            products[own].take(chosen[:, None]),
            products[other].take(candidates),
            (numbers[own].take(chosen[:, None]), numbers[other].take(candidates)),
            *(
                (taken(compared[own], chosen[:, None]) - taken(compared[other], candidates))
                .abs()
                .mean(2)
                for compared in (answers, broads)
            ),
        )
        right = is_right(candidates, partner[chosen], twins)
        right = torch.cat([right, ~right.any(1, keepdim=True)], 1)
        none = network.none_of_these(numbers[own].take(chosen), length)
        scores = torch.cat([scores, none[:, None]], 1)
        among_right = scores.masked_fill(~right, -torch.inf).logsumexp(1)
        losses.append((scores.logsumexp(1) - among_right).mean())
    return 0.5 * (losses[0] + losses[1]), proposals


def compile_if_faster(network: DamagedSeamNetwork, pool: Pool, given: argparse.Namespace) -> None:
    """Fuse what lies between matrix products, where that works, is right and is faster."""
    plain = network.enter, network.along, network.deep
    bags = [pool.draw(np.random.default_rng(number)) for number in range(8)]

    def slopes(number: int) -> torch.Tensor:
        torch.manual_seed(number)
        rng = np.random.default_rng(number)
        losses = bag_loss(network, bags[number % 8], rng, given.seams_per_step, alone=True)
        found = torch.autograd.grad(sum(losses), list(network.parameters()))
        return torch.cat([part.flatten() for part in found])

    took, downhill = [], []
    for fused in (False, True):
        try:
            if fused:
                network.compile_layers()
            downhill.append(torch.stack([slopes(number) for number in range(8)]))
            torch.cuda.synchronize()
            began = time.monotonic()
            for number in range(8):
                slopes(number)
            torch.cuda.synchronize()
            took.append((time.monotonic() - began) / 8)
        except Exception as error:  # a compiler may be missing
            print(f"not compiled: {error!r:.300}", flush=True)
            break
    if len(took) == 2:
        alike = torch.cosine_similarity(*downhill).min().item()
        print(
            f"a step: {took[0]:.4f} s, compiled {took[1]:.4f} s, slopes alike {alike:.5f}",
            [bool(part.isfinite().all()) for part in downhill],
            flush=True,
        )
        if took[1] < took[0] and alike > 0.9:
            return
    network.enter, network.along, network.deep = plain  # type: ignore[method-assign]


def begin(network: DamagedSeamNetwork, weights: Path) -> None:
    """Load what a training stored, or what ships with the package: that has no sharpness."""
    if weights.suffix == ".npz":
        network.load_state_dict(network.state_dict() | state_of(np.load(weights)))
    else:
        network.load_state_dict(torch.load(weights, map_location="cpu"))


def train(pool: Pool, given: argparse.Namespace) -> DamagedSeamNetwork:
    """Return the trained network: the running mean of its weights."""
    torch.manual_seed(given.seed)
    rng = np.random.default_rng(given.seed)
    network = DamagedSeamNetwork(given.channels, tuple(given.taps)).to(given.device)
    if given.resume:
        begin(network, given.resume)
    if given.compile:
        compile_if_faster(network, pool, given)
    print(f"{sum(p.numel() for p in network.parameters()):,} weights", flush=True)

    def losses() -> tuple[torch.Tensor, ...]:
        alone = bool(rng.random() < ALONE)
        scored, proposed = bag_loss(network, pool.draw(rng), rng, given.seams_per_step, alone)
        return scored, TOWER_SHARE * proposed

    return descend(
        network,
        losses,
        seconds=given.seconds,
        rate=given.rate,
        note=lambda: f"{len(pool.groups)} groups",
        on_note=lambda averaged: torch.save(averaged.state_dict(), given.weights),
    )


def main() -> None:
    """Read the command line, train, and write the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("photographs", type=Path, help="folder of NNN_photo.jpg and NNN_full.jpg")
    parser.add_argument("weights", type=Path, help="the .pt to write")
    parser.add_argument("--channels", type=int, default=48)
    parser.add_argument("--taps", type=int, nargs="+", default=[5, 3, 3, 3, 3])
    parser.add_argument("--seconds", type=float, default=480.0)
    parser.add_argument("--groups", type=int, default=2500)
    parser.add_argument("--workers", type=int, default=multiprocessing.cpu_count())
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seams-per-step", type=int, default=65536)
    parser.add_argument("--resume", type=Path, help="weights to begin from, .pt or .npz")
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--compile", action="store_true", help="fuse what lies between products")
    parser.add_argument(
        "--shares",
        type=float,
        nargs=len(SHARES),
        default=list(SHARES.values()),
        help=f"how often each kind of damage is drawn: {', '.join(SHARES)}",
    )
    parser.add_argument("--device", default="cuda")
    given = parser.parse_args()
    pool = Pool(photographs(given.photographs, validation=False), given)
    pool.wait_for(min(given.groups, 4 * given.workers))
    torch.save(train(pool, given).state_dict(), given.weights)
    for process in pool.workers:  # they would go on for ever
        process.kill()
    os._exit(0)


if __name__ == "__main__":
    main()
