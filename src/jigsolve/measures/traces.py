"""Traces of compression: where in the grid of blocks a piece was cut.

JPEG stores blocks of 8 by 8 pixels, colours often of 16 by 16, and over the borders of blocks
pixels differ a little more than elsewhere. Where pieces are no whole number of blocks wide, these
borders lie elsewhere in each piece, and tell where it was cut: its offset. That of the next piece
is larger by a piece's width; those of other pieces are any. In a plain sky this says more than the
seam.

Offsets are found from the pieces themselves (`offsets.py`). Whether there are such traces at all is
asked of neighbours that are known: what does not tell them from others is not believed.

Related: Fan and de Queiroz, IEEE Trans. Image Processing 12, 2003 (the grid of blocks, found from
differences of pixels).
"""

from __future__ import annotations

import functools
from dataclasses import dataclass, replace

import numpy as np

from jigsolve._kernels.facing import Facing, Reading
from jigsolve._kernels.geometry import is_across
from jigsolve._kernels.traces import log_ratios
from jigsolve.execution.crew import ALONE, Executor, Progress
from jigsolve.gpu import Gpu
from jigsolve.measures.offsets import all_likely_offsets

PERIODS = (8, 16)
"""Blocks that are tried, in pixels."""
WEIGHTS = (0.25, 0.5, 0.75)
"""How far they may be believed; not all the way, for the network sees some of them, too."""

LEAST_GAIN = 0.1
"""Known neighbours have to stand out by so much, as a logarithm, from all pieces and from the next
best, or nothing is said."""
CERTAINTY = 3.0
"""With so many standard errors to spare, as if pairs had no pieces in common."""
FEWEST = 30
"""And there have to be so many of them."""

DOUBT = 0.06
"""How likely neighbours' offsets are taken to be as different as those of any two pieces."""

RARE = 1e-4
"""Offsets with a smaller share are left out: they do not occur."""

Pairs = tuple[np.ndarray, np.ndarray]
"""Pieces, (m,), and others to the right of them or below, (m,)."""

Choices = tuple[np.ndarray, np.ndarray]
"""Pieces, (m,), and others that may lie to the right of them or below, the right one first, (m, k).
"""


@dataclass(frozen=True)
class Offsets:
    """Where pieces were cut in a grid of blocks, in two directions."""

    across: Direction
    down: Direction

    @classmethod
    def of(
        cls,
        pieces: np.ndarray,
        order: np.ndarray,
        progress: Progress | None = None,
        crew: Executor = ALONE,
        gpu: Gpu | None = None,
    ) -> Offsets:
        """Find the offsets of pieces, (n, height, width, 3) uint8, in the order wanted.

        `progress` is told parts done and in all.
        """
        height, width = pieces.shape[1:3]
        both = [[pieces], [pieces.transpose(0, 2, 1, 3)]]
        across, down = all_likely_offsets(both, order, crew, progress, gpu)
        return cls(Direction(across, width), Direction(down, height))

    @property
    def say_something(self) -> bool:
        """Whether anything of this is believed."""
        return self.across.weight + self.down.weight > 0

    def likeliest(self) -> list[np.ndarray]:
        """Return the likeliest offset of every piece, (n,), for each direction believed."""
        return [d.likely.argmax(axis=1) for d in (self.across, self.down) if d.weight > 0]

    def vouched_for(self, rightward: Choices, downward: Choices) -> Offsets:
        """Return the offsets with periods and weights that suit pairs known to be neighbours."""
        return Offsets(
            self.across.vouched_for(along=rightward, beside=downward),
            self.down.vouched_for(along=downward, beside=rightward),
        )

    def traits(self, reading: Reading) -> list[np.ndarray]:
        """Return what tells sides apart that look the same: where their pieces were cut."""
        return self.likeliest()

    def said(self, pairs: Pairs, facing: Facing) -> np.ndarray:
        """Return what offsets say for seams between near and far sides, (m,) float32."""
        return self.log_ratios(pairs, rightward=bool(is_across(facing.near.first)))

    def log_ratios(self, pairs: Pairs, *, rightward: bool) -> np.ndarray:
        """Return how much likelier the offsets of pairs are for neighbours than by chance.

        As logarithms, (m,) float32; the others lie to the right, or else below.
        """
        along, beside = (self.across, self.down) if rightward else (self.down, self.across)
        found = along.log_ratios(pairs, shifted=True)
        found += beside.log_ratios(pairs, shifted=False)
        return found


@dataclass(frozen=True)
class Direction:
    """Offsets in one direction."""

    likely: np.ndarray
    """How likely each is for every piece, (n, period)."""
    size: int
    """Pixels of a piece in this direction."""
    weight: float = 1.0
    """How far what they say is believed."""

    def vouched_for(self, along: Choices, beside: Choices) -> Direction:
        """Return the period and the weight by which known neighbours stand out most.

        Along lie the next pieces in this direction, beside those in the other. If they do not
        stand out, nothing is said: what was found are not places then, but, say, smooth pieces
        and others.
        """
        best, most = replace(self, weight=0.0), LEAST_GAIN
        for period in PERIODS:
            folded = self._folded(period)
            ratios = [
                folded.log_ratios(
                    (np.repeat(ones, others.shape[1]), others.ravel()), shifted=next_
                ).reshape(others.shape)
                for (ones, others), next_ in ((along, True), (beside, False))
            ]
            for weight in WEIGHTS:
                gain = gained([weight * ratio for ratio in ratios])
                if gain > most:
                    best, most = replace(folded, weight=weight), gain
        return best

    def _folded(self, period: int) -> Direction:
        """Return offsets of a shorter period."""
        likely = self.likely.reshape(len(self.likely), -1, period).sum(axis=1)
        return replace(self, likely=likely)

    def log_ratios(self, pairs: Pairs, *, shifted: bool) -> np.ndarray:
        """Return what these offsets say for others to be next to pieces, or beside them, (m,)."""
        found = np.zeros(len(pairs[0]), np.float32)
        expected, likely = self._next if shifted else self._same
        if self.weight > 0 and likely.size:
            log_ratios(expected, likely, DOUBT, *pairs, found)
            found *= np.float32(self.weight)
        return found

    @functools.cached_property
    def _next(self) -> tuple[np.ndarray, np.ndarray]:
        return self._expected(self.size)

    @functools.cached_property
    def _same(self) -> tuple[np.ndarray, np.ndarray]:
        return self._expected(0)

    def _expected(self, shift: int) -> tuple[np.ndarray, np.ndarray]:
        """Return what is expected so many pixels on, as against chance, and what is likely.

        Both are (n, k), for the offsets that occur.
        """
        return against_chance(np.roll(self.likely, shift, axis=1), self.likely)


def against_chance(expected: np.ndarray, likely: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return what offsets are expected of partners, as against chance, and which are likely.

    Both are (n, k), for the offsets that occur.
    """
    usual, usually_expected = (
        shares.mean(axis=0, dtype=np.float64) for shares in (likely, expected)
    )
    occur = np.minimum(usual, usually_expected) > RARE
    by_chance = float(usual[occur] @ usually_expected[occur])
    relative = expected[:, occur] * np.float32((1 - DOUBT) / max(by_chance, RARE**2))
    return np.ascontiguousarray(relative), np.ascontiguousarray(likely[:, occur])


def gained(said: list[np.ndarray]) -> float:
    """Return by how much known neighbours stand out, given what is said of choices, (m, k) each.

    The right ones come first; they are compared with all pieces and with the next best ones.
    """
    right = np.concatenate([each[:, 0] for each in said])
    usual = np.concatenate([np.log(np.exp(each).mean(axis=1)) for each in said])
    return min(_at_least(right), _at_least(right - usual))


def _at_least(values: np.ndarray) -> float:
    """Return what the mean of values is with some certainty not below."""
    if len(values) < FEWEST:
        return -np.inf
    return float(values.mean(dtype=np.float64) - CERTAINTY * values.std() / np.sqrt(len(values)))
