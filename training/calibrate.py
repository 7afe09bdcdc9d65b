"""Make the network's probabilities mean what they say.

Training prefers sides that are hard, so what it learns about how often none of the candidates is
right does not hold for whole puzzles. Here a temperature and the score of "none of these" are
fitted on whole puzzles of random kinds, cut from the training photographs.
"""

from __future__ import annotations

import argparse
import multiprocessing
from pathlib import Path

import numpy as np
import torch
from bags import cheapest, cut, is_right
from cheap import extrapolation_costs, mgc_costs
from kinds import Photograph, draw_recipe, photographs, render
from network import FLOOR, SeamNetwork, Sides
from weights import load, save

SIZE = 28
SIDES_OF_A_PUZZLE = 160
"""Of each of the four kinds of side: neighbours are much alike, other puzzles are not."""

Rows = tuple[torch.Tensor, torch.Tensor, torch.Tensor]
"""Scores, (n, candidates), which of them are right, and the logarithm of the gradient scale."""


def _rendered(task: tuple[Photograph, int]) -> np.ndarray:
    photograph, number = task
    rng = np.random.default_rng([77, number])
    return render(photograph, draw_recipe(rng), rng)


@torch.no_grad()
def some_rows(network: SeamNetwork, picture: torch.Tensor, count: int, by_mgc: bool) -> list[Rows]:
    """Return the scores of the candidates of some sides of a puzzle."""
    found = []
    for transposed in (False, True):
        bag = cut(picture[None], SIZE, transposed=transposed)
        extrapolation, mgc = extrapolation_costs(bag.near, bag.far), mgc_costs(bag.near, bag.far)
        proposing = (mgc if by_mgc else extrapolation).clone().fill_diagonal_(1e9)
        near, far = Sides.of(bag.near), Sides.of(bag.far)
        for own, other, costs, proposals, truth, twins in (
            (near, far, (extrapolation, mgc), proposing, bag.far_of, bag.far_twins),
            (far, near, (extrapolation.T, mgc.T), proposing.T, bag.near_of, bag.near_twins),
        ):
            some = torch.randperm(len(proposals))[:SIDES_OF_A_PUZZLE].to(picture.device)
            candidates = cheapest(proposals[some], count)
            i, j = some.repeat_interleave(count), candidates.flatten()
            scores = network(own.take(i), other.take(j), *(cost[i, j] for cost in costs))
            right = is_right(candidates, truth[some], twins)
            found.append((scores.view(-1, count), right, torch.log(own.scale[some] + FLOOR)))
    return found


def fit(
    scores: torch.Tensor, right: torch.Tensor, scale: torch.Tensor, puzzle: torch.Tensor
) -> tuple[float, float, float]:
    """Return the temperature, and constant and slope of "none", that make the truth most likely.

    Each puzzle has a constant of its own, of which the median is taken: how often no candidate is
    right varies from puzzle to puzzle, and a few hopeless ones must not make all the rest unsure.
    """
    right = torch.cat([right, ~right.any(1, keepdim=True)], 1)
    sharpness = torch.zeros((), device=scores.device, requires_grad=True)
    slope = torch.zeros((), device=scores.device, requires_grad=True)
    constants = torch.zeros(int(puzzle.max()) + 1, device=scores.device, requires_grad=True)
    optimizer = torch.optim.LBFGS(
        [sharpness, slope, constants], max_iter=100, line_search_fn="strong_wolfe"
    )

    def closure() -> torch.Tensor:
        optimizer.zero_grad()
        none = constants[puzzle] + slope * scale
        logits = torch.cat([scores * sharpness.exp(), none[:, None]], 1)
        loss = (logits.logsumexp(1) - logits.masked_fill(~right, -torch.inf).logsumexp(1)).mean()
        loss.backward()
        return loss

    optimizer.step(closure)
    temperature = float(torch.exp(-sharpness.detach()))
    quartiles = torch.quantile(constants.detach(), torch.tensor([0.25, 0.5, 0.75]).to(scores))
    print(
        f"temperature {temperature:.3f}, slope {slope.item():.3f}, "
        f"quartiles of the constants {quartiles.tolist()}, loss {closure().item():.4f}"
    )
    return temperature, quartiles[1].item(), slope.item()


def main() -> None:
    """Read the command line, fit, write the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("photographs", type=Path)
    parser.add_argument("weights", type=Path, help="the .npz to read")
    parser.add_argument("calibrated", type=Path, help="the .npz to write")
    parser.add_argument("--candidates", type=int, default=24)
    parser.add_argument("--puzzles", type=int, default=80)
    parser.add_argument("--workers", type=int, default=multiprocessing.cpu_count())
    parser.add_argument("--device", default="cuda")
    given = parser.parse_args()
    sources = photographs(given.photographs, validation=False)
    # Strides through the photographs, so that a small number of puzzles is from all over them.
    tasks = [(sources[7 * number % len(sources)], number) for number in range(given.puzzles)]
    with multiprocessing.get_context("fork").Pool(given.workers) as workers:
        pictures = workers.map(_rendered, tasks, chunksize=2)
    torch.backends.cudnn.allow_tf32 = False
    torch.manual_seed(1)
    network = load(given.weights, given.device)
    rows: list[Rows] = []
    puzzles: list[torch.Tensor] = []
    for number, picture in enumerate(pictures):
        pixels = torch.from_numpy(picture.copy()).to(given.device)
        found = some_rows(network, pixels, given.candidates, by_mgc=number % 2 == 0)
        rows += found
        puzzles += [torch.full((len(scale),), number, device=scale.device) for _, _, scale in found]
    columns = (torch.cat(parts) for parts in zip(*rows, strict=True))
    temperature, constant, slope = fit(*columns, torch.cat(puzzles))
    with torch.no_grad():
        network.score.weight /= temperature
        network.score.bias /= temperature
        network.none[0], network.none[1] = constant, slope
    save(given.calibrated, network)


if __name__ == "__main__":
    main()
