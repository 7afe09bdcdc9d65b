"""When a round ends, and when there is no other."""

import math

import pytest

from jigsolve.solvers.genetic.patience import IN_VAIN, WORTHWHILE, Patience


def run_through(patience, costs):
    """Return the generation in which a round is over; None if it is not."""
    for number, cost in enumerate(costs):
        patience.note(number, cost)
        if patience.is_out(number):
            return number
    return None


@pytest.mark.parametrize(
    ("costs", "over_in"),
    [
        ([10, 9, 8, 7, 6, 5], None),
        ([10, 10, 10, 10, 10], 3),
        ([10, 9, 9, 9, 9, 9], 4),
        ([10, 10 * (1 - WORTHWHILE), 10, 10, 10], 3),
        # Many small steps are a worthwhile one together.
        ([1000, 999, 998, 997, 996, 995, 994], None),
        # It may rise in between, where there are no elites.
        ([10, 12, 9, 13, 13, 13, 13], 5),
    ],
)
def test_a_round_ends_when_the_cost_no_longer_falls(costs, over_in):
    assert run_through(Patience(generations=3, repairs=0), costs) == over_in


def test_without_a_limit_a_round_never_ends():
    assert run_through(Patience(generations=None, repairs=5), [7.0] * 50) is None


def rounds_made(repairs, lowest):
    """Return how many rounds are made if each finds the next of these costs."""
    patience = Patience(generations=3, repairs=repairs)
    for made, cost in enumerate(lowest, 1):
        patience.note(10 * made, cost)
        if not patience.allows_another_round():
            return made
        assert patience.lowest == patience.reference == math.inf
        assert patience.rounds == made
    raise AssertionError("expected it to end")


@pytest.mark.parametrize(
    ("repairs", "lowest", "made"),
    [
        (0, [10], 1),
        (2, [10, 9, 8, 7], 3),
        (9, [10, 10, 10, 10], 1 + IN_VAIN),
        (9, [10, 11, 9, 9.5, 9.1, 8], 5),  # against the best of all, not of the last
        (9, [10, 11, 10 * (1 - WORTHWHILE), 5], 3),
    ],
)
def test_rounds_end_after_some_in_vain(repairs, lowest, made):
    assert rounds_made(repairs, lowest) == made
