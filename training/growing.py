"""Begin a larger network from a smaller one's weights, such that both say the same at first."""

from __future__ import annotations

import numpy as np
import torch
from damaged_network import ANSWERS, ENCODER, INPUTS, TOLD, TOWER, DamagedSeamNetwork
from torch.nn import functional

from jigsolve.damage.conditions import LINES

FAINT = -4.0
"""Weight, before softplus, of answers that were not there."""


@torch.no_grad()
def grow(network: DamagedSeamNetwork, state: dict[str, torch.Tensor]) -> None:
    """Load weights; what is wider in the network is begun such that it changes nothing yet."""
    own = network.state_dict()
    if all(name in state and state[name].shape == value.shape for name, value in own.items()):
        network.load_state_dict(state)
        return
    old, new = state["first_bias"].shape[0], network.channels
    for name, value in own.items():
        if name not in state:
            continue
        given = state[name]
        if name.startswith("says."):
            # What is told the channels, the tower, the encoder, the last layers: in this order.
            parts = given.split([2 * LINES, old, old, TOWER, TOLD])
            places = np.cumsum([0, 2 * LINES, new, new, TOWER + ENCODER])
            for part, at in zip(parts, places, strict=True):
                value[at : at + len(part)] = part
        elif name == "head.weight":
            # Means of channels, peaks of channels, numbers.
            value.zero_()
            for part, at in zip(
                given.split([old, old, given.shape[1] - 2 * old], 1), (0, new, 2 * new), strict=True
            ):
                value[:, at : at + part.shape[1]] = part
        elif name == "first":
            value[:, :INPUTS, :old] = given
            value[:, INPUTS:] = 0
        elif name.startswith("convolutions."):
            value[:old, :, old:] = 0
            value[:old, :, :old] = given
        elif name == "answer_weights":
            # Means are over more numbers now.
            ratio = len(value) / len(given)
            weighed = ratio * functional.softplus(given)
            value.fill_(FAINT)
            value[: len(given)] = torch.log(torch.expm1(weighed))
        elif given.dim():
            value[tuple(slice(extent) for extent in given.shape)] = given
        else:
            value.copy_(given)
    network.encoder_out.weight[:ANSWERS] = 0
    network.encoder_out.bias[:ANSWERS] = 0


def state_of(arrays: dict[str, np.ndarray]) -> dict[str, torch.Tensor]:
    """Return the state of a network from the arrays that ship with the package."""
    from export_damaged import NAMES, PLAIN

    state = {name: arrays[name] for name in PLAIN if name in arrays}
    for old, new in NAMES.items():
        if new in arrays:
            state[f"{old}.weight"], state[f"{old}.bias"] = arrays[new], arrays[f"{new}_bias"]
    state["score.weight"] = arrays["score"][None]
    state["score.bias"] = arrays["score_bias"]
    layers = sum(name.startswith("convolution_") for name in arrays) // 2
    for layer in range(layers):
        state[f"convolutions.{layer}"] = arrays[f"convolution_{layer + 1}"]
        state[f"biases.{layer}"] = arrays[f"convolution_{layer + 1}_bias"]
    return {name: torch.from_numpy(np.array(array)) for name, array in state.items()}
