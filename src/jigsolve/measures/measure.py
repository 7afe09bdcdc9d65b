"""What a measure is: how a side looks, and how two looks are compared."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from jigsolve._kernels.costs import EUCLIDEAN, FORETOLD, FORM, GRADIENTS, MAGNITUDES, POWERS
from jigsolve._kernels.geometry import SIDES
from jigsolve.core.turns import NONE
from jigsolve.errors import InputError
from jigsolve.execution.crew import ALONE, Executor, Progress, one_thread_per_product, spans

RULES = {
    "MAGNITUDES": MAGNITUDES,
    "EUCLIDEAN": EUCLIDEAN,
    "GRADIENTS": GRADIENTS,
    "FORETOLD": FORETOLD,
    "POWERS": POWERS,
}
"""Rules of the kernels by which looks can be compared."""

VECTOR = 32
"""Borders are padded to whole cache lines of 16-bit numbers."""

PIECES_AT_ONCE = 1024
"""Looks are worked out in double precision; this bounds what that takes."""


@dataclass(frozen=True)
class Measure:
    """A rule that gives a seam its cost, from what its two sides look like."""

    name: str
    look: Callable[[np.ndarray, np.ndarray], np.ndarray]
    """From the outermost and the next line of pixels, (n, length, 3) uint8 each, to what a side
    looks like: whole numbers, (n, 3 length), or with what the side foretells beyond, (n, 6 length);
    for gradients that is (n, 6 length + FORM)."""
    rule: int
    """How looks are compared: one of RULES."""
    reranked: bool = False
    """Whether the seam network then gives candidates their costs: see `learned`."""
    placed: bool = False
    """Whether pieces must be those of a QR code, and are placed by what is known of it."""
    units: float = 1.0
    """What a cost of 1 counts, where looks are in fixed point."""

    @property
    def states_confidence(self) -> bool:
        """Whether its costs say how likely seams are right."""
        return self.reranked or self.placed

    def __post_init__(self) -> None:
        if self.rule not in RULES.values():
            *most, last = RULES
            raise InputError(
                f"measure {self.name}: expected the rule {', '.join(most)} or {last}, "
                f"found {self.rule!r}"
            )

    def borders(
        self,
        pieces: np.ndarray,
        order: np.ndarray | None = None,
        *,
        turns: str = NONE,
        progress: Progress | None = None,
        crew: Executor = ALONE,
    ) -> np.ndarray:
        """Return what each side of each piece looks like.

        Parameters
        ----------
        pieces
            Array of shape (n, height, width, 3), uint8.
        order
            The pieces in the order wanted; without it, as they are.
        turns
            Which turns pieces may need, of `core.turns.KINDS`.
        progress
            Called with parts done and parts in all.
        crew
            Who does the work.

        Returns
        -------
        borders
            Array of shape (4n, width), int16; a row for each side, in the order of their
            numbers (`_kernels.geometry`). Where pieces may be turned, (8n, width): all of them
            again, read from their other ends.
        """
        n = len(pieces)
        parts = parts_of(self.rule)
        tail = FORM if self.rule == GRADIENTS else 0
        longest = 3 * max(pieces.shape[1:3])
        length = -(-(parts * longest + tail) // VECTOR) * VECTOR
        room = (length - tail) // parts
        result = np.zeros((1 if turns == NONE else 2, n, SIDES, length), np.int16)

        def look(span: tuple[int, int]) -> None:
            first, last = span
            some = pieces[first:last] if order is None else pieces[order[first:last]]
            for side, (edge, inner) in enumerate(_outer_lines(some)):
                looks = self._checked(self.look(edge, inner), edge.shape, parts, tail)
                filled = 3 * edge.shape[1]
                for part in range(parts):
                    of_part = looks[:, part * filled : (part + 1) * filled]
                    for reading in result[:, first:last, side]:
                        reading[:, part * room : part * room + filled] = of_part
                        of_part = from_other_end(of_part)
                if tail:
                    result[:, first:last, side, parts * room : parts * room + tail] = looks[
                        :, -tail:
                    ]

        with one_thread_per_product():
            crew.map(look, spans(n, PIECES_AT_ONCE), progress)
        return result.reshape(-1, length)

    def _checked(
        self, looks: np.ndarray, shape: tuple[int, ...], parts: int, tail: int
    ) -> np.ndarray:
        """Return looks; raise where a measure of a user's own gives what borders cannot hold."""
        looks = np.asarray(looks)
        expected = (shape[0], parts * 3 * shape[1] + tail)
        if looks.shape != expected or looks.dtype.kind not in "iuf":
            raise InputError(
                f"measure {self.name}: expected looks as numbers of shape {expected}, found "
                f"{looks.dtype} of shape {looks.shape}"
            )
        limits = np.iinfo(np.int16)
        if not (looks.min() >= limits.min and looks.max() <= limits.max):  # NaN is neither
            raise InputError(
                f"measure {self.name}: expected looks from {limits.min} to {limits.max}, found "
                f"{looks.min()} to {looks.max()}"
            )
        return looks


def parts_of(rule: int) -> int:
    """Return of how many parts a look consists: the pixels of a side, and those it foretells."""
    return 1 if rule in (MAGNITUDES, EUCLIDEAN) else 2


def from_other_end(looks: np.ndarray, numbers: int = 3) -> np.ndarray:
    """Return the looks of sides read from their other ends; each pixel has so many numbers."""
    pixels = looks.reshape(len(looks), -1, numbers)
    return pixels[:, ::-1].reshape(looks.shape)


def _outer_lines(pieces: np.ndarray) -> tuple[tuple[np.ndarray, np.ndarray], ...]:
    """Return the outermost line of pixels of each side, and the next one."""
    _, height, width, _ = pieces.shape
    next_x, next_y = min(1, width - 1), min(1, height - 1)
    return (
        (pieces[:, :, 0], pieces[:, :, next_x]),
        (pieces[:, :, -1], pieces[:, :, -1 - next_x]),
        (pieces[:, 0, :], pieces[:, next_y, :]),
        (pieces[:, -1, :], pieces[:, -1 - next_y, :]),
    )
