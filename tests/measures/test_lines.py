"""What the network stage reads and sorts, beside slow twins."""

import naive
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jigsolve._kernels.facing import Reading
from jigsolve.measures.judges import lines_read, outer_lines
from jigsolve.measures.network import DEPTH, levels_and_scales
from jigsolve.measures.proposals import distinct


@pytest.mark.parametrize("size", [(1, 1), (5, 20), (20, 5), (16, 15)])
@pytest.mark.parametrize("side", range(4))
def test_outer_lines_are_those_of_each_side(side, size):
    rng = np.random.default_rng(side)
    pieces = rng.integers(0, 256, (6, *size, 3)).astype(np.uint8)
    order = rng.permutation(6)[:5]
    found = outer_lines(pieces, order, side)
    for lines, piece in zip(found, pieces[order], strict=True):
        for depth in range(DEPTH):
            expected = naive.side_pixels(piece, side, depth)
            np.testing.assert_array_equal(lines[:, depth], expected)


@pytest.mark.parametrize("clockwise", [0, 1])
def test_sides_are_read_piece_by_piece_and_all_in_one_sense(clockwise):
    pieces = np.random.default_rng(1).integers(0, 256, (3, 7, 7, 3)).astype(np.uint8)
    found = lines_read(pieces, np.arange(3), Reading(2, 0, clockwise))
    for piece in range(3):
        for side in range(4):
            lines = outer_lines(pieces, np.array([piece]), side)[0]
            if (side in (1, 2)) != bool(clockwise):  # right and top are read clockwise as they lie
                lines = lines[::-1]
            np.testing.assert_array_equal(found[4 * piece + side], lines)


def test_levels_and_scales_are_means_over_pixels():
    lines = np.random.default_rng(2).integers(0, 256, (4, 6, DEPTH, 3)).astype(np.uint8)
    levels, scales = levels_and_scales(lines.reshape(4, 6, -1))
    numbers = lines.astype(float)
    np.testing.assert_allclose(levels, numbers[:, :, :2].mean(axis=(1, 2)), rtol=1e-6)
    steps = [np.abs(np.diff(numbers, axis=axis)).reshape(4, -1) for axis in (1, 2)]
    expected = np.sqrt(np.concatenate(steps, axis=1)).mean(axis=1) ** 2
    np.testing.assert_allclose(scales, expected, rtol=1e-6)


@given(st.lists(st.integers(0, 2**62)))
def test_distinct_keys_are_sorted_and_each_there_once(keys):
    assert distinct(np.array(keys, np.int64)).tolist() == sorted(set(keys))
