"""What pieces look like, as numbers: equal where pixels are equal."""

from __future__ import annotations

import hashlib
from typing import NamedTuple

import numpy as np

from jigsolve.core.turns import Placement, possible_turns, turned_pieces


def look_alikes(pieces: np.ndarray) -> np.ndarray:
    """Return a number for each piece that is equal for pieces with equal pixels."""
    rows = np.ascontiguousarray(pieces.reshape(len(pieces), -1))
    as_bytes = rows.view(np.dtype((np.void, rows.shape[1])))[:, 0]
    return np.unique(as_bytes, return_inverse=True)[1].astype(np.int64)


class Looks(NamedTuple):
    """What is seen of pieces as they may be turned; a look is a number, -1 that of nothing."""

    seen: np.ndarray
    """The look of each piece in each turn, (n + 1, 4); the last row, of no piece, is -1."""
    after: np.ndarray
    """What a look becomes by so many quarter turns clockwise, (looks + 1, 4), the last row -1."""

    def of(self, placement: Placement) -> np.ndarray:
        """Return what is seen in each cell, (rows, columns)."""
        return np.asarray(self.seen[placement.pieces, placement.turns])

    @property
    def copies(self) -> np.ndarray:
        """How many pieces, each in how many turns, have a look; the last one is that of nothing."""
        found = self.seen[self.seen >= 0]
        return np.bincount(found, minlength=len(self.after))

    @property
    def kinds(self) -> np.ndarray:
        """For each look the lowest of those it becomes: equal for what turns into each other."""
        return np.asarray(np.where(self.after >= 0, self.after, len(self.after)).min(axis=1))

    @property
    def symmetries(self) -> np.ndarray:
        """By how many turns a look stays as it is, itself among them."""
        return np.asarray((self.after == self.after[:, :1]).sum(axis=1))


def strict_looks(count: int) -> Looks:
    """Return looks that tell all pieces and all their turns apart."""
    numbers = np.arange(4 * count).reshape(count, 4)
    turn = np.arange(4)
    after = 4 * (numbers.reshape(-1, 1) // 4) + (numbers.reshape(-1, 1) + turn) % 4
    return Looks(_with_nothing(numbers), _with_nothing(after))


def pixel_looks(pieces: np.ndarray, turns: str) -> Looks:
    """Return the looks of pieces by their pixels."""
    count, possible = len(pieces), [*possible_turns(turns)]
    poses = [_digests(turned_pieces(pieces, np.full(count, turn))) for turn in possible]
    seen = np.full((count, 4), -1)
    seen[:, possible] = look_alikes(np.concatenate(poses)).reshape(len(possible), count).T
    after = np.full((int(seen.max()) + 1, 4), -1)
    for turn in possible:
        for more in possible:
            after[seen[:, turn], more] = seen[:, (turn + more) % 4]
    return Looks(_with_nothing(seen), _with_nothing(after))


def _digests(pieces: np.ndarray) -> np.ndarray:
    """Return 32 bytes that stand for the pixels of each piece: in all turns these take memory."""
    joined = b"".join(hashlib.sha256(piece.tobytes()).digest() for piece in pieces)
    return np.frombuffer(joined, np.uint8).reshape(len(pieces), -1)


def _with_nothing(table: np.ndarray) -> np.ndarray:
    return np.vstack([table, np.full((1, table.shape[1]), -1)])
