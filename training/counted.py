"""The file of all that was counted with the networks' weights, `data/calibration.json`.

    python training/counted.py      after weights were replaced: notes their hashes

Groups that were counted with weights that are no longer there are then marked as counted with an
earlier network, until the command in the group is run and what it finds is noted.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

DATA = Path(__file__).parents[1] / "src" / "jigsolve" / "data"
EARLIER = "an earlier network"


def hash_of(weights: Path) -> str:
    """Return the SHA-256 of a file of weights."""
    return hashlib.sha256(weights.read_bytes()).hexdigest()


def faults(folder: Path = DATA) -> list[str]:
    """Say what does not belong together in a folder of weights and the file beside them."""
    counted = _read(folder)
    found = [
        f"{name} is not the file that calibration.json names"
        for name, known in counted["weights"].items()
        if hash_of(folder / name) != known
    ]
    for name, group in counted["groups"].items():
        if group["counted_with"] not in (counted["weights"][group["network"]], EARLIER):
            found.append(f"{name} was counted with other weights than {group['network']}")
    return found


def note_weights(folder: Path = DATA) -> list[str]:
    """Note the hashes of the weights; return the groups that are out of date."""
    counted = _read(folder)
    for name in counted["weights"]:
        counted["weights"][name] = hash_of(folder / name)
    for group in counted["groups"].values():
        if group["counted_with"] != counted["weights"][group["network"]]:
            group["counted_with"] = EARLIER
    _write(folder, counted)
    return [name for name, group in counted["groups"].items() if group["counted_with"] == EARLIER]


def note(name: str, folder: Path = DATA, **values: Any) -> None:
    """Note what was counted for a group with the weights that are there."""
    note_weights(folder)
    counted = _read(folder)
    group = counted["groups"][name]
    if group["values"].keys() != values.keys():
        raise ValueError(f"expected {[*group['values']]}, found {[*values]}")
    group["values"] = values
    group["counted_with"] = counted["weights"][group["network"]]
    _write(folder, counted)


def _read(folder: Path) -> dict[str, Any]:
    counted: dict[str, Any] = json.loads((folder / "calibration.json").read_text("utf-8"))
    return counted


def _write(folder: Path, counted: dict[str, Any]) -> None:
    text = json.dumps(counted, indent=2) + "\n"
    (folder / "calibration.json").write_text(text, "utf-8")


if __name__ == "__main__":
    for out_of_date in note_weights():
        print(f"{out_of_date}: counted with {EARLIER}")
