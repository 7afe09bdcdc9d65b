"""A seam table on disk: a NumPy archive of its arrays, with a header that says what they are.

It holds no Python objects, so that reading one runs nothing. It is written beside its place and
renamed; its checksums are verified when it is read.
"""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

from jigsolve._kernels.costs import (
    EUCLIDEAN,
    FORETOLD,
    GRADIENTS,
    LOOKUP,
    MAGNITUDES,
    POWERS,
    SeamArrays,
)
from jigsolve._kernels.geometry import SIDES
from jigsolve._kernels.search import COMPONENTS
from jigsolve.core.turns import NONE, POSES
from jigsolve.errors import InputError
from jigsolve.io.files import replacing
from jigsolve.seams.table import SeamTable

KEPT = {
    "borders": np.int16,
    "edges": np.int16,
    "partners": np.int32,
    "costs": np.float32,
    "twins": np.int32,
    "order": np.int32,
    "sketches": np.float32,
    "equals": np.int32,
    "places": np.int32,
    "looks": np.float32,
    "scored": np.int32,
}
"""Arrays that are written; the others follow from them. `edges` are often `borders` themselves, and
are then left out."""

RULES = MAGNITUDES, EUCLIDEAN, GRADIENTS, FORETOLD, POWERS, LOOKUP


def write_table(path: Path, table: SeamTable, header: dict[str, Any]) -> None:
    """Write a table that knows no constraints, and a header that JSON can hold."""
    arrays = table.arrays
    kept = {name: getattr(arrays, name) for name in KEPT}
    if arrays.edges is arrays.borders:
        del kept["edges"]
    said = json.dumps({**header, "rule": arrays.rule, "poses": arrays.poses})
    with replacing(path) as beside, beside.open("wb") as file:
        np.savez(file, header=np.frombuffer(said.encode(), np.uint8), **kept)


def read_header(path: Path) -> dict[str, Any]:
    """Return the header of a table that was written; raise if there is none."""
    return _header(_read(path, "header"))


def read_table(path: Path, pieces: int) -> SeamTable:
    """Return a table of so many pieces that was written; raise unless it is whole."""
    header, kept = read_header(path), _read(path)
    try:
        arrays = SeamArrays(
            **{name: kept[name] for name in KEPT if name != "edges"},
            edges=kept.get("edges", kept["borders"]),
            buddies=np.empty(0, np.int32),
            nearest=np.empty(0, np.int32),
            nearest_cost=np.empty(0, np.float32),
            runner_up_cost=np.empty(0, np.float32),
            rule=header["rule"],
            poses=header["poses"],
            hole=0.0,
            touching=np.empty(0, np.int32),
            parted=np.empty(0, np.int64),
        )
        is_whole = _can_be_trusted(arrays, pieces)
    except (KeyError, IndexError, TypeError, ValueError):
        is_whole = False
    if not is_whole:
        raise InputError(f"{path}: expected the seams of {pieces:,} pieces, found other numbers")
    return SeamTable(arrays).with_costs(arrays)


def _read(path: Path, *names: str) -> dict[str, np.ndarray]:
    """Return some arrays of an archive, or all."""
    if not path.is_file():
        found = "something else" if path.exists() else "no such file"
        raise InputError(f"{path}: expected a prepared puzzle, found {found}")
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as archive:
            return {name: archive[name] for name in names or archive.files}
    except (OSError, ValueError, KeyError, EOFError, TypeError, zipfile.BadZipFile):
        raise InputError(
            f"{path}: expected a prepared puzzle, found a damaged file or another kind"
        ) from None


def _header(arrays: dict[str, np.ndarray]) -> dict[str, Any]:
    try:
        header = json.loads(arrays["header"].tobytes())
    except ValueError:
        header = None
    return header if isinstance(header, dict) else {}


def _can_be_trusted(arrays: SeamArrays, pieces: int) -> bool:
    """Whether all numbers are within the arrays that they point into: kernels do not ask."""
    sides, poses = SIDES * pieces, arrays.poses
    if arrays.rule not in RULES or poses not in POSES.values():
        return False
    rows = sides if poses == POSES[NONE] else 2 * sides
    kinds, members = SIDES // poses, poses * pieces
    kept = arrays.partners.shape[1]
    shapes = {
        "borders": (rows, arrays.borders.shape[1]),
        "edges": (rows, arrays.edges.shape[1]),
        "partners": (sides, kept),
        "costs": (sides, kept),
        "twins": (sides,),
        "order": (kinds, members),
        "sketches": (kinds, members, COMPONENTS),
        "equals": (kinds, members),
        "places": (sides,),
        "looks": (sides, COMPONENTS),
        "scored": (sides,),
    }
    limits = {
        "partners": sides - 1,
        "twins": sides - 1,
        "order": sides - 1,
        "equals": members - 1,
        "places": members,
        "scored": kept,
    }
    found = {name: getattr(arrays, name) for name in KEPT}
    return (
        kept > 0
        and all(each.dtype == KEPT[name] for name, each in found.items())
        and all(each.flags.c_contiguous for each in found.values())
        and all(found[name].shape == shape for name, shape in shapes.items())
        and all(found[n].min() >= 0 and found[n].max() <= most for n, most in limits.items())
    )
