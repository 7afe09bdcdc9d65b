"""Who helps a run's threads with its largest pieces of work."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path

from jigsolve.core.provenance import WEIGHTS, sources_hash, weights_hash
from jigsolve.execution.crew import Executor
from jigsolve.execution.work import Helped
from jigsolve.io.shelf import Shelf, Shelving


def kept_on(shelf: str | Path) -> Helped:
    """Keep the seams of large puzzles in a folder, so that a run that was killed goes on with them.

    The tables lie there too, and may be larger than memory. The result is the same as without.

    Parameters
    ----------
    shelf
        A new or an empty folder, or a shelf of the same version; any number of runs may share it.
    """
    hashes = " ".join(weights_hash(name)[:12] for name in WEIGHTS)
    made_by = ", ".join(f"{name} {version(name)}" for name in ("jigsolve", "numpy", "numba"))
    place = Shelf(Path(shelf), f"{made_by}, sources {sources_hash()[:12]}, weights {hashes}")

    def helped(hands: Executor) -> Executor:
        return Shelving(hands, place)

    return helped


def both(first: Helped, then: Helped) -> Helped:
    """Let one help another: what is not on a shelf is done by a cluster."""

    def helped(hands: Executor) -> Executor:
        return then(first(hands))

    return helped
