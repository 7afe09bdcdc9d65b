import itertools

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from jigsolve.scores.assignment import best_assignment


@settings(max_examples=300)
@given(st.integers(1, 6), st.integers(1, 6), st.integers(0, 10**6), st.integers(1, 30))
def test_no_other_assignment_has_a_larger_sum(rows, columns, seed, levels):
    values = np.random.default_rng(seed).integers(0, levels, (rows, columns))
    found = best_assignment(values)
    given_out = [column for column in found if column >= 0]
    assert len(found) == rows
    assert len(set(given_out)) == len(given_out) == min(rows, columns)
    total = sum(values[row, column] for row, column in enumerate(found) if column >= 0)
    table = values if rows <= columns else values.T
    everything = itertools.permutations(range(table.shape[1]), table.shape[0])
    assert total == max(sum(table[row, c] for row, c in enumerate(some)) for some in everything)
