"""What a network said of the seams of a bag, for those who ask about some of its pieces.

A score is one of two sides and of nothing around them: pieces of a bag that are priced again, as
one of its pictures, need not be scored again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from jigsolve._kernels.facing import Facing
from jigsolve.measures.kinds import Kinds


@dataclass(frozen=True, eq=False)
class Heard:
    """Scores of seams, each by the first members of its kinds."""

    keys: Mapping[Facing, np.ndarray]
    """Near times the number of members, plus far, sorted, (m,) int64."""
    scores: Mapping[Facing, np.ndarray]
    """What the network said of each, (m,) float32."""
    kinds: Mapping[Facing, tuple[Kinds, Kinds]]
    pieces: np.ndarray
    """The number in the bag of each piece that is asked about."""

    @classmethod
    def of(
        cls,
        seams: Mapping[Facing, tuple[np.ndarray, np.ndarray, np.ndarray]],
        kinds: Mapping[Facing, tuple[Kinds, Kinds]],
        pieces: int,
    ) -> Heard:
        """Take note of near members, far members and scores."""
        keys, scores = {}, {}
        for facing, (ones, others, said) in seams.items():
            key = ones * (pieces << facing.bits) + others
            order = np.argsort(key)
            keys[facing], scores[facing] = key[order], said[order]
        return cls(keys, scores, kinds, np.arange(pieces))

    def about(self, pieces: np.ndarray) -> Heard:
        """Return the same for somebody who asks about some pieces, by numbers of his own."""
        return replace(self, pieces=self.pieces[pieces])

    def said(self, facing: Facing, ones: np.ndarray, others: np.ndarray) -> np.ndarray:
        """Return the scores of seams between near and far members, NaN where there is none."""
        keys, scores = self.keys[facing], self.scores[facing]
        near, far = (
            kinds.first[self._members(facing, members)]
            for kinds, members in zip(self.kinds[facing], (ones, others), strict=True)
        )
        if facing.is_turned:
            near, far = np.minimum(near, far), np.maximum(near, far)
        wanted = near * len(self.kinds[facing][1].first) + far
        place = np.minimum(np.searchsorted(keys, wanted), max(len(keys) - 1, 0))
        found = np.full(len(wanted), np.nan, np.float32)
        if len(keys):
            known = keys[place] == wanted
            found[known] = scores[place[known]]
        return found

    def likeliest(self, spare: np.ndarray, pieces: np.ndarray, most: int) -> np.ndarray:
        """Return the spare pieces, at most so many, that fit one of some pieces best.

        What is returned is in order.
        """
        count = max(len(near.first) >> facing.bits for facing, (near, _) in self.kinds.items())
        is_asking = np.zeros(count, np.bool_)
        is_asking[self.pieces[pieces]] = True
        best = np.full(count, -np.inf, np.float32)
        for facing, keys in self.keys.items():
            ends = divmod(keys, count << facing.bits)
            one, other = (members >> facing.bits for members in ends)
            for mine, theirs in ((one, other), (other, one)):
                asked = is_asking[theirs]
                np.maximum.at(best, mine[asked], self.scores[facing][asked])
        order = np.argsort(-best[self.pieces[spare]], kind="stable")
        return np.sort(spare[order[:most]])

    def _members(self, facing: Facing, members: np.ndarray) -> np.ndarray:
        """Return which members of the bag's class those of somebody are."""
        within = members & ((1 << facing.bits) - 1)
        return np.asarray((self.pieces[members >> facing.bits] << facing.bits) | within)
