"""Candidates whose costs a network has set, and those behind them."""

from jigsolve._kernels.costs import far_cost
from jigsolve._kernels.jit import kernel


@kernel
def fill_rest(cheap_partners, cheap_costs, scored, partners, costs):
    """Let the candidates that were not scored follow those that were, in their old order."""
    for side in range(partners.shape[0]):
        filled = scored[side]
        for rank in range(cheap_partners.shape[1]):
            if filled == partners.shape[1]:
                break
            candidate = cheap_partners[side, rank]
            is_scored = False
            for other in range(scored[side]):
                if partners[side, other] == candidate:
                    is_scored = True
                    break
            if not is_scored:
                partners[side, filled] = candidate
                costs[side, filled] = far_cost(cheap_costs[side, rank])
                filled += 1
