"""Numba, imported in less time."""

from __future__ import annotations

import sys
from typing import Any


def import_compiler() -> None:
    """Import Numba without SciPy, where nobody has imported either yet.

    Numba looks for SciPy's linear algebra, for products in compiled code. Kernels have none, and
    importing SciPy takes a fifth of the time that the command takes to begin.
    """
    modules: dict[str, Any] = sys.modules
    if "scipy" in modules or "numba" in modules:
        return
    modules["scipy"] = None  # an import of it fails, as where it is not installed
    try:
        import numba.np.arraymath  # noqa: F401 (compiled kernels name it, and it asks for SciPy)
    finally:
        del modules["scipy"]
