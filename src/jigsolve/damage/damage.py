"""What may have happened to pieces: compression, scaling, lost borders."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class Blocks(NamedTuple):
    """The blocks a codec works in, as (width, height) in pixels of the picture."""

    light: tuple[int, int]
    colour: tuple[int, int]
    """Those of colours are larger where a file holds fewer of them."""


@dataclass(frozen=True)
class Damage:
    """What happened to the pieces after the picture was cut.

    Nothing at all is a damage, too: `UNDAMAGED`.
    """

    codec: str = ""
    """"jpeg" or "webp" where the shuffled picture, or each tile, was compressed with losses."""
    blocks: Blocks | None = None
    """Where the codec's blocks lie; they begin in the picture's corner. None if not known."""
    steps: tuple[float, float] | None = None
    """Mean quantization steps of lightness and of colours; None if not known."""
    apart: bool = False
    """Whether each tile was compressed by itself, so that no block holds two pieces."""
    soft: bool = False
    """Whether it was scaled or blurred, which mixes the pixels beside a cut."""
    eroded: bool = False
    """Whether lines of pixels are lost at every side."""
    lost: float | None = None
    """How many, if that is known."""

    @property
    def is_none(self) -> bool:
        """Whether nothing happened."""
        return not (self.codec or self.soft or self.eroded)


UNDAMAGED = Damage()
