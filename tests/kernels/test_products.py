"""Products of matrices in vector instructions: whole numbers come out as they are."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jigsolve._kernels.jit import kernel
from jigsolve._kernels.products import COLUMNS, SPARE_ROWS, multiply
from jigsolve.measures.trunk import in_blocks


@kernel
def multiply_once(left, rows, step, parts, between, depth, right, start, out):
    multiply(left, rows, step, parts, between, depth, right, start, out)


def product_of(left, right, start, room):
    """Multiply (parts, rows, depth), laid out in a row with gaps, by (parts, depth, columns)."""
    parts, rows, depth = left.shape
    laid = np.full((parts, (rows + SPARE_ROWS) * (depth + room)), 7, np.float32)
    for part in range(parts):
        for row in range(rows):
            laid[part, row * (depth + room) :][:depth] = left[part, row]
    out = np.full((rows + SPARE_ROWS + 2, COLUMNS), -1, np.float32)
    multiply_once(laid.ravel(), rows, depth + room, parts, laid.shape[1], depth, right, start, out)
    assert (out[rows + SPARE_ROWS :] == -1).all()  # only so many rows may be overwritten
    return out[:rows]


def matrices(rng, rows, parts, depth):
    left = rng.integers(-50, 51, (parts, rows, depth)).astype(np.float32)
    right = rng.integers(-50, 51, (parts, depth, COLUMNS)).astype(np.float32)
    return left, right, rng.integers(-50, 51, COLUMNS).astype(np.float32)


@settings(max_examples=60)
@given(st.data())
def test_products_are_those_of_numpy(data):
    rows, parts, depth = (data.draw(st.integers(1, most)) for most in (30, 4, 45))
    left, right, start = matrices(np.random.default_rng(rows * depth), rows, parts, depth)
    found = product_of(left, right, start, data.draw(st.integers(0, 3)))
    np.testing.assert_array_equal(found, start + (left @ right).sum(axis=0))


def test_a_row_comes_out_the_same_beside_any_others():
    rng = np.random.default_rng(1)
    left, right = (rng.normal(size=(2, 9, n)).astype(np.float32) for n in (9, COLUMNS))
    start = np.zeros(COLUMNS, np.float32)
    together = product_of(left, right, start, 0)
    for row in range(9):
        alone = product_of(left[:, row : row + 1], right, start, 0)
        np.testing.assert_array_equal(alone[0], together[row])


PRINTED = """
import sys; sys.path.insert(0, sys.argv[1])
import numpy as np
from test_products import COLUMNS, product_of
rng = np.random.default_rng(1)
left, right = (rng.normal(size=(3, 28, n)).astype(np.float32) for n in (28, COLUMNS))
print(product_of(left, right, np.zeros(COLUMNS, np.float32), 1).tobytes().hex())
"""


def printed(cache, **environment):
    """Return a product made by a process of its own, compiled for another processor."""
    found = subprocess.run(
        [sys.executable, "-c", PRINTED, str(Path(__file__).parent)],
        env={**os.environ, "NUMBA_CACHE_DIR": str(cache), **environment},
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    return np.frombuffer(bytes.fromhex(found), np.float32)


on_x86 = pytest.mark.skipif(
    sys.platform != "linux" or os.uname().machine != "x86_64", reason="an x86 CPU"
)


@on_x86
def test_bits_do_not_depend_on_how_wide_vectors_are(tmp_path):
    narrow = {"NUMBA_CPU_NAME": "haswell", "NUMBA_CPU_FEATURES": "+avx,+avx2,+fma,+bmi,+bmi2"}
    np.testing.assert_array_equal(printed(tmp_path), printed(tmp_path, **narrow))


@on_x86
def test_old_processors_round_twice_and_come_to_the_same(tmp_path):
    found = printed(tmp_path, NUMBA_CPU_NAME="generic", NUMBA_CPU_FEATURES="")
    rng = np.random.default_rng(1)
    left, right = (rng.normal(size=(3, 28, n)).astype(np.float32) for n in (28, COLUMNS))
    terms = (left.transpose(1, 0, 2)[..., None] * right).reshape(28, -1, COLUMNS)
    expected = np.zeros((28, COLUMNS), np.float32)
    for number in range(terms.shape[1]):
        expected += terms[:, number]
    np.testing.assert_array_equal(found.reshape(28, COLUMNS), expected)


def test_blocks_hold_all_columns_and_zeros():
    weights = np.arange(2 * 3 * 40, dtype=float).reshape(2, 3, 40)
    blocks = in_blocks(weights)
    assert blocks.shape == (2, 2, 3, COLUMNS)
    np.testing.assert_array_equal(blocks[:, 0], weights[:, :, :COLUMNS])
    np.testing.assert_array_equal(blocks[:, 1, :, : 40 - COLUMNS], weights[:, :, COLUMNS:])
    assert not blocks[:, 1, :, 40 - COLUMNS :].any()
