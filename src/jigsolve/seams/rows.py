"""The cheapest partners of some sides at a time, wherever that is worked out.

A shard is a block of sides that ask. What comes of it depends on borders alone: shards may be
worked out on other machines or kept on disk. Where all sides are compared it is what `all_pairs`
finds, which takes half the products, each for both of its sides.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from jigsolve._kernels.candidates import absorb_rows, shortlists
from jigsolve._kernels.costs import FORM, GRADIENTS, row_read
from jigsolve._kernels.facing import Facing, Reading, member_side
from jigsolve._kernels.geometry import SIDES
from jigsolve.execution.crew import SHARDS_AT_ONCE, Executor, one_thread_per_product, spans
from jigsolve.execution.spreading import Check, ShardWork, are_arrays, digest_of
from jigsolve.measures.measure import parts_of
from jigsolve.seams.all_pairs import SPARE, TILE, factors_of, precision_of, ranked, shortlisted
from jigsolve.seams.blocks import LOOKED_AT, Blocks, Sorted, alike, all_alike

MOST_FOR_ALL_PAIRS = 200_000
"""With more sides of a class not all are compared with all."""

Candidates = tuple[np.ndarray, np.ndarray]
"""Partners of some sides, and what they cost."""


@dataclass(frozen=True, eq=False)
class Asking:
    """What it takes to find the candidates of the near sides of a class, or of the far ones."""

    borders: np.ndarray
    rule: int
    facing: Facing
    asks_far: bool
    kept: int
    blocks: Blocks
    name = "seams"

    @property
    def sides(self) -> tuple[Sorted, Sorted]:
        """Those that ask, and those that are asked."""
        both = self.blocks.near, self.blocks.far
        return both[::-1] if self.asks_far else both

    @property
    def readings(self) -> tuple[Reading, Reading]:
        """How those that ask are read, and those that are asked."""
        near, far = self.facing
        return (far, near) if self.asks_far else (near, far)

    @property
    def digest(self) -> str:
        """What tells it from all others."""
        facts = self.rule, self.facing, self.asks_far, self.kept, self.blocks.looked_at
        near, far = self.blocks.near, self.blocks.far
        sorted_so = near.members, near.starts, far.members, far.starts, self.blocks.order
        return digest_of(*facts, self.borders, *sorted_so)

    @property
    def memory(self) -> int:
        """About how many bytes it takes besides what is sent."""
        members = len(self.blocks.near.members)
        return factor_bytes(members, self.borders.shape[1], self.rule)

    def begin(self, crew: Executor) -> ShardWork[Candidates]:
        """Work out what all shards share."""
        precision = precision_of(self.rule)
        one, other = (
            _read(self.borders, reading, self.pieces)[ordered.members]
            for reading, ordered in zip(
                self.facing, (self.blocks.near, self.blocks.far), strict=True
            )
        )
        left, right = factors_of(one, other, self.rule, precision, crew)
        return functools.partial(self._candidates, left, right)

    @property
    def pieces(self) -> int:
        """How many pieces there are."""
        return len(self.blocks.near.members) >> self.facing.bits

    def accepts(self, shard: int, value: Any) -> bool:
        """Whether these may be the candidates of a block."""
        own = self.sides[0].span(shard)
        shape = own.stop - own.start, self.kept
        if not are_arrays(value, (shape, np.int32), (shape, np.float32)):
            return False
        partners = value[0]
        return bool((partners >= 0).all() and (partners < SIDES * self.pieces).all())

    def _candidates(
        self, left: np.ndarray, right: np.ndarray, block: int, check: Check
    ) -> Candidates:
        """Return the candidates of a block of sides, in the order in which they stand there."""
        (own, theirs), (mine, others) = self.sides, self.readings
        bits = self.facing.bits
        keep = shortlisted(self.kept, self.rule, self.facing, len(own.members))
        met = [theirs.span(other) for other in self.blocks.met(block, theirs)]
        partners, costs = [], []
        for rows in _tiles(own.span(block)):
            lists = shortlists(rows.stop - rows.start, keep, precision_of(self.rule))
            for span in met:
                check()
                for columns in _tiles(span):
                    tile = self._tile(left, right, rows, columns)
                    absorb_rows(tile, own.members[rows], theirs.members[columns], bits, lists)
            some = lists, self.borders, self.rule, mine, others, own.members[rows], self.kept
            cheapest = ranked(*some)
            partners.append(cheapest[0])
            costs.append(cheapest[1])
        return np.concatenate(partners), np.concatenate(costs)

    def _tile(self, left: np.ndarray, right: np.ndarray, rows: slice, columns: slice) -> np.ndarray:
        """Return about what the pairs of some that ask and some that are asked cost.

        A product the other way round differs in the last bits. So near sides are its rows whoever
        asks; and where near and far sides are the same ones, those with lower numbers are.
        """
        if self.asks_far:
            return _product(left, right, columns, rows, transposed=True)
        are_same = self.facing.is_turned and self.blocks.are_all
        if not are_same or rows.start < columns.start:
            return _product(left, right, rows, columns)
        if rows.start > columns.start:
            return _product(left, right, columns, rows, transposed=True)
        tile = np.triu(_product(left, right, rows, columns))
        return np.asarray(tile + np.triu(tile, 1).T)


def fill_rows(
    borders: np.ndarray,
    rule: int,
    facing: Facing,
    partners: np.ndarray,
    costs: np.ndarray,
    crew: Executor,
) -> Iterator[tuple[int, int]]:
    """Fill in the candidates of the sides of a class, block by block.

    Yields how many blocks are done, and how many there are.
    """
    pieces, kept = len(partners) // SIDES, partners.shape[1]
    members = pieces << facing.bits
    blocks = all_alike(members)
    if members > MOST_FOR_ALL_PAIRS:
        near, far = (_looks(borders, rule, reading, pieces) for reading in facing)
        blocks = alike(near, far, crew)
        del near, far
    ways = (False,) if facing.is_turned else (False, True)
    askings = [Asking(borders, rule, facing, asks_far, kept, blocks) for asks_far in ways]
    shards = [np.flatnonzero(np.diff(asking.sides[0].starts)).tolist() for asking in askings]
    done, total = 0, sum(map(len, shards))
    with one_thread_per_product():
        for asking, own_shards in zip(askings, shards, strict=True):
            own, reading = asking.sides[0], asking.readings[0]
            for block, found in zip(own_shards, crew.spread(asking, own_shards), strict=True):
                sides = member_side(reading.bits, reading.first, own.members[own.span(block)])
                partners[sides], costs[sides] = found
                done += 1
                yield done, total


def sides_met(members: int, *, by_rows: bool) -> int:
    """Return with about how many sides each of a class is compared, for the time that takes.

    By rows every pair is looked at from both of its sides, and so it is where not all pairs are.
    """
    if members <= MOST_FOR_ALL_PAIRS:
        return 2 * members if by_rows else members
    return 2 * LOOKED_AT


def _tiles(span: slice) -> list[slice]:
    """Split a span into tiles."""
    return [slice(span.start + a, span.start + b) for a, b in spans(span.stop - span.start, TILE)]


def factor_bytes(members: int, width: int, rule: int) -> int:
    """Return about how many bytes the two matrices take whose product is what pairs cost."""
    return 2 * members * width * precision_of(rule).itemsize


def rows_bytes(members: int, width: int, kept: int, rule: int, threads: int) -> int:
    """Return about how many bytes `fill_rows` takes besides borders and what it fills in."""
    number = precision_of(rule).itemsize
    looks = 2 * members * width * (2 + 4) if members > MOST_FOR_ALL_PAIRS else 0
    lists = TILE * (2 * (kept + SPARE[rule]) * (4 + number) + 16)
    working = threads * (lists + 2 * TILE**2 * number)
    waiting = SHARDS_AT_ONCE * TILE * kept * 8
    return max(looks, factor_bytes(members, width, rule) + working + waiting)


def _product(
    left: np.ndarray, right: np.ndarray, rows: slice, columns: slice, *, transposed: bool = False
) -> np.ndarray:
    product = left[rows] @ right[columns].T
    return np.ascontiguousarray(product.T if transposed else product)


def _read(borders: np.ndarray, reading: Reading, pieces: int) -> np.ndarray:
    """Return the borders of the sides of a reading, as they are read."""
    return np.asarray(borders[row_read(borders, reading.sides(pieces), reading.clockwise)])


def _looks(borders: np.ndarray, rule: int, reading: Reading, pieces: int) -> np.ndarray:
    """Return what sides look like where they touch others: facing ones look alike."""
    rows = _read(borders, reading, pieces)
    if parts_of(rule) == 1:
        return rows
    half = (rows.shape[1] - (FORM if rule == GRADIENTS else 0)) // 2
    pixels, foretold = rows[:, :half], rows[:, half : 2 * half]
    return np.asarray(pixels // 2 + foretold // 2)
