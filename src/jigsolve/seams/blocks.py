"""Sides in blocks, and which blocks are compared with which.

Of up to a few hundred thousand sides all are compared with all. Of more, sides that look alike
share a block, and a block meets only those that look most like it: the time that takes grows with
the number of sides, not with its square.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from jigsolve.execution.crew import Executor, one_thread_per_product, spans
from jigsolve.seams.all_pairs import TILE
from jigsolve.seams.sketches import principal_components

LOOKED_AT = 40 * TILE
"""Sides that one is compared with at least, where not all are."""

COMPONENTS = 16
"""Principal components of borders by which they are sorted into blocks."""

SAMPLED = 64
"""Sides for each block that its centre is found from."""

ROUNDS = 8
"""How often centres are moved to the middle of the sides nearest to them."""

LARGEST = 4
"""Tiles to a block at most: sides that all look the same are blocks of their own."""

ROWS_AT_ONCE = 8192


@dataclass(frozen=True, eq=False)
class Sorted:
    """The members of a reading, block by block."""

    members: np.ndarray
    """(m,) int64."""
    starts: np.ndarray
    """Where each block begins, and where the last one ends, (blocks + 1,)."""

    def span(self, block: int) -> slice:
        """Return where the members of a block stand."""
        return slice(int(self.starts[block]), int(self.starts[block + 1]))


@dataclass(frozen=True, eq=False)
class Blocks:
    """Near and far members in as many blocks, and which of them meet."""

    near: Sorted
    far: Sorted
    order: np.ndarray
    """For each block all blocks, those that look most like it first, (blocks, blocks) int32."""
    looked_at: int
    """Sides that one is compared with at least."""
    are_all: bool = False
    """Whether all are compared with all, as they are numbered."""

    def __len__(self) -> int:
        return len(self.order)

    def met(self, block: int, theirs: Sorted) -> np.ndarray:
        """Return the blocks that one meets: the nearest ones that hold enough sides."""
        nearest = self.order[block]
        sizes = np.diff(theirs.starts)[nearest]
        enough = int(np.searchsorted(np.cumsum(sizes), self.looked_at)) + 1
        return np.sort(nearest[:enough])


def all_alike(members: int) -> Blocks:
    """Return blocks of members as they are numbered, each of which meets all."""
    starts = np.append(np.arange(0, members, TILE), members)
    one = Sorted(np.arange(members), starts)
    count = len(starts) - 1
    every = np.broadcast_to(np.arange(count, dtype=np.int32), (count, count))
    return Blocks(one, one, every, members, are_all=True)


def alike(near: np.ndarray, far: np.ndarray, crew: Executor) -> Blocks:
    """Sort near and far sides by what they look like, (m, width) each.

    Sides that belong together look alike: a border is what a side is carried on to.
    """
    count = max(1, len(near) // TILE)
    both = np.stack([near, far], axis=1).astype(np.float32)
    both -= both.mean(axis=(0, 1))
    with one_thread_per_product():
        seen = principal_components(both, COMPONENTS)
        del both
        sample = seen[: max(count, SAMPLED * count // 2)].reshape(-1, seen.shape[-1])
        centres = sample[:count].copy()  # sides are numbered at random
        for _ in range(ROUNDS):
            nearest = _nearest(sample, centres, crew)
            held = np.bincount(nearest, minlength=count)
            sums = np.zeros_like(centres)
            np.add.at(sums, nearest, sample)
            centres = np.where(held[:, None] > 0, sums / np.maximum(held, 1)[:, None], centres)
        blocks = np.stack([_nearest(seen[:, i], centres, crew) for i in (0, 1)], axis=1)
        blocks, centres = _divided(blocks, seen, centres)
        ours, theirs = (_sorted(own, len(centres)) for own in blocks.T)
        apart = _squared_distances(centres, centres)
    order = np.argsort(apart, axis=1, kind="stable").astype(np.int32)
    return Blocks(ours, theirs, order, LOOKED_AT)


def _nearest(seen: np.ndarray, centres: np.ndarray, crew: Executor) -> np.ndarray:
    """Return the centre that is nearest to each of some sides."""

    def work(span: tuple[int, int]) -> np.ndarray:
        return np.asarray(np.argmin(_squared_distances(seen[slice(*span)], centres), axis=1))

    return np.concatenate(crew.map(work, spans(len(seen), ROWS_AT_ONCE)))


def _squared_distances(ones: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Return squared distances of rows, but for what does not depend on the others."""
    return np.asarray((others * others).sum(axis=1) - 2 * (ones @ others.T), ones.dtype)


def _divided(
    blocks: np.ndarray, seen: np.ndarray, centres: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Divide the largest blocks; return each side's block, (m, 2), and the centres of all.

    Plain black may be a third of a picture. Within a block sides are ordered by what differs most;
    where nothing does any of them are as good as others.
    """
    sizes = np.stack([np.bincount(own, minlength=len(centres)) for own in blocks.T]).max(axis=0)
    for block in np.flatnonzero(sizes > LARGEST * TILE):
        sides = np.argwhere(blocks == block)
        own = seen[tuple(sides.T)]
        order = np.argsort(own[:, own.var(axis=0).argmax()], kind="stable")
        parts = np.array_split(order, -(-len(order) // (2 * TILE)))
        for number, part in enumerate(parts[1:], len(centres)):
            blocks[tuple(sides[part].T)] = number
        middles = np.stack([own[part].mean(axis=0) for part in parts])
        centres[block] = middles[0]
        centres = np.concatenate([centres, middles[1:]])
    return blocks, centres


def _sorted(blocks: np.ndarray, count: int) -> Sorted:
    """Return members by their blocks."""
    starts = np.concatenate([[0], np.cumsum(np.bincount(blocks, minlength=count))])
    return Sorted(np.argsort(blocks, kind="stable"), starts)
