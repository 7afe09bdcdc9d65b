"""Trying pieces, against trying all of them."""

from itertools import pairwise, product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from jigsolve._kernels.parity import try_pieces


def all_arrangements(choices, kinds, left, sums, start, checked, sides, beside):
    """Return all there are, the slow way."""
    found = []
    for taken in product(*(range(a, b) for a, b in pairwise(choices))):
        totals = np.bitwise_xor.accumulate([start, *sums[list(taken)]])[1:]
        used = np.bincount(kinds[list(taken)], minlength=len(left))
        meets = all(
            sides[taken[step], side] == sides[taken[other], side ^ 1]
            for step in range(len(taken))
            for side, other in enumerate(beside[step])
            if other >= 0
        )
        if (used <= left).all() and not (totals & checked).any() and meets:
            found.append(taken)
    return found


@given(st.integers(0, 2**32 - 1), st.integers(1, 5), st.integers(1, 2))
def test_arrangements_with_even_sums_are_found(seed, steps, words):
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 4, steps)
    choices = np.concatenate([[0], np.cumsum(sizes)])
    many = choices[-1]
    kinds = rng.integers(0, steps + 2, many)
    left = rng.integers(0, 3, steps + 2)
    sums = rng.integers(0, 4, (many, words)).astype(np.uint64)
    start = rng.integers(0, 4, words).astype(np.uint64)
    checked = rng.integers(0, 4, (steps, words)).astype(np.uint64) * rng.integers(
        0, 2, (steps, 1)
    ).astype(np.uint64)
    sides = rng.integers(0, 2, (many, 4))
    beside = np.full((steps, 4), -1)
    if steps > 1:
        beside[steps - 1, rng.integers(4)] = rng.integers(steps - 1)
    given_left = left.copy()
    found = np.zeros((2, steps), np.int64)
    room = np.zeros(steps, np.int64), np.zeros((steps + 1, words), np.uint64)
    rest = (choices, kinds, left, sums, start, checked, sides, beside)
    number, tried = try_pieces(*rest, 10**6, *room, found)
    expected = all_arrangements(*rest)
    assert number == min(len(expected), 2)
    assert [tuple(row) for row in found[:number]] == expected[:number]
    assert (left == given_left).all()
    assert tried <= 3**5 * 2


def test_a_budget_ends_it():
    choices = np.arange(0, 41, 2)
    steps = len(choices) - 1
    sums = np.zeros((40, 1), np.uint64)
    checked = np.zeros((steps, 1), np.uint64)
    checked[-1] = 1  # nothing is noticed until the end
    left = np.array([steps])
    rest = (choices, np.zeros(40, int), left, sums, np.ones(1, np.uint64), checked)
    room = np.zeros(steps, np.int64), np.zeros((steps + 1, 1), np.uint64)
    beside, sides = np.full((steps, 4), -1), np.zeros((40, 4), int)
    number, tried = try_pieces(*rest, sides, beside, 1000, *room, np.zeros((2, steps), np.int64))
    assert number == 0
    assert 1000 < tried < 1100
    assert left[0] == steps
