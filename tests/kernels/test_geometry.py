"""Sides: the side that faces each, the step toward it, and its number."""

import re
from pathlib import Path

import numpy as np
import pytest

import jigsolve
from jigsolve._kernels import geometry
from jigsolve._kernels.geometry import BOTTOM, LEFT, RIGHT, SIDES, TOP
from jigsolve._kernels.jit import kernel

STEPS = {LEFT: (0, -1), RIGHT: (0, 1), TOP: (-1, 0), BOTTOM: (1, 0)}
FACING = {LEFT: RIGHT, RIGHT: LEFT, TOP: BOTTOM, BOTTOM: TOP}


@kernel
def told_to_a_kernel(piece, row, column, width, told):
    for toward in range(SIDES):
        side = geometry.side_of(piece, toward)
        next_row, next_column = geometry.cell_toward(row, column, toward)
        told[toward, 0] = geometry.opposite(toward)
        told[toward, 1] = geometry.piece_of(side)
        told[toward, 2] = geometry.toward_of(side)
        told[toward, 3] = next_row
        told[toward, 4] = next_column
        told[toward, 5] = geometry.beside(width, row * width + column, toward)
        told[toward, 6] = geometry.onward(toward)


def told_to_python(piece, row, column, width, told):
    told_to_a_kernel.py_func(piece, row, column, width, told)


@pytest.mark.parametrize("tell", [told_to_a_kernel, told_to_python])
def test_sides_steps_and_numbers(tell):
    piece, row, column, width = 7, 3, 5, 11
    told = np.empty((SIDES, 7), np.int64)
    tell(np.int32(piece), np.int32(row), np.int32(column), width, told)
    for toward, (down, right) in STEPS.items():
        there = row + down, column + right
        seam = max(toward, FACING[toward])
        cell = there[0] * width + there[1]
        assert told[toward].tolist() == [FACING[toward], piece, toward, *there, cell, seam]


def test_the_numbers_of_many_sides_keep_their_type():
    pieces = np.arange(5, dtype=np.int32)
    sides = geometry.side_of(pieces, BOTTOM)
    assert sides.dtype == geometry.piece_of(sides).dtype == np.int32
    np.testing.assert_array_equal(geometry.piece_of(sides), pieces)
    np.testing.assert_array_equal(geometry.toward_of(sides), BOTTOM)


def test_nobody_else_writes_this_arithmetic_out():
    written_out = re.compile(r"(\^ 1|>> 2|& 3|== 3\) - |LEFT, RIGHT, TOP, BOTTOM = )(?!\d)")
    root = Path(jigsolve.__file__).parent
    found = {
        str(p.relative_to(root)) for p in root.rglob("*.py") if written_out.search(p.read_text())
    }
    # Damage stands beside the kernels, not above them: it names sides on its own.
    assert found == {"_kernels/geometry.py", "damage/conditions.py"}
