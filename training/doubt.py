"""Measure the seam network where it is in doubt: on sides that look like many others.

Of sides that MGC is unsure of, in puzzles of one validation photograph and in one puzzle of all of
them: how likely the network holds the right partner among the cheapest candidates (the mean of
-log of its share, among those that are listed), and its rank among all pieces.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
from dataclasses import fields
from pathlib import Path

import torch
from bags import NO_PARTNER, Bag, cheapest, cut, is_right
from cheap import extrapolation_costs, mgc_costs
from evaluate import SEAMS_AT_ONCE, rendered
from kinds import EVALUATED, photographs
from network import SeamNetwork, Sides
from weights import load

UNSURE = 0.8
"""Sides whose cheapest partner costs more than this share of the second."""

SIDES_AT_MOST = 1500
SIDES_RANKED = 150
"""Of each direction and side, in one puzzle."""


def together(bags: list[Bag]) -> Bag:
    """Return one bag of the pieces of several."""
    parts: dict[str, list[torch.Tensor]] = {field.name: [] for field in fields(Bag)}
    before = 0
    for number, bag in enumerate(bags):
        for name in parts:
            values = getattr(bag, name)
            if name in ("far_of", "near_of"):
                values = torch.where(values == NO_PARTNER, values, values + before)
            parts[name].append(values + number if name == "picture" else values)
        before += len(bag.near)
    return Bag(**{name: torch.cat(values) for name, values in parts.items()})


def scores_of(
    network: SeamNetwork,
    sides: tuple[Sides, Sides],
    costs: tuple[torch.Tensor, torch.Tensor],
    some: torch.Tensor,
    candidates: torch.Tensor,
) -> torch.Tensor:
    """Return the scores of the candidates of some own sides, (n, count)."""
    own, other = sides
    parts = []
    flat_own, flat_other = some.repeat_interleave(candidates.shape[1]), candidates.flatten()
    for at in range(0, len(flat_own), SEAMS_AT_ONCE):
        i, j = flat_own[at : at + SEAMS_AT_ONCE], flat_other[at : at + SEAMS_AT_ONCE]
        parts.append(network(own.take(i), other.take(j), *(cost[i, j] for cost in costs)))
    return torch.cat(parts).view(candidates.shape)


Found = dict[str, list[torch.Tensor]]


@torch.no_grad()
def add_doubts(found: Found, network: SeamNetwork, bag: Bag, count: int, *, ranked: bool) -> None:
    """Add what the unsure sides of a puzzle show, in one direction."""
    extrapolation, mgc = extrapolation_costs(bag.near, bag.far), mgc_costs(bag.near, bag.far)
    mgc.fill_diagonal_(1e9)
    near, far = Sides.of(bag.near), Sides.of(bag.far)
    generator = torch.Generator().manual_seed(len(mgc))
    for sides, costs, truth, twins in (
        ((near, far), (extrapolation, mgc), bag.far_of, bag.far_twins),
        ((far, near), (extrapolation.T, mgc.T), bag.near_of, bag.near_twins),
    ):
        lowest, second = costs[1].topk(2, largest=False).values.unbind(1)
        some = torch.nonzero((lowest > UNSURE * second) & (truth != NO_PARTNER))[:, 0]
        order = torch.randperm(len(some), generator=generator).to(some.device)
        some = some[order[:SIDES_AT_MOST]]
        if not len(some):
            continue
        candidates = cheapest(costs[1][some], count)
        scores = scores_of(network, sides, costs, some, candidates)
        right = is_right(candidates, truth[some], twins)
        listed = right.any(1)
        shares = scores.log_softmax(1).masked_fill(~right, -torch.inf).logsumexp(1)
        found["listed"].append(listed)
        found["loss"].append(-shares[listed])
        found["first"].append(right.gather(1, scores.argmax(1, keepdim=True))[:, 0])
        if not ranked:
            continue
        some = some[:SIDES_RANKED]
        everything = torch.arange(len(mgc), device=mgc.device).expand(len(some), -1)
        scores = scores_of(network, sides, costs, some, everything)
        scores = scores.masked_fill(everything == some[:, None], -torch.inf)
        best = scores.masked_fill(~is_right(everything, truth[some], twins), -torch.inf).amax(1)
        found["rank"].append(1 + (scores > best[:, None]).sum(1))


def main() -> None:
    """Read the command line, measure, print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("photographs", type=Path)
    parser.add_argument("weights", type=Path)
    parser.add_argument("--size", type=int, default=28)
    parser.add_argument("--candidates", type=int, default=64)
    parser.add_argument("--kinds", nargs="+", default=list(EVALUATED))
    parser.add_argument("--limit", type=int, help="use so many photographs only")
    parser.add_argument("--workers", type=int, default=multiprocessing.cpu_count())
    parser.add_argument("--json", type=Path, help="write the figures here as well")
    parser.add_argument("--device", default="cuda")
    given = parser.parse_args()
    sources = photographs(given.photographs, validation=True)[: given.limit]
    tasks = [(source, kind) for kind in given.kinds for source in sources]
    with multiprocessing.get_context("fork").Pool(given.workers) as workers:
        pictures = workers.map(rendered, tasks, chunksize=4)
    torch.backends.cudnn.allow_tf32 = False
    network = load(given.weights, given.device)
    print(f"{given.weights.name}, pieces of {given.size} pixels, {given.candidates} candidates")
    print("kind | puzzles | unsure sides | listed | first | loss | mean log rank | median rank")
    figures = []
    for kind in given.kinds:
        found: dict[str, Found] = {
            puzzles: {name: [] for name in ("listed", "loss", "first", "rank")}
            for puzzles in ("single", "together")
        }
        for transposed in (False, True):
            bags = [
                cut(
                    torch.from_numpy(picture.copy())[None].to(given.device),
                    given.size,
                    transposed=transposed,
                )
                for (_, of_kind), picture in zip(tasks, pictures, strict=True)
                if of_kind == kind
            ]
            for bag in bags:
                add_doubts(found["single"], network, bag, given.candidates, ranked=False)
            add_doubts(found["together"], network, together(bags), given.candidates, ranked=True)
        for puzzles, lists in found.items():
            values = {name: torch.cat(parts).float() for name, parts in lists.items() if parts}
            row = {
                "kind": kind,
                "puzzles": puzzles,
                "sides": len(values["listed"]),
                "listed": 100 * values["listed"].mean().item(),
                "first": 100 * values["first"].mean().item(),
                "loss": values["loss"].mean().item(),
            }
            if "rank" in values:
                row["log_rank"] = values["rank"].log().mean().item()
                row["median_rank"] = values["rank"].median().item()
            print(
                " | ".join(f"{v:.3f}" if isinstance(v, float) else f"{v}" for v in row.values()),
                flush=True,
            )
            figures.append(row)
    if given.json:
        given.json.write_text(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
