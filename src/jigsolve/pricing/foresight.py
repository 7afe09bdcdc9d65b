"""What pricing a bag will need."""

from __future__ import annotations

from typing import NamedTuple

from jigsolve._kernels.costs import GRADIENTS
from jigsolve.assembly.joining import joining_bytes
from jigsolve.core import Puzzle
from jigsolve.core.turns import POSES
from jigsolve.damage.words import resolved
from jigsolve.measures import MEASURES
from jigsolve.measures.judges import damaged_bytes
from jigsolve.measures.learned import rerank_bytes, usual_seams
from jigsolve.measures.measure import parts_of
from jigsolve.measures.offsets import traces_bytes
from jigsolve.measures.proposals import listed
from jigsolve.pricing.settings import Pricing
from jigsolve.seams.rows import sides_met
from jigsolve.seams.table import candidate_bytes, held_bytes, table_bytes

# CPU seconds on a server core of 2023; other machines differ by a factor of two either way.
SECONDS_PER_PAIR_AND_VALUE = 1.6e-10
SECONDS_PER_SEAM_AND_PIXEL = 0.65e-6
DAMAGED_TIMES = 6
"""Of damaged pieces no side is sure, twice as many candidates are scored, by more layers."""


def pricing_bytes(puzzle: Puzzle, pricing: Pricing, threads: int, *, on_disk: bool = False) -> int:
    """Return about how many bytes of memory the seam table takes, and making it.

    On disk, its candidates take none.
    """
    pieces, longest = len(puzzle), max(puzzle.piece_size)
    turns, poses = puzzle.turns, POSES[puzzle.turns]
    measure = MEASURES[pricing.measure]
    first = pieces, longest, pricing.candidates
    stages = [table_bytes(*first, threads, measure.rule, turns, on_disk=on_disk)]
    if measure.reranked:
        kept = max(pricing.candidates, listed(pieces, poses))
        second = pieces, longest, kept
        held = held_bytes(*first, measure.rule, turns, on_disk=on_disk)
        stages.append(held + table_bytes(*second, threads, GRADIENTS, turns, on_disk=on_disk))
        held += held_bytes(*second, GRADIENTS, turns, on_disk=on_disk)
        if pricing.traces:
            stages.append(held + traces_bytes(pieces, longest))
        damaged = damaged_bytes(pieces, longest, poses)
        network = damaged if is_priced_as_damaged(puzzle, pricing) else 0
        network += rerank_bytes(pieces, longest, poses)
        if not on_disk:  # what comes of it, twice: before seams alongside are scored, and after
            network += 2 * candidate_bytes(pieces, pricing.candidates, turns)
        stages.append(held + network + joining_bytes(pieces, pricing.candidates))
    return max(stages)


class OnDisk(NamedTuple):
    """About how many bytes pricing takes on a shelf."""

    arrays: int
    """While it goes on, and the puzzle is solved."""
    values: int
    """For good."""


def shelf_bytes(puzzle: Puzzle, pricing: Pricing) -> OnDisk:
    """Return about how many bytes pricing takes on a shelf."""
    pieces, turns = len(puzzle), puzzle.turns
    if not MEASURES[pricing.measure].reranked:
        table = candidate_bytes(pieces, pricing.candidates, turns)
        return OnDisk(table, table)
    lists = 2 if is_priced_as_damaged(puzzle, pricing) else 1
    kept = max(pricing.candidates, lists * listed(pieces, POSES[turns]))
    second = candidate_bytes(pieces, kept, turns)
    first = second if lists > 1 else candidate_bytes(pieces, pricing.candidates, turns)
    scores = 4 * lists * usual_seams(pieces, POSES[turns])
    return OnDisk(3 * first + second, first + second + scores)


def pricing_seconds(
    puzzle: Puzzle, pricing: Pricing, threads: int, *, by_rows: bool = False
) -> float:
    """Return about how long pricing takes with so many threads, if nothing is kept of it.

    By rows of sides, tables take twice the products.
    """
    pieces = len(puzzle)
    measure = MEASURES[pricing.measure]
    poses = POSES[puzzle.turns]
    parts = 9 if measure.reranked else 3 * parts_of(measure.rule)
    met = sides_met(poses * pieces, by_rows=by_rows)
    cpu = pieces * met * parts * sum(puzzle.piece_size) * SECONDS_PER_PAIR_AND_VALUE
    if measure.reranked:
        work = usual_seams(pieces, poses) * sum(puzzle.piece_size) * SECONDS_PER_SEAM_AND_PIXEL
        cpu += work * DAMAGED_TIMES if is_priced_as_damaged(puzzle, pricing) else work
    return cpu / threads


def is_priced_as_damaged(puzzle: Puzzle, pricing: Pricing) -> bool:
    """Whether the network for damaged borders will score its seams."""
    reranked = MEASURES[pricing.measure].reranked
    return reranked and not resolved(pricing.damage, puzzle.damage).is_none
