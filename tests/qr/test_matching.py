"""Pieces for cells, against all permutations."""

from itertools import permutations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from jigsolve.qr.matching import Matching

GRIDS = st.integers(1, 5).flatmap(
    lambda n: st.lists(st.booleans(), min_size=n * n, max_size=n * n).map(
        lambda bits: np.array(bits).reshape(n, n)
    )
)


@given(GRIDS, GRIDS)
def test_pairs_that_are_kept_are_those_of_whole_matchings(possible, before):
    n = len(possible)
    matching = Matching(n)
    if len(before) == n:
        matching.of(before)  # what is left of it must not matter
    cells = np.arange(n)
    expected = np.zeros((n, n), bool)
    for pieces in permutations(range(n)):
        if possible[list(pieces), cells].all():
            expected[list(pieces), cells] = True
    found = matching.of(possible)
    kept = matching.kept(possible)
    if not expected.any():
        assert found is None
        assert kept is None
    else:
        assert sorted(found) == list(range(n))
        assert possible[found, cells].all()
        assert (kept == expected).all()
