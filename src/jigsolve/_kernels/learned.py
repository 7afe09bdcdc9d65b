"""Candidates whose costs a network has set, and those behind them."""

from jigsolve._kernels.costs import SIDES, far_cost
from jigsolve._kernels.jit import kernel

COMPANY = 7
"""The most candidates of a kind besides the first, where there is room."""


@kernel
def enter_members(
    side, kinds, starts, theirs, seam_costs, members, member_starts, partners, costs, scored
):
    """Write the scored candidates of a side of every piece, cheapest kinds first.

    The seams of kind `k` are `starts[k]`..`starts[k + 1] - 1`, cheapest first. Every kind that
    there is room for has a candidate, and the cheapest ones have some more. Which of its members
    these are is another for every piece: or all would want the same.
    """
    room = partners.shape[1]
    for piece in range(kinds.shape[0]):
        row = SIDES * piece + side
        first = starts[kinds[piece]]
        last = min(starts[kinds[piece] + 1], first + room)
        spare = room - (last - first)
        filled = 0
        for entry in range(first, last):
            begin = member_starts[theirs[entry]]
            many = member_starts[theirs[entry] + 1] - begin
            wanted = 1 + min(many - 1, min(spare, COMPANY))
            spare -= wanted - 1
            for index in range(many):
                member = members[begin + (piece + index) % many]
                if wanted > 0 and member != piece:
                    partners[row, filled] = SIDES * member + (side ^ 1)
                    costs[row, filled] = seam_costs[entry]
                    filled += 1
                    wanted -= 1
        scored[row] = filled


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
