"""The seam table: what every solver reads.

It is indexed by side of a piece (4n sides, numbered as `_kernels.geometry` does), and partners
are sides too, so that pieces that may be rotated fit the same table. There is no n x n matrix:
all pairs are visited in tiles, the k cheapest partners of each side are kept, and the cost of
any other seam comes from the two borders on demand.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from jigsolve._kernels.candidates import (
    Shortlists,
    absorb_tile,
    find_buddies,
    hash_borders,
    rerank,
    shortlists,
)
from jigsolve._kernels.costs import (
    EUCLIDEAN,
    FORM,
    GRADIENTS,
    MAGNITUDES,
    SeamArrays,
    board_costs,
    costs_are_logarithms,
)
from jigsolve._kernels.geometry import BOTTOM, RIGHT, SIDES, opposite, pose_of, side_of
from jigsolve._kernels.known import BARRED, HELD, OPEN, SOME_PARTED
from jigsolve.core.layout import Layout
from jigsolve.execution.crew import Crew, Progress, one_thread_per_product, spans
from jigsolve.measures.measure import PIECES_AT_ONCE
from jigsolve.seams.sketches import sketch

TILE = 1024
"""Sides to a tile of the all-pairs matrix: a tile and its shortlists stay in the cache."""

EMPTINESS = 0.7
"""What a seam with an empty cell costs, as a share of what second best partners do."""

SPARE = 16
"""Partners shortlisted beyond k where another cost than the Euclidean distance ranks them."""


@dataclass(frozen=True)
class SeamTable:
    """Candidates, costs and best buddies of every side."""

    arrays: SeamArrays

    @classmethod
    def build(
        cls,
        borders: np.ndarray,
        candidates: int,
        crew: Crew,
        *,
        rule: int = EUCLIDEAN,
        progress: Progress | None = None,
    ) -> SeamTable:
        """Build the table from the borders of all sides, in the order of their numbers.

        Parameters
        ----------
        borders
            Array of shape (4n, width), int16; the cost of a seam comes from two rows.
        rule
            How two rows are compared: MAGNITUDES, EUCLIDEAN or GRADIENTS. Partners are shortlisted
            by what is a matrix product, and then ranked by the one wanted.
        candidates
            How many partners to keep per side; at most n - 1 are.
        crew
            The threads to use. The table does not depend on their number.
        progress
            Called with rounds done and rounds in all.
        """
        sides = len(borders)
        pieces = sides // SIDES
        # Fewer than two would hide that two partners cost the same.
        kept = min(max(candidates, 2), pieces - 1)
        partners = np.empty((sides, kept), np.int32)
        costs = np.empty((sides, kept), np.float32)
        rounds = len(spans(pieces, TILE))
        for half, side in enumerate((RIGHT, BOTTOM)):
            for done in _fill_pair_of_sides(borders, rule, side, partners, costs, crew):
                if progress:
                    progress(half * rounds + done, 2 * rounds)
        edges = borders
        if rule == GRADIENTS:
            edges = np.ascontiguousarray(borders[:, : (borders.shape[1] - FORM) // 2])
        return cls(
            SeamArrays(
                borders=borders,
                edges=edges,
                partners=partners,
                costs=costs,
                twins=_twins(borders),
                scored=np.zeros(sides, np.int32),
                rule=rule,
                hole=_hole_cost(costs),
                touching=np.empty(0, np.int32),
                parted=np.empty(0, np.int64),
                poses=1,
                **_firsts(partners, costs),
                **sketch(edges, _twins(edges)),
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
        barred |= np.isin(own[:, None].astype(np.int64) * len(own) + partners, parted)
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
    facing = np.array([opposite(toward) for toward in range(SIDES)])
    touching = side_of(layout.neighbours, facing).ravel()
    touching = np.where(layout.neighbours.ravel() >= 0, touching, OPEN).astype(np.int32)
    both = np.concatenate([layout.parted, layout.parted[:, ::-1]]).astype(np.int64)
    is_open = touching[both[:, 0]] < 0
    touching[both[is_open, 0]] = SOME_PARTED
    return touching, np.unique(both[:, 0] * len(touching) + both[:, 1])


def _hole_cost(costs: np.ndarray) -> float:
    """Return what a seam with an empty cell costs: less than second best ones usually do."""
    return float(EMPTINESS * np.median(costs[:, min(1, costs.shape[1] - 1)]))


def _twins(borders: np.ndarray) -> np.ndarray:
    """Return the same number for sides with the same border."""
    hashes = np.empty(len(borders), np.uint64)
    hash_borders(borders, hashes)
    _, first, group = np.unique(hashes, return_index=True, return_inverse=True)
    twins = first[group].astype(np.int32)
    for begin, end in spans(len(borders), TILE):
        # A word says that two borders are equal, but for one chance in 2^64: make it none.
        same = (borders[begin:end] == borders[twins[begin:end]]).all(axis=1)
        own = np.arange(begin, end, dtype=np.int32)
        twins[begin:end] = np.where(same, twins[begin:end], own)
    return twins


def _fill_pair_of_sides(
    borders: np.ndarray,
    rule: int,
    side: int,
    partners: np.ndarray,
    costs: np.ndarray,
    crew: Crew,
) -> Iterator[int]:
    """Fill in the candidates of a side of every piece and of the side that faces it.

    Yields the number of rounds done.
    """
    pieces = len(borders) // SIDES
    # Squared distances are whole numbers: in double precision the products give them exactly,
    # and what is shortlisted is right. Where magnitudes rank the shortlist, single precision
    # and some to spare will do, and takes half the time. Gradient costs are small differences of
    # large numbers.
    precision = np.dtype(np.float32 if rule == MAGNITUDES else np.float64)
    keep = min(partners.shape[1] + (0 if rule == EUCLIDEAN else SPARE), pieces - 1)
    own, facing = shortlists(pieces, keep, precision), shortlists(pieces, keep, precision)
    factors = _gradient_factors if rule == GRADIENTS else _distance_factors
    left, right = factors(borders.reshape(pieces, SIDES, -1), side, precision)
    yield from _visit_all_pairs(left, right, own, facing, crew)

    def rank(job: tuple[Shortlists, int, tuple[int, int]]) -> None:
        lists, listed_side, span = job
        rerank(lists, borders, rule, listed_side, *span, partners, costs)

    both = ((own, side), (facing, opposite(side)))
    crew.map(rank, [(*lists, span) for lists in both for span in spans(pieces, TILE)])


def _distance_factors(
    by_side: np.ndarray, side: int, precision: np.dtype[Any]
) -> tuple[np.ndarray, np.ndarray]:
    """Return two matrices whose product is the squared distance of all pairs of facing sides.

    |a - b|^2 is one product once |a|^2 and |b|^2 ride along as columns.
    """
    a = by_side[:, side].astype(precision)
    b = by_side[:, opposite(side)].astype(precision)
    filled = a.any(axis=0) | b.any(axis=0)  # the rest is padding
    centre = np.rint(a[:, filled].mean(axis=0))  # smaller numbers, smaller rounding
    a, b = a[:, filled] - centre, b[:, filled] - centre
    ones = np.ones((len(a), 1), precision)
    left = np.hstack([a, np.einsum("ij,ij->i", a, a)[:, None], ones])
    right = np.hstack([-2 * b, ones, np.einsum("ij,ij->i", b, b)[:, None]])
    return left, right


def _gradient_factors(
    by_side: np.ndarray, side: int, precision: np.dtype[Any]
) -> tuple[np.ndarray, np.ndarray]:
    """Return two matrices whose product is the gradient cost of all pairs of facing sides.

    The sum of (y - z)' A (y - z) over pixels, y of one side, z and A of the other, is that of
    A with the sum of y y', less twice that of A z with y, plus that of z' A z: so many columns
    for each of the two sides.
    """
    half = (by_side.shape[2] - FORM) // 2
    across = half // 3 * 3
    both = by_side[:, (side, opposite(side))]
    filled = both[:, :, :across].any(axis=(0, 1)).reshape(-1, 3).any(axis=1)  # or padding
    pixels = both[:, :, :across].reshape(-1, across // 3, 3)[:, filled]
    centre = pixels.mean(axis=(0, 1)) if pixels.size else np.zeros(3)  # of all black there is none
    known, asking = [], []
    for which in (side, opposite(side)):
        rows = by_side[:, which].astype(np.float64)
        y = rows[:, :across].reshape(len(rows), -1, 3)[:, filled] - centre
        z = rows[:, half : half + across].reshape(len(rows), -1, 3)[:, filled] - centre
        factor = np.zeros((len(rows), 3, 3))
        factor[:, *np.triu_indices(3)] = rows[:, -FORM : -FORM + 6]
        factor = np.ldexp(factor, rows[:, -FORM + 6 : -FORM + 9].astype(int)[:, :, None])
        form = factor.transpose(0, 2, 1) @ factor
        bent = np.einsum("npi,nij->npj", z, form)
        known.append(
            (
                np.einsum("npi,npj->nij", y, y).reshape(len(rows), -1),
                y.reshape(len(rows), -1),
                np.ones((len(rows), 1)),
            )
        )
        asking.append(
            (
                form.reshape(len(rows), -1),
                -2 * bent.reshape(len(rows), -1),
                np.einsum("npi,npi->n", bent, z)[:, None],
            )
        )
    left = np.hstack([*asking[0], *known[0]]).astype(precision)
    right = np.hstack([*known[1], *asking[1]]).astype(precision)
    return left, right


def _visit_all_pairs(
    left: np.ndarray, right: np.ndarray, own: Shortlists, facing: Shortlists, crew: Crew
) -> Iterator[int]:
    """Offer every pair (side of one piece, facing side of another) to both shortlists.

    In each round every block of rows meets a different block of columns, so tiles of a round
    never touch the same shortlist, and any number of threads gives the same lists.
    """
    blocks = spans(len(left), TILE)

    def visit(blocks_met: tuple[tuple[int, int], tuple[int, int]]) -> None:
        (top, bottom), (first, last) = blocks_met
        absorb_tile(left[top:bottom] @ right[first:last].T, top, first, own, facing)

    with one_thread_per_product():
        for shift in range(len(blocks)):
            crew.map(visit, list(zip(blocks, blocks[shift:] + blocks[:shift], strict=True)))
            yield shift + 1


def table_bytes(
    pieces: int, longest_side: int, candidates: int, threads: int, rule: int = EUCLIDEAN
) -> int:
    """Return about how much memory building and keeping a table takes at its peak."""
    sides = SIDES * pieces
    kept = min(max(candidates, 2), pieces - 1)
    width = (6 if rule == GRADIENTS else 3) * longest_side + 32
    borders = sides * width * 2
    colours = min(pieces, PIECES_AT_ONCE) * longest_side * 3 * 8 * 10  # in double precision
    number = 4 if rule == MAGNITUDES else 8
    products = pieces * width * number * 6  # both sides, centred and with their squares
    lists = 2 * pieces * (2 * (kept + SPARE) * (4 + number) + 16)
    table = sides * (kept * 8 + 64)
    tiles = 2 * threads * min(TILE, pieces) ** 2 * number
    return borders + max(colours, products + lists + table + tiles)
