"""The wall around the kernels: arrays in, arrays out, nothing of ours."""

import ast
from pathlib import Path

import jigsolve._kernels


def imports_of(path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module


def test_kernels_import_numpy_and_numba_only():
    files = list(Path(jigsolve._kernels.__file__).parent.glob("*.py"))
    assert len(files) > 3
    allowed = {"numpy", "numba", "math", "typing", "collections"}
    of_compiling = {"contextlib", "functools", "hashlib", "importlib", "pathlib"}
    for path in files:
        also = of_compiling if path.name in {"jit.py", "parts.py", "phases.py"} else set()
        if path.name in ("jit.py", "products.py"):
            also = also | {"llvmlite"}  # Numba's compiler
        for name in imports_of(path):
            known = name.split(".")[0] in allowed | also
            assert known or name.startswith("jigsolve._kernels."), path
