"""The weights of a seam network in a file of plain arrays."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from network import SeamNetwork


def save(path: Path, network: SeamNetwork) -> None:
    """Write the weights, each array under the name that `reference.py` uses."""
    arrays = {
        "first": network.first,
        "first_bias": network.first_bias,
        "first_scale": network.first_scale,
        "head": network.head.weight,
        "head_bias": network.head.bias,
        "score": network.score.weight[0],
        "score_bias": network.score.bias,
        "length_power": network.length_power,
        "none": network.none,
    }
    for layer, (weights, bias) in enumerate(
        zip(network.convolutions, network.biases, strict=True), start=1
    ):
        arrays[f"convolution_{layer}"] = weights
        arrays[f"convolution_{layer}_bias"] = bias
    path.parent.mkdir(parents=True, exist_ok=True)
    np.savez(path, **{name: array.detach().cpu().float().numpy() for name, array in arrays.items()})


def load(path: Path, device: str = "cpu") -> SeamNetwork:
    """Return the network whose weights were written."""
    with np.load(path) as file:
        arrays = {name: torch.from_numpy(file[name].astype(np.float32)) for name in file.files}
    layers = sum(name.startswith("convolution_") for name in arrays) // 2
    convolutions = [arrays[f"convolution_{layer}"] for layer in range(1, layers + 1)]
    channels = len(arrays["first_bias"])
    network = SeamNetwork(channels, tuple(weights.shape[3] for weights in convolutions))
    state = {
        "first": arrays["first"],
        "first_bias": arrays["first_bias"],
        "first_scale": arrays["first_scale"],
        "head.weight": arrays["head"],
        "head.bias": arrays["head_bias"],
        "score.weight": arrays["score"][None],
        "score.bias": arrays["score_bias"],
        "length_power": arrays["length_power"],
        "none": arrays["none"],
    }
    for layer, weights in enumerate(convolutions):
        state[f"convolutions.{layer}"] = weights
        state[f"biases.{layer}"] = arrays[f"convolution_{layer + 1}_bias"]
    network.load_state_dict(state)
    return network.to(device).eval()
