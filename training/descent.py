"""Going down: the loop that both trainings share."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from copy import deepcopy
from typing import TypeVar

import torch
from torch import nn

Network = TypeVar("Network", bound=nn.Module)

WARM_STEPS = 300
LEAST_RATE = 0.01
"""Of the highest; the rate falls as a half of a cosine."""


def descend(
    network: Network,
    losses: Callable[[], tuple[torch.Tensor, ...]],
    *,
    seconds: float,
    rate: float,
    note: Callable[[], str],
    on_note: Callable[[Network], object] | None = None,
) -> Network:
    """Return the trained network: the running mean of its weights.

    Parameters
    ----------
    network
        What is trained, in place.
    losses
        Returns the losses of a step, which are added.
    seconds, rate
        How long, and the highest learning rate.
    note
        What else to print every ten seconds.
    on_note
        Then called with the running mean.
    """
    averaged = deepcopy(network).requires_grad_(False)
    optimizer = torch.optim.AdamW(network.parameters(), lr=rate, weight_decay=1e-4, fused=True)
    began, step, shown, recent = time.monotonic(), 0, 0.0, []
    while (done := (time.monotonic() - began) / seconds) < 1.0:
        slow = max(0.5 + 0.5 * math.cos(math.pi * done), LEAST_RATE)
        for group in optimizer.param_groups:
            group["lr"] = rate * min(1.0, (step + 1) / WARM_STEPS) * slow
        of_step = torch.stack(losses())
        optimizer.zero_grad()
        of_step.sum().backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimizer.step()
        with torch.no_grad():
            keep = min(0.999, (step + 1) / (step + 10))
            torch._foreach_lerp_(
                list(averaged.parameters()), list(network.parameters()), 1.0 - keep
            )
        step += 1
        recent.append(of_step.detach())
        if time.monotonic() - shown > 10.0:
            shown = time.monotonic()
            means = ", ".join(f"{mean:.4f}" for mean in torch.stack(recent).mean(0).tolist())
            recent = []
            print(f"{shown - began:6.0f} s, step {step}, loss {means}, {note()}", flush=True)
            if on_note:
                on_note(averaged)
    print(f"{step} steps in {time.monotonic() - began:.0f} s", flush=True)
    return averaged.eval()
