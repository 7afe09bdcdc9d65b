"""Bags of several images, drawn from sets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from jigsolve.core import PieceSize
from jigsolve.core.checks import whole_number
from jigsolve.lab.sets import SetImage

USUAL_BAGS = 10


@dataclass(frozen=True)
class SetBag:
    """Images whose pieces are mixed."""

    set_name: str
    """Those of all sets they may be from."""
    number: int
    """From 1 on; it seeds the draw and the shuffle."""
    images: tuple[SetImage, ...]

    @property
    def pieces(self) -> int:
        """Pieces of all images."""
        return sum(image.pieces for image in self.images)

    @property
    def piece(self) -> PieceSize:
        """The size of a piece."""
        return self.images[0].piece


def draw_bags(images: Sequence[SetImage], mixed: int, count: int = USUAL_BAGS) -> list[SetBag]:
    """Return bags of so many images each, no image twice in one; the same ones every time."""
    whole_number("mixed", mixed, 1, len(images))
    name = "+".join(dict.fromkeys(image.set_name for image in images))
    return [
        SetBag(name, number, tuple(images[i] for i in _drawn(len(images), mixed, number)))
        for number in range(1, count + 1)
    ]


def _drawn(count: int, mixed: int, number: int) -> list[int]:
    drawn = np.random.default_rng([mixed, number]).choice(count, mixed, replace=False)
    return sorted(int(which) for which in drawn)
