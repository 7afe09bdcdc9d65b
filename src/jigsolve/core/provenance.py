"""What made a result: version, commit where there is one, and weights of the networks."""

from __future__ import annotations

import functools
import hashlib
import platform
import subprocess
from collections.abc import Iterator
from importlib.metadata import version
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

WEIGHTS = ("seam-network", "damaged-network")


@functools.cache
def provenance() -> dict[str, object]:
    """Return what every record says of who made it, as JSON holds it."""
    return {
        "versions": {
            "python": platform.python_version(),
            **{name: version(name) for name in ("jigsolve", "numpy", "numba", "pillow")},
        },
        "commit": commit(),
        "weights": {name: weights_hash(name) for name in WEIGHTS},
    }


@functools.cache
def weights_hash(name: str) -> str:
    """Return the SHA-256 of a network's weights, in hexadecimal."""
    data = files("jigsolve") / "data" / f"{name}.npz"
    return hashlib.sha256(data.read_bytes()).hexdigest()


@functools.cache
def sources_hash() -> str:
    """Return the SHA-256 over all modules of the package, in hexadecimal."""
    found = hashlib.sha256()
    for name, content in sorted(_modules(files("jigsolve"))):
        found.update(f"{name} {len(content)}\n".encode() + content)
    return found.hexdigest()


def _modules(folder: Traversable, within: str = "") -> Iterator[tuple[str, bytes]]:
    for entry in folder.iterdir():
        name = f"{within}{entry.name}"
        if entry.is_dir():
            yield from _modules(entry, f"{name}/")
        elif name.endswith(".py") and not entry.name.startswith("."):  # an editor's lock
            yield name, entry.read_bytes()


def commit() -> str | None:
    """Return the commit of the checkout that the package runs from, "+" behind it if changed.

    None if it is installed from elsewhere, or there is no Git.
    """
    package = Path(__file__).parents[1]
    root = package.parents[1]
    if package.parent.name != "src" or not (root / ".git").exists():
        return None
    git = ["git", "-C", str(root)]
    try:
        head = _answer([*git, "rev-parse", "--short=12", "HEAD"])
        changed = _answer([*git, "status", "--porcelain", "--", "src"])
    except (OSError, subprocess.SubprocessError):
        return None
    return head + ("+" if changed else "")


def _answer(command: list[str]) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=10)
    return done.stdout.strip()
