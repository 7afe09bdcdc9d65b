"""The seam table: what every solver reads.

It is indexed by side of a piece (4n sides, numbered as `_kernels.geometry` does), and partners
are sides too, so that pieces that may be rotated fit the same table. There is no n x n matrix:
all pairs are visited in tiles, the k cheapest partners of each side are kept, and the cost of
any other seam comes from the two borders on demand.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from jigsolve._kernels.arrangements import board_costs
from jigsolve._kernels.candidates import find_buddies
from jigsolve._kernels.costs import (
    EUCLIDEAN,
    FORM,
    GRADIENTS,
    SeamArrays,
    costs_are_logarithms,
)
from jigsolve._kernels.facing import FACING
from jigsolve._kernels.geometry import SIDES, pose_of
from jigsolve._kernels.known import BARRED, HELD, OPEN, SOME_PARTED
from jigsolve.core.layout import Layout
from jigsolve.core.turns import NONE, POSES
from jigsolve.execution.crew import Executor, Progress
from jigsolve.gpu import Gpu
from jigsolve.measures.measure import PIECES_AT_ONCE, parts_of
from jigsolve.seams.all_pairs import SPARE, TILE, fill_candidates
from jigsolve.seams.factors import ROWS_AT_ONCE
from jigsolve.seams.on_gpu import RULES, candidates_on
from jigsolve.seams.rows import MOST_FOR_ALL_PAIRS, fill_rows, rows_bytes
from jigsolve.seams.sketches import sketch
from jigsolve.seams.twins import twins_of

EMPTINESS = 0.7
"""What a seam with an empty cell costs, as a share of what second best partners do."""


@dataclass(frozen=True)
class SeamTable:
    """Candidates, costs and best buddies of every side."""

    arrays: SeamArrays

    @classmethod
    def build(
        cls,
        borders: np.ndarray,
        candidates: int,
        crew: Executor,
        *,
        rule: int = EUCLIDEAN,
        turns: str = NONE,
        gpu: Gpu | None = None,
        progress: Progress | None = None,
    ) -> SeamTable:
        """Build the table from the borders of all sides, in the order of their numbers.

        Parameters
        ----------
        borders
            Array of shape (4n, width), int16; the cost of a seam comes from two rows. Where pieces
            may be turned, (8n, width): all sides again, read from their other ends.
        rule
            How two rows are compared, one of `measures.measure.RULES`. Partners are shortlisted by
            what is a matrix product, and then ranked by the one wanted.
        candidates
            How many partners to keep per side; at most those of all other pieces are.
        turns
            Which turns pieces may need, of `core.turns.KINDS`.
        crew
            The threads to use. The table does not depend on their number.
        gpu
            Finds the candidates, if there is one and it knows the rule.
        progress
            Called with rounds done and rounds in all.
        """
        poses = POSES[turns]
        classes = FACING[poses]
        pieces = len(borders) // (SIDES if poses == 1 else 2 * SIDES)
        sides = SIDES * pieces
        # Fewer than two would hide that two partners cost the same.
        kept = min(max(candidates, 2), poses * (pieces - 1))
        partners = crew.empty((sides, kept), np.int32)
        costs = crew.empty((sides, kept), np.float32)
        wanted = borders, rule, poses, partners, costs, progress
        is_filled = gpu and rule in RULES and gpu.attempt(lambda d: candidates_on(d, *wanted))
        at_once = crew.is_local and poses * pieces <= MOST_FOR_ALL_PAIRS
        fill = fill_candidates if at_once else fill_rows
        for index, facing in enumerate([] if is_filled else classes):
            for done, rounds in fill(borders, rule, facing, partners, costs, crew):
                if progress:
                    progress(index * rounds + done, len(classes) * rounds)
        edges, parts = borders, parts_of(rule)
        twins = twins_of(borders, pieces, crew)
        if parts > 1:
            tail = FORM if rule == GRADIENTS else 0
            edges = np.ascontiguousarray(borders[:, : (borders.shape[1] - tail) // 2])
        return cls(
            SeamArrays(
                borders=borders,
                edges=edges,
                partners=partners,
                costs=costs,
                twins=twins,
                scored=np.zeros(sides, np.int32),
                rule=rule,
                poses=poses,
                hole=_hole_cost(costs),
                touching=np.empty(0, np.int32),
                parted=np.empty(0, np.int64),
                **_firsts(partners, costs),
                **sketch(edges, twins_of(edges, pieces, crew) if parts > 1 else twins, poses),
            )
        )

    def with_costs(self, changed: SeamArrays) -> SeamTable:
        """Return a table whose candidates were given other costs."""
        firsts: Any = _firsts(changed.partners, changed.costs)
        return SeamTable(changed._replace(hole=_hole_cost(changed.costs), **firsts))

    def ruled(self, layout: Layout) -> SeamTable:
        """Return a table that knows which sides must touch, and which must not.

        Candidates that cannot be are replaced by the side itself, whose piece is never free.
        """
        arrays = self.arrays
        touching, parted = _known_sides(layout)
        own = np.arange(len(touching), dtype=np.int32)
        partners, costs, scored = arrays.partners.copy(), arrays.costs.copy(), arrays.scored.copy()
        wanted = touching[own]
        barred = (touching[partners] >= 0) | (wanted[:, None] >= 0)
        some = np.flatnonzero(wanted == SOME_PARTED)  # of few sides anything is known
        barred[some] |= np.isin(some[:, None] * len(own) + partners[some], parted)
        rows = np.flatnonzero(barred.any(axis=1) | (wanted >= 0))
        for row in rows:
            open_ones = ~barred[row]
            first = [wanted[row]] if wanted[row] >= 0 else []
            kept = np.concatenate([np.array(first, np.int32), partners[row, open_ones]])
            prices = np.concatenate([np.full(len(first), HELD), costs[row, open_ones]])
            scored[row] = min(len(first) + int(open_ones[: scored[row]].sum()), len(kept))
            partners[row], costs[row] = row, BARRED
            partners[row, : len(kept)], costs[row, : len(kept)] = kept, prices
        firsts: Any = _firsts(partners, costs)
        return SeamTable(
            arrays._replace(
                partners=partners,
                costs=costs,
                scored=scored,
                touching=touching,
                parted=parted,
                **firsts,
            )
        )

    @property
    def pieces(self) -> int:
        """How many pieces there are."""
        return len(self.arrays.partners) // SIDES

    @property
    def costs_are_logarithms(self) -> bool:
        """Whether costs are negative logarithms: what was counted holds for these only."""
        return bool(costs_are_logarithms(self.arrays))

    def board_costs(self, arrangement: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the costs of the seams of an arrangement of poses, -1 where a cell is empty.

        The first array holds the seams to the right, (rows, columns - 1), the second those
        to the bottom, (rows - 1, columns).
        """
        rows, columns = arrangement.shape
        across = np.empty((rows, columns - 1), np.float32)
        down = np.empty((rows - 1, columns), np.float32)
        beyond = pose_of(self.pieces, 0)  # of empty cells
        grid = np.where(arrangement < 0, beyond, arrangement).astype(np.int32)
        board_costs(self.arrays, grid, across, down)
        return across, down

    def cost_of(self, arrangement: np.ndarray) -> float:
        """Return what all seams of an arrangement cost together."""
        across, down = self.board_costs(arrangement)
        return float(across.sum(dtype=np.float64) + down.sum(dtype=np.float64))


def _firsts(partners: np.ndarray, costs: np.ndarray) -> dict[str, np.ndarray]:
    """Return what is asked most often of the candidates, close together in memory."""
    buddies = np.empty(len(partners), np.int32)
    find_buddies(partners, costs, buddies)
    return {
        "buddies": buddies,
        "nearest": partners[:, 0].copy(),
        "nearest_cost": costs[:, 0].copy(),
        "runner_up_cost": costs[:, min(1, costs.shape[1] - 1)].copy(),
    }


def _known_sides(layout: Layout) -> tuple[np.ndarray, np.ndarray]:
    """Return the side that each must touch, and pairs that must not as kernels search them."""
    wanted = layout.neighbours.ravel()
    touching = np.where(wanted >= 0, wanted, OPEN).astype(np.int32)
    both = np.concatenate([layout.parted, layout.parted[:, ::-1]]).astype(np.int64)
    is_open = touching[both[:, 0]] < 0
    touching[both[is_open, 0]] = SOME_PARTED
    return touching, np.unique(both[:, 0] * len(touching) + both[:, 1])


def _hole_cost(costs: np.ndarray) -> float:
    """Return what a seam with an empty cell costs: less than second best ones usually do."""
    return float(EMPTINESS * np.median(costs[:, min(1, costs.shape[1] - 1)]))


def table_bytes(
    pieces: int,
    longest_side: int,
    candidates: int,
    threads: int,
    rule: int = EUCLIDEAN,
    turns: str = NONE,
    *,
    on_disk: bool = False,
) -> int:
    """Return about how much memory building and keeping a table takes at its peak.

    On disk, candidates take none.
    """
    members = POSES[turns] * pieces  # of a class
    width = _width(longest_side, rule)
    looked_at = min(pieces, threads * PIECES_AT_ONCE)
    colours = looked_at * longest_side * 3 * 8 * 10  # in double precision
    number = 8 if rule in (EUCLIDEAN, GRADIENTS) else 4
    some = 4 * members * width + min(members, threads * ROWS_AT_ONCE) * width * number * 4
    kept = min(max(candidates, 2), members - POSES[turns])
    if on_disk or members > MOST_FOR_ALL_PAIRS:
        filling = some + rows_bytes(members, width, kept, rule, threads)
    else:
        products = 2 * members * width * number  # near and far sides
        lists = max(members, 2 * pieces) * (2 * (kept + SPARE[rule]) * (4 + number) + 16)
        tiles = 2 * threads * min(TILE, members) ** 2 * number
        filling = products + lists + max(some, tiles)
    held = held_bytes(pieces, longest_side, candidates, rule, turns, on_disk=on_disk)
    return held + max(colours, filling)


def held_bytes(
    pieces: int,
    longest_side: int,
    candidates: int,
    rule: int = EUCLIDEAN,
    turns: str = NONE,
    *,
    on_disk: bool = False,
) -> int:
    """Return about how much memory a table takes once it is built."""
    sides, poses = SIDES * pieces, POSES[turns]
    borders = sides * _width(longest_side, rule) * 2 * (1 if poses == 1 else 2)
    return borders + sides * 64 + (0 if on_disk else candidate_bytes(pieces, candidates, turns))


def candidate_bytes(pieces: int, candidates: int, turns: str = NONE) -> int:
    """Return how many bytes the candidates of a table take, and their costs."""
    poses = POSES[turns]
    return SIDES * pieces * min(max(candidates, 2), poses * (pieces - 1)) * 8


def _width(longest_side: int, rule: int) -> int:
    return 3 * parts_of(rule) * longest_side + 32
