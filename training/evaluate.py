"""Measure the seam network on the validation photographs, kind by kind, puzzle by puzzle.

For every side that has a partner: is the right one first? By MGC, by extrapolation, and by the
network among the cheapest candidates of one of the two. A partner with the same pixels as the right
one counts as right. The network's cost of a seam is -log of its softmax along the row, and along
the column; "settled" is the same with the share of sides that have no partner known.
"""

from __future__ import annotations

import argparse
import itertools
import json
import multiprocessing
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import torch
from bags import NO_PARTNER, cheapest, cut, is_right
from cheap import extrapolation_costs, mgc_costs
from kinds import EVALUATED, Photograph, photographs, render
from network import SeamNetwork, Sides
from weights import load

BINS = 15
SEAMS_AT_ONCE = 65536
METHODS = ("mgc", "extrapolation", "score", "cost", "settled")
UNLISTED = 0.005
"""The share of right partners that are taken to be missing from the lists."""


@dataclass
class Tally:
    """Counts over the puzzles of a kind."""

    sides: int = 0
    pieces: int = 0
    puzzles: int = 0
    listed: int = 0
    first: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    buddies: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    right_buddies: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    confidence: dict[str, list[torch.Tensor]] = field(default_factory=lambda: defaultdict(list))
    correct: dict[str, list[torch.Tensor]] = field(default_factory=lambda: defaultdict(list))


def list_scores(
    network: SeamNetwork,
    own: Sides,
    other: Sides,
    costs: tuple[torch.Tensor, torch.Tensor],
    candidates: torch.Tensor,
) -> torch.Tensor:
    """Return the scores of the candidates of all own sides, (n, count)."""
    rows = torch.arange(len(candidates), device=candidates.device)
    flat_own = rows.repeat_interleave(candidates.shape[1])
    flat_other = candidates.flatten()
    parts = []
    for at in range(0, len(flat_own), SEAMS_AT_ONCE):
        i, j = flat_own[at : at + SEAMS_AT_ONCE], flat_other[at : at + SEAMS_AT_ONCE]
        parts.append(network(own.take(i), other.take(j), *(cost[i, j] for cost in costs)))
    return torch.cat(parts).view(candidates.shape)


def as_matrix(candidates: torch.Tensor, values: torch.Tensor, width: int) -> torch.Tensor:
    """Return listed values at their places in a matrix that is -infinity elsewhere."""
    whole = torch.full((len(candidates), width), -torch.inf, device=values.device)
    return whole.scatter(1, candidates, values)


def seam_costs(
    in_rows: torch.Tensor,
    in_columns: torch.Tensor,
    row_none: torch.Tensor,
    column_none: torch.Tensor,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return what the seams cost that rows list, and those that columns list, (n, n) each."""
    row_total = torch.logaddexp(in_rows.logsumexp(1), row_none)[:, None]
    column_total = torch.logaddexp(in_columns.logsumexp(0), column_none)[None]
    # A seam that only one of its sides lists still has a share of the other's whole.
    row_wide = torch.where(in_rows.isinf(), torch.logaddexp(row_total, in_columns), row_total)
    column_wide = torch.where(
        in_columns.isinf(), torch.logaddexp(column_total, in_rows), column_total
    )
    return (
        row_total + column_wide - 2 * in_rows,
        row_wide + column_total - 2 * in_columns,
    )


def settled_none(
    scores: torch.Tensor, none: torch.Tensor, without_partner: torch.Tensor
) -> torch.Tensor:
    """Shift the scores of "none" until it is as frequent in a puzzle as it must be."""
    low, high = -20.0, 20.0
    total = scores.logsumexp(1)
    for _ in range(30):
        middle = 0.5 * (low + high)
        share = torch.sigmoid(none + middle - total).mean()
        low, high = (middle, high) if share < without_partner + UNLISTED else (low, middle)
    return none + low


@torch.no_grad()
def assess(
    tally: Tally,
    network: SeamNetwork,
    pictures: torch.Tensor,
    size: int,
    count: int,
    by_mgc: bool,
) -> None:
    """Add what one puzzle shows, its seams of both directions."""
    for transposed in (False, True):
        bag = cut(pictures, size, transposed=transposed)
        extrapolation = extrapolation_costs(bag.near, bag.far)
        mgc = mgc_costs(bag.near, bag.far)
        itself = torch.eye(len(mgc), dtype=torch.bool, device=mgc.device)
        for costs in (extrapolation, mgc):
            costs.masked_fill_(itself, 1e9)
        near, far = Sides.of(bag.near), Sides.of(bag.far)
        proposing = mgc if by_mgc else extrapolation
        rows, columns = cheapest(proposing, count), cheapest(proposing.T, count)
        row_scores = list_scores(network, near, far, (extrapolation, mgc), rows)
        column_scores = list_scores(network, far, near, (extrapolation.T, mgc.T), columns)
        nones = network.none_of_these(near), network.none_of_these(far)
        listed = (
            as_matrix(rows, row_scores, len(far.scale)),
            as_matrix(columns, column_scores, len(near.scale)).T,
        )
        # The frame says how many sides have no partner: "none" can be set to agree with that.
        settled = (
            settled_none(row_scores, nones[0], (bag.far_of == NO_PARTNER).float().mean()),
            settled_none(column_scores, nones[1], (bag.near_of == NO_PARTNER).float().mean()),
        )
        by_row = {"mgc": mgc, "extrapolation": extrapolation, "score": -listed[0]}
        by_column = {"mgc": mgc, "extrapolation": extrapolation, "score": -listed[1]}
        by_row["cost"], by_column["cost"] = seam_costs(*listed, *nones)
        by_row["settled"], by_column["settled"] = seam_costs(*listed, *settled)
        tally.pieces += len(bag.near) if not transposed else 0
        for truth, candidates in ((bag.far_of, rows), (bag.near_of, columns)):
            has = truth != NO_PARTNER
            tally.sides += int(has.sum())
            tally.listed += int(is_right(candidates, truth, bag.twins).any(1).sum())
        for method in METHODS:
            best_far = by_row[method].argmin(1)
            best_near = by_column[method].argmin(0)
            right_far = is_right(best_far[:, None], bag.far_of, bag.twins)[:, 0]
            right_near = is_right(best_near[:, None], bag.near_of, bag.twins)[:, 0]
            tally.first[method] += int(right_far.sum() + right_near.sum())
            mutual = best_near[best_far] == torch.arange(len(best_far), device=mgc.device)
            tally.buddies[method] += int(mutual.sum())
            tally.right_buddies[method] += int((mutual & right_far).sum())
        for scores, nones_of, candidates, truth, twins in (
            (row_scores, (nones[0], settled[0]), rows, bag.far_of, bag.far_twins),
            (column_scores, (nones[1], settled[1]), columns, bag.near_of, bag.near_twins),
        ):
            # Sides that look the same share their probability.
            alike = twins[candidates][:, :, None] == twins[candidates][:, None]
            right = is_right(candidates, truth, twins)
            for method, none in zip(("cost", "settled"), nones_of, strict=True):
                shares = torch.cat([scores, none[:, None]], 1).softmax(1)[:, :-1]
                confidence, best = (shares[:, None] * alike).sum(2).max(1)
                tally.confidence[method].append(confidence.cpu())
                tally.correct[method].append(right.gather(1, best[:, None])[:, 0].cpu())
    tally.puzzles += 1


def reliability(tally: Tally, method: str) -> tuple[float, list[tuple[float, float, int]]]:
    """Return the expected calibration error, and per bin confidence, share right and count."""
    confidence = torch.cat(tally.confidence[method])
    correct = torch.cat(tally.correct[method])
    bins = (confidence * BINS).long().clamp(max=BINS - 1)
    rows, error = [], 0.0
    for number in range(BINS):
        inside = bins == number
        count = int(inside.sum())
        if count:
            stated = float(confidence[inside].mean())
            found = float(correct[inside].float().mean())
            rows.append((round(stated, 4), round(found, 4), count))
            error += abs(stated - found) * count / len(bins)
    return error, rows


def rendered(task: tuple[Photograph, str]) -> np.ndarray:
    """Return the picture of a photograph and a kind."""
    photograph, kind = task
    rng = np.random.default_rng([photograph.number, len(kind)])
    return render(photograph, EVALUATED[kind], rng)


def main() -> None:
    """Read the command line, evaluate, print tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("photographs", type=Path)
    parser.add_argument("weights", type=Path, nargs="+")
    parser.add_argument("--sizes", type=int, nargs="+", default=[28, 14])
    parser.add_argument("--candidates", type=int, default=32)
    parser.add_argument("--propose", nargs="+", choices=["mgc", "extrapolation"], default=["mgc"])
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
    figures = []
    for weights in given.weights:
        network = load(weights, given.device)
        for size, proposer in itertools.product(given.sizes, given.propose):
            by_mgc = proposer == "mgc"
            print(f"\n{weights.name}, pieces of {size} pixels")
            print(f"{given.candidates} candidates by {proposer}")
            print(
                "kind | sides | listed | MGC | extrapolation | score | cost | settled | "
                "MGC's errors gone | best-buddy precision MGC, extrapolation, cost, settled | "
                "calibration error cost, settled"
            )
            everything = Tally()
            for kind in given.kinds:
                tally = Tally()
                for (_, of_kind), picture in zip(tasks, pictures, strict=True):
                    if of_kind == kind:
                        on_device = torch.from_numpy(picture.copy())[None].to(given.device)
                        assess(tally, network, on_device, size, given.candidates, by_mgc)
                for method in ("cost", "settled"):
                    everything.confidence[method] += tally.confidence[method]
                    everything.correct[method] += tally.correct[method]
                figures.append(report(f"{weights.name}, {proposer}", kind, size, tally))
            for method in ("cost", "settled"):
                error, bins = reliability(everything, method)
                print(f"{method}: calibration error {error:.4f}; stated, found, count: {bins}")
                figures.append(
                    {
                        "weights": f"{weights.name}, {proposer}",
                        "size": size,
                        "method": method,
                        "calibration_error": error,
                        "reliability": bins,
                    }
                )
    if given.json:
        given.json.write_text(json.dumps(figures, indent=1))


def report(weights: str, kind: str, size: int, tally: Tally) -> dict[str, object]:
    """Print one row of the table and return it."""
    share = {method: 100.0 * tally.first[method] / tally.sides for method in METHODS}
    precision = {
        method: 100.0 * tally.right_buddies[method] / max(tally.buddies[method], 1)
        for method in METHODS
    }
    gone = 100.0 * (share["cost"] - share["mgc"]) / max(100.0 - share["mgc"], 1e-9)
    errors = {method: reliability(tally, method)[0] for method in ("cost", "settled")}
    print(
        f"{kind} | {tally.sides} | {100 * tally.listed / tally.sides:.2f} | "
        + " | ".join(f"{share[method]:.2f}" for method in METHODS)
        + f" | {gone:.0f} % | "
        + ", ".join(f"{precision[m]:.2f}" for m in ("mgc", "extrapolation", "cost", "settled"))
        + " | "
        + ", ".join(f"{error:.4f}" for error in errors.values()),
        flush=True,
    )
    return {
        "weights": weights,
        "kind": kind,
        "size": size,
        "puzzles": tally.puzzles,
        "pieces": tally.pieces,
        "sides": tally.sides,
        "listed": tally.listed,
        "first": share,
        "precision": precision,
        "mgc_errors_gone": gone,
        "calibration_error": errors,
    }


if __name__ == "__main__":
    main()
