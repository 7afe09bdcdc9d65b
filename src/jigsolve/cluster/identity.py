"""What a worker must have in common with whoever gives it work."""

from __future__ import annotations

import platform
from importlib.metadata import version

from jigsolve.core.provenance import WEIGHTS, sources_hash, weights_hash

PACKAGES = ("jigsolve", "numpy", "numba", "pillow", "distributed")
SHOWN = 12
"""Digits of a hash that are said."""


def identity() -> dict[str, str]:
    """Return what a result depends on, whoever works it out, and whether we can talk at all."""
    return {
        **{name: version(name) for name in PACKAGES},
        "Python": ".".join(platform.python_version_tuple()[:2]),
        "system": platform.system(),
        "sources": sources_hash()[:SHOWN],
        **{f"weights of {name}": weights_hash(name)[:SHOWN] for name in WEIGHTS},
    }


def difference(ours: dict[str, str], theirs: dict[str, str]) -> str | None:
    """Return the first thing that differs, in words; None if nothing does.

    Examples
    --------
    >>> difference({"numpy": "2.3.1", "system": "Linux"}, {"numpy": "2.2.0", "system": "Linux"})
    'expected numpy 2.3.1, found 2.2.0'
    """
    for name, wanted in ours.items():
        if theirs.get(name) != wanted:
            return f"expected {name} {wanted}, found {theirs.get(name, 'none')}"
    return None
