"""What pricing a bag will need."""

from __future__ import annotations

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
from jigsolve.seams.table import held_bytes, table_bytes

# CPU seconds on a server core of 2023; other machines differ by a factor of two either way.
SECONDS_PER_PAIR_AND_VALUE = 1.6e-10
SECONDS_PER_SEAM_AND_PIXEL = 0.65e-6
DAMAGED_TIMES = 6
"""Of damaged pieces no side is sure, twice as many candidates are scored, by more layers."""


def pricing_bytes(puzzle: Puzzle, pricing: Pricing, threads: int) -> int:
    """Return about how many bytes the seam table takes, and making it."""
    pieces, longest = len(puzzle), max(puzzle.piece_size)
    turns, poses = puzzle.turns, POSES[puzzle.turns]
    measure = MEASURES[pricing.measure]
    memory = table_bytes(pieces, longest, pricing.candidates, threads, measure.rule, turns)
    if measure.reranked:
        kept = max(pricing.candidates, listed(pieces, poses))
        held = held_bytes(pieces, longest, pricing.candidates, measure.rule, turns)
        second = table_bytes(pieces, longest, kept, threads, GRADIENTS, turns)
        memory = max(memory, held + second)
        memory += rerank_bytes(pieces, longest, poses) + joining_bytes(pieces, pricing.candidates)
        if is_priced_as_damaged(puzzle, pricing):
            memory += damaged_bytes(pieces, longest, poses)
        if pricing.traces:
            memory += traces_bytes(pieces, longest)
    return memory


def pricing_seconds(puzzle: Puzzle, pricing: Pricing, threads: int) -> float:
    """Return about how long pricing takes with so many threads."""
    pieces = len(puzzle)
    measure = MEASURES[pricing.measure]
    poses = POSES[puzzle.turns]
    parts = 9 if measure.reranked else 3 * parts_of(measure.rule)
    met = sides_met(poses * pieces)
    cpu = pieces * met * parts * sum(puzzle.piece_size) * SECONDS_PER_PAIR_AND_VALUE
    if measure.reranked:
        work = usual_seams(pieces, poses) * sum(puzzle.piece_size) * SECONDS_PER_SEAM_AND_PIXEL
        cpu += work * DAMAGED_TIMES if is_priced_as_damaged(puzzle, pricing) else work
    return cpu / threads


def is_priced_as_damaged(puzzle: Puzzle, pricing: Pricing) -> bool:
    """Whether the network for damaged borders will score its seams."""
    reranked = MEASURES[pricing.measure].reranked
    return reranked and not resolved(pricing.damage, puzzle.damage).is_none
