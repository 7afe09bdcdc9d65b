"""Write the network for damaged borders as plain arrays, as the solver reads them, and read these.

In half precision, for the size of the file: what is solved is solved with rounded weights.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import torch

NAMES = {
    "known.0": "told_1",
    "known.2": "told_2",
    "says": "told_3",
    "head": "head",
    "tower_in": "tower_in",
    "tower_mid": "tower_mid",
    "tower_out": "tower_out",
    "tower_skip": "tower_skip",
    **{f"encoder.{layer}": f"encoder_{layer + 1}" for layer in range(5)},
    "encoder_out": "encoder_out",
}
PLAIN = (
    "first", "first_bias", "first_scale", "length_power", "none", "answer_weights",
    "encoder_gains",
)  # fmt: skip


def arrays_of(state: dict[str, torch.Tensor]) -> dict[str, np.ndarray]:
    """Return the weights under the names that the solver uses."""
    arrays = {name: state[name] for name in PLAIN}
    for old, new in NAMES.items():
        arrays[new], arrays[f"{new}_bias"] = state[f"{old}.weight"], state[f"{old}.bias"]
    arrays["score"], arrays["score_bias"] = state["score.weight"][0], state["score.bias"]
    layers = sum(name.startswith("convolutions.") for name in state)
    for layer in range(layers):
        arrays[f"convolution_{layer + 1}"] = state[f"convolutions.{layer}"]
        arrays[f"convolution_{layer + 1}_bias"] = state[f"biases.{layer}"]
    return {name: array.cpu().numpy().astype(np.float16) for name, array in arrays.items()}


def state_of(arrays: Mapping[str, np.ndarray]) -> dict[str, torch.Tensor]:
    """Return the state of a network from what `arrays_of` made of it; the rest is not there."""
    state = {name: arrays[name] for name in PLAIN}
    for old, new in NAMES.items():
        state[f"{old}.weight"], state[f"{old}.bias"] = arrays[new], arrays[f"{new}_bias"]
    state["score.weight"], state["score.bias"] = arrays["score"][None], arrays["score_bias"]
    layers = sum(name.startswith("convolution_") for name in arrays) // 2
    for layer in range(layers):
        state[f"convolutions.{layer}"] = arrays[f"convolution_{layer + 1}"]
        state[f"biases.{layer}"] = arrays[f"convolution_{layer + 1}_bias"]
    return {name: torch.from_numpy(array.astype(np.float32)) for name, array in state.items()}


def main() -> None:
    """Read the command line and write the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("trained", type=Path, help="the .pt of train_damaged.py")
    parser.add_argument("weights", type=Path, help="the .npz to write")
    given = parser.parse_args()
    np.savez_compressed(given.weights, **arrays_of(torch.load(given.trained, map_location="cpu")))


if __name__ == "__main__":
    main()
