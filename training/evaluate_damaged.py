"""Measure the network for damaged borders on the validation photographs, kind by kind.

For every side that has a partner: is it among what is proposed, is it first by the tower alone, by
the plain proposer, and by the network's cost (-log of its share along the row and the column)?
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import torch
from bags import NO_PARTNER, is_right
from damaged_network import DamagedSeamNetwork, SideNumbers
from damaging import KINDS, damaged
from kinds import Recipe, photographs, render
from train_damaged import DamagedBag, bag_of, begin

from jigsolve.damage import Conditions

LISTED = 16
SEAMS_AT_ONCE = 65536


def distances(one: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """Return the mean magnitude of differences of all pairs."""
    return torch.cdist(one, other, p=1.0) / one.shape[1]


@torch.no_grad()
def measure(network: DamagedSeamNetwork, bag: DamagedBag) -> np.ndarray:
    """Return counts: sides, listed, right first by broad, by tower, by score, by cost."""
    sides = bag.near, bag.far
    known = [network.knowing(side) for side in sides]
    answers, seen = zip(*map(network.looks, sides, known), strict=True)
    tower = distances(*answers)
    broad = distances(*(side.broad() for side in sides))
    near, far = map(network.first_products, sides, known, seen)
    numbers = [SideNumbers(s.level, s.scale, k.told) for s, k in zip(sides, known, strict=True)]
    size = len(tower)
    eye = torch.eye(size, dtype=torch.bool, device=tower.device)
    proposed = torch.zeros_like(eye)
    for costs in (tower.masked_fill(eye, 1e9), broad.masked_fill(eye, 1e9)):
        most = min(LISTED, size - 1)
        proposed.scatter_(1, costs.topk(most, largest=False).indices, True)
        proposed.T.scatter_(1, costs.T.topk(most, largest=False).indices, True)
    ones, others = proposed.nonzero(as_tuple=True)
    scores = torch.cat(
        [
            network(
                near.take(i),
                far.take(j),
                (numbers[0].take(i), numbers[1].take(j)),
                tower[i, j],
                broad[i, j],
            )
            for i, j in zip(ones.split(SEAMS_AT_ONCE), others.split(SEAMS_AT_ONCE), strict=True)
        ]
    )
    table = torch.full_like(tower, -torch.inf)
    table[ones, others] = scores
    cost = table.logsumexp(1)[:, None] + table.logsumexp(0)[None] - 2 * table
    counts = np.zeros(6)
    for partner, twins, flip in (
        (bag.far_of, bag.far_twins, False),
        (bag.near_of, bag.near_twins, True),
    ):
        has = torch.nonzero(partner != NO_PARTNER).squeeze(1)
        counts[0] += len(has)
        listed = proposed.T if flip else proposed
        counts[1] += listed[has, partner[has]].sum().item()
        tables = (broad, tower, -table, cost)
        for number, values in enumerate(tables, start=2):
            values = (values.T if flip else values).masked_fill(eye, torch.inf)
            first = values.argmin(1)[:, None]
            counts[number] += is_right(first[has], partner[has], twins).sum().item()
    return counts


def main() -> None:
    """Read the command line and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("photographs", type=Path)
    parser.add_argument("weights", type=Path, help=".pt or .npz")
    parser.add_argument("--size", type=int, default=28)
    parser.add_argument("--most", type=int, default=24, help="photographs")
    parser.add_argument("--channels", type=int, default=48)
    parser.add_argument("--taps", type=int, nargs="+", default=[5, 3, 3, 3, 3])
    parser.add_argument("--device", default="cuda")
    given = parser.parse_args()
    network = DamagedSeamNetwork(given.channels, tuple(given.taps)).to(given.device).eval()
    begin(network, given.weights)
    sources = photographs(given.photographs, validation=True)[: given.most]
    rng = np.random.default_rng(5)
    pictures = [render(source, Recipe(), rng, multiple=given.size) for source in sources]
    print("| kind | listed | broad | tower | score | cost |\n|---|---|---|---|---|---|")
    for name, mishap in KINDS.items():
        counts = np.zeros(6)
        for number, picture in enumerate(pictures):
            local = np.random.default_rng([6, number])
            pieces, damage, places = damaged(picture, given.size, mishap, local)
            board = (1, picture.shape[0] // given.size, picture.shape[1] // given.size)
            about = [
                Conditions.of(damage, places, len(pieces), pieces.shape[1:3], s) for s in range(4)
            ]
            arrays = (
                torch.from_numpy(np.stack([getattr(side, field) for side in about]))
                for field in ("features", "ends")
            )
            features, ends = (array.to(given.device) for array in arrays)
            for transposed in (False, True):
                counts += measure(
                    network,
                    bag_of(
                        torch.from_numpy(pieces).to(given.device),
                        board,
                        features,
                        ends,
                        transposed=transposed,
                    ),
                )
        shares = " | ".join(f"{100 * count / counts[0]:.1f}" for count in counts[1:])
        print(f"| {name} | {shares} |", flush=True)


if __name__ == "__main__":
    main()
