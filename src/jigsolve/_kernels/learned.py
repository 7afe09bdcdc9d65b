"""Candidates whose costs a network has set, and those behind them."""

from jigsolve._kernels.costs import far_cost
from jigsolve._kernels.facing import member_side
from jigsolve._kernels.jit import kernel

COMPANY = 7
"""Candidates of a kind besides the first, before dearer kinds have had as many."""


@kernel
def others_of(kinds, member_starts, kind, bits, piece):
    """Return how many sides are of a kind, but for those of one piece."""
    many = member_starts[kind + 1] - member_starts[kind]
    for own in range(piece << bits, (piece + 1) << bits):
        many -= kinds[own] == kind
    return many


@kernel
def enter_members(
    bits,
    near,
    far,
    own_kinds,
    starts,
    theirs,
    seam_costs,
    kinds,
    members,
    member_starts,
    partners,
    costs,
    scored,
):
    """Write the scored candidates of every near member, cheapest kinds first.

    Kinds go by their first members; the seams of kind `k` are `starts[k]`..`starts[k + 1] - 1`,
    cheapest first. Every kind that there is room for has a candidate, the cheapest ones have
    more, and all that there are if there is room for all. Which of its members these are is
    another for every side: or all would want the same.
    """
    room = partners.shape[1]
    for own in range(own_kinds.shape[0]):
        piece = own >> bits
        row = member_side(bits, near, own)
        first = starts[own_kinds[own]]
        last = first
        places = 0  # one for each kind
        company = 0
        while last < starts[own_kinds[own] + 1]:
            others = others_of(kinds, member_starts, theirs[last], bits, piece)
            # Two for the cheapest kind: that there are equals must be seen.
            wanted = min(1 if places > 0 else 2, others)
            if places + wanted > room:
                break
            places += wanted
            company += min(others, 1 + COMPANY) - wanted
            last += 1
        spare = room - places
        surplus = max(spare - company, 0)
        filled = 0
        for entry in range(first, last):
            kind = theirs[entry]
            others = others_of(kinds, member_starts, kind, bits, piece)
            wanted = min(1 if filled > 0 else 2, others)
            more = min(min(others, 1 + COMPANY) - wanted, spare)
            spare -= more
            wanted += more
            more = min(others - wanted, surplus)
            surplus -= more
            wanted += more
            many = member_starts[kind + 1] - member_starts[kind]
            index = own
            while wanted > 0:
                member = members[member_starts[kind] + index % many]
                index += 1
                if member >> bits != piece:
                    partners[row, filled] = member_side(bits, far, member)
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
