"""Which lines of a side share a block with a stranger: beside a slow, obvious count."""

import numpy as np
import pytest
from helpers import grid_places
from hypothesis import given
from hypothesis import strategies as st

from jigsolve.damage import Blocks, Conditions, Damage, Places
from jigsolve.damage.conditions import BOTTOM, GENERAL, LEFT, LINES, RIGHT, TOP, straddling

SIDES = (LEFT, RIGHT, TOP, BOTTOM)


def naive_straddling(place, size, extent, side, block):
    """Count a side's lines, from outside, whose block reaches over the cut into the picture."""
    (left, top), (height, width) = place, size
    begin, breadth, whole = (
        (left, width, extent[0]) if side in (LEFT, RIGHT) else (top, height, extent[1])
    )
    count = 0
    for line in range(breadth):
        at = begin + line if side in (LEFT, TOP) else begin + breadth - 1 - line
        in_block = range(at // block * block, (at // block + 1) * block)
        strangers = [x for x in in_block if 0 <= x < whole]
        beyond = [
            x for x in strangers if (x < begin if side in (LEFT, TOP) else x >= begin + breadth)
        ]
        if not beyond:
            break
        count += 1
    return count


@given(
    rows=st.integers(1, 4),
    columns=st.integers(1, 4),
    height=st.integers(5, 40),
    width=st.integers(5, 40),
    gap=st.integers(0, 4),
    block=st.sampled_from([4, 8, 16]),
)
def test_straddling_lines_are_those_of_blocks_that_hold_a_stranger(
    rows, columns, height, width, gap, block
):
    places = grid_places(rows, columns, height, width, gap)
    for side in SIDES:
        found = straddling(places, (height, width), side, block)
        breadth = width if side in (LEFT, RIGHT) else height
        for place, lines in zip(places.windows, found, strict=True):
            expected = naive_straddling(place, (height, width), places.extent, side, block)
            assert min(lines, breadth) == expected


def test_features_mark_the_lines_and_ends_that_straddle():
    places = grid_places(2, 3, 28, 28)
    damage = Damage("jpeg", Blocks((8, 8), (16, 16)), (30.0, 45.0))
    right = Conditions.of(damage, places, 6, (28, 28), RIGHT)
    # The first piece ends at 28: four of its lines lie in a block with the next piece; of colours,
    # whose blocks are twice as large, twelve.
    light, colour = np.split(right.features[0, GENERAL:], 2)
    assert light.tolist() == [1] * 4 + [0] * (LINES - 4)
    assert colour.tolist() == [1] * 12 + [0] * (LINES - 12)
    assert right.ends[0].tolist() == [0, 4, 0, 12]
    # Beyond the last column there is nothing to share a block with.
    assert not right.features[2, GENERAL : GENERAL + LINES].any()


def test_lines_near_the_far_side_are_marked_in_small_pieces():
    places = grid_places(1, 3, 12, 12)
    damage = Damage("jpeg", Blocks((8, 8), (8, 8)), (30.0, 45.0))
    left = Conditions.of(damage, places, 3, (12, 12), LEFT)
    # The second piece lies from 12 to 24: four lines share a block with the first, none with the
    # third; the first from 0 to 12, and the last four of its lines share one.
    assert left.features[1, GENERAL : GENERAL + 12].tolist() == [1] * 4 + [0] * 8
    assert left.features[0, GENERAL : GENERAL + 12].tolist() == [0] * 8 + [1] * 4


@pytest.mark.parametrize("side", SIDES)
def test_tiles_compressed_one_by_one_share_no_block(side):
    damage = Damage("jpeg", Blocks((8, 8), (16, 16)), (30.0, 45.0), apart=True)
    found = Conditions.of(damage, grid_places(2, 2, 20, 20), 4, (20, 20), side)
    assert not found.features[:, GENERAL:].any()
    assert not found.ends.any()
    assert found.features[:, 0].all()


def test_what_reaches_over_a_cut_of_a_scaled_picture_is_told():
    # A pitch of 19.6: the second window begins at 20, 0.4 pixels of its cell before it.
    places = Places(
        np.array([[0, 0], [20, 0]]),
        np.array([[0, 0, 19.6, 19.6], [19.6, 0, 39.2, 19.6]], np.float32),
        (39, 20),
    )
    damage = Damage(soft=True)
    left, right = (Conditions.of(damage, places, 2, (20, 20), side) for side in (LEFT, RIGHT))
    assert left.features[:, 9] == pytest.approx([0.0, -0.4], abs=1e-5)
    assert right.features[:, 9] == pytest.approx([0.4, 0.8], abs=1e-5)
