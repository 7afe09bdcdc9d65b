"""What was counted or fitted with the weights of the networks, from the file beside them.

With other weights costs mean something else, and all of it has to be counted anew: the file says
which weights each group was counted with, and by what command.
"""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any, NamedTuple

from jigsolve._kernels.evidence import Evidence
from jigsolve._kernels.site import Scale, scale_of


class Cuts(NamedTuple):
    """How firmly seams hold, and which borders are weak."""

    costs: tuple[float, ...]
    likelier: tuple[float, ...]
    asked: float
    weak: float
    weakly: float


class Temperatures(NamedTuple):
    """Of annealing, and what is in doubt."""

    hot: float
    cold: float
    still: float
    doubtful: float


class Rolling(NamedTuple):
    """When the ends of a board belong together, and which cut within is its end."""

    belong: float
    against: float
    clearly: float


class Boards(NamedTuple):
    """When a board is clear."""

    clear: float
    convincing: float


class Calibration(NamedTuple):
    """All that was counted; `whole` and `damaged` are the two networks."""

    confidence_whole: tuple[float, ...]
    confidence_damaged: tuple[float, ...]
    unlisted_whole: float
    unlisted_damaged: float
    evidence: Evidence
    cuts: Cuts
    scale: Scale
    temperatures: Temperatures
    rolling: Rolling
    boards: Boards

    @classmethod
    def from_groups(cls, groups: dict[str, Any]) -> Calibration:
        """Take the values out of the groups of a file."""
        values = {name: _frozen(group["values"]) for name, group in groups.items()}
        return cls(
            confidence_whole=values["confidence_whole"]["weights"],
            confidence_damaged=values["confidence_damaged"]["weights"],
            unlisted_whole=values["unlisted_whole"]["share"],
            unlisted_damaged=values["unlisted_damaged"]["share"],
            evidence=Evidence(**values["evidence"]),
            cuts=Cuts(**values["cuts"]),
            scale=scale_of(**values["energies"]),
            temperatures=Temperatures(**values["temperatures"]),
            rolling=Rolling(**values["rolling"], **values["rolling_damaged"]),
            boards=Boards(**values["boards"]),
        )


def _frozen(values: dict[str, Any]) -> dict[str, Any]:
    """Return values as kernels take them: plain floats, and tuples of them."""
    return {
        name: tuple(map(float, value)) if isinstance(value, list) else float(value)
        for name, value in values.items()
    }


COUNTED = Calibration.from_groups(
    json.loads((files("jigsolve") / "data" / "calibration.json").read_text("utf-8"))["groups"]
)
